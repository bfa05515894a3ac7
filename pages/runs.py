"""Runs: what this browser trained here; open, compare, rename, pin, share, download, delete."""

import streamlit as st

from ui import run_list
from ui.engine import the_engine
from ui.guard import errors_said
from ui.owner import remember_owner


def page() -> None:
    """List → what is selected."""
    the_engine()
    remember_owner()
    st.title("Runs", anchor=False)
    run_list.room()
    chosen = run_list.choose()
    if len(chosen) == 1:
        run_list.one(chosen[0])
    elif chosen:
        run_list.compare(chosen)


with errors_said():
    page()
