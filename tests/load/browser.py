"""A browser without a screen: one tab of the app, speaking Streamlit's websocket protocol.

    async with Browser("http://127.0.0.1:8501", "data=iris&epochs=30") as tab:
        await tab.open()                                 # seconds until the page was there
        await tab.press("Train")                         # seconds until the page had answered
        await tab.until(lambda page: page.progress.startswith("Finished"), seconds=60)

It does what Streamlit's front end does as far as the server can tell: asks for health and host configuration, offers its XSRF
token, sends every widget's state with each rerun, follows what the page names (``live``), and keeps large messages by hash.
Scripts, styles and charts are fetched (``first_visit``) or not, as by a browser that has them already; nothing is drawn.
"""

import asyncio
import contextlib
import json
import re
import time
import uuid
from collections.abc import Callable
from typing import Any
from urllib.parse import urljoin

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tests.load.live import Live
from tests.load.page import MessageCache, Page

PATIENCE = 60.0  # seconds for one answer
MOMENT = 5.0  # seconds for a widget that is drawn again
PLOTLY = "app/static/plotly-cartesian.min.js"  # what the page's own live charts fetch when the first one is drawn
_NAMED = re.compile(r'(?:src|href)="\./(static/[^"]+\.(?:js|css|woff2))"')
_TOKEN = "_streamlit_xsrf"


class Trouble(Exception):  # noqa: N818 (a visitor has trouble; it is no error of this program)
    """What a visitor could not do, in one sentence."""


