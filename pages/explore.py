"""Explore: pick data and settings, press Train, watch, read the rules."""

import streamlit as st

from ui import controls, data, presets, run_panel, runs, undo
from ui.engine import the_engine
from ui.guard import errors_said
from ui.opening import open_link
from ui.owner import remember_owner
from ui.present import keys, presenter, presenting, way_in
from ui.steering import steering
from ui.text import in_markdown


def page() -> None:
    """Controls → run → charts."""
    the_engine()
    remember_owner()
    open_link()
    runs.open_linked()  # one that is not there is said first
    with st.sidebar:
        if note := st.session_state.get("run_note"):
            st.info(in_markdown(note))
        chosen = data.choose()
        above = st.container()  # within reach, but drawn once it is known what the settings hold
        config, test_size = controls.settings()
        undo.remember()
        with above:
            undo.undo_button()
        way_in()
    here = presets.at(config, test_size, chosen)
    if presenting():
        presenter(config, chosen, here)
    with st.container(horizontal=True, vertical_alignment="center", key="heading"):
        if not presenting():
            st.title("TSK Explorer", anchor=False, width="content")
        row = st.container(width="stretch")
    words = st.container()
    steering(config, test_size, chosen)
    presets.presets_panel(here, row, words)  # now that it is known whether a run has just begun
    shown = runs.shown()
    if shown is None and presenting():
        keys()
    elif shown is None:
        words.caption("Watch a fuzzy classifier learn: press Train, change one setting, press Train again.")
    if chosen is not None:
        if not presenting():
            data.data_panel(chosen, expanded=shown is None)
    elif shown is None:
        st.caption("Select a dataset first, in the sidebar.")
    if shown is not None:
        run_panel.show(shown, chosen and chosen.dataset)


with errors_said():
    page()
