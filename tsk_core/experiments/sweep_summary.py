"""What a sweep found: each cell's means over seeds, the best cell, and all that are not clearly worse, in numbers and a sentence.

Two cells are compared over the seeds and splits that both have. A training that diverged counts with the score it was left with,
and with 0 where it has none: left out, a setting that often diverges would look better than it is.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from tsk_core.evaluate.across_seeds import SeedDifference, paired_over_seeds
from tsk_core.evaluate.intervals import corrected_t_interval
from tsk_core.experiments.grid import Axis
from tsk_core.experiments.metrics import METRICS, metric_of
from tsk_core.experiments.plan import Plan
from tsk_core.experiments.verdicts import test_per_train
from tsk_core.settings import number_text

__all__ = ["Cell", "Mean", "axis_values", "cell_name", "sentence", "summarise"]

_BASELINES = {"logistic_regression": "logistic regression", "random_forest": "random forest", "majority": "majority class"}
_SHORT = {  # what a sentence calls an axis; others by their symbol
    "batch": "batch size", "shrink": "shrinkage", "lr": "learning rate", "rows": "share of training rows",
}  # fmt: skip
_EXACT = 1e-12  # rounding: two cells alike do not differ
_LISTED = 6  # cells that a sentence names

_Key = tuple[int, int]  # seed and split


class Mean(NamedTuple):
    """Of ``n`` trainings. sd, low, high: None for fewer than two; low to high is the 95% interval of the mean."""

    mean: float
    sd: float | None
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True)
class Cell:
    """One combination of the axes' values.

    variant: index in the plan. name: as a person says it. values: of each axis. n: trainings that have ended. diverged: of those.
    metrics: a Mean for each of ``METRICS`` that has values. best: whether its mean is the highest. difference: from the best
    one, of the seeds and splits that both have; None for the best one itself and without such seeds. not_worse: whether its
    interval includes 0; False where there is no interval.
    """

    variant: int
    name: str
    values: tuple[float, ...]
    n: int = 0
    diverged: int = 0
    metrics: Mapping[str, Mean] = field(default_factory=dict)
    best: bool = False
    difference: SeedDifference | None = None
    not_worse: bool = False


def summarise(plan: Plan, points: Sequence[Mapping[str, Any]], score: str = "mean", by: str = "bca") -> list[Cell]:
    """The cells of a sweep, in the order of its variants; those without a point have n = 0.

    points: records of trainings, in any order; of several with one number the last counts. score: a name of ``SCORES``.
    by: "rca" or "bca", by which the best cell is chosen, among those with the most trainings so far.
    """
    found: list[dict[_Key, Mapping[str, Any]]] = [{} for _ in plan.variants]
    for point in points:
        found[point["variant"]][point["seed"], point["split"]] = point
    ratio = test_per_train(plan, points)
    values = [axis_values(plan, at) for at in range(len(plan.variants))]
    scored = [{key: value for key, point in of.items() if (value := metric_of(point, by, score)) is not None} for of in found]
    best = _best(scored)
    cells = []
    for at, of in enumerate(found):
        metrics = {name: mean for name in METRICS if (mean := _mean(of.values(), name, score, ratio)) is not None}
        difference = None if best is None or at == best else _difference(scored[at], scored[best], ratio)
        close = difference is not None and difference.high is not None and difference.high >= -_EXACT
        diverged = sum(bool(point["message"]) for point in of.values())
        name = cell_name(plan.axes, values[at]) or plan.variants[at].name
        cells.append(Cell(at, name, values[at], len(of), diverged, metrics, at == best, difference, close))
    return cells


def axis_values(plan: Plan, variant: int) -> tuple[float, ...]:
    """The value of each axis in a variant, by its index: the last axis is the fastest."""
    shape = [len(axis.values) for axis in plan.axes]
    places = np.unravel_index(variant, shape) if shape else ()
    return tuple(axis.values[place] for axis, place in zip(plan.axes, places, strict=True))


def cell_name(axes: Sequence[Axis], values: Sequence[float]) -> str:
    """As "batch size 64, λ 10"; the values of the axes."""
    return ", ".join(
        f"{_SHORT.get(axis.key, axis.symbol)} {number_text(value)}" for axis, value in zip(axes, values, strict=True)
    )


def sentence(plan: Plan, cells: Sequence[Cell], baselines: Mapping[str, Mapping[str, Sequence[float]]], by: str = "bca") -> str:
    """What was found: the best cell, those not clearly worse, and logistic regression, such as "Batch size 64 is best: …".

    baselines: name -> {"rca": scores, "bca": scores}, as a sweep records them; may be empty. by: as for ``summarise``.
    """
    best = next((cell for cell in cells if cell.best), None)
    if best is None:
        return "No training has ended yet."
    mean, ended = best.metrics[by], sum(cell.n for cell in cells)
    over = _over(plan, mean)
    with_points = sum(cell.n > 0 for cell in cells)
    verb = "is best" if with_points > 1 else "reaches"
    start = f"{_capital(best.name)} {verb}{': ' if with_points > 1 else ' '}{by.upper()} {mean.mean:.3f} ({over})"
    parts = [start, _rivals(cells, plan) if with_points > 1 else "", _baseline(baselines, by)]
    text = "; ".join(part for part in parts if part) + "."
    diverged = sum(cell.diverged for cell in cells)
    if ended < plan.size:
        text = f"So far, after {ended:,} of {plan.size:,} trainings: {text[0].lower() if _is_word(text) else text[0]}{text[1:]}"
    return f"{text} {_trainings(diverged, ended)} diverged." if diverged else text


def _best(scored: Sequence[Mapping[_Key, float]]) -> int | None:
    """The index with the highest mean among those with the most values; the first of equals."""
    most = max((len(of) for of in scored), default=0)
    if most == 0:
        return None
    means = {at: round(float(np.mean(list(of.values()))), 12) for at, of in enumerate(scored) if len(of) == most}
    return max(means, key=lambda at: (means[at], -at))


def _difference(a: Mapping[_Key, float], b: Mapping[_Key, float], ratio: float) -> SeedDifference | None:
    common = sorted(a.keys() & b.keys())
    if not common:
        return None
    return paired_over_seeds(np.array([a[key] for key in common]), np.array([b[key] for key in common]), ratio)


def _mean(points: Iterable[Mapping[str, Any]], metric: str, score: str, ratio: float) -> Mean | None:
    known = [value for point in points if (value := metric_of(point, metric, score)) is not None]
    if not known:
        return None
    values = np.array(known, float)
    interval = corrected_t_interval(values, ratio)
    low, high = interval or (None, None)
    return Mean(float(values.mean()), float(values.std(ddof=1)) if len(values) > 1 else None, low, high, len(values))


def _over(plan: Plan, mean: Mean) -> str:
    if mean.n == 1:
        return "one seed, so no interval"
    of = "seeds" if plan.splits == 1 else "seeds and splits"
    return f"SD {mean.sd:.3f} over {mean.n} {of}"


def _rivals(cells: Sequence[Cell], plan: Plan) -> str:
    """Which cells are not clearly worse than the best one."""
    compared = [cell for cell in cells if cell.difference is not None]
    if not any(cell.difference.low is not None for cell in compared if cell.difference is not None):
        return "one seed cannot tell whether the others are worse"
    close = [cell for cell in compared if cell.not_worse]
    if not close:
        return "all others are clearly worse" if len(compared) > 1 else "the other is clearly worse"
    if len(close) == len(compared) > 1:
        return "no other is clearly worse"
    if len(close) > _LISTED:
        return f"{len(close)} of the {len(compared)} others are not clearly worse"
    names = [number_text(cell.values[0]) if len(plan.axes) == 1 else f"({cell.name})" for cell in close]
    joined = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"{joined} {'is' if len(names) == 1 else 'are'} not clearly worse"


def _baseline(baselines: Mapping[str, Mapping[str, Sequence[float]]], by: str) -> str:
    for key, name in _BASELINES.items():
        values = [value for value in (baselines.get(key) or {}).get(by) or () if value is not None]
        if values:
            return f"{name} {np.mean(values):.3f}"
    return ""


def _trainings(diverged: int, ended: int) -> str:
    return f"{diverged:,} of {ended:,} {'training' if ended == 1 else 'trainings'}"


def _capital(text: str) -> str:
    """With a capital letter, unless it begins with a symbol."""
    return text[0].upper() + text[1:] if _is_word(text) else text


def _is_word(text: str) -> bool:
    return text[:2].isascii() and text[:2].isalpha()
