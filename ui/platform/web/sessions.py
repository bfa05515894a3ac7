"""What a session holds on this server: the files of its download buttons, and what goes back when its browser has gone.

**Downloads** are made when their button is pressed, one at a time: addresses take turns, and an address's visitors. Streamlit
makes each in the event loop's own threads, six on a machine of two cores, so that one visitor's many presses keep those from
everybody. It deletes a file once any two scripts have ended, which in a full room is before a browser has fetched it.

**The end.** Streamlit keeps the session of a closed tab for a browser that connects again, and forgets old ones only when it
keeps another. So a session is closed when nobody has looked at it for ``GRACE`` seconds; then its garbage is collected, and
free memory is returned to the system.
"""

import asyncio
import contextlib
import ctypes
import gc
import itertools
import logging
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import PurePosixPath

import pyarrow as pa
from starlette.types import ASGIApp, Receive, Scope, Send

from tsk_core.jobs import FairQueue
from ui.platform import memory
from ui.platform.streamlit_internals import (
    BackendOperationRequest,
    BackendOperationResponse,
    MediaFileManager,
    runtime,
)
from ui.platform.visitor import LOCAL, owner_of
from ui.platform.web.visitor_limits import uploading_sessions

# Downloads.

SECONDS = 30.0  # that a browser has to fetch a file once it is made
MOST = 2  # files of one session that wait or are kept
_REFUSED = "Other downloads of this page are being made; press again when they are there."
_FAILED = "The file could not be made."
_log = logging.getLogger("tsk_explorer")


class _Line:
    """Who has pressed a button and waits for the file. Any thread may add to it; one makes the files."""

    def __init__(self) -> None:
        self._lock, self._queue, self._count = threading.Lock(), FairQueue(), itertools.count()
        self._waiting: dict[str, tuple[Future[str], Callable[[], str]]] = {}
        self._maker = ThreadPoolExecutor(1, "downloads")

    def add(self, make: Callable[[], str], visitor: str, address: str) -> Future[str]:
        future: Future[str] = Future()
        with self._lock:
            name = str(next(self._count))
            self._queue.put(name, visitor, address=address)
            self._waiting[name] = future, make
        self._maker.submit(self._make_next)
        return future

    def _make_next(self) -> None:
        with self._lock:
            name = self._queue.take()
            assert name is not None  # ``add`` has put one for each call
            future, make = self._waiting.pop(name)
        if not future.set_running_or_notify_cancel():  # the browser has gone
            return
        try:
            future.set_result(make())
        except Exception as error:
            future.set_exception(error)


_line = _Line()
_waiting: defaultdict[str, int] = defaultdict(int)  # presses by session; like those below, of the event loop alone
_kept: defaultdict[str, deque[str]] = defaultdict(deque)  # names under which Streamlit keeps files, by session
_names = itertools.count()


class Downloads:
    """Answers the presses of one session."""

    def __init__(self, files: Callable[[], MediaFileManager]) -> None:
        self._files = files

    async def handle(self, request: BackendOperationRequest, session: str) -> BackendOperationResponse:
        """Make the file when it is its turn; the answer has its address, or says why there is none."""
        answer = BackendOperationResponse(request_id=request.request_id)
        if _waiting[session] >= MOST:
            answer.error_msg = _REFUSED
            return answer
        _waiting[session] += 1
        files, button, kept = self._files(), request.deferred_file.file_id, f"download {next(_names)}"
        loop = asyncio.get_running_loop()

        def made(future: Future[str]) -> None:  # also where the browser has gone meanwhile
            if not future.cancelled() and not future.exception():
                loop.call_soon_threadsafe(_keep, files, kept, session)

        future = _line.add(lambda: _make(files, button, kept), *_whose(session))
        future.add_done_callback(made)
        try:
            answer.deferred_file.url = await asyncio.wrap_future(future)
        except Exception:
            _log.exception("A file to download could not be made.")
            answer.error_msg = _FAILED
        finally:
            _waiting[session] -= 1
            if not _waiting[session]:
                del _waiting[session]
        return answer


def _whose(session: str) -> tuple[str, str]:
    """The visitor and the address of a session."""
    client = runtime.get_instance().get_client(session)
    context = client.client_context if client else None
    return (owner_of(context.cookies) or session, context.remote_ip or LOCAL) if context else (session, LOCAL)


def _make(files: MediaFileManager, button: str, kept: str) -> str:
    url = files.execute_deferred(button)
    with files._lock:  # as if a session of this name showed it
        files._files_by_session_and_coord[kept]["download"] = PurePosixPath(url).stem
    return url


def _keep(files: MediaFileManager, kept: str, session: str) -> None:
    """Let go of the file after a while, or when this session has had ``MOST`` others."""
    _kept[session].append(kept)
    while len(_kept[session]) > MOST:
        _release(files, _kept[session][0], session)
    asyncio.get_running_loop().call_later(SECONDS, _release, files, kept, session)


def _release(files: MediaFileManager, kept: str, session: str) -> None:
    if kept not in _kept.get(session, ()):
        return
    _kept[session].remove(kept)
    if not _kept[session]:
        del _kept[session]
    files.clear_session_refs(kept)
    for _ in range(2):  # the first look marks what nobody refers to
        files.remove_orphaned_files()


# The end.

GRACE = 30.0  # seconds without a browser
# Of the C library: blocks from this size on get pages of their own, which the system has back when they are free. By itself it
# moves the threshold up to 32 MB, and a large table then lies among small things that stay.
_MMAP_THRESHOLD, _LARGE = -3, 1 << 20
_TICK = 5.0  # seconds between looks, while there is something to look at


class SessionEnds:
    """Begins to look when a websocket closes, and ends when no session without a browser holds anything."""

    def __init__(self, app: ASGIApp) -> None:
        with contextlib.suppress(OSError, AttributeError, TypeError):  # Windows: no such library
            ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _LARGE)
        pa.set_memory_pool(pa.system_memory_pool())  # Arrow's own pools keep what a thread that ended has freed
        self._app = app
        self._task: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        try:
            await self._app(scope, receive, send)
        finally:
            if scope["type"] == "websocket" and (self._task is None or self._task.done()):
                self._task = asyncio.create_task(_close_abandoned())


async def _close_abandoned() -> None:
    since: dict[str, float] = {}
    ends = time.monotonic() + 2 * _TICK  # by then the websocket is closed for Streamlit too
    garbage = 0
    while since or garbage > 0 or time.monotonic() <= ends:
        await asyncio.sleep(_TICK)
        if not runtime.exists():
            return
        app, now = runtime.get_instance(), time.monotonic()
        gone = {name for name in memory.sessions() | uploading_sessions() if not app.is_active_session(name)}
        since = {name: since.get(name, now) for name in gone}
        old = [name for name, first in since.items() if now - first >= GRACE]
        for name in old:
            app.close_session(name)
            memory.closed(name)
            del since[name]
        garbage = 2 if old else garbage - 1  # again at the next look: a script that is ending still holds its session
        if garbage > 0:
            await asyncio.to_thread(_collect)


def _collect() -> None:
    """Collect garbage, and return free memory to the system where the C library is able to."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError, TypeError):  # Windows: no such library
        ctypes.CDLL(None).malloc_trim(0)
