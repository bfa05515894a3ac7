"""Explore: pick data and settings, press Train, watch, read the rules."""

import streamlit as st

from ui import controls, data_panel, run_panel, runs
from ui.engine import the_engine
from ui.guard import errors_said
from ui.link import link_button


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
        train = st.button("Train", type="primary", disabled=training or dataset is None or config is None, width=130)
        stop = st.button("Stop", disabled=not training, width=110)
        link_button(config, test_size, dataset)
    if train or stop:
        with errors_said():  # a run that is refused leaves the page as it was
            if train:
                runs.start(config, dataset, test_size)
            else:
                runs.stop()
            st.rerun()
    if dataset is not None:
        data_panel.preview(dataset, expanded=shown is None)
    if shown is not None:
        run_panel.show(shown)


with errors_said():
    page()
