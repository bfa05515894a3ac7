"""An honest number beside the single split: the cross-validation of a run's settings, at a press of a button.

It is a task of its own in the queue; its scores are found again by the table and the settings, after a reload too.
"""

from typing import Any

import streamlit as st

from tsk_core.jobs import Status
from tsk_core.tasks import CrossValidation
from ui.platform.engine import get_engine
from ui.platform.errors import show_errors
from ui.runs.run_view import RunView
from ui.runs.score_texts import cross_validation_scores
from ui.runs.side_tasks import dataset_of, epochs_done, follow, found, newest, progress_row, start_for, start_row
from ui.text import in_markdown

_KIND = CrossValidation.kind
_KEY = "cross_validation"
_HELP = (
    "Trains ten models with this run's settings, each on one half of the rows, and tests them on the other half. With groups,"
    " none is in both halves; with time, later rows are tested. The scores do not depend on one split. Each model trains on half"
    " of the rows, so its scores may be a little lower than this run's."
)
_INTERVAL = (
    "Mean over the folds and its 95% interval. The folds share rows, so the interval is that of the corrected resampled"
    " t-test (Nadeau and Bengio 2003), which is wider than that of independent scores. Where whole groups are tested,"
    " the correction counts groups."
)


def cross_validation_row(run: RunView) -> None:
    """The button; while it trains, the progress; then the scores. Nothing before the run has a model."""
    if run.result is None:
        return
    with show_errors():
        status = _status(run)
        if status is not None and not status.ended:
            follow(status.run, lambda now: progress_row(now, _KEY, "5 × 2 cross-validation", _done, "Stop cross-validation"))
        elif status is not None and status.state == "finished":
            _scores(status)
        else:
            start_row(run, _KEY, "5 × 2 cross-validation", _HELP, _start, status)


def finished_scores(run: RunView) -> dict[str, Any]:
    """The metrics of the run's cross-validation; {} while there are none."""
    status = None if run.result is None else _status(run)
    if status is None or status.state != "finished":
        return {}
    return get_engine().store.open(status.run).metrics()


def _status(run: RunView) -> Status | None:
    """Of this run's cross-validation; None without one."""

    def search() -> str | None:
        return newest(_KIND, run.result.dataset, lambda record: record.state == "finished" and record.has_settings(run.config))

    return found(_KIND, run.id, search)


def _start(run: RunView) -> None:
    start_for(_KIND, run.id, lambda: CrossValidation(run.config, dataset_of(run)), background=True)


def _done(status: Status) -> str:
    if status.stage == "hold-out":
        return "searching for the number of epochs of each fold"
    return epochs_done(status)


def _scores(status: Status) -> None:
    metrics = get_engine().store.open(status.run).metrics()
    st.caption(in_markdown(cross_validation_scores(metrics)), help=_INTERVAL)
    for note in metrics["notes"]:
        st.caption(in_markdown(note))
