"""The live route: what is new of the subjects that a tab shows, pushed over one websocket beside Streamlit, ``/live``.

The browser says which subjects it shows, by their tickets (``subjects``), and how far it has each of their lists and values; then
comes what it lacks, at most ``1 / PACE`` messages a second, each a list of parts (``tsk_core.live.stream``) as JSON, a large one
compressed. It says so again whenever the page shows something else, and after a new connection. Where a proxy refuses websockets,
it asks the same by POST instead, again and again.

Everything here runs in the server's event loop, but the looks at subjects, which a pool of threads takes. A tab that reads slowly
gets fewer and larger messages, since each begins where the last one ended; nothing waits for it.
"""

import asyncio
import json
import logging
import zlib
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from tsk_core.errors import TSKError
from tsk_core.live import Have, Stream
from ui.live.stage import lead
from ui.live.subjects import Subject, gone, spec_of, subject_of
from ui.platform.visitor import owner_of
from ui.platform.web.visitor_limits import live_path

PACE = 0.1  # seconds between two messages to a tab
MOST_SUBJECTS = 16  # that a tab follows at once
MOST_MARKS = 400  # lists and values of which a tab says how far it has them
MOST_TEXT = 200_000  # bytes of a body that asks
LINGER = 30.0  # seconds that a subject is kept after its last viewer: a page that is drawn again follows it anew
RETRY = 5.0  # seconds after a look that failed unexpectedly
COMPRESSED = 2_000  # letters from which on a message is compressed
_REFUSED = 1003  # the code of a websocket that is closed for what it sent
_UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, RecursionError)  # of what is no question
_pool = ThreadPoolExecutor(2, "live")
_log = logging.getLogger("tsk_explorer")


@dataclass(eq=False)
class _Followed:
    """A subject and who follows it. subject: None until it was found; stream: its own from then on.

    viewers: set where there is something new. looked: set once it was looked at. arrived: set as somebody comes.
    """

    subject: Subject | None = None
    stream: Stream = field(default_factory=Stream)
    viewers: set[asyncio.Event] = field(default_factory=set)
    task: asyncio.Task[None] | None = None
    looked: asyncio.Event = field(default_factory=asyncio.Event)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)


_followed: dict[str, _Followed] = {}  # spec -> who follows it; of the event loop alone


def live_routes() -> list[BaseRoute]:
    """What ``st.App`` serves as the live route."""
    return [WebSocketRoute(live_path(), _push), Route(live_path(), _answer, methods=["POST"])]


def _join(spec: str, wake: asyncio.Event) -> _Followed:
    followed = _followed.setdefault(spec, _Followed())
    followed.viewers.add(wake)
    followed.arrived.set()
    if followed.task is None:
        followed.task = asyncio.create_task(_follow(spec, followed))
    return followed


async def _follow(spec: str, followed: _Followed) -> None:
    """Look at the subject as long as somebody follows it and something may come; forget it once nobody has for a while."""
    loop = asyncio.get_running_loop()
    pause: float | None = 0.0
    while followed.viewers or await _comes(followed):
        if pause is None:
            await asyncio.sleep(LINGER / 10)
            continue
        revision = followed.stream.revision
        try:
            pause = await loop.run_in_executor(_pool, _look, spec, followed)
        except TSKError as error:
            followed.stream, pause = gone(str(error)), None
        except Exception:
            _log.exception("A look at what a browser follows failed.")
            pause = RETRY
        if not followed.looked.is_set() or followed.stream.revision != revision:
            followed.looked.set()
            for wake in followed.viewers:
                wake.set()
        await asyncio.sleep(pause or 0.0)
    del _followed[spec]


async def _comes(followed: _Followed) -> bool:
    """Whether somebody follows it again before it is forgotten."""
    followed.arrived.clear()
    try:
        await asyncio.wait_for(followed.arrived.wait(), LINGER)
    except TimeoutError:
        return bool(followed.viewers)
    return True  # also where they asked over HTTP, and have gone


