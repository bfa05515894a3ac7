"""The one engine of this server: it runs tasks. Its ``store`` reads what runs left; no page opens their files itself.

Where several processes serve pages (``serve --processes``), the engine is in a process of its own, and they call it. A plain
object behind a lock: ``st.cache_resource`` cannot hold a Dask client.
"""

import threading

from tsk_core.jobs import Engine, SharedEngine

__all__ = ["close_engine", "get_engine"]

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
