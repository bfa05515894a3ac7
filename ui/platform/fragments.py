"""Fragments of a page, and changes outside of them.

The browser sends what changes within a moment as one message. Where part of it comes from a fragment, as when a chart asks for
more while somebody opens a tab or presses Train, Streamlit runs that fragment alone: the page would never see the press. So each
fragment asks first whether something outside of it changed, and then runs the whole page.
"""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from tsk_core.config import SETTINGS, START_KEY

__all__ = ["note_page", "run_page_if_changed"]

_NOTED = "page_noted"
_KEYS = ("data", "target", START_KEY, "test", "pace", "requested", *(setting.key for setting in SETTINGS.values() if setting.key))


def note_page(more: Sequence[str] = ()) -> None:
    """Note the values that the page is drawn with: once its controls are drawn, before its fragments. more: further keys."""
    keys = (*_KEYS, *more)
    st.session_state[_NOTED] = keys, _values(keys)


def run_page_if_changed() -> None:
    """In a fragment, before anything else: run the whole page where one of the noted values is another one now."""
    keys, values = st.session_state.get(_NOTED, ((), []))
    if _values(keys) != values:
        st.rerun()


def _values(keys: Sequence[str]) -> list[Any]:
    return [st.session_state.get(key) for key in keys]
