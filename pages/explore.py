"""Explore: choose data and settings, press Train, watch, read the rules."""

import streamlit as st

from tsk_core.config import TrainConfig
from ui import data, presets
from ui.data.choose import Chosen
from ui.engine import the_engine
from ui.explore.presenter import keys, present_button, presenter, presenting
from ui.explore.run_panel import run_panel
from ui.explore.steering import carry_out, steering
from ui.guard import errors_shown
from ui.owner import remember_owner
from ui.runs import current_run
from ui.settings import controls, undo
from ui.settings.opening import open_link
from ui.text import in_markdown


def page() -> None:
    """Controls → run → charts."""
    the_engine()
    remember_owner()
    open_link()
    current_run.open_linked()
    with st.sidebar:
        chosen, config, test_size = sidebar()
    failure = carry_out(config, test_size, chosen)
    run = current_run.refresh()
    preset = presets.matching(config, test_size, chosen)
    if presenting():
        presenter(config, chosen, preset)
    heading(preset)
    with st.container():  # also when it is empty: Streamlit would build everything below again if its position changed
        if preset is not None:
            presets.preset_text(preset)
        if run is None and not presenting():
            st.caption("Watch a fuzzy classifier learn: press Train, change one setting, press Train again.")
    steering(config, test_size, chosen, failure)
    if run is None and presenting():
        keys()
    if chosen is not None and not presenting():
        data.data_panel(chosen, expanded=run is None)
    if chosen is None and run is None:
        st.caption("Select a dataset first, in the sidebar.")
    if run is not None:
        run_panel(run, chosen and chosen.dataset)


def sidebar() -> tuple[Chosen | None, TrainConfig | None, float]:
    """The dataset and the settings; returns them, with the share of test rows."""
    if note := st.session_state.get("run_note"):
        st.info(in_markdown(note))
    chosen = data.choose()
    # The button is above the settings but drawn after them: only then are their values known, as links and data set them too.
    above = st.container()
    config, test_size = controls.settings()
    undo.remember()
    with above:
        undo.undo_button()
    present_button()
    return chosen, config, test_size


def heading(preset: presets.Preset | None) -> None:
    """The title and the presets in a line."""
    with st.container(horizontal=True, vertical_alignment="center", key="heading"):
        if not presenting():
            st.title("TSK Explorer", anchor=False, width="content")
        with st.container(width="stretch"):
            presets.preset_row(preset)


with errors_shown():
    page()
