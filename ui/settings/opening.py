"""A page as a link opens it: with the values of the link, and with the settings of the run that it names."""

import streamlit as st

from tsk_core.config import START_KEY
from tsk_core.errors import TSKError
from ui.data.source import UPLOAD
from ui.platform.engine import get_engine
from ui.runs import current_run
from ui.settings import starting
from ui.settings.controls import widget_values
from ui.settings.link import correct_link

__all__ = ["open_link"]


def open_link() -> None:
    """Use the values of the link; before any widget is made."""
    st.session_state.setdefault("link", st.query_params.to_dict())  # widgets remove default values from it
    _use_settings_of_run()
    correct_link()


def _use_settings_of_run() -> None:
    """A run opened by its link brings the settings and the data it was trained with; other values of the link override them."""
    run = st.query_params.get("run")
    if not run or run == st.session_state.get("opened_run"):
        return
    st.session_state.opened_run = run
    shown = current_run.get()
    if shown is not None and shown.id == run:  # started on this page, with these settings
        return
    try:
        folder = get_engine().store.open(run)
        about, config = folder.about(), folder.config()
    except TSKError:
        return  # the page shows the error where it opens the run
    dataset = about["dataset"]
    values = widget_values(config, about.get("test_size", 0.3))
    data = dataset.get("gallery") or UPLOAD
    values |= {"data": data, "target": dataset["target"], START_KEY: starting.nearest(config, data)}
    st.session_state.link = {"sha": dataset["sha256"], "data": values["data"], "target": values["target"], **st.query_params}
    for key in values.keys() - st.query_params.keys():
        st.session_state[key] = values[key]
    starting.hold()
