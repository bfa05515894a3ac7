"""What a session held goes back to the machine soon after its browser has gone.

Streamlit keeps the session of a closed tab for a browser that connects again, and forgets old ones only when it keeps another.
So a session is closed when nobody has looked at it for ``GRACE`` seconds; then its garbage is collected, and free memory is
returned to the system.
"""

import asyncio
import contextlib
import ctypes
import gc
import time

import pyarrow as pa
from starlette.types import ASGIApp, Receive, Scope, Send

from ui.platform import memory
from ui.platform.streamlit_internals import runtime
from ui.platform.web.uploads import uploading_sessions

__all__ = ["SessionEnds"]

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
        self._task: asyncio.Task | None = None

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
