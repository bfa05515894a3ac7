"""The boxes of the sidebar: closed at first, then as their reader leaves them, on every page."""

import json

import streamlit as st

from ui.platform import session

_MARK = "<style>.st-key-{} summary p::after {{ content: {}; }}</style>"


def box(name: str, title: str, mark: str = "") -> st.delta_generator.DeltaGenerator:
    """A box to draw into.

    name: its key. mark: what stands behind its title, of what is inside, such as "2 set". Streamlit identifies an expander by its
    title and would replace the box, closed, whenever that changes, so the mark is text of its style.
    """
    widget, opened = session.SIDEBAR_BOX(name), session.OPENED_BOXES.get()
    if not widget.is_set():
        widget.set(opened.get(name, False))
    with st.container(key=f"box_{name}"):
        if mark:
            st.html(_MARK.format(f"box_{name}", json.dumps(f" · {mark}", ensure_ascii=False)))
        drawn = st.expander(title, key=widget.name, on_change="rerun")
    opened[name] = bool(drawn.open)
    return drawn
