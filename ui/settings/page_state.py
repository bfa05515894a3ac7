"""The settings follow a visitor from page to page.

Each page has widgets of its own, which Streamlit does not fill from those of others.
"""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from tsk_core.config import START_KEY
from tsk_core.settings import SETTINGS
from ui.data.decisions import save_decisions
from ui.platform import session
from ui.platform.navigation import by_history
from ui.platform.streamlit_internals import get_script_run_ctx
from ui.settings.controls import TEST_KEY

_WITH_SETTINGS = ("explore", "compare", "sweep")
_OF_DECISIONS = "explore"  # the page whose widgets hold the decisions about the data
_KEYS = (
    session.DATA.name,
    session.TARGET.name,
    START_KEY,
    TEST_KEY,
    *(setting.key for setting in SETTINGS.values() if setting.key),
)


def restore(page: str) -> None:
    """Where another page was shown before, set the widgets of this one to its values, but for those in the address.

    Decisions about the data stay as Explore left them. Before any widget is made.
    """
    arrived = session.PAGE.is_set() and session.PAGE.get() != page
    if page != _OF_DECISIONS:
        session.CAME_FROM.pop()
    if arrived:
        session.SETTINGS_ON_ARRIVAL.set(_values_for(page))
        session.FILE.pop()  # of the other page's uploader; its table stays
    if arrived | (page in _WITH_SETTINGS and _came_back_to_no_settings()):
        values = session.SETTINGS_ON_ARRIVAL.get()
        session.set_widgets({key: value for key, value in values.items() if key not in st.query_params})
    if page != session.PAGE.get() or page != _OF_DECISIONS:  # Streamlit drops the values of widgets that a page does not draw
        session.set_widgets(session.SAVED_DECISIONS.get())
    session.PAGE.set(page)


def pass_by(page: str) -> None:
    """Note that a page without settings is shown, so that the next one takes over the settings of the one before."""
    session.CAME_FROM.pop()
    session.PAGE.set(page)


def _came_back_to_no_settings() -> bool:
    """Whether the browser's Back or Forward led to an address without settings, left there by Streamlit at a change of page.

    It would take them for the defaults. On the first page of a visit they are.
    """
    if not by_history() or any(key in st.query_params for key in _KEYS):
        return False
    if not session.SETTINGS_ON_ARRIVAL.is_set():
        return False
    get_script_run_ctx().is_history_navigation = False
    return True


def _values_for(page: str) -> dict[str, Any]:
    """The values of the page before; its own ones after a visit to another page where nobody changed the values of the visit."""
    saved, visit = session.SAVED_SETTINGS.get(), session.SETTINGS_VISIT.get()
    if visit is None or visit["from"] != page:
        return saved
    session.SETTINGS_VISIT.pop()
    return saved if any(saved.get(key) != value for key, value in visit["values"].items()) else visit["own"]


def save() -> None:
    """Remember the values; once the widgets are drawn."""
    save_settings()
    save_decisions()


def save_settings() -> None:
    """The same, where decisions about the data cannot have changed."""
    session.SAVED_SETTINGS.set(session.values_of(_KEYS))


def set_values(values: Mapping[str, Any]) -> None:
    """Set widgets to these values, here and on the page that is shown next; in a callback, or before any widget is made."""
    session.set_widgets(values)
    session.SAVED_SETTINGS.get().update(values)


def set_for_visit(values: Mapping[str, Any], page: str) -> None:
    """Set them for a visit from ``page`` to another one: it has its own again afterwards, unless they are changed there."""
    own = dict(session.SAVED_SETTINGS.get())
    set_values(values)
    session.SETTINGS_VISIT.set({"from": page, "values": dict(values), "own": own})
