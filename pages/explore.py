"""Explore: choose data and settings, press Train, watch, read the rules."""

from contextlib import nullcontext

import streamlit as st

from tsk_core.config import TrainConfig
from ui import data, presets
from ui.charts import SAMPLES, TABS
from ui.data.choose import Chosen
from ui.explore.comparison import comparison_run
from ui.explore.heading import heading, pending
from ui.explore.painter import is_painting, painter
from ui.explore.presenter import presenter
from ui.explore.rules_tab import settings_found, take_settings
from ui.explore.run_panel import DrawnPage, run_panel
from ui.explore.steering import answer_switch, carry_out, notices, share, slow_down, steering
from ui.page.first_screen import first_screen
from ui.page.last_run import last_run_note
from ui.page.opening import go_back, open_page
from ui.page.presenter import presenting
from ui.page.sidebar import data_and_settings, in_a_lecture
from ui.page.top_bar import top_bar
from ui.platform import session
from ui.platform.drawing import by_history, note_page, show_errors
from ui.runs import cost_threshold, current_run
from ui.runs.current_run import RUN_NOTE
from ui.settings import page_state
from ui.settings.link import pace_control
from ui.settings.starting import start_from_rule_base, with_rule_base
from ui.text import in_markdown
from ui.tuning import open_linked_tuning, tuning_form, tuning_panel


def page() -> None:
    """Controls → run → charts."""
    back = by_history()  # before anything takes that as done
    if back:
        go_back()
    take_settings()
    open_page("explore")
    presets.keep_box_closed()
    presets.open_linked()
    open_linked_tuning()
    current_run.open_linked(back)
    cost_threshold.open_linked()
    head = st.container(key=None if presenting() else "head", gap=None)
    drawn = DrawnPage()
    with st.sidebar:
        chosen, config, test_size = sidebar(drawn)
    page_state.save()
    failure = carry_out(config, test_size, chosen)
    if not session.VIEW.is_set() or (is_painting() and current_run.get() is None):
        session.VIEW.set(SAMPLES if is_painting() else TABS[0])  # what is painted is looked at in the plane
    note_page([session.VIEW.name])
    run = current_run.refresh()
    if settings_found():
        st.rerun()
    changed = pending(run, config, test_size, chosen)
    preset = presets.matching(run, config, test_size, chosen)
    with head:
        if presenting():
            presenter(run, heading(run, config, chosen, run and comparison_run(run)), changed, preset)
        else:
            top_bar("TSK Explorer", lambda: share(config, test_size, chosen))
    with drawn.toolbar.buttons:
        steering(config, test_size, chosen, changed, preset)
        last_run_note()
    drawn.say(changed)
    with st.container(key="above"):  # also when it is empty: Streamlit would build everything below again if its position changed
        notices(config, chosen, failure)
        if preset is not None and run is None and not presenting():
            preset_hint(preset)
        first_screen(chosen, shown=run is not None, explore=True)
        if not presenting():
            tuning_panel(config, test_size, chosen)
    with painter(run) if is_painting() else nullcontext():  # a box of its own would move what page.css lays out
        if run is not None:
            run_panel(run, chosen and chosen.dataset, preset)
    if chosen is not None and not presenting():
        data.data_panel(chosen, expanded=run is None and not is_painting(), upcoming="data" in changed.keys)
    drawn.note(chosen, changed, preset, failure)
    presets.box_is_closed()


def sidebar(drawn: DrawnPage) -> tuple[Chosen | None, TrainConfig | None, float]:
    """The dataset and the settings; returns them, with the share of test rows."""
    if note := RUN_NOTE.get():
        st.info(in_markdown(note))
    return data_and_settings(drawn, _more_settings)


def _more_settings(config: TrainConfig | None, test_size: float, chosen: Chosen | None) -> TrainConfig | None:
    """What else the box of all settings has on this page."""
    answer_switch()
    tuning_form(config, test_size, chosen)  # a search starts from no rules
    config = with_rule_base(config) if presenting() else start_from_rule_base(config)
    in_a_lecture(lambda: pace_control(None if config is None else config.max_epochs, slow_down))
    return config


def preset_hint(preset: presets.Preset) -> None:
    """Before the first run: what to look at in the preset that the controls are at."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="hint"):
        presets.preset_text(preset)


with show_errors():
    page()
