"""Fragments of a page, and changes outside of them.

The browser sends what changes within a moment as one message. Where part of it comes from a fragment, as when a chart asks for
more while somebody opens a tab or presses Train, Streamlit runs that fragment alone: the page would never see the press. So each
fragment asks first whether something outside of it changed, and then runs the whole page.
"""

from collections.abc import Collection, Sequence
from typing import Any

import streamlit as st

from tsk_core.config import SETTINGS, START_KEY
from ui.platform import session
from ui.platform.streamlit_internals import ForwardMsg, ThreadState, get_script_run_ctx

__all__ = ["note_page", "note_page_again", "rerun_page", "run_page_if_changed", "tick_every"]

_CONTROLS = (session.DATA, session.TARGET, session.TEST, session.PACE, session.REQUESTED, session.PAINTED)
_KEYS = (START_KEY, *(one.name for one in _CONTROLS), *(setting.key for setting in SETTINGS.values() if setting.key))


def note_page(more: Sequence[str] = ()) -> None:
    """Note the values that the page is drawn with: once its controls are drawn, before its fragments. more: further keys."""
    keys = (*_KEYS, *more)
    session.NOTED.set((keys, _values(keys)))


def note_page_again() -> None:
    """In a fragment: note the values as they are now, since the rest of the page is what it would be with them."""
    keys, _ = session.NOTED.get()
    session.NOTED.set((keys, _values(keys)))


def run_page_if_changed(besides: Collection[str] = ()) -> None:
    """In a fragment, before anything else: run the whole page where one of the noted values is another one now.

    besides: keys whose values may be others.
    """
    keys, values = session.NOTED.get()
    if any(now != then for key, now, then in zip(keys, _values(keys), values, strict=True) if key not in besides):
        rerun_page()


def rerun_page() -> None:
    """In a fragment: run the whole page, which then knows that the address it has came with a tick, and may be a late one."""
    session.RUN_BY_FRAGMENT.set(True)
    st.rerun()


def tick_every(seconds: float) -> None:
    """In a fragment that the browser draws again at an interval: the interval from now on.

    Streamlit itself sets it at runs of the whole page only, which cost five times as much.
    """
    message = ForwardMsg()
    message.auto_rerun.interval, message.auto_rerun.fragment_id = seconds, ThreadState.get().fragment_id
    get_script_run_ctx().enqueue(message)


def _values(keys: Sequence[str]) -> list[Any]:
    return [session.widget(key).get() for key in keys]
