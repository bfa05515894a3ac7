"""A sweep as the browser draws it: the value "sweep", see ``Sweep`` in the client's types; whole, since it is small."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tsk_core.experiments import Axis, Cell, Plan, metric_of, test_per_train
from tsk_core.numbers import six_digits
from ui.live import Part, feed_of_session
from ui.sweep.options import Wanted
from ui.sweep.words import AXIS_NAMES, COLUMNS, METRICS, band_text, bounds, caption, cell_lines, cell_row

LEVELS = {"logistic_regression": "logistic regression", "random_forest": "random forest", "majority": "majority class"}
_SHORT = {"batch": "batch size", "rows": "share of rows"}


def message(
    plan: Plan,
    points: Sequence[Mapping[str, Any]],
    cells: Sequence[Cell],
    baselines: Mapping[str, Mapping[str, Sequence[float]]],
    wanted: Wanted,
    sentence: str,
    chosen: int | None,
) -> list[Part]:
    """What to draw. sentence: the result in words, for screen readers. chosen: the variant whose runs are listed."""
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
    payload = {
        "axes": [_axis(axis) for axis in plan.axes],
        "cells": [cell | {"highest": False} for cell in drawn] if only else drawn,
        "figure": {"name": wanted.show, **metric._asdict()},
        "levels": _levels(baselines, wanted.show),
        "band": band_text(wanted.band, plan),
        "draw": wanted.draw,
        "columns": list(COLUMNS),
        "sentence": f"{metric.title}, by {' and '.join(axis.label.lower() for axis in plan.axes)}. {sentence}",
        "caption": caption(plan, cells, wanted.show, wanted.score, wanted.draw, corrected=test_per_train(plan, points) > 0)
        if any(cell.n for cell in cells)
        else "",
        "chosen": chosen,
    }
    return [feed_of_session().value("sweep", payload)]


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
