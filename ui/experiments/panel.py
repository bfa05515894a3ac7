"""What is known of an experiment on the page: as it goes and at its end."""

from collections.abc import Callable

import streamlit as st

from tsk_core.data import Dataset
from tsk_core.experiments import Plan
from tsk_core.jobs import Status
from ui.experiments.collected import Collected
from ui.experiments.progress import ended_text, progress_row
from ui.experiments.runs import collected_of
from ui.runs.side_tasks import follow
from ui.text import in_markdown


def experiment_panel(plan: Plan, dataset: Dataset, status: Status, key: str, draw: Callable[[Collected], None]) -> Collected:
    """How far the experiment is, or why it ended early, then what ``draw`` makes of it. Returns what is known.

    key: of the element around it. draw: called in a fragment while the experiment runs, which draws it again at each tick.
    """
    collected = collected_of(plan, dataset, status)

    def progress(now: Status) -> None:
        known = collected_of(plan, dataset, now)
        progress_row(now, plan, len(known.points))
        draw(known)

    with st.container(key=key):
        if not status.ended:
            follow(status.run, progress)
            return collected
        if text := ended_text(status, plan.size, len(collected.points)):
            st.warning(in_markdown(text))
        draw(collected)
    return collected


def followed(plan: Plan, dataset: Dataset, status: Status, draw: Callable[[Collected], None]) -> None:
    """What ``draw`` makes of the experiment; while it runs, in a fragment of its own."""
    with st.container():
        if status.ended:
            draw(collected_of(plan, dataset, status))
        else:
            follow(status.run, lambda now: draw(collected_of(plan, dataset, now)))
