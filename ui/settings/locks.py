"""Links that leave a few controls: ``?lock=rules,ur`` hides all others of the sidebar, and what would change them.

It keeps an exercise to what it is about. It is no barrier: who opens the page without the link has all controls.
"""

import streamlit as st

from tsk_core.config import START_KEY
from tsk_core.settings import SETTINGS
from ui.platform import session
from ui.settings.controls import TEST_KEY, box_of
from ui.text import in_markdown, shortened

LOCK, NOTHING = "lock", "none"
_SIDEBAR = '[data-testid="stSidebarUserContent"]'
# key in the link -> that of the control, where it is another
_CONTROLS = {one.key: one.key for one in SETTINGS.values() if one.key} | {
    "data": "data-list", "target": session.TARGET.name, TEST_KEY: TEST_KEY, START_KEY: START_KEY, "pace": session.PACE.name,
}  # fmt: skip
_BOXES = {START_KEY: "start", "pace": "lecture"}
_CHANGING = (session.PRESET_BOX.name, "changes")  # boxes and rows that change settings
_OF_DATA = (session.DATA_BOX.name, "ways_in", "small_ways_in")  # those that change the data


def apply_lock() -> None:
    """Hide what the link locks; in the sidebar, before its boxes are drawn. A key that no control has is noted."""
    if LOCK in st.query_params:
        session.LOCK.set(st.query_params[LOCK])
    if session.LOCK.get() is None:
        return
    asked = [key.strip() for key in session.LOCK.get()[:1000].split(",")]
    free = [key for key in dict.fromkeys(asked) if key in _CONTROLS]
    unknown = [key for key in asked if key not in (*_CONTROLS, NOTHING, "")]
    _open_boxes(free)
    st.html(f"<style>{_style(free)}</style>")
    with st.container(key="lock_note"):
        if unknown:
            st.info(
                f"The link's lock names “{in_markdown(shortened(', '.join(unknown), 40))}”, which is not a control;"
                f" the controls are {', '.join(_CONTROLS)}."
            )
        st.caption("This link shows what the exercise is about; open the page without it for all controls.")


def _open_boxes(free: list[str]) -> None:
    """Boxes with a control that is left are open, once."""
    if not session.LOCK_OPENED.get():
        session.LOCK_OPENED.set(True)
        names = {_BOXES.get(key) or box_of(key) for key in free} - {None}
        session.OPENED_BOXES.get().update(dict.fromkeys(names, True))


def _style(free: list[str]) -> str:
    """CSS made of the fixed names of controls alone."""
    left = ", ".join([".st-key-lock_note *", *(f".st-key-{_CONTROLS[key]}, .st-key-{_CONTROLS[key]} *" for key in free)])
    boxes = ", ".join([".st-key-no_box", *(f".st-key-{_CONTROLS[key]}" for key in free)])
    changing = ", ".join(f".st-key-{key}" for key in (*_CHANGING, *(() if "data" in free else _OF_DATA)))
    return (
        f'{_SIDEBAR} [data-testid="stElementContainer"]:not({left}), {_SIDEBAR} .stExpander:not(:has({boxes})), {changing}'
        " { display: none !important; }"
    )
