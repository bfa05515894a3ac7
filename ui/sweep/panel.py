"""A sweep on the page and in the browser; the runs of a cell; presenter mode."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from tsk_core.data import Dataset, to_csv
from tsk_core.experiments import METRICS as MEASURED
from tsk_core.experiments import (
    SCORES,
    Axis,
    Cell,
    Plan,
    axis_values,
    cell_name,
    every_training,
    metric_of,
    sentence,
    summarise,
    test_train_ratio,
)
from tsk_core.jobs import Status
from tsk_core.live import Stream
from tsk_core.numbers import counted, six_digits
from ui.experiments import Collected, ExperimentSubject, experiment_panel, next_option, request
from ui.experiments.options import BAND_KEY, BANDS, SCORE_KEY
from ui.experiments.runs import experiment_file, experiment_name
from ui.live import mount, watch
from ui.live.subjects import ticket
from ui.page.opening import open_in_explore
from ui.page.presenter import Keys, presenter_line
from ui.platform.caches import once_per_session
from ui.platform.session import Key
from ui.sweep.options import DRAW_KEY, SHOW_KEY, SWEEP_OPENED, Wanted, drawn_as
from ui.sweep.words import AXIS_NAMES, COLUMNS, METRICS, accuracy_of, band_text, bounds, caption, cell_lines, cell_row
from ui.text import in_markdown

SWEEP_AXES_DRAWN = Key[int]("sweep_axes_drawn", 1)
SWEEP_CELL = Key[tuple[Hashable, int] | None]("sweep_cell")  # experiment, variant whose runs are listed


# The runs of a cell that somebody clicked, and a run of it as a run of the page Explore: the same settings, seed and split.


_NONE = "–"


def choose(name: str, variant: int | None) -> None:
    """List the runs of this cell from now on; None: of none. name: of the experiment."""
    SWEEP_CELL.set(None if variant is None else (name, variant))


def chosen_in(plan: Plan, name: str) -> int | None:
    """The variant of the cell whose runs are listed, if it is one of this experiment."""
    found = SWEEP_CELL.get()
    return found[1] if found and found[0] == name and 0 <= found[1] < len(plan.variants) else None


def cell_runs(plan: Plan, experiment: str, points: Mapping[int, Mapping[str, Any]]) -> None:
    """The list: a line for each run so far, with a button that opens it in Explore."""
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
    number = SWEEP_OPENED.pop()
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
    SWEEP_OPENED.set(number)


# A sweep as CSV: every run, and every cell.


_DIFFERENCE = {  # column -> of the difference from the highest cell
    "difference": "difference", "difference_low": "low", "difference_high": "high", "level": "level", "p_value": "p_value",
    "p_adjusted": "p_adjusted", "wins": "wins", "losses": "losses", "of": "of",
}  # fmt: skip


def cells_frame(plan: Plan, cells: Sequence[Cell]) -> pd.DataFrame:
    """A row for each cell: what is known of each metric, and of its difference from the highest cell."""
    rows = []
    for cell in cells:
        row: dict[str, Any] = {axis.key: value for axis, value in zip(plan.axes, cell.values, strict=True)}
        row |= {"epochs": plan.variants[cell.variant].config.max_epochs, "gradient_steps": plan.gradient_steps(cell.variant)}
        row |= {"n": cell.n, "diverged": cell.diverged}
        for name in MEASURED:
            mean = cell.metrics.get(name)
            parts = (None, None, None, None) if mean is None else mean[:4]
            row |= dict(zip((f"{name}_mean", f"{name}_sd", f"{name}_low", f"{name}_high"), parts, strict=True))
        found = cell.difference
        row |= {"highest": cell.highest, "separated": cell.separated}
        row |= {name: found and getattr(found, key) for name, key in _DIFFERENCE.items()}
        rows.append(row)
    return pd.DataFrame(rows)


def downloads(plan: Plan, points: Mapping[int, Mapping[str, Any]], cells: Sequence[Cell], name: str) -> None:
    """The buttons; the chart itself has its own, for SVG and PNG. name: the start of the files' names."""
    axes = "-".join(axis.key for axis in plan.axes)
    with st.container(horizontal=True, key="sweep_downloads"):
        st.download_button(
            "Every run as CSV", lambda: to_csv(every_training(plan, points.values())),
            f"{name}-{axes}-runs.csv", "text/csv", on_click="ignore",
        )  # fmt: skip
        st.download_button(
            "Cells as CSV", lambda: to_csv(cells_frame(plan, cells)),
            f"{name}-{axes}-cells.csv", "text/csv", on_click="ignore",
        )  # fmt: skip


