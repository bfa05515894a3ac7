"""What the stage shows and costs, in a real browser: ``python -m benchmarks.stage [--times 5] [--json FILE]``.

A server and a visitor of its own each time. Prints the least, the median and the most of:

- messages: of Streamlit for a first page, for a page with a run, and for a knob that is turned until its run is drawn;
- first: seconds from the address until the recorded training moves; of these, since the client was there;
- knob: seconds from a press on the slider of λ until the first epoch of its run is drawn, on iris;
- charts: share of the window of 1280×720 that charts take, and of a page that is presented.
"""

import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, WebSocket
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.first_page import repeat
from tests.load.server import Server

_MOVED = """(before) => { const text = document.querySelector(".tsk-epochs .tsk-epoch, .tsk-stage .tsk-epoch")?.textContent;
  return text && (before === null ? /epoch [1-9]/.test(text) : text !== before); }"""
_OF_RUN = "(before) => { const run = new URL(location).searchParams.get('run'); return run && run !== before; }"
_SHARE = """() => [...document.querySelectorAll(":is(.tsk-stage-ground, .tsk-stage-bars, .tsk-stage-entropy, .tsk-stage-strip)")]
  .map((part) => part.getBoundingClientRect()).reduce((sum, { x, y, right, bottom }) => sum
    + Math.max(0, Math.min(right, innerWidth) - x) * Math.max(0, Math.min(bottom, innerHeight) - y), 0)
    / innerWidth / innerHeight"""


def counted(page: Page) -> Callable[[], int]:
    """A function that gives how many elements Streamlit sent since it was called last."""
    seen = [0]

    def note(frame: str | bytes) -> None:
        if isinstance(frame, bytes):
            message = ForwardMsg()
            message.ParseFromString(frame)
            seen[0] += message.WhichOneof("type") == "delta"

    def follow(socket: WebSocket) -> None:
        if "_stcore" in socket.url:
            socket.on("framereceived", note)

    def since() -> int:
        found, seen[0] = seen[0], 0
        return found

    page.on("websocket", follow)
    return since


def measured(browser: Browser, folder: Path) -> dict[str, float]:
    """Each figure, once."""
    found: dict[str, float] = {}
    with Server(folder) as server, browser.new_context(viewport={"width": 1280, "height": 720}) as context:
        page = context.new_page()
        messages = counted(page)
        began = time.perf_counter()
        page.goto(server.address)
        page.wait_for_selector(".tsk-stage", state="attached")
        there = time.perf_counter()
        page.wait_for_function(_MOVED, arg=None)
        found |= {"first": time.perf_counter() - began, "since client": time.perf_counter() - there}
        page.wait_for_timeout(2000)
        found["messages, first"] = messages()
        page.goto(f"{server.address}?data=iris")
        page.get_by_role("button", name="Train", exact=True).click()
        page.wait_for_function(_OF_RUN, arg=None)
        page.wait_for_timeout(4000)
        found["charts"] = page.evaluate(_SHARE)
        messages()
        page.reload()
        page.wait_for_timeout(4000)
        found["messages, run"] = messages()
        run = page.evaluate("new URL(location).searchParams.get('run')")
        began = time.perf_counter()
        page.get_by_role("slider", name="λ").press("ArrowRight")
        page.wait_for_function(_OF_RUN, arg=run)
        page.wait_for_function(_MOVED, arg="no epoch yet")
        found["knob"] = time.perf_counter() - began
        page.wait_for_timeout(4000)
        found["messages, knob"] = messages()
        page.goto(f"{server.address}?run={page.evaluate('new URL(location).searchParams.get(`run`)')}&present=1")
        page.wait_for_selector(".tsk-stage canvas")
        page.wait_for_timeout(1000)
        found["charts, presented"] = page.evaluate(_SHARE)
    return found


if __name__ == "__main__":
    repeat(__doc__.splitlines()[0], measured)
