"""Runs: the list of runs of this browser; open, compare, rename, pin, share, download and delete them."""

import streamlit as st

from ui.engine import the_engine
from ui.front import through_app
from ui.guard import errors_shown
from ui.runs import run_list


def page() -> None:
    """List → selected runs."""
    the_engine()
    st.title("Runs", anchor=False)
    run_list.disk_space()
    selected = run_list.select_runs()
    if len(selected) == 1:
        run_list.run_actions(selected[0])
    elif selected:
        run_list.compare(selected)


through_app()
with errors_shown():
    page()