# A sweep as the browser draws it: the value "sweep", see ``Sweep`` in the client's types; whole, since it is small.


LEVELS = {"logistic_regression": "logistic regression", "random_forest": "random forest", "majority": "majority class"}
_SHORT = {"batch": "batch size", "rows": "share of rows"}


def drawn_sweep(
    plan: Plan,
    points: Sequence[Mapping[str, Any]],
    cells: Sequence[Cell],
    baselines: Mapping[str, Mapping[str, Sequence[float]]],
    wanted: Wanted,
    sentence: str,
) -> dict[str, Any]:
    """What to draw. sentence: the result in words, for screen readers."""
    metric, each = METRICS[wanted.show], plan.seeds * plan.splits
    seeds = _seeds(plan, points, wanted) if len(plan.axes) == 1 else {}
    drawn = [
        {
            "variant": cell.variant, "name": cell.name, "values": list(cell.values), "n": cell.n, "of": each,
            "diverged": cell.diverged, "highest": cell.highest, "close": cell.rival, **_band(cell, wanted),
            "lines": cell_lines(plan, cell, wanted.show), "row": cell_row(cell, each, wanted.show),
            "seeds": seeds.get(cell.variant, []),
        }
        for cell in cells
    ]  # fmt: skip
    only = sum(cell.n > 0 for cell in cells) == 1  # one cell alone is not the highest of anything
    return {
        "axes": [_axis(axis) for axis in plan.axes],
        "cells": [cell | {"highest": False} for cell in drawn] if only else drawn,
        "figure": {"name": wanted.show, **metric._asdict()},
        "levels": _levels(baselines, wanted.show),
        "band": band_text(wanted.band, plan),
        "draw": wanted.draw,
        "columns": list(COLUMNS),
        "sentence": f"{metric.title}, by {' and '.join(axis.label.lower() for axis in plan.axes)}. {sentence}",
        "caption": caption(plan, cells, wanted.show, wanted.score, wanted.draw, corrected=test_train_ratio(plan, points) > 0)
        if any(cell.n for cell in cells)
        else "",
    }


def _axis(axis: Axis) -> dict[str, Any]:
    return {
        "key": axis.key, "title": AXIS_NAMES[axis.key], "short": _SHORT.get(axis.key, axis.symbol), "log": axis.log,
        "values": list(axis.values),
        "texts": list(map(axis.value_text, axis.values)), "ticks": [_tick(axis, one) for one in axis.values],
    }  # fmt: skip


def _tick(axis: Axis, value: float) -> str:
    """Below the axis, where there is less room than elsewhere."""
    return axis.value_text(value).replace(" (full batch)", "<br>full")


def _band(cell: Cell, wanted: Wanted) -> dict[str, float | None]:
    mean = cell.metrics.get(wanted.show)
    if mean is None:
        return {"mean": None, "low": None, "high": None}
    low, high = bounds(mean, METRICS[wanted.show]) or (None, None)
    if wanted.band == "sd":
        low, high = (None, None) if mean.sd is None else (mean.mean - mean.sd, mean.mean + mean.sd)
    return {
        "mean": six_digits(mean.mean),
        "low": six_digits(low),
        "high": six_digits(high),
    }


def _seeds(plan: Plan, points: Sequence[Mapping[str, Any]], wanted: Wanted) -> dict[int, list[list[Any]]]:
    """Seed, value and whether it diverged, of each training of a variant."""
    by_variant: dict[int, list[list[Any]]] = {}
    for point in sorted(points, key=lambda point: point["point"]):
        value = metric_of(point, wanted.show, wanted.score)
        if value is not None:
            by_variant.setdefault(point["variant"], []).append([point["seed"], six_digits(value), bool(point["message"])])
    return by_variant


def _levels(baselines: Mapping[str, Mapping[str, Sequence[float]]], show: str) -> list[dict[str, Any]]:
    """The means of simple classifiers, of scores only."""
    levels = []
    for key, name in LEVELS.items():
        values = [value for value in (baselines.get(key) or {}).get(show) or () if value is not None]
        if values:
            levels.append({"name": name, "value": six_digits(float(np.mean(values)))})
    return levels


