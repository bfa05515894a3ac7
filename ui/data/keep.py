"""What stays on the server of an uploaded table: nothing, unless its owner says so."""

import streamlit as st

from tsk_core import limits
from tsk_core.data import Reading
from ui.data.choose import Chosen
from ui.data.decisions import decided, widget
from ui.data.wish import wished_reading

__all__ = ["keep_box", "keep_table", "reading_wish"]


def keep_box(chosen: Chosen) -> None:
    """The choice, and what is kept either way."""
    st.checkbox(
        "Keep this table with my runs", key=widget("keep", chosen.source.key),
        help="A run's link then repeats everything without asking for the file. Anyone with the link can use the table.",
    )  # fmt: skip
    st.caption(
        "Without it the table leaves this server when you close the page. Of each run are kept: settings, epochs, model, rules,"
        " and the names of columns and classes. Once the runs of this server take more than"
        f" {limits.value('runs_mb'):,} MB, the oldest go that nobody pinned."
    )


def keep_table(chosen: Chosen) -> bool:
    """Whether the table is to be kept with the run."""
    return chosen.source.raw is not None and bool(decided("keep", chosen.source.key))


def reading_wish(chosen: Chosen) -> Reading | None:
    """How the file had to be read where that was not found out; part of what repeats the run."""
    wish = wished_reading(chosen.source.key)
    return wish if chosen.source.raw is not None and wish != Reading() else None
