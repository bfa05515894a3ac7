"""The settings follow a visitor from page to page; and changes of them are undone.

Each page has widgets of its own, which Streamlit does not fill from those of others.
"""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from tsk_core.config import START_KEY
from tsk_core.settings import SETTINGS
from ui.data.decisions import SAVED_DECISIONS, save_decisions
from ui.data.source import DATA, FILE, TARGET, UPLOAD
from ui.platform import session
from ui.platform.drawing import by_history
from ui.platform.session import Key
from ui.platform.streamlit_internals import get_script_run_ctx
from ui.settings.controls import TEST_KEY, change_text
from ui.text import in_markdown

PAGE = Key[str]("settings_page", "")  # the page that is shown
SAVED_SETTINGS = Key[dict[str, Any]]("settings_saved", make=dict)  # widgets as the last page had them
SETTINGS_ON_ARRIVAL = Key[dict[str, Any]]("settings_on_arrival", make=dict)  # widgets as this page began, after another
SETTINGS_VISIT = Key[dict[str, Any]]("settings_visit")  # settings for a visit to another page, and those from before it
UNDO_STATES = Key[list[dict[str, Any]]]("settings_held", make=list)
UNDO_TABLE = Key["str | None"]("settings_table")
CAME_FROM = Key["tuple[str, dict[str, str]] | None"]("came_from")  # page and link that a press left for a run on Explore


_WITH_SETTINGS = ("explore", "compare", "sweep")
_OF_DECISIONS = "explore"  # the page whose widgets hold the decisions about the data
_KEYS = (
    DATA.name,
    TARGET.name,
    START_KEY,
    TEST_KEY,
    *(setting.key for setting in SETTINGS.values() if setting.key),
)


def restore(page: str) -> None:
    """Where another page was shown before, set the widgets of this one to its values, but for those in the address.

    Decisions about the data stay as Explore left them. Before any widget is made.
    """
    arrived = PAGE.is_set() and PAGE.get() != page
    if page != _OF_DECISIONS:
        CAME_FROM.pop()
    if arrived:
        SETTINGS_ON_ARRIVAL.set(_values_for(page))
        FILE.pop()  # of the other page's uploader; its table stays
    if arrived | (page in _WITH_SETTINGS and _came_back_to_no_settings()):
        values = SETTINGS_ON_ARRIVAL.get()
        session.set_widgets({key: value for key, value in values.items() if key not in st.query_params})
    if page != PAGE.get() or page != _OF_DECISIONS:  # Streamlit drops the values of widgets that a page does not draw
        session.set_widgets(SAVED_DECISIONS.get())
    PAGE.set(page)


def pass_by(page: str) -> None:
    """Note that a page without settings is shown, so that the next one takes over the settings of the one before."""
    CAME_FROM.pop()
    PAGE.set(page)


def _came_back_to_no_settings() -> bool:
    """Whether the browser's Back or Forward led to an address without settings, left there by Streamlit at a change of page.

    It would take them for the defaults. On the first page of a visit they are.
    """
    if not by_history() or any(key in st.query_params for key in _KEYS):
        return False
    if not SETTINGS_ON_ARRIVAL.is_set():
        return False
    if (context := get_script_run_ctx()) is not None:
        context.is_history_navigation = False
    return True


def _values_for(page: str) -> dict[str, Any]:
    """The values of the page before; its own ones after a visit to another page where nobody changed the values of the visit."""
    saved, visit = SAVED_SETTINGS.get(), SETTINGS_VISIT.get()
    if visit is None or visit["from"] != page:
        return saved
    SETTINGS_VISIT.pop()
    return saved if any(saved.get(key) != value for key, value in visit["values"].items()) else visit["own"]


def save() -> None:
    """Remember the values; once the widgets are drawn."""
    save_settings()
    save_decisions()


def save_settings() -> None:
    """The same, where decisions about the data cannot have changed."""
    SAVED_SETTINGS.set(session.values_of(_KEYS))


def set_values(values: Mapping[str, Any]) -> None:
    """Set widgets to these values, here and on the page that is shown next; in a callback, or before any widget is made."""
    session.set_widgets(values)
    SAVED_SETTINGS.get().update(values)


def set_for_visit(values: Mapping[str, Any], page: str) -> None:
    """Set them for a visit from ``page`` to another one: it has its own again afterwards, unless they are changed there."""
    own = dict(SAVED_SETTINGS.get())
    set_values(values)
    SETTINGS_VISIT.set({"from": page, "values": dict(values), "own": own})


# Undo: the values of the settings before each of the last changes of this session.


MOST = 20  # changes that can be undone
_DATA = (DATA.name, TARGET.name)
_NAMES = (
    {name: name for name in _DATA}
    | {START_KEY: "starting point", TEST_KEY: "test share"}
    | {setting.key: setting.symbol or setting.label.lower() for setting in SETTINGS.values() if setting.key}
)


def remember() -> None:
    """Store the values of the settings if any changed; called after all of them are drawn.

    The uploader loses its file when other data are chosen, so undo never leads to or from an upload: if one comes or goes, the
    earlier states get the present data.
    """
    now = session.values_of(_NAMES)
    states = UNDO_STATES.get()
    table = _upload(now)
    if table != UNDO_TABLE.get():
        states[:] = _without_repeats([{**state, **{key: now[key] for key in _DATA if key in now}} for state in states])
    UNDO_TABLE.set(table)
    if not states or states[-1] != now:
        states.append(now)
    del states[: -MOST - 1]


def undo_button() -> None:
    """The button; drawn after ``remember``, which determines whether there is anything to undo."""
    states = UNDO_STATES.get()
    text = "Nothing to undo."
    if len(states) > 1:
        text = f"Undoes the last change: {in_markdown(_change(states[-1], states[-2]))}."
    st.button("Undo", disabled=len(states) < 2, help=text, on_click=_undo)


def _undo() -> None:
    """A callback, so that it sets the values before any widget is drawn."""
    states = UNDO_STATES.get()
    if len(states) < 2:  # two presses at once
        return
    now, before = states.pop(), states[-1]
    session.set_widgets({key: value for key, value in before.items() if now.get(key) != value})


def _upload(state: dict[str, object]) -> str | None:
    """The id of the uploaded file that these settings are for; None for a dataset of the gallery."""
    if state.get(DATA.name) != UPLOAD:
        return None
    file = FILE.get()
    return file.file_id if file is not None else ""


def _without_repeats(states: list[dict[str, object]]) -> list[dict[str, object]]:
    return [state for k, state in enumerate(states) if k == 0 or state != states[k - 1]]


def _change(now: dict[str, object], before: dict[str, object]) -> str:
    """As "λ 10 → 1"; the first three of many."""
    keys = [key for key in _NAMES if now.get(key) != before.get(key)]
    changes = [change_text(_NAMES[key], now.get(key), before.get(key)) for key in keys]
    return ", ".join(changes[:3]) + (f" and {len(changes) - 3} more" if len(changes) > 3 else "")
