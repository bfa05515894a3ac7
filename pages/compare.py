"""Compare: choose data, settings and variants, press Compare, watch them train side by side, read the verdict."""

import streamlit as st

from ui.compare import controls
from ui.compare.exports import export_row, open_clicked
from ui.compare.my_runs import my_runs
from ui.compare.panel import comparison_panel
from ui.compare.presenter import KEYS, presenter, preset_row, title_of
from ui.experiments import carry_out, estimate_row, find, steering, unused_settings
from ui.page.first_screen import first_screen
from ui.page.opening import open_page
from ui.page.presenter import key_list, presenting
from ui.page.sidebar import data_and_settings
from ui.page.top_bar import top_bar
from ui.platform.drawing import note_page, show_errors
from ui.settings import page_state
from ui.settings.link import link_button


def page() -> None:
    """Controls → comparison → verdict and charts."""
    open_page("compare")
    controls.read_link()
    open_clicked()
    with st.sidebar:
        chosen, config, test_size = data_and_settings()
        unused_settings(config)
    dataset = chosen and chosen.dataset
    heading = st.container(horizontal=True, vertical_alignment="center", key=None if presenting() else "heading")
    wanted = controls.controls(config, test_size, dataset)
    failure = carry_out(wanted.plan, dataset, config)
    page_state.save()
    note_page(controls.DRAWN_WITH)
    ready = wanted.plan is not None and dataset is not None
    status = find(wanted.plan, dataset)
    busy = status is not None and not status.ended
    with heading:
        if presenting():
            presenter(title_of(), wanted, dataset.name if dataset else "", busy)
        else:
            st.title("Compare", anchor=False, width="content")
            with st.container(width="stretch"):
                preset_row(busy, dataset)
    with st.container():
        if failure:
            st.error(failure)
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="steering"):
            steering("Compare", ready, status)
        if wanted.plan is not None and dataset is not None and status is None:
            with show_errors():
                estimate_row(wanted.plan, dataset)
        first_screen(chosen, shown=status is not None)
    top_bar(share=lambda: link_button(config, test_size, dataset, controls.link_values(wanted)))
    if presenting() and status is None:
        key_list(KEYS)
    if dataset is not None and status is not None:
        with show_errors():
            collected = comparison_panel(wanted, dataset, status)
            if status.ended and config is not None:
                export_row(wanted, config, dataset, collected)
    if not presenting():
        my_runs()


with show_errors():
    page()
