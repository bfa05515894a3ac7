"""The files of download buttons are made when they are pressed, one at a time: addresses take turns, and an address's visitors.

Streamlit makes each in the event loop's own threads, six on a machine of two cores, so that one visitor's many presses keep those
from everybody. It deletes a file once any two scripts have ended, which in a full room is before a browser has fetched it.
"""

import asyncio
import itertools
import logging
import threading
from collections import defaultdict, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import PurePosixPath

from tsk_core.jobs import FairQueue
from ui.platform.streamlit_internals import (
    BackendOperationRequest,
    BackendOperationResponse,
    MediaFileManager,
    runtime,
)
from ui.platform.visitor import LOCAL, owner_of

__all__ = ["Downloads"]

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
            future, make = self._waiting.pop(self._queue.take())
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
