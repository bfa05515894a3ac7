"""A sweep on the page: as it goes and at its end; progress, what was found in a sentence, the figure and its cells."""

from collections.abc import Sequence

import streamlit as st

from tsk_core.data import Dataset
from tsk_core.experiments import Cell, Plan, sentence, summarise
from tsk_core.jobs import Status
from ui.experiments import Collected, collected_of, progress_row
from ui.experiments.progress import ended_text
from ui.live import feed_sweep, mount
from ui.runs.side_tasks import follow
from ui.sweep.cell_runs import cell_runs, choose, chosen_in
from ui.sweep.exports import downloads
from ui.sweep.message import message
from ui.sweep.options import Wanted
from ui.sweep.words import accuracy_of
from ui.text import in_markdown

__all__ = ["sweep_panel"]


def sweep_panel(plan: Plan, dataset: Dataset, wanted: Wanted, status: Status) -> None:
    """Draw it; while it runs, fragments draw the words again, and the browser updates its figure."""
    collected = collected_of(plan, dataset, status)

    def words(now: Status) -> None:
        known = collected_of(plan, dataset, now)
        progress_row(now, plan, len(known.points))
        _send(plan, known, wanted)

    def listed(now: Status) -> None:
        cell_runs(plan, collected_of(plan, dataset, now).points)

    with st.container(key="sweep_words"):
        if status.ended:
            if text := ended_text(status, plan.size, len(collected.points)):
                st.warning(in_markdown(text))
            _send(plan, collected, wanted)
        else:
            follow(status.run, words)
    mount("sweep", key="sweep")
    with st.container():
        if status.ended:
            cell_runs(plan, collected.points)
        else:
            follow(status.run, listed)
    if status.ended and collected.points:
        downloads(plan, collected.points, _cells(plan, collected, wanted))


def _send(plan: Plan, collected: Collected, wanted: Wanted) -> None:
    """The sentence, and everything to the browser; may stand in a fragment."""
    cells = _cells(plan, collected, wanted)
    text = sentence(plan, cells, collected.baselines, accuracy_of(wanted.show))
    if collected.points:
        st.markdown(f"**{in_markdown(text)}**")
    else:
        st.caption("The first points appear when a group of trainings has ended.")
    points = list(collected.points.values())
    feed_sweep(
        message(plan, points, cells, collected.baselines, wanted, text, chosen_in(plan)), lambda variant: choose(plan, variant)
    )


def _cells(plan: Plan, collected: Collected, wanted: Wanted) -> Sequence[Cell]:
    """The statistics of the points so far, computed when there are more of them."""
    by = accuracy_of(wanted.show)
    key = (plan.key, wanted.score, by, len(collected.points))
    kept = st.session_state.get("sweep_cells")
    if kept is None or kept[0] != key:
        kept = st.session_state.sweep_cells = key, summarise(plan, list(collected.points.values()), wanted.score, by)
    return kept[1]
