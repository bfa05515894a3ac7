"""The tables that the pages of all visitors hold in this process: bounded per network address and in all.

A session keeps a table here under a name. It counts until its memory is free: as long as a session or a run in the queue has it.
Where there is no room for another one, sessions that no browser looks at lose theirs first; such a session reads its file again
when its browser comes back. What still does not fit is refused.
"""

import gc
import itertools
import threading
import weakref
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from tsk_core import limits
from tsk_core.errors import LimitError
from ui.platform import session
from ui.platform.session import Keys
from ui.platform.streamlit_internals import get_script_run_ctx, runtime
from ui.platform.turns import YieldingLock, release_page_lock
from ui.platform.visitor import OWNER, address

TABLE = Keys[Any]("table:{}")  # of ``memory``


_QUICK, _LARGE = 20_000, 500_000  # cells
_lock = threading.RLock()


@dataclass(eq=False)
class _Kept:
    """What a session keeps under a name; it lives as long as the session's state. value: None once it was dropped.

    owner: of the session, None where that is not known. megabytes: of a table of its own; 0 without one. number: rises.
    """

    session: str
    owner: str | None
    name: str
    number: int
    key: Any
    value: Any
    megabytes: float


@dataclass(eq=False)
class _Table:
    """A table in memory. frame: a weak reference."""

    frame: weakref.ref[pd.DataFrame]
    megabytes: float
    address: str


class _Beside:
    """Work beside which other pages are drawn; with a lock one such work after another."""

    def __init__(self, lock: AbstractContextManager[object]) -> None:
        self._lock = lock

    def __enter__(self) -> None:
        release_page_lock()
        self._lock.__enter__()

    def __exit__(self, *error: Any) -> None:
        self._lock.__exit__(*error)


_one, _beside = _Beside(YieldingLock()), _Beside(nullcontext())
_kept: weakref.WeakSet[_Kept] = weakref.WeakSet()
_tables: list[_Table] = []
_sessions: set[str] = set()
_numbers = itertools.count()


def keep(name: str, key: Any, value: Any, frame: pd.DataFrame | None = None, beside: pd.DataFrame | None = None) -> None:
    """Keep a value in this session, in the place of the one of this name.

    key: says what it was made of. frame: the table that it holds, without the numbers that it shares with the table ``beside``;
    None where it holds none. Raises LimitError where there is no room.
    """
    forget(name)
    with _lock:
        megabytes = 0.0 if frame is None else size(frame, beside)
        if frame is not None:
            _count(frame, megabytes)
        entry = _Kept(_session(), OWNER.get(), name, next(_numbers), key, value, megabytes)
        _kept.add(entry)
    TABLE(name).set(entry)


def take_over(name: str) -> Any:
    """Keep what this owner's other sessions keep last under a name; returns the value, None where they have none.

    A page that is loaded again is a new session, and the one before lives on for a while.
    """
    here = OWNER.get()
    with _lock:
        others = [entry for entry in _kept if entry.name == name and entry.owner == here and entry.value is not None]
        if here is None or not others:
            return None
        entry = replace(max(others, key=lambda entry: entry.number), session=_session())  # shares the table, which counts already
        _kept.add(entry)
    TABLE(name).set(entry)
    return entry.value


def count(frame: pd.DataFrame) -> None:
    """Count a table that several sessions share, as one of this visitor's address, until its memory is free.

    Raises LimitError where there is no room.
    """
    with _lock:
        _count(frame, size(frame))


def kept(name: str) -> tuple[Any, Any]:
    """Key and value of what this session keeps under a name; (None, None) where it has nothing, or it was dropped."""
    _sessions.add(_session())
    entry = TABLE(name).get()
    return (None, None) if entry is None or entry.value is None else (entry.key, entry.value)


def forget(name: str) -> None:
    """Forget what this session keeps under a name."""
    _forget(TABLE(name))


def held() -> float:
    """The memory of the tables of its own that this session keeps, in megabytes."""
    entries = [key.get() for key in TABLE.existing()]
    return sum(entry.megabytes for entry in entries if entry is not None and entry.value is not None)


def forget_all() -> None:
    """Forget all tables of this session, and the files that they were read from."""
    for key in list(TABLE.existing()):
        _forget(key)
    if runtime.exists():
        runtime.get_instance().uploaded_file_mgr.remove_session_files(_session())


def _forget(key: session.Key[Any]) -> None:
    entry = key.pop()
    if entry is not None:
        entry.key = entry.value = None


def sessions() -> set[str]:
    """The sessions that asked for what they keep; those that nobody looks at are to be closed."""
    return set(_sessions)


def closed(session: str) -> None:
    """The session was closed: drop what it keeps, since Streamlit may hold its state for a while longer."""
    _sessions.discard(session)
    _drop(session)


def one_at_a_time(frame: pd.DataFrame) -> AbstractContextManager[object]:
    """Held while a large table is worked on, so that the copies that many sessions make on the way do not add up.

    Other pages are drawn meanwhile, as they are beside the work on any table but a small one.
    """
    if frame.size > _LARGE:
        return _one
    return nullcontext() if frame.size <= _QUICK else _beside


def size(frame: pd.DataFrame, beside: pd.DataFrame | None = None) -> float:
    """The memory of a table in megabytes; numbers that it shares with the table ``beside`` count for nothing."""
    shared = set() if beside is None else {name for name in frame if name in beside and _is_shared(frame[name], beside[name])}
    return sum(column.memory_usage(index=False, deep=True) for name, column in frame.items() if name not in shared) / 1e6


def _is_shared(one: Any, other: Any) -> bool:
    numbers = all(isinstance(column, pd.Series) and isinstance(column.dtype, np.dtype) for column in (one, other))
    return numbers and one.dtype != object and np.may_share_memory(one.to_numpy(), other.to_numpy())


def _count(frame: pd.DataFrame, megabytes: float) -> None:
    """Count one more table, having dropped what nobody looks at where there is no room; LimitError where that is not enough."""
    here = address()
    refusal = _refusal(here, megabytes)
    if refusal:
        for session in {entry.session for entry in _kept if not _is_watched(entry.session)}:
            _drop(session)
            if not (refusal := _refusal(here, megabytes)):
                break
    if refusal:
        gc.collect()  # of sessions that ended
        refusal = _refusal(here, megabytes)
    if refusal:
        raise LimitError(refusal)
    _tables.append(_Table(weakref.ref(frame), megabytes, here))


def _drop(session: str) -> None:
    """Drop all that a session keeps; its tables share memory."""
    with _lock:
        for entry in [entry for entry in _kept if entry.session == session]:
            entry.key = entry.value = None


def _refusal(here: str, megabytes: float) -> str:
    """Why a table of this size has no room; "" where it has."""
    _tables[:] = [table for table in _tables if table.frame() is not None]
    for name, whose in (("tables_mb_per_address", "of your network address"), ("tables_mb", "of all visitors")):
        used = sum(table.megabytes for table in _tables if name == "tables_mb" or table.address == here)
        most = limits.value(name)
        if used + megabytes > most:
            return (
                f"This table takes {megabytes:,.0f} MB of memory, and the open pages and queued runs {whose} have {used:,.0f} of"
                f" {most:,} MB already; close other pages, use a smaller table, or raise {limits.LIMITS[name].variable}."
            )
    return ""


def _is_watched(session: str) -> bool:
    return not runtime.exists() or runtime.get_instance().is_active_session(session)


def _session() -> str:
    context = get_script_run_ctx(suppress_warning=True)  # a subject that browsers follow has none
    return context.session_id if context else ""
