"""Explore: pick data and settings, press Train, watch, read the rules."""

import logging

import streamlit as st

from tsk_core.errors import TSKError
from ui import controls, data_panel, run_panel, runs
from ui.engine import the_engine
from ui.link import link_button
from ui.text import in_markdown


def page() -> None:
    """Controls → run → charts."""
    the_engine()
    st.session_state.setdefault("link", st.query_params.to_dict())  # as it was opened: widgets drop default values from it
    controls.mend_link()
    with st.sidebar:
        dataset = data_panel.choose()
        config, test_size = controls.settings()
    st.title("TSK Explorer", anchor=False)
    st.caption("Watch a fuzzy classifier learn: press Train, change one setting, press Train again.")
    shown = runs.current()
    training = shown is not None and not shown.status.ended
    with st.container(horizontal=True):
        pressed = st.button("Train", type="primary", disabled=training or dataset is None or config is None, width=130)
        st.button("Stop", disabled=not training, on_click=runs.stop, width=110)
        link_button(config, test_size, dataset)
    if pressed:
        runs.start(config, dataset, test_size)
        st.rerun()
    if dataset is not None:
        data_panel.preview(dataset, expanded=shown is None)
    if shown is not None:
        run_panel.show(shown)


try:
    page()
except TSKError as error:
    st.error(in_markdown(error))
except Exception:
    logging.getLogger("tsk_explorer").exception("The page failed")
    st.error("Something went wrong in the app itself; your settings are in the address bar, so reload the page to go on.")
