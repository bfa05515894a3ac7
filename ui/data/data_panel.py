"""The data panel: the table, the data check, the role of each column, the split, and the read options."""

import numpy as np
import pandas as pd
import streamlit as st

from tsk_core.data import Dataset
from tsk_core.numbers import counted
from ui.data.choose import Chosen
from ui.data.columns import columns_panel
from ui.data.data_check import data_check_panel, is_open, summary
from ui.data.painting import PAINTED
from ui.data.read_options import read_options_panel
from ui.data.split import split_panel
from ui.data.table_keeping import keep_table_checkbox
from ui.platform import session
from ui.text import in_markdown, shortened, shortened_names

PREVIEW_ROWS = 200


def data_panel(chosen: Chosen, *, expanded: bool, upcoming: bool = False) -> None:
    """Everything about the data in one box, collapsed when the first run appears. upcoming: the run shown has other data."""
    dataset = chosen.shown
    if not expanded and not session.DATA_FOLDED.get():
        session.DATA_BOX.set(False)  # once, when the first run appears; afterwards the reader opens and closes it
    session.DATA_FOLDED.set(not expanded)
    if chosen.source.key == PAINTED and session.DATA_BOX.is_set():
        session.DATA_BOX.set(
            session.DATA_BOX.get()
        )  # each stroke changes the title, with which Streamlit would open the box again
    title = _title(dataset, upcoming, whole=session.DATA_BOX.get() is not False)
    if chosen.source.raw is not None and not session.DATA_VIEW.is_set() and any(map(is_open, dataset.findings)):
        session.DATA_VIEW.set("Data check")  # what waits for a decision is seen first
    box = st.expander(title, expanded=True, key=session.DATA_BOX.name, on_change="rerun")
    # Tables are drawn only if visible, since they take time. Other widgets are always drawn: they hold decisions.
    with box:
        if not expanded or chosen.source.raw is None:  # else the card above says it (table_card.py)
            st.caption(summary(chosen))
        titles = ["Table", "Data check", "Columns", "Split"]
        file = chosen.source.raw is not None
        # The key keeps the open tab: a change of the box title would otherwise open the first tab again.
        tabs = st.tabs([*titles, "Read options"] if file else titles, key=session.DATA_VIEW.name, on_change="rerun")
        with tabs[0]:
            if box.open and tabs[0].open:
                _table(dataset)
            if file:
                keep_table_checkbox(chosen)
        with tabs[1]:
            data_check_panel(chosen)
        with tabs[2]:
            if box.open:  # what is chosen there is stored outside of its widgets
                columns_panel(chosen, visible=tabs[2].open)
        with tabs[3]:
            split_panel(chosen, visible=box.open)
        if file:
            with tabs[4]:
                read_options_panel(chosen.source.key, chosen.source.raw)


def _title(dataset: Dataset, upcoming: bool, whole: bool) -> str:
    """The title of the box, as Markdown. whole: with the numbers of features and classes, for which a closed box has no room."""
    features = dataset.frame.shape[1] - 1
    name = in_markdown(shortened(dataset.name, 60 if whole else 18))
    rest = f", {counted(features, 'feature')}, {len(dataset.classes)} classes" if whole else ""
    return f"{'Data of the next run' if upcoming else 'Data'} – {name}: {len(dataset.frame):,} rows{rest}"


def _table(dataset: Dataset) -> None:
    """The first rows, and beside them, or below them on a phone, how many rows each class has."""
    first, sizes = dataset.frame.head(PREVIEW_ROWS), dataset.class_sizes
    names = shortened_names(sizes.index, 22)
    balance = pd.DataFrame({"class": names, "rows": sizes.to_numpy(), "share": 100 * sizes.to_numpy() / sizes.sum()})
    columns = {
        "class": st.column_config.TextColumn(width=165),
        "rows": st.column_config.NumberColumn(width=55),
        "share": st.column_config.NumberColumn(format="%.1f%%", width=65),
    }
    with st.container(horizontal=True):
        st.dataframe(first.set_axis(dataset.row_numbers(np.arange(len(first)))), height=_height(first), width="stretch")
        st.dataframe(balance, hide_index=True, height=_height(balance), width=290, column_config=columns)
    if len(dataset.frame) > PREVIEW_ROWS:
        st.caption(f"The first {PREVIEW_ROWS} of {len(dataset.frame):,} rows.")
    if dataset.source:
        licence = f" Licence: {dataset.licence}." if dataset.licence else ""
        st.caption(in_markdown(f"Source: {dataset.source}.{licence}"))


def _height(table: pd.DataFrame) -> int:
    return min(260, 38 + 35 * len(table))
