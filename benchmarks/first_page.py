"""What a visitor waits for, in a real browser: ``python -m benchmarks.first_page [--times 5] [--json FILE]``.

Starts a server of its own each time, and one visitor. Prints seconds and megabytes, the least, the median and the most:

- cold: from the address to a *Train* that can be pressed; the first visit of a server that has just started, an empty cache;
- again: the same address by a second visitor whose cache is empty, the server warm;
- cached: the same address once more by that visitor;
- Train: from the press to the first test accuracy; Samples: from the press of the tab to its first drawn row;
- MB: over the wire of the cold visit, the websocket aside.
"""

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.chromium import running
from tests.load.server import Server

_PRESSABLE = """() => {
  const buttons = [...document.querySelectorAll('button')];
  const train = buttons.find((button) => button.textContent.trim() === "Train");
  return train && !train.disabled;
}"""
_SCORED = """() => [...document.querySelectorAll('[data-testid="stMetric"]')].some((tile) =>
  tile.textContent.startsWith("Accuracy") && /\\d\\.\\d{3}/.test(tile.textContent))"""
_SAMPLED = """() => [...document.querySelectorAll('[role="tabpanel"]')].some((panel) =>
  panel.getClientRects().length && panel.querySelector(".main-svg, .tsk-sample, svg, canvas"))"""


def opened(page: Page, address: str) -> float:
    """Seconds until *Train* can be pressed."""
    began = time.perf_counter()
    page.goto(address)
    page.wait_for_function(_PRESSABLE)
    return time.perf_counter() - began


def waited(browser: Browser, folder: Path) -> dict[str, float]:
    """Each figure, once."""
    found: dict[str, float] = {}
    with Server(folder) as server:
        for visit in ("cold", "again"):
            with browser.new_context(viewport={"width": 1280, "height": 800}) as context:
                page = context.new_page()
                received = []
                devtools = context.new_cdp_session(page)
                devtools.send("Network.enable")
                devtools.on("Network.loadingFinished", lambda event, into=received: into.append(event["encodedDataLength"]))
                found[visit] = opened(page, server.address)
                page.wait_for_timeout(2000)
                if visit == "cold":
                    found["MB"] = sum(received) / 1e6
                    continue
                found["cached"] = opened(page, server.address)
                page.wait_for_timeout(1000)
                for name, press, done in (
                    ("Train", page.get_by_role("button", name="Train", exact=True), _SCORED),
                    ("Samples", page.get_by_role("tab", name="Samples", exact=True), _SAMPLED),
                ):
                    began = time.perf_counter()
                    press.click()
                    page.wait_for_function(done)
                    found[name] = time.perf_counter() - began
                    page.wait_for_timeout(4000)
    return found


def repeat(what: str, measure: Callable[[Browser, Path], dict[str, float]]) -> None:
    """A command that takes figures several times, each in an empty folder, and prints the least, the median and the most of each.

    what: says it in one line.
    """
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    measured = []
    with running() as browser:
        for _ in range(options.times):
            with tempfile.TemporaryDirectory() as folder:
                measured.append(measure(browser, Path(folder)))
    for name in measured[0]:
        values = [one[name] for one in measured]
        print(f"{name:18} {min(values):7.2f} {statistics.median(values):7.2f} {max(values):7.2f}")
    if options.json:
        options.json.write_text(json.dumps(measured))


if __name__ == "__main__":
    repeat(__doc__.splitlines()[0], waited)