class Browser:
    """One tab at ``address`` with ``query`` behind the question mark. first_visit: nothing is in its cache yet.

    path: of a page, such as "learn"; "" for the first one.
    """

    def __init__(self, address: str, query: str = "", first_visit: bool = False, path: str = "") -> None:
        self.page = Page(query)
        self.on_raw: Callable[[bytes], None] = lambda raw: None  # sees each message as it came
        self._path = path
        self._address, self._first_visit = address.rstrip("/") + "/", first_visit
        self._http = AsyncHTTPClient(force_instance=True, max_clients=6)  # as many connections as a browser opens
        self._socket: ClientConnection | None = None
        self._cache, self._max_age = MessageCache(), 2
        self._cookies: dict[str, str] = {}
        self._whole_runs: list[str] = []  # runs of the whole script that began, by id
        self._done: set[str] = set()  # those of them that ended as they should
        self._fragments_done: set[str] = set()  # that were drawn by themselves since somebody asked for them
        self._interrupted: set[str] = set()  # fragments of the last run, where another one began before its messages were sent
        self._live: Live | None = None
        self._reported: dict[str, dict[str, Any]] = {}  # the states that the page was asked to be drawn with
        self._reader: asyncio.Task | None = None
        self._follower: asyncio.Task | None = None
        self._changed = asyncio.Event()
        self._news = asyncio.Event()
        self._has_plotly = not first_visit
        self._fetching: set[asyncio.Task] = set()

    async def __aenter__(self) -> "Browser":
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def open(self) -> float:
        """Open the page; returns the seconds from the first request to the end of the script's first run."""
        began = time.monotonic()
        html = await self._get("")
        if self._first_visit:
            await asyncio.gather(*(self._get(name) for name in sorted(set(_NAMED.findall(html.decode())))))
        await self._get("_stcore/health")
        await self._get("_stcore/host-config")
        try:
            self._socket = await connect(
                urljoin(self._address.replace("http", "ws", 1), "_stcore/stream"),
                origin=self._address.rstrip("/"), additional_headers=self._cookie_header(),
                subprotocols=["streamlit", self._cookies.get(_TOKEN, "PLACEHOLDER_AUTH_TOKEN")],
                open_timeout=PATIENCE, ping_interval=None, max_size=2**28, proxy=None,
            )  # fmt: skip
        except (OSError, TimeoutError, WebSocketException) as error:
            raise Trouble(f"The websocket could not be opened: {error}.") from error
        self._reader = asyncio.create_task(self._read())
        self._live = Live(self._address, self._cookie_header(), self._on_part)
        self._follower = asyncio.create_task(self._follow())
        await self._rerun()
        return time.monotonic() - began

    async def press(self, label: str) -> float:
        """Press a button; returns the seconds until the script had run to its end."""
        widget = self.page.widgets.get(label)
        if widget is None or widget.disabled:
            raise Trouble(f"The button {label} is {'greyed out' if widget else 'not on the page'}; {self._said()}.")
        self.page.change(label, True)
        pressed = self.page.states.pop(widget.id)
        return await self._rerun(widget.fragment, pressed)

    async def change(self, label: str, value: float | str | bool) -> float:
        """Change a widget's value; returns the seconds until the script had run to its end."""
        began = time.monotonic()
        with contextlib.suppress(Trouble):
            # Where a fragment is drawn before the browser has got the page that ended just now, Streamlit sends it after the end
            # of the page only, so that the browser takes its widgets away for a moment.
            await self._wait(lambda: label in self.page.widgets, MOMENT)
        if label not in self.page.widgets:
            raise Trouble(f"There is no {label} on the page; {self._said()}.")
        waited = time.monotonic() - began
        return waited + await self._rerun(self.page.change(label, value).fragment)

    async def report(self, key: str, event: str, value: object) -> float:
        """Let a component of the page report something; returns the seconds until the script had run to its end."""
        component = self.page.components.get(key)
        if component is None:
            raise Trouble(f"There is no component {key} on the page; {self._said()}.")
        trigger = WidgetState(id=f"$$STREAMLIT_INTERNAL_KEY_{component}__events")
        trigger.json_trigger_value = json.dumps([{"event": event, "value": value}])
        return await self._rerun("", trigger)

    async def put(self, content: bytes, name: str = "") -> tuple[str, int]:
        """Send a file to the server, under an id made up here; returns the id and the status of the answer."""
        name, mark = name or uuid.uuid4().hex, uuid.uuid4().hex
        head = f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="table"\r\n\r\n'
        request = HTTPRequest(
            urljoin(self._address, f"_stcore/upload_file/{self.page.session}/{name}"), method="PUT",
            headers={"Content-Type": f"multipart/form-data; boundary={mark}", "X-Xsrftoken": self._cookies.get(_TOKEN, ""),
                     "Origin": self._address.rstrip("/")} | self._cookie_header(),
            body=head.encode() + content + f"\r\n--{mark}--\r\n".encode(), request_timeout=PATIENCE,
        )  # fmt: skip
        try:
            return name, (await self._http.fetch(request, raise_error=False)).code
        except Exception as error:  # the server may close the connection as soon as it refuses
            raise Trouble(f"The file could not be sent: {error}.") from error

    async def upload(self, label: str, content: bytes) -> float:
        """Put a file into an uploader; returns the seconds until the script had run to its end."""
        name, status = await self.put(content)
        if status != 204:
            raise Trouble(f"The server refused the file with status {status}.")
        return await self.change(label, name)

    async def until(self, true: Callable[[Page], bool], seconds: float = PATIENCE) -> None:
        """Follow the page until ``true`` holds for it; Trouble when that takes longer than ``seconds``."""
        await self._wait(lambda: true(self.page), seconds)

    async def close(self) -> None:
        """Close the tab."""
        for task in (self._follower, self._reader, *self._fetching):
            if task is not None:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError, OSError, WebSocketException):  # the server may be gone
                    await task
        if self._live is not None:
            await self._live.close()
        if self._socket is not None:
            await self._socket.close()
        self._http.close()

    # Out.

    def _cookie_header(self) -> dict[str, str]:
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        return {"Cookie": cookies} if cookies else {}

    async def _get(self, path: str) -> bytes:
        request = HTTPRequest(
            urljoin(self._address, path), headers={"Accept-Encoding": "gzip"} | self._cookie_header(), decompress_response=False,
            connect_timeout=PATIENCE, request_timeout=PATIENCE,
        )  # fmt: skip
        try:
            answer = await self._http.fetch(request)
        except Exception as error:  # tornado raises what the network does, and its own
            raise Trouble(f"/{path} could not be fetched: {error}.") from error
        for cookie in answer.headers.get_list("Set-Cookie"):
            name, _, value = cookie.partition(";")[0].partition("=")
            self._cookies[name] = value
        return answer.body

    async def _rerun(self, fragment: str = "", *pressed) -> float:
        began, before = time.monotonic(), len(self._whole_runs)
        self._fragments_done.discard(fragment)
        await self._send(fragment, *pressed)
        # A fragment may find that the whole page has to be drawn.
        await self._wait(
            lambda: fragment in self._fragments_done or any(run in self._done for run in self._whole_runs[before:]), PATIENCE
        )
        return time.monotonic() - began

    _began_since_asked = False  # until the answer begins, no message is dropped that the question said is kept

    async def _send(self, fragment: str, *pressed) -> None:
        self._began_since_asked = False
        message = BackMsg()
        rerun = message.rerun_script
        rerun.query_string = self.page.query
        rerun.widget_states.widgets.extend([*self.page.states.values(), *pressed])
        rerun.page_script_hash, rerun.fragment_id = self.page.script, fragment
        if not self.page.script:
            rerun.page_name = self._path
        rerun.cached_message_hashes.extend(self._cache.hashes)
        rerun.context_info.timezone, rerun.context_info.locale, rerun.context_info.url = (
            "UTC",
            "en-GB",
            self._address + self._path,
        )
        try:
            await self._socket.send(message.SerializeToString())
        except WebSocketException as error:
            raise Trouble(f"The server closed the connection; {self._said()}.") from error

    async def _follow(self) -> None:
        """Follow what the page names, and let it be drawn again where a subject is in another state than it was drawn with."""
        while True:
            self._changed.clear()
            watched = dict(self.page.watched)
            tickets = [ticket for data in watched.values() for ticket in data["tickets"]]
            if tickets:
                await self._live.follow(tickets)
            for key, data in watched.items():
                other = [of for of, drawn in data["drawn"].items() if self._live.states.get(of, drawn) != drawn]
                if other and self._live.states[other[0]] != self._reported.get(other[0]):
                    self._reported[other[0]] = self._live.states[other[0]]
                    with contextlib.suppress(Trouble):
                        await self.report(key, "changed", other[0])
            await self._changed.wait()

    def _on_part(self, part: dict[str, Any]) -> None:
        if part["kind"] == "standing" and part["payload"]["text"]:
            self.page.progress = part["payload"]["text"]
        self._changed.set()
        self._news.set()

    # In.

    async def _read(self) -> None:
        with contextlib.suppress(WebSocketException):
            async for raw in self._socket:
                self.on_raw(raw)
                self._take(ForwardMsg.FromString(raw))
                self._news.set()
        self._news.set()

    def _take(self, message: ForwardMsg) -> None:
        self._cache.keep(message)
        kind = message.WhichOneof("type")
        if kind in _HANDLERS:
            _HANDLERS[kind](self, message)

    def _on_delta(self, message: ForwardMsg) -> None:
        delta = message.delta
        if delta.WhichOneof("type") != "new_element":
            return
        self.page.draw(delta.new_element, delta.fragment_id)
        if not self._has_plotly and delta.new_element.WhichOneof("type") == "bidi_component" and self.page.watched:
            self._has_plotly = True
            self._fetching.add(asyncio.create_task(self._get(PLOTLY)))

    def _on_reference(self, message: ForwardMsg) -> None:
        if not self._cache.use(message.ref_hash):
            self.page.errors.append("The server named a message that this browser does not have.")

    def _on_session(self, message: ForwardMsg) -> None:
        session, run = message.new_session, message.metadata.run
        self.page.session, self.page.script = session.initialize.session_id, session.page_script_hash or self.page.script
        self._began_since_asked = True
        self._max_age = session.config.max_cached_message_age or self._max_age
        if run.fragment_ids:
            # The server says of a fragment that another one interrupted it, though it was drawn to its end, where the messages of
            # both are sent together; one that asks for the whole page is followed by that page.
            self._fragments_done |= self._interrupted
        self._interrupted = set()
        if run.fragment_ids:
            self._done.update(self._whole_runs[-1:])  # it had ended: its own word for that may be dropped on the way
            return
        self._whole_runs.append(run.script_run_id)
        self.page.start_over()

    def _on_finished(self, message: ForwardMsg) -> None:
        run, status = message.metadata.run, message.script_finished
        if status == ForwardMsg.FINISHED_SUCCESSFULLY:
            self._done.add(run.script_run_id)
            self.page.forget_unseen()
            self._changed.set()
        elif status == ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY:
            self._fragments_done.update(run.fragment_ids)
        elif status == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            self._interrupted.update(run.fragment_ids)
        elif status == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
            self.page.errors.append("The script does not compile.")
        if status != ForwardMsg.FINISHED_EARLY_FOR_RERUN and self._began_since_asked:
            self._cache.count_run(self._max_age, list(run.fragment_ids))

    def _on_navigation(self, message: ForwardMsg) -> None:
        self.page.script = message.navigation.page_script_hash

    def _on_address(self, message: ForwardMsg) -> None:
        self.page.query = message.page_info_changed.query_string

    async def _wait(self, true: Callable[[], bool], seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                while not true():
                    if self._reader.done():
                        raise Trouble(f"The server closed the connection; {self._said()}.")
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise Trouble(f"No answer within {seconds:g} s; {self._said()}.") from None

    def _said(self) -> str:
        """What the page says at the moment, for messages."""
        return f"the page says {self.page.progress!r}, errors: {self.page.errors}"


_HANDLERS: dict[str, Callable[[Browser, ForwardMsg], None]] = {
    "delta": Browser._on_delta,
    "ref_hash": Browser._on_reference,
    "new_session": Browser._on_session,
    "script_finished": Browser._on_finished,
    "navigation": Browser._on_navigation,
    "page_info_changed": Browser._on_address,
}
