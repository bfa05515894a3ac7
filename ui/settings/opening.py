"""A page as a link opens it; and the settings of a run, a preset or a search put into the widgets."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import streamlit as st

from tsk_core.config import START_KEY, STARTING_POINTS, TrainConfig
from tsk_core.data.painted import SOURCE, from_frame
from tsk_core.errors import TSKError
from ui.data import source
from ui.data.choose import take_decisions_of_run
from ui.data.gallery import MEASURED_SETTINGS
from ui.data.source import DATA, LINK, TARGET, UPLOAD
from ui.platform.engine import get_engine
from ui.runs import current_run
from ui.runs.current_run import OPENED_RUN
from ui.settings import page_state, starting
from ui.settings.controls import RULE_BASE, TEST_DEFAULT, widget_values
from ui.settings.link import correct_link

# The settings of a run, a preset or a search, put into the widgets: all of them at once, a rule base to start from included.


def use_settings(
    config: TrainConfig,
    test_size: float,
    *,
    data: Mapping[str, Any] | None = None,
    keep: Collection[str] = (),
    visit_from: str | None = None,
) -> None:
    """Set the widgets here and on the page that is shown next; in a callback, or before any widget is made.

    data: values of the widgets that choose the dataset, by key, if they change too. keep: keys of widgets that keep their value.
    visit_from: a page that has its own settings again after a visit to the next one; see ``page_state.set_for_visit``.
    """
    data = data or {}
    start = starting.nearest(config, data.get(DATA.name, DATA.get()))
    values = widget_values(config, test_size) | {START_KEY: start, **data}
    values = {key: value for key, value in values.items() if key not in keep}
    if visit_from is None:
        page_state.set_values(values)
    else:
        page_state.set_for_visit(values, visit_from)
    if config.rule_base is None:
        RULE_BASE.pop()  # of the settings before
    else:
        RULE_BASE.set(config.rule_base)
    starting.hold()


def use_measured() -> None:
    """The settings of a card of the gallery, if somebody has just chosen them; before the settings are drawn."""
    measured = MEASURED_SETTINGS.pop()
    if measured is not None:
        config = replace(STARTING_POINTS[measured.start], **measured.settings)
        use_settings(config, TEST_DEFAULT, keep=starting.SPLIT_KEYS)


def open_link() -> None:
    """Use the values of the link; before any widget is made."""
    if not LINK.is_set():
        LINK.set(st.query_params.to_dict())  # widgets remove default values from it
    _use_settings_of_run()
    correct_link()


def _use_settings_of_run() -> None:
    """A run opened by its link brings the settings and the data it was trained with; other values of the link override them."""
    run = st.query_params.get("run")
    if not run or run == OPENED_RUN.get():
        return
    OPENED_RUN.set(run)
    shown = current_run.get()
    if shown is not None and shown.id == run:  # started on this page, with these settings
        return
    try:
        folder = get_engine().store.open(run)
        about, config = folder.about(), folder.config()
    except TSKError:
        return  # the page shows the error where it opens the run
    dataset = about["dataset"]
    data = dataset.get("gallery") or (source.PAINTED if _took_points(run, dataset) else UPLOAD)
    of_data = {DATA.name: data, TARGET.name: dataset["target"]}
    LINK.set({"sha": dataset["sha256"], **of_data, **st.query_params})
    use_settings(config, about["test_size"], data=of_data, keep=st.query_params)
    take_decisions_of_run(run, dataset)


def _took_points(run: str, about: Mapping[str, Any]) -> bool:
    """Whether a run is of painted points; the page then has those that were kept with it, unless the link brings some."""
    if about.get("source") != SOURCE:
        return False
    if source.PAINTED_KEY not in st.query_params:
        with suppress(TSKError):
            dataset = get_engine().store.dataset(run)
            if dataset is not None:
                source.put_points(from_frame(dataset.raw[0] if dataset.raw else dataset.frame))
    return True
