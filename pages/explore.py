"""Explore: choose data and settings, press Train, watch, read the rules."""

import streamlit as st

from tsk_core.config import TrainConfig
from ui import data, presets
from ui.charts import TABS
from ui.data.choose import Chosen
from ui.explore.comparison import comparison_run
from ui.explore.heading import heading, pending
from ui.explore.presenter import presenter
from ui.explore.run_panel import run_panel
from ui.explore.steering import carry_out, slow_down, steering
from ui.page.opening import open_page
from ui.page.presenter import present_button, presenting
from ui.page.sidebar import data_and_settings
from ui.platform import session
from ui.platform.errors import show_errors
from ui.platform.fragments import note_page
from ui.runs import current_run
from ui.settings import page_state
from ui.settings.pace import pace_control
from ui.text import in_markdown
from ui.tuning import open_linked_tuning, tuning_form, tuning_panel


def page() -> None:
    """Controls → run → charts."""
    open_page("explore")
    open_linked_tuning()
    current_run.open_linked()
    with st.sidebar:
        chosen, config, test_size = sidebar()
    page_state.save()
    failure = carry_out(config, test_size, chosen)
    if not session.VIEW.is_set():
        session.VIEW.set(TABS[0])
    note_page([session.VIEW.name])
    run = current_run.refresh()
    changed = pending(run, config, test_size, chosen)
    preset = presets.matching(run, config, test_size, chosen)
    if presenting():
        presenter(run, heading(run, config, chosen, run and comparison_run(run)), changed, preset)
    else:
        title_row(preset)
    with st.container():  # also when it is empty: Streamlit would build everything below again if its position changed
        if preset is not None and not presenting():
            presets.preset_text(preset)
        if run is None and not presenting():
            st.caption("Watch a fuzzy classifier learn: press Train, change one setting, press Train again.")
    steering(config, test_size, chosen, failure, changed, offers_comparison=not presenting())
    if not presenting():
        tuning_panel(config, test_size, chosen)
    if chosen is not None and not presenting():
        data.data_panel(chosen, expanded=run is None, upcoming="data" in changed.keys)
    if chosen is None and run is None:
        st.caption("Select a dataset first, in the sidebar.")
    if run is not None:
        run_panel(run, chosen and chosen.dataset)


def sidebar() -> tuple[Chosen | None, TrainConfig | None, float]:
    """The dataset and the settings; returns them, with the share of test rows."""
    if note := session.RUN_NOTE.get():
        st.info(in_markdown(note))
    chosen, config, test_size = data_and_settings()
    pace_control(config and config.max_epochs, slow_down)
    tuning_form(config, test_size, chosen)
    present_button()
    return chosen, config, test_size


def title_row(preset: presets.Preset | None) -> None:
    """The title and the presets in a line."""
    with st.container(horizontal=True, vertical_alignment="center", key="heading"):
        st.title("TSK Explorer", anchor=False, width="content")
        with st.container(width="stretch"):
            presets.preset_row(preset)


with show_errors():
    page()
