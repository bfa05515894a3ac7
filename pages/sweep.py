"""Sweep: choose data, settings and one to four of them to vary, press Sweep, watch the points come."""

import streamlit as st

from tsk_core.experiments import Plan
from ui.experiments import carry_out, estimate_row, find, steering, unused_settings
from ui.page.first_screen import first_screen
from ui.page.opening import open_page
from ui.page.presenter import presenting
from ui.page.sidebar import data_and_settings
from ui.page.top_bar import top_bar
from ui.platform.drawing import note_page, show_errors
from ui.platform.session import Key
from ui.settings import page_state
from ui.settings.link import link_button
from ui.sweep import (
    DRAWN_WITH,
    axes_row,
    correct_link,
    joined_note,
    link_values,
    open_requested,
    options_row,
    plan_of,
    presenter,
    read_link,
    sweep_panel,
)

SWEEP_PLAN = Key[Plan | None]("sweep_plan")  # as the page was last drawn


def page() -> None:
    """Controls → sweep → figure and table."""
    open_page("sweep")
    read_link()
    correct_link()
    open_requested(SWEEP_PLAN.get())
    with st.sidebar:
        chosen, config, test_size = data_and_settings()
        unused_settings(config)
    page_state.save()
    dataset = chosen and chosen.dataset
    heading = st.container(horizontal=True, vertical_alignment="center", key=None if presenting() else "heading")
    axes = axes_row()
    wanted = options_row(axes or ())
    plan = plan_of(axes, config, test_size, wanted, dataset)
    SWEEP_PLAN.set(plan)
    failure = carry_out(plan, dataset, config)
    note_page(DRAWN_WITH)
    ready = plan is not None and dataset is not None
    status = find(plan, dataset)
    with heading:
        if presenting():
            presenter(plan, dataset.name if dataset else "")
        else:
            st.title("Sweep", anchor=False, width="content")
    beside = st.container() if presenting() else heading  # beside the title they leave the figure more room
    with beside.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="steering"):
        steering("Sweep", ready, status)
    top_bar(share=lambda: link_button(config, test_size, dataset, link_values(axes, wanted)))
    with st.container():
        if failure:
            st.error(failure)
        if plan is not None and dataset is not None and status is None:
            with show_errors():
                estimate_row(plan, dataset, joined_note(axes or (), plan))
        first_screen(chosen, shown=status is not None)
    if plan is not None and dataset is not None and status is not None:
        with show_errors():
            sweep_panel(plan, dataset, wanted, status)


with show_errors():
    page()
