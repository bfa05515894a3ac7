"""The one training engine of this server process, and whose runs are whose.

A plain object behind a lock: ``st.cache_resource`` cannot hold a Dask client.
"""

import secrets
import threading
from importlib import import_module

import streamlit as st

from tsk_core.jobs import Engine

__all__ = ["owner", "the_engine"]

_lock = threading.Lock()
_engine: list[Engine] = []


def the_engine() -> Engine:
    """The engine; the first call starts it in the background, so that it is warm when someone presses Train."""
    with _lock:
        if not _engine:
            _engine.append(Engine())
            # Reading a run's model needs torch, which takes seconds to load; not at the end of someone's first run.
            threading.Thread(target=import_module, args=("tsk_core.classifier",), daemon=True).start()
        return _engine[0]


def owner() -> str:
    """A random name for this browser tab's session, so that quotas and fairness have someone to apply to."""
    return st.session_state.setdefault("owner", secrets.token_hex(8))
