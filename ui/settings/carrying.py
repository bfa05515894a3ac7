"""The settings go along from page to page: each page has widgets of its own, which Streamlit does not fill from others."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from tsk_core.config import SETTINGS, START_KEY
from ui.data.decisions import decisions_before, keep_decisions
from ui.settings.controls import TEST_KEY

__all__ = ["bring", "keep", "lend", "take"]

_KEYS = ("data", "target", START_KEY, TEST_KEY, *(setting.key for setting in SETTINGS.values() if setting.key))
_KEPT, _PAGE, _LENT = "settings_carried", "settings_page", "settings_lent"


def take(page: str) -> None:
    """Where another page was shown before, set the widgets of this one to its values, but for those in the address.

    Before any widget is made.
    """
    if st.session_state.get(_PAGE, page) != page:
        for key, value in _values_for(page).items():
            if key not in st.query_params:
                st.session_state[key] = value
        for key, value in decisions_before().items():
            st.session_state[key] = value
    st.session_state[_PAGE] = page


def _values_for(page: str) -> dict[str, Any]:
    """The values of the page before; its own ones, where that page was lent values and nobody changed them there."""
    kept, lent = st.session_state.get(_KEPT, {}), st.session_state.get(_LENT)
    if lent is None or lent["page"] != page:
        return kept
    del st.session_state[_LENT]
    return kept if any(kept.get(key) != value for key, value in lent["values"].items()) else lent["own"]


def keep() -> None:
    """Remember the values; once the widgets are drawn."""
    st.session_state[_KEPT] = {key: st.session_state[key] for key in _KEYS if key in st.session_state}
    keep_decisions()


def bring(values: Mapping[str, Any]) -> None:
    """Set widgets to these values, here and on the page that is shown next; in a callback, or before any widget is made."""
    kept = st.session_state.setdefault(_KEPT, {})
    for key, value in values.items():
        st.session_state[key] = kept[key] = value


def lend(values: Mapping[str, Any], page: str) -> None:
    """The same for a look at another page: ``page`` has its own values again afterwards, unless they are changed there."""
    own = dict(st.session_state.get(_KEPT, {}))
    bring(values)
    st.session_state[_LENT] = {"page": page, "values": dict(values), "own": own}
