"""A sweep on the page: as it goes and at its end; progress, what was found in a sentence, the figure and its cells."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from tsk_core.data import Dataset
from tsk_core.experiments import Cell, Plan, sentence, summarise
from tsk_core.jobs import Status
from ui.experiments import Collected, experiment_panel, followed
from ui.experiments.naming import experiment_file, experiment_name
from ui.live import feed, mount
from ui.platform.caches import once_per_session
from ui.sweep.cell_runs import cell_runs, choose, chosen_in
from ui.sweep.exports import downloads
from ui.sweep.message import message
from ui.sweep.options import Wanted
from ui.sweep.words import accuracy_of
from ui.text import in_markdown


def sweep_panel(plan: Plan, dataset: Dataset, wanted: Wanted, status: Status) -> None:
    """Draw it; while it runs, fragments draw the words again, and the browser updates its figure."""
    name = experiment_name(plan, dataset)
    collected = experiment_panel(plan, dataset, status, "sweep_words", lambda known: _send(plan, name, known, wanted))
    mount("sweep", key="sweep", calls={"chosen": lambda variant: choose(name, int(variant))})
    followed(plan, dataset, status, lambda known: cell_runs(plan, name, known.points))
    if status.ended and collected.points:
        cells = _cells(plan, collected.points, wanted.score, accuracy_of(wanted.show))
        downloads(plan, collected.points, cells, experiment_file(plan, dataset, "sweep"))


def _send(plan: Plan, name: str, collected: Collected, wanted: Wanted) -> None:
    """The sentence, and everything to the browser; may stand in a fragment."""
    accuracy = accuracy_of(wanted.show)
    cells = _cells(plan, collected.points, wanted.score, accuracy)
    text = sentence(plan, cells, collected.baselines, accuracy)
    if collected.points:
        st.markdown(f"**{in_markdown(text)}**")
    else:
        st.caption("The first points appear when a group of trainings has ended.")
    points = list(collected.points.values())
    feed(message(plan, points, cells, collected.baselines, wanted, text, chosen_in(plan, name)))


@once_per_session(entries=4)
def _cells(plan: Plan, points: Mapping[int, Mapping[str, Any]], score: str, accuracy: str) -> Sequence[Cell]:
    """The statistics of the points so far."""
    return summarise(plan, list(points.values()), score, accuracy)
