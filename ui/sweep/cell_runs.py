"""The runs of a cell that somebody clicked, and a run of it as a run of the page Explore: the same settings, seed and split."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from tsk_core.experiments import Plan, axis_values, cell_name
from ui.page.open_in_explore import open_in_explore
from ui.platform import session
from ui.text import in_markdown

_NONE = "–"


def choose(name: str, variant: int | None) -> None:
    """List the runs of this cell from now on; None: of none. name: of the experiment."""
    session.SWEEP_CELL.set(None if variant is None else (name, variant))


def chosen_in(plan: Plan, name: str) -> int | None:
    """The variant of the cell whose runs are listed, if it is one of this experiment."""
    found = session.SWEEP_CELL.get()
    return found[1] if found and found[0] == name and 0 <= found[1] < len(plan.variants) else None


def cell_runs(plan: Plan, experiment: str, points: Mapping[int, Mapping[str, Any]]) -> None:
    """The list: a line for each run so far, with a button that opens it in Explore; may stand in a fragment."""
    variant = chosen_in(plan, experiment)
    if variant is None:
        return
    name = cell_name(plan.axes, axis_values(plan, variant))
    runs = sorted((point for point in points.values() if point["variant"] == variant), key=lambda point: point["point"])
    with st.container(border=True, key="cell_runs", gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(in_markdown(f"Runs of {name}: {len(runs)} of {plan.seeds * plan.splits}"), width="stretch")
            st.button("Close", icon=":material/close:", on_click=choose, args=(experiment, None))
        hindrance = _hindrance(plan, variant)
        if note := hindrance or _difference(plan):
            st.caption(in_markdown(note))
        _lines(plan, runs, openable=not hindrance)
        if not runs:
            st.caption("None of its trainings has ended yet.")


def open_requested(plan: Plan | None) -> None:
    """Open the run whose button was pressed; before any widget is made. plan: of the page as it was last drawn."""
    number = session.SWEEP_OPENED.pop()
    if number is None or plan is None or not 0 <= number < plan.size:
        return
    open_in_explore(plan.trainings()[number].config, plan.test_size, visit_from="sweep")


def _lines(plan: Plan, runs: Sequence[Mapping[str, Any]], *, openable: bool) -> None:
    for point in runs:
        with st.container(horizontal=True, vertical_alignment="center", key=f"cell_run{point['point']}"):
            st.markdown(in_markdown(_line(point)), width="stretch")
            if openable:
                st.button(
                    "Open in Explore", key=f"open:{plan.key[:8]}:{point['point']}", on_click=_request, args=(point["point"],),
                )  # fmt: skip


def _line(point: Mapping[str, Any]) -> str:
    """As "Seed 3: BCA .781 last, .779 mean; RCA …; 1.2 s"."""
    parts = []
    for name, at in (("BCA", 1), ("RCA", 0)):
        known = [(score, pair[at]) for score, pair in point["scores"].items() if pair and pair[at] is not None]
        parts.append(f"{name} " + (", ".join(f"{value:.3f} ({score})" for score, value in known) or _NONE))
    text = f"Seed {point['seed']}: {'; '.join(parts)}; {point['seconds_share']:.2f} s of its stack"
    return f"{text}. {point['message']}" if point["message"] else text


def _hindrance(plan: Plan, variant: int) -> str:
    """Why no run of this cell can be opened in Explore; "" where they can."""
    chosen = plan.variants[variant]
    if chosen.width != 1:
        return "Explore has no control for the width of the initial antecedents, so these runs cannot be opened there."
    if chosen.row_share != 1:
        return "Explore trains on all training rows, so these runs, of a share of them, cannot be opened there."
    return ""


def _difference(plan: Plan) -> str:
    if not plan.validated:
        return ""
    return (
        "These runs held out a fifth of the training rows to choose the best epoch; Explore trains on all, so its numbers differ."
    )


def _request(number: int) -> None:
    session.SWEEP_OPENED.set(number)
