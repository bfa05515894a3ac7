"""Undo: the values of the settings before each of the last changes of this session."""

import streamlit as st

from tsk_core.config import START_KEY
from tsk_core.settings import SETTINGS
from ui.data.uploading import UPLOAD
from ui.platform import session
from ui.settings.controls import TEST_KEY, change_text
from ui.text import in_markdown

MOST = 20  # changes that can be undone
_DATA = (session.DATA.name, session.TARGET.name)
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
    states = session.UNDO_STATES.get()
    table = _upload(now)
    if table != session.UNDO_TABLE.get():
        states[:] = _without_repeats([{**state, **{key: now[key] for key in _DATA if key in now}} for state in states])
    session.UNDO_TABLE.set(table)
    if not states or states[-1] != now:
        states.append(now)
    del states[: -MOST - 1]


def undo_button() -> None:
    """The button; drawn after ``remember``, which determines whether there is anything to undo."""
    states = session.UNDO_STATES.get()
    text = "Nothing to undo."
    if len(states) > 1:
        text = f"Undoes the last change: {in_markdown(_change(states[-1], states[-2]))}."
    st.button("Undo", disabled=len(states) < 2, help=text, on_click=_undo)


def _undo() -> None:
    """A callback, so that it sets the values before any widget is drawn."""
    states = session.UNDO_STATES.get()
    if len(states) < 2:  # two presses at once
        return
    now, before = states.pop(), states[-1]
    session.set_widgets({key: value for key, value in before.items() if now.get(key) != value})


def _upload(state: dict[str, object]) -> str | None:
    """The id of the uploaded file that these settings are for; None for a dataset of the gallery."""
    if state.get(session.DATA.name) != UPLOAD:
        return None
    file = session.FILE.get()
    return file.file_id if file is not None else ""


def _without_repeats(states: list[dict[str, object]]) -> list[dict[str, object]]:
    return [state for k, state in enumerate(states) if k == 0 or state != states[k - 1]]


def _change(now: dict[str, object], before: dict[str, object]) -> str:
    """As "λ 10 → 1"; the first three of many."""
    keys = [key for key in _NAMES if now.get(key) != before.get(key)]
    changes = [change_text(_NAMES[key], now.get(key), before.get(key)) for key in keys]
    return ", ".join(changes[:3]) + (f" and {len(changes) - 3} more" if len(changes) > 3 else "")
