"""Runs: the list of runs of this browser; open, compare, rename, pin, share, download and delete them, and all that is kept."""

import streamlit as st

from ui.platform.drawing import show_errors
from ui.platform.engine import get_engine
from ui.runs import run_list
from ui.runs.kept import kept_of_visitor
from ui.settings import page_state


def page() -> None:
    """List → selected runs."""
    get_engine()
    page_state.pass_by("runs")
    st.title("Runs", anchor=False)
    run_list.disk_space()
    selected = run_list.select_runs()
    if len(selected) == 1:
        run_list.run_actions(selected[0])
    elif selected:
        run_list.compare(selected)
    kept_of_visitor()


with show_errors():
    page()
