"""The settings follow a visitor from page to page.

Each page has widgets of its own, which Streamlit does not fill from those of others.
"""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from tsk_core.config import SETTINGS, START_KEY
from ui.data.decisions import save_decisions, saved_decisions
from ui.settings.controls import TEST_KEY

__all__ = ["restore", "save", "set_for_visit", "set_values"]

_KEYS = ("data", "target", START_KEY, TEST_KEY, *(setting.key for setting in SETTINGS.values() if setting.key))
_SAVED, _PAGE, _VISIT = "settings_saved", "settings_page", "settings_visit"


def restore(page: str) -> None:
    """Where another page was shown before, set the widgets of this one to its values, but for those in the address.

    Before any widget is made.
    """
    if st.session_state.get(_PAGE, page) != page:
        for key, value in _values_for(page).items():
            if key not in st.query_params:
                st.session_state[key] = value
        for key, value in saved_decisions().items():
            st.session_state[key] = value
    st.session_state[_PAGE] = page


def _values_for(page: str) -> dict[str, Any]:
    """The values of the page before; its own ones after a visit to another page where nobody changed the values of the visit."""
    saved, visit = st.session_state.get(_SAVED, {}), st.session_state.get(_VISIT)
    if visit is None or visit["from"] != page:
        return saved
    del st.session_state[_VISIT]
    return saved if any(saved.get(key) != value for key, value in visit["values"].items()) else visit["own"]


def save() -> None:
    """Remember the values; once the widgets are drawn."""
    st.session_state[_SAVED] = {key: st.session_state[key] for key in _KEYS if key in st.session_state}
    save_decisions()


def set_values(values: Mapping[str, Any]) -> None:
    """Set widgets to these values, here and on the page that is shown next; in a callback, or before any widget is made."""
    saved = st.session_state.setdefault(_SAVED, {})
    for key, value in values.items():
        st.session_state[key] = saved[key] = value


def set_for_visit(values: Mapping[str, Any], page: str) -> None:
    """Set them for a visit from ``page`` to another one: it has its own again afterwards, unless they are changed there."""
    own = dict(st.session_state.get(_SAVED, {}))
    set_values(values)
    st.session_state[_VISIT] = {"from": page, "values": dict(values), "own": own}
