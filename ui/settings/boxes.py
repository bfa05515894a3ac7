"""The boxes of the sidebar: closed at first, then as their reader leaves them, on every page."""

import streamlit as st

from ui.platform import session

__all__ = ["box"]


def box(name: str, title: str, mark: str = "") -> st.delta_generator.DeltaGenerator:
    """A box to draw into. name: its key. mark: what its title adds of what is inside, such as "2 changed"."""
    widget, opened = session.SIDEBAR_BOX(name), session.OPENED_BOXES.get()
    if not widget.is_set():
        widget.set(opened.get(name, False))
    drawn = st.expander(f"{title} · {mark}" if mark else title, key=widget.name, on_change="rerun")
    opened[name] = bool(drawn.open)
    return drawn
