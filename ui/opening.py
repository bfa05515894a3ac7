"""A page as a link opens it: what the link says, what the run it names was trained with, and what cannot be."""

import streamlit as st

from tsk_core.errors import TSKError
from ui import controls
from ui.controls import widget_values
from ui.data.source import UPLOAD
from ui.engine import the_engine

__all__ = ["open_link"]


def open_link() -> None:
    """Before any widget is made: take over the link's values."""
    st.session_state.setdefault("link", st.query_params.to_dict())  # widgets drop default values from it
    _settings_of_run()
    controls.mend_link()


def _settings_of_run() -> None:
    """A run opened by its link brings the settings and the data it was trained with; what the link says besides goes first."""
    run = st.query_params.get("run")
    if not run or run == st.session_state.get("opened_run"):
        return
    st.session_state.opened_run = run
    shown = st.session_state.get("current_run")
    if shown is not None and shown.run == run:  # started on this page, by these settings
        return
    try:
        folder = the_engine().store.open(run)
        about, config = folder.about(), folder.config()
    except TSKError:
        return  # said where the run is opened
    dataset = about["dataset"]
    values = widget_values(config, about.get("test_size", 0.3))
    values |= {"data": dataset.get("gallery") or UPLOAD, "target": dataset["target"]}
    st.session_state.link = {"sha": dataset["sha256"], "data": values["data"], "target": values["target"], **st.query_params}
    for key in values.keys() - st.query_params.keys():
        st.session_state[key] = values[key]