def _look(spec: str, followed: _Followed) -> float | None:
    """In a thread of the pool: look at the subject, which is made where there is none; returns when to look again."""
    if followed.subject is None:
        followed.subject = subject_of(spec)
        followed.stream = followed.subject.stream
    followed.subject.viewers = len(followed.viewers)
    return followed.subject.look()


class _Viewer:
    """One tab. have: how far it has what it follows."""

    def __init__(self, owner: str | None) -> None:
        self._owner, self.wake = owner, asyncio.Event()
        self._subjects: dict[str, _Followed] = {}
        self.have: Have = {}

    async def says(self, text: str) -> None:
        """Take what the tab shows from now on, and what it lets others see (``stage``).

        One of ``_UNREADABLE`` where it is neither.
        """
        said = json.loads(text)
        if "lead" in said:  # waited for: of two, the later one counts
            await asyncio.get_running_loop().run_in_executor(_pool, lead, said["lead"], self._owner, said["stage"])
        if "tickets" in said or "lead" not in said:
            self._asks(said)

    def _asks(self, asked: dict[str, Any]) -> None:
        marks = {str(key): (str(version), int(count)) for key, (version, count) in asked["have"].items()}
        specs = [spec_of(one, self._owner) for one in list(asked["tickets"])[:MOST_SUBJECTS]]
        wanted = dict.fromkeys(filter(None, specs))
        for spec in self._subjects.keys() - wanted.keys():
            self._subjects.pop(spec).viewers.discard(self.wake)
        for spec in wanted:
            if spec not in self._subjects:
                self._subjects[spec] = _join(spec, self.wake)
        self.have = dict(list(marks.items())[:MOST_MARKS])
        self.wake.set()

    def news(self) -> str:
        """The next message, "" where nothing is new; what it brings counts as had."""
        found = list[str]()
        for followed in self._subjects.values():
            parts, reached = followed.stream.missing(self.have)
            self.have |= reached
            found += parts
        return f"[{','.join(found)}]" if found else ""

    async def looked(self) -> None:
        """Wait until each subject was looked at once."""
        await asyncio.gather(*(followed.looked.wait() for followed in self._subjects.values()))

    def leave(self) -> None:
        """The tab has gone."""
        for followed in self._subjects.values():
            followed.viewers.discard(self.wake)


async def _push(websocket: WebSocket) -> None:
    """One tab: read what it shows, and send what is new of it."""
    await websocket.accept()
    viewer = _Viewer(owner_of(websocket.cookies))
    sending = asyncio.create_task(_send(websocket, viewer))
    try:
        while not sending.done():
            await viewer.says(await websocket.receive_text())
    except WebSocketDisconnect:
        pass
    except _UNREADABLE:
        with suppress(RuntimeError):  # closed meanwhile
            await websocket.close(_REFUSED)
    finally:
        viewer.leave()
        sending.cancel()


async def _send(websocket: WebSocket, viewer: _Viewer) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):  # the browser has gone
        while True:
            await viewer.wake.wait()
            viewer.wake.clear()
            while message := viewer.news():
                if len(message) < COMPRESSED:
                    await websocket.send_text(message)
                else:
                    await websocket.send_bytes(_compressed(message))
                await asyncio.sleep(PACE)


@lru_cache(maxsize=8)
def _compressed(message: str) -> bytes:
    """Once for all tabs that get the same. Few are kept: a message may have some megabytes."""
    return zlib.compress(message.encode(), 3)


async def _answer(request: Request) -> Response:
    """What is new of the subjects that the body names, in the form that a websocket brings it."""
    viewer = _Viewer(owner_of(request.cookies))
    try:
        await viewer.says(await _body(request.stream()))
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(viewer.looked(), 5.0)
        return Response(viewer.news() or "[]", media_type="application/json", headers={"Cache-Control": "no-store"})
    except _UNREADABLE:
        return PlainTextResponse("This is no question about live data.", 400)
    finally:
        viewer.leave()


async def _body(stream: Any) -> str:
    content = b""
    async for part in stream:
        content += part
        if len(content) > MOST_TEXT:
            raise ValueError("too long")
    return content.decode()
