"""Keeping an uploaded table on the server: only if its owner chooses to."""

import streamlit as st

from tsk_core.data import ReadOptions
from ui.data.choose import Chosen
from ui.data.decisions import decided, widget
from ui.data.painting import PAINTED
from ui.data.read_options import chosen_read_options
from ui.platform.keeping import how_long, when_full


def keep_table_checkbox(chosen: Chosen) -> None:
    """The checkbox, and what the server keeps in either case."""
    st.checkbox(
        "Keep this table with my runs", key=widget("keep", chosen.source.key),
        help="The link of a run then works without the file. Anyone with the link can use the table.",
    )  # fmt: skip
    st.caption(
        "Otherwise the server deletes the table when you close the page. Of each run it keeps the settings, epochs, model, rules,"
        f" and the names of columns and classes. {how_long()} {when_full()} The page Runs shows what is kept and can delete it."
    )


def keep_table(chosen: Chosen) -> bool:
    """Whether the server is to keep the table with the run; painted points always: the next stroke changes those of the page."""
    if chosen.source.key == PAINTED:
        return True
    return chosen.source.raw is not None and bool(decided("keep", chosen.source.key))


def read_options_of(chosen: Chosen) -> ReadOptions | None:
    """The read options that a person chose, None if all were detected; part of the reproduction recipe."""
    options = chosen_read_options(chosen.source.key)
    return options if chosen.source.raw is not None and options != ReadOptions() else None
