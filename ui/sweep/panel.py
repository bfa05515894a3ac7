"""A sweep on the page: as it goes and at its end; progress, what was found in a sentence, the figure and its cells."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from tsk_core.data import Dataset
from tsk_core.experiments import Cell, Plan, sentence, summarise
from tsk_core.jobs import Status
from ui.experiments import Collected, collected_of, progress_row
from ui.experiments.naming import experiment_file, experiment_name
from ui.experiments.progress import ended_text
from ui.live import feed_sweep, mount
from ui.platform.caches import once_per_session
from ui.runs.side_tasks import follow
from ui.sweep.cell_runs import cell_runs, choose, chosen_in
from ui.sweep.exports import downloads
from ui.sweep.message import message
from ui.sweep.options import Wanted
from ui.sweep.words import metric_of
from ui.text import in_markdown

__all__ = ["sweep_panel"]


def sweep_panel(plan: Plan, dataset: Dataset, wanted: Wanted, status: Status) -> None:
    """Draw it; while it runs, fragments draw the words again, and the browser updates its figure."""
    collected = collected_of(plan, dataset, status)

    def words(now: Status) -> None:
        known = collected_of(plan, dataset, now)
        progress_row(now, plan, len(known.points))
        _send(plan, dataset, known, wanted)

    def listed(now: Status) -> None:
        cell_runs(plan, experiment_name(plan, dataset), collected_of(plan, dataset, now).points)

    with st.container(key="sweep_words"):
        if status.ended:
            if text := ended_text(status, plan.size, len(collected.points)):
                st.warning(in_markdown(text))
            _send(plan, dataset, collected, wanted)
        else:
            follow(status.run, words)
    mount("sweep", key="sweep")
    with st.container():
        if status.ended:
            cell_runs(plan, experiment_name(plan, dataset), collected.points)
        else:
            follow(status.run, listed)
    if status.ended and collected.points:
        cells = _cells(plan, collected.points, wanted.score, metric_of(wanted.show))
        downloads(plan, collected.points, cells, experiment_file(plan, dataset, "sweep"))


def _send(plan: Plan, dataset: Dataset, collected: Collected, wanted: Wanted) -> None:
    """The sentence, and everything to the browser; may stand in a fragment."""
    name, metric = experiment_name(plan, dataset), metric_of(wanted.show)
    cells = _cells(plan, collected.points, wanted.score, metric)
    text = sentence(plan, cells, collected.baselines, metric)
    if collected.points:
        st.markdown(f"**{in_markdown(text)}**")
    else:
        st.caption("The first points appear when a group of trainings has ended.")
    points = list(collected.points.values())
    feed_sweep(
        message(plan, name, points, cells, collected.baselines, wanted, text, chosen_in(plan, name)),
        lambda variant: choose(name, variant),
    )


@once_per_session(entries=4)
def _cells(plan: Plan, points: Mapping[int, Mapping[str, Any]], score: str, metric: str) -> Sequence[Cell]:
    """The statistics of the points so far."""
    return summarise(plan, list(points.values()), score, metric)