class SweepSubject(ExperimentSubject):
    """A sweep. wanted: the values of a ``Wanted``, in their order. chosen: the variant whose runs the page lists, if any."""

    def __init__(self, run: str, wanted: Sequence[Any], chosen: int | None) -> None:
        super().__init__(run)
        self._wanted, self._chosen, self._text = Wanted(*wanted), chosen, ""

    def _show(self, status: Status) -> None:
        points, accuracy = list(self.collected.points.values()), accuracy_of(self._wanted.show)
        cells = summarise(self.plan, points, self._wanted.score, accuracy)
        said = sentence(self.plan, cells, self.collected.baselines, accuracy)
        self._text = said if points else ""
        self.stream.set("sweep", drawn_sweep(self.plan, points, cells, self.collected.baselines, self._wanted, said))
        if self._chosen is not None:
            self.stream.set("state", _listed(points, self._chosen), f"{self.run} {self._chosen}")

    def _words(self) -> dict[str, Any]:
        text = self._text or "The first points appear when a group of trainings has ended."
        return {"lines": [{"text": text, "bold": bool(self._text)}]}


def _listed(points: Iterable[Mapping[str, Any]], variant: int) -> dict[str, int]:
    """How many runs of a cell are there to list."""
    return {"runs": sum(point["variant"] == variant for point in points)}


def sweep_panel(plan: Plan, dataset: Dataset, wanted: Wanted, status: Status) -> None:
    """Draw it; while it runs, the browser draws what is new of it."""
    name = experiment_name(plan, dataset)
    chosen = chosen_in(plan, name)
    subject = ticket("sweep", run=status.run, wanted=list(astuple(wanted)), chosen=chosen)
    collected = experiment_panel(plan, dataset, status, "sweep_words", lambda known: _sentence(plan, known, wanted), subject)
    stream = Stream()
    stream.set("sweep_chosen", chosen)
    followed = {} if chosen is None or status.ended else {f"{status.run} {chosen}": _listed(collected.points.values(), chosen)}
    watch([], stream.parts(), followed, key="sweep_watch")
    mount("sweep", key="sweep", calls={"chosen": lambda variant: choose(name, int(variant))})
    cell_runs(plan, name, collected.points)
    if status.ended and collected.points:
        cells = _cells(plan, collected.points, wanted.score, accuracy_of(wanted.show))
        downloads(plan, collected.points, cells, experiment_file(plan, dataset, "sweep"))


def _sentence(plan: Plan, collected: Collected, wanted: Wanted) -> None:
    """The result in words, at the end."""
    accuracy = accuracy_of(wanted.show)
    if collected.points:
        cells = _cells(plan, collected.points, wanted.score, accuracy)
        st.markdown(f"**{in_markdown(sentence(plan, cells, collected.baselines, accuracy))}**")


@once_per_session(entries=4)
def _cells(plan: Plan, points: Mapping[int, Mapping[str, Any]], score: str, accuracy: str) -> Sequence[Cell]:
    """The statistics of the points so far."""
    return summarise(plan, list(points.values()), score, accuracy)


# Presenter mode of Sweep, ``?present=1``: large type, few controls, keys; the sentence and the figure on the first screen.


_STYLE = Path(__file__).with_name("presenter.css")
_LIST = {
    "N · Page Down": "next metric: BCA, RCA, entropy, …", "M · Page Up": "previous metric", "T": "start, continue", "X": "stop",
    "C": "which score counts", "B": "band: SD of the seeds, 95% interval of the mean", "D": "draw as heat maps, lines, …",
    "V": "hide, show the buttons", "?": "this list",
}  # fmt: skip


def presenter(plan: Plan | None, data: str) -> None:
    """Draw the first line, and let the keys work. plan: of the page as it was last drawn."""
    SWEEP_AXES_DRAWN.set(1 if plan is None else len(plan.axes))
    presenter_line(in_markdown(_shown(plan, data)), KEYS, _STYLE)


def _shown(plan: Plan | None, data: str) -> str:
    if plan is None:
        return data
    names = " × ".join(AXIS_NAMES[axis.key] for axis in plan.axes)
    steps = " · equal gradient steps" if plan.equal == "steps" else ""
    return f"{data} · {names} · {counted(plan.seeds, 'seed')}{steps}"


def _draw() -> None:
    axes = SWEEP_AXES_DRAWN.get()
    if axes > 1:
        next_option(DRAW_KEY, drawn_as(axes))()


_FORWARD, _BACK = next_option(SHOW_KEY, list(METRICS)), next_option(SHOW_KEY, list(METRICS), -1)
_ACTIONS: dict[str, Callable[[], None]] = {
    "n": _FORWARD, "PageDown": _FORWARD, "m": _BACK, "PageUp": _BACK, "d": _draw,
    "t": lambda: request("start"), "x": lambda: request("stop"),
    "c": next_option(SCORE_KEY, list(SCORES)), "b": next_option(BAND_KEY, list(BANDS)),
}  # fmt: skip
KEYS = Keys(_LIST, _ACTIONS)
