"""The buttons of an experiment: start, stop, continue; and what they do."""

from typing import Any

import streamlit as st

from tsk_core.config import TrainConfig
from tsk_core.data import Dataset
from tsk_core.experiments import Plan
from tsk_core.jobs import Status
from ui.experiments.runs import RESUMABLE, find, start
from ui.platform import session
from ui.platform.engine import get_engine
from ui.platform.errors import error_markdown
from ui.platform.owner import owner


def request(action: str, page: str = "") -> None:
    """Store a press until it is carried out with the settings as they are then drawn.

    action: "start" or "stop". page: the one that carries it out, "compare" or "sweep"; by default the one that is shown.
    """
    session.EXPERIMENT_REQUESTED.set((page or session.PAGE.get(), action))


def carry_out(plan: Plan | None, dataset: Dataset | None, base: TrainConfig | None) -> str:
    """Do what was requested; returns why it failed, as Markdown, or "". A start waits where there is nothing to start.

    base: the settings of the page.
    """
    page, action = session.EXPERIMENT_REQUESTED.pop() or ("", "")
    if page != session.PAGE.get() or plan is None or dataset is None or base is None:
        return ""
    try:
        status = find(plan, dataset)
        active = status is not None and not status.ended
        if action == "start" and not active:
            start(plan, dataset, base)
        elif action == "stop" and active:
            get_engine().stop(status.run, owner())
    except Exception as error:
        return error_markdown(error)
    return ""


def steering(label: str, ready: bool, status: Status | None, **options: Any) -> None:
    """Draw the buttons in the row around them. label: of the one that starts. ready: whether there is something to start."""
    active = status is not None and not status.ended
    resumable = status is not None and status.state in RESUMABLE
    st.button(label, type="primary", disabled=active or not ready, on_click=request, args=("start",), **options)
    st.button("Stop", disabled=not active, on_click=request, args=("stop",))
    if resumable:
        text = "Computes the trainings that are not done yet; those that are done are kept."
        st.button("Continue", on_click=request, args=("start",), help=text)
