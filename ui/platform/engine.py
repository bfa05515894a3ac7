"""The one engine of this server, which runs tasks, and how long it keeps what they leave.

Its ``store`` reads what runs left; no page opens their files itself. Where several processes serve pages (``serve --processes``),
the engine is in a process of its own, and they call it. A plain object behind a lock: ``st.cache_resource`` cannot hold a Dask
client.
"""

import threading

from tsk_core import limits
from tsk_core.jobs import Engine, SharedEngine

_lock = threading.Lock()
_engine: list[Engine | SharedEngine] = []


def get_engine() -> Engine | SharedEngine:
    """The engine; the first call starts it in the background, so that it is warm when someone presses Train."""
    with _lock:
        if not _engine:
            _engine.append(SharedEngine() if SharedEngine.is_there() else Engine())
        return _engine[0]


def close_engine() -> None:
    """Close the engine if there is one; the next call of ``get_engine`` starts another."""
    with _lock:
        while _engine:
            _engine.pop().close()


def how_long() -> str:
    """A sentence: how long a run is kept."""
    days = limits.keep_days()
    if days is None:
        return "The server keeps a run until you delete it."
    return f"The server deletes a run, pinned or not, {'a day' if days == 1 else f'{days:,} days'} after its end."


def when_full() -> str:
    """A sentence: which runs are deleted when they take too much disk space."""
    most = limits.value("runs_mb")
    return f"When all runs take more than {most:,} MB, the server deletes the oldest unpinned runs of those who store most."
