"""Which rows test: a random share, whole groups, the latest rows, what a column says, or a second file."""

import streamlit as st

from ui.data import second_file
from ui.data.choose import Chosen
from ui.data.decisions import decided, widget
from ui.guard import errors_said
from ui.text import in_markdown

__all__ = ["split_panel"]

_WAYS = {
    "random": "a random share of each class",
    "group": "whole groups, so that no group is on both sides",
    "time": "the latest rows",
    "split": "as a column says",
    "file": "a second file",
}
_COLUMN = {"group": "Column of the group", "time": "Column of the time", "split": "Column that says train or test"}


def split_panel(chosen: Chosen, *, seen: bool) -> None:
    """The way of splitting, its column, and, where it is ``seen``, what it comes to."""
    table = chosen.source.key
    files = chosen.source.raw is not None
    ways = [way for way in _WAYS if way != "file" or files]
    way = st.selectbox("Test on", ways, key=widget("split", table), format_func=_WAYS.get)
    if way in _COLUMN:
        names = [name for name in chosen.source.columns if name != chosen.base.target]
        st.selectbox(_COLUMN[way], names, None, key=widget(f"by_{way}", table), placeholder="Choose a column")
        if decided(f"by_{way}", table) is None:
            st.info("Choose a column; until then the test rows are a random share.")
    elif way == "file":
        second_file.uploader(chosen.source)
    if seen:
        _say_split(chosen)


def _say_split(chosen: Chosen) -> None:
    with errors_said():
        split = chosen.shown.split(st.session_state.get("test", 0.3), int(st.session_state.get("seed", 0)))
        st.caption(f"{len(split.train):,} rows train, {len(split.test):,} rows test.")
        for note in split.notes:
            st.caption(in_markdown(note))
