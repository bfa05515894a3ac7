"""A sweep on the page: as it goes and at its end; progress, what was found in a sentence, the figure and its cells."""

from collections.abc import Sequence

import streamlit as st

from tsk_core.data import Dataset
from tsk_core.experiments import Cell, Plan, sentence, summarise
from tsk_core.jobs import Status
from ui.experiments import Collected, experiment_panel, followed
from ui.live import feed, mount
from ui.sweep.cell_runs import cell_runs, choose, chosen_in
from ui.sweep.exports import downloads
from ui.sweep.message import message
from ui.sweep.options import Wanted
from ui.sweep.words import metric_of
from ui.text import in_markdown

__all__ = ["sweep_panel"]


def sweep_panel(plan: Plan, dataset: Dataset, wanted: Wanted, status: Status) -> None:
    """Draw it; while it runs, fragments draw the words again, and the browser updates its figure."""
    collected = experiment_panel(plan, dataset, status, "sweep_words", lambda known: _send(plan, known, wanted))
    mount("sweep", key="sweep", calls={"chosen": lambda variant: choose(plan, int(variant))})
    followed(plan, dataset, status, lambda known: cell_runs(plan, known.points))
    if status.ended and collected.points:
        downloads(plan, collected.points, _cells(plan, collected, wanted))


def _send(plan: Plan, collected: Collected, wanted: Wanted) -> None:
    """The sentence, and everything to the browser; may stand in a fragment."""
    cells = _cells(plan, collected, wanted)
    text = sentence(plan, cells, collected.baselines, metric_of(wanted.show))
    if collected.points:
        st.markdown(f"**{in_markdown(text)}**")
    else:
        st.caption("The first points appear when a group of trainings has ended.")
    points = list(collected.points.values())
    feed(message(plan, points, cells, collected.baselines, wanted, text, chosen_in(plan)))


def _cells(plan: Plan, collected: Collected, wanted: Wanted) -> Sequence[Cell]:
    """The statistics of the points so far."""
    by = metric_of(wanted.show)
    points = list(collected.points.values())
    return collected.summary("cells", (wanted.score, by), lambda: summarise(plan, points, wanted.score, by))
