"""A page as a link opens it: with the values of the link, and with the settings of the run that it names."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import streamlit as st

from tsk_core.data.painted import SOURCE, from_frame
from tsk_core.errors import TSKError
from ui.data import decided_before, painting
from ui.data.uploading import UPLOAD
from ui.platform import session
from ui.platform.engine import get_engine
from ui.runs import current_run
from ui.settings.link import correct_link
from ui.settings.use import use_settings


def open_link() -> None:
    """Use the values of the link; before any widget is made."""
    if not session.LINK.is_set():
        session.LINK.set(st.query_params.to_dict())  # widgets remove default values from it
    _use_settings_of_run()
    correct_link()


def _use_settings_of_run() -> None:
    """A run opened by its link brings the settings and the data it was trained with; other values of the link override them."""
    run = st.query_params.get("run")
    if not run or run == session.OPENED_RUN.get():
        return
    session.OPENED_RUN.set(run)
    shown = current_run.get()
    if shown is not None and shown.id == run:  # started on this page, with these settings
        return
    try:
        folder = get_engine().store.open(run)
        about, config = folder.about(), folder.config()
    except TSKError:
        return  # the page shows the error where it opens the run
    dataset = about["dataset"]
    data = dataset.get("gallery") or (painting.PAINTED if _took_points(run, dataset) else UPLOAD)
    of_data = {session.DATA.name: data, session.TARGET.name: dataset["target"]}
    session.LINK.set({"sha": dataset["sha256"], **of_data, **st.query_params})
    use_settings(config, about["test_size"], data=of_data, keep=st.query_params)
    decided_before.of_run(run, dataset)


def _took_points(run: str, about: Mapping[str, Any]) -> bool:
    """Whether a run is of painted points; the page then has those that were kept with it, unless the link brings some."""
    if about.get("source") != SOURCE:
        return False
    if painting.LINK_KEY not in st.query_params:
        with suppress(TSKError):
            dataset = get_engine().store.dataset(run)
            if dataset is not None:
                painting.put(from_frame(dataset.raw[0] if dataset.raw else dataset.frame))
    return True
