"""The split: a random share, whole groups, the latest rows, a column, or a second file."""

import streamlit as st

from tsk_core.settings import SETTINGS
from ui.data import second_file
from ui.data.choose import Chosen
from ui.data.decisions import decided, widget
from ui.platform import session
from ui.platform.errors import show_errors
from ui.text import in_markdown, shortened

_WAYS = {
    "random": "a random share of each class",
    "group": "whole groups, none in both training and test",
    "time": "the latest rows",
    "split": "rows marked by a column",
    "file": "a second file",
}
_COLUMN = {"group": "Column with the group", "time": "Column with the time", "split": "Column that says train or test"}
_REPEATED = {
    "keep": "keep them as they are",
    "together": "keep them on one side, training or test",
    "drop": "drop all but one",
}


def split_panel(chosen: Chosen, *, visible: bool) -> None:
    """The kind of split, its column, and, if ``visible``, the result."""
    table = chosen.source.key
    files = chosen.source.raw is not None
    ways = [way for way in _WAYS if way != "file" or files]
    marked = _marked(chosen)
    labels = _WAYS | ({} if marked is None else {"random": f"rows marked by the column {marked}"})
    way = st.selectbox("Test on", ways, key=widget("split", table), format_func=labels.get)
    if way == "random" and marked is not None:
        st.caption(in_markdown(f"For a random share, give the column {marked} the role “ignored” in Columns."))
    if way in _COLUMN:
        names = [name for name in chosen.source.columns if name != chosen.base.target]
        st.selectbox(_COLUMN[way], names, None, key=widget(f"by_{way}", table), placeholder="Choose a column")
        if decided(f"by_{way}", table) is None:
            st.info("Choose a column; until then, the test rows are a random share.")
    elif way == "file":
        second_file.uploader(chosen.source)
    st.selectbox(
        "Equal rows", list(_REPEATED), key=widget("repeated", chosen.key), format_func=_REPEATED.get,
        help="A row that is in training and in test makes the test score too good.",
    )  # fmt: skip
    if visible:
        _show_split(chosen)


def _marked(chosen: Chosen) -> str | None:
    """The name, in quotes, of the column that was found to say which rows are tested, unless it was given another role."""
    found = chosen.base.split_column
    return None if found is None or found.column in chosen.choices.roles else f"“{shortened(found.column, 40)}”"


def _show_split(chosen: Chosen) -> None:
    with show_errors():
        split = chosen.shown.split(session.TEST.get(), int(session.widget(SETTINGS["random_state"].key).get() or 0))
        st.caption(f"{len(split.train):,} training rows, {len(split.test):,} test rows.")
        for note in split.notes:
            st.caption(in_markdown(note))
