"""What a sweep found: each cell's means over seeds, the highest cell, and which cells it is separated from, in a sentence too.

Two cells are compared over the seeds and splits that both have. Comparisons with the highest cell are adjusted for all pairs of
cells (Holm), since the highest is picked after looking. A training that diverged counts with the score it was left with, and with
0 where it has none: left out, a setting that often diverges would look better than it is.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from tsk_core.data.naming import joined
from tsk_core.evaluate.baselines import BASELINES
from tsk_core.evaluate.comparing import SeedDifference, adjusted, paired_over_seeds
from tsk_core.evaluate.intervals import corrected_t_interval
from tsk_core.experiments.plan import ACCURACIES, METRICS, Plan, metric_of
from tsk_core.experiments.variants import Axis
from tsk_core.experiments.verdicts import test_per_train, unit_of
from tsk_core.numbers import counted

_SHORT = {  # what a sentence calls an axis; others by their symbol
    "batch": "batch size", "shrink": "shrinkage", "lr": "learning rate", "rows": "share of training rows",
    "conditions": "conditions of a rule",
}  # fmt: skip
_LISTED = 6  # cells not separated that a sentence names

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
    metrics: a Mean for each of ``METRICS`` that has values. highest: whether its mean is. difference: of this cell less the
    highest one, over the seeds and splits that both have, its interval adjusted for the number of pairs of cells; None for the
    highest one itself and without such seeds. rival: whether it is not separated from the highest, though at least one other is.
    """

    variant: int
    name: str
    values: tuple[float, ...]
    n: int = 0
    diverged: int = 0
    metrics: Mapping[str, Mean] = field(default_factory=dict)
    highest: bool = False
    difference: SeedDifference | None = None
    rival: bool = False

    @property
    def separated(self) -> bool:
        """Whether it is lower than the highest cell by more than chance."""
        return self.difference is not None and self.difference.clear and self.difference.difference < 0

    @property
    def ahead(self) -> bool:
        """Whether it is higher than the highest cell by more than chance, over fewer trainings than that one has."""
        return self.difference is not None and self.difference.clear and self.difference.difference > 0


def summarise(plan: Plan, points: Sequence[Mapping[str, Any]], score: str = "mean", by: str = "bca") -> list[Cell]:
    """The cells of a sweep, in the order of its variants; those without a point have n = 0.

    points: records of trainings, in any order; of several with one number the last counts. score: a name of ``SCORES``.
    by: "rca" or "bca", by which the highest cell is chosen, among those with the most trainings so far.
    """
    by_variant: list[dict[_Key, Mapping[str, Any]]] = [{} for _ in plan.variants]
    for point in points:
        by_variant[point["variant"]][point["seed"], point["split"]] = point
    ratio = test_per_train(plan, points)
    values = [axis_values(plan, at) for at in range(len(plan.variants))]
    scored = [
        {key: value for key, point in of.items() if (value := metric_of(point, by, score)) is not None} for of in by_variant
    ]
    highest = _highest(scored)
    compared = _differences(scored, highest, ratio)
    some = any(difference.clear and difference.difference < 0 for difference in compared.values())
    cells = []
    for at, of in enumerate(by_variant):
        metrics = {name: mean for name in METRICS if (mean := _mean(of.values(), name, score, ratio)) is not None}
        rival = some and at in compared and not compared[at].clear
        diverged = sum(bool(point["message"]) for point in of.values())
        name = cell_name(plan.axes, values[at]) or plan.variants[at].name
        cells.append(Cell(at, name, values[at], len(of), diverged, metrics, at == highest, compared.get(at), rival))
    return cells


def axis_values(plan: Plan, variant: int) -> tuple[float, ...]:
    """The value of each axis in a variant, by its index: the last axis is the fastest."""
    shape = [len(axis.values) for axis in plan.axes]
    places = np.unravel_index(variant, shape) if shape else ()
    return tuple(axis.values[place] for axis, place in zip(plan.axes, places, strict=True))


def cell_name(axes: Sequence[Axis], values: Sequence[float]) -> str:
    """As "batch size 64, λ 10"; the values of the axes."""
    return ", ".join(
        f"{_SHORT.get(axis.key, axis.symbol)} {axis.value_text(value)}" for axis, value in zip(axes, values, strict=True)
    )


def sentence(plan: Plan, cells: Sequence[Cell], baselines: Mapping[str, Mapping[str, Sequence[float]]], by: str = "bca") -> str:
    """What was found: as "Highest: λ 10, R 10; 3 seeds cannot separate it from the others. Its BCA is …".

    baselines: name -> {"rca": scores, "bca": scores}, as a sweep records them; may be empty. by: as for ``summarise``.
    """
    highest = next((cell for cell in cells if cell.highest), None)
    if highest is None:
        return "No training has ended yet."
    mean, ended = highest.metrics[by], sum(cell.n for cell in cells)
    figure, beside = f"{by.upper()} {mean.mean:.3f} ({_over(plan, mean)})", _baseline(baselines, by)
    if sum(cell.n > 0 for cell in cells) == 1:
        sentences = [f"{_capital(highest.name)} reaches {figure}{beside}."]
    else:
        name, separated = _with_ties(highest, cells, plan), _separated(cells, plan, mean.n)
        sentences = [f"Highest: {name}; {separated}.", f"It reaches {figure}{beside}."]
    if ended < plan.size:
        sentences[0] = f"So far, after {ended:,} of {plan.size:,} trainings: {_small(sentences[0])}"
    if diverged := sum(cell.diverged for cell in cells):
        sentences.append(f"{_trainings(diverged, ended)} diverged.")
    return " ".join(sentences)


def lengths(plan: Plan) -> str:
    """How many epochs and gradient steps the cells of different batch sizes have, in a sentence; "" without batch sizes."""
    steps = [count for at in range(len(plan.variants)) if (count := plan.gradient_steps(at)) is not None]
    if not steps:
        return ""
    epochs = [variant.config.max_epochs for variant in plan.variants]
    if plan.equal == "steps":
        return f"Equal gradient steps: {_range(steps)} in {_range(epochs)} epochs."
    return f"Equal epochs: {_range(epochs)}, with {_range(steps)} gradient steps."


def _range(values: Sequence[int]) -> str:
    low, high = min(values), max(values)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _highest(scored: Sequence[Mapping[_Key, float]]) -> int | None:
    """The index with the highest mean among those with the most values; the first of equals."""
    most = max((len(of) for of in scored), default=0)
    if most == 0:
        return None
    means = {at: round(float(np.mean(list(of.values()))), 12) for at, of in enumerate(scored) if len(of) == most}
    return max(means, key=lambda at: (means[at], -at))


def _differences(scored: Sequence[Mapping[_Key, float]], highest: int | None, ratio: float) -> dict[int, SeedDifference]:
    """Each cell less the highest one, by index, where both have seeds in common."""
    if highest is None:
        return {}
    shared = {at: sorted(of.keys() & scored[highest].keys()) for at, of in enumerate(scored) if at != highest}
    shared = {at: keys for at, keys in shared.items() if keys}
    found = [
        paired_over_seeds(
            np.array([scored[at][key] for key in keys]),
            np.array([scored[highest][key] for key in keys]),
            ratio,
        )
        for at, keys in shared.items()
    ]
    pairs = math.comb(sum(map(bool, scored)), 2)
    return dict(zip(shared, adjusted(found, pairs), strict=True))


def _mean(points: Iterable[Mapping[str, Any]], metric: str, score: str, ratio: float) -> Mean | None:
    known = [value for point in points if (value := metric_of(point, metric, score)) is not None]
    if not known:
        return None
    values = np.array(known, float)
    interval = corrected_t_interval(values, ratio)
    if interval and metric in ACCURACIES:
        interval = interval.of_score
    low, high = interval or (None, None)
    return Mean(float(values.mean()), float(values.std(ddof=1)) if len(values) > 1 else None, low, high, len(values))


def _over(plan: Plan, mean: Mean) -> str:
    if mean.n == 1:
        return "one seed, so no interval"
    return f"SD {mean.sd:.3f} over {mean.n} {unit_of(plan)}"


def _separated(cells: Sequence[Cell], plan: Plan, n: int) -> str:
    """From how many cells the highest one is separated. n: its seeds."""
    others = [cell for cell in cells if cell.n and not cell.highest]
    close = [cell for cell in others if not cell.separated]
    seeds = "one seed" if n == 1 else f"{n} {unit_of(plan)}"
    if len(close) == len(others):
        return f"{seeds} cannot separate it from the other{'s' if len(others) > 1 else ''}"
    if not close:
        return f"{seeds} separate it from {f'all {len(others)} others' if len(others) > 1 else 'the other'}"
    text = f"{seeds} separate it from {len(others) - len(close)} of {len(others)} others"
    return f"{text}, not from {_listed(close, plan)}" if len(close) <= _LISTED else text


def _with_ties(highest: Cell, cells: Sequence[Cell], plan: Plan) -> str:
    """Its name, and which others have the same mean."""
    equal = [cell for cell in cells if cell.difference is not None and abs(cell.difference.difference) < 1e-12]
    if not equal:
        return highest.name
    return f"{highest.name}, tied with {_listed(equal, plan) if len(equal) <= _LISTED else f'{len(equal)} others'}"


def _listed(cells: Sequence[Cell], plan: Plan) -> str:
    return joined(plan.axes[0].value_text(cell.values[0]) if len(plan.axes) == 1 else f"({cell.name})" for cell in cells)


def _baseline(baselines: Mapping[str, Mapping[str, Sequence[float]]], by: str) -> str:
    for key in ("logistic_regression", "random_forest", "majority"):
        values = [value for value in (baselines.get(key) or {}).get(by) or () if value is not None]
        if values:
            return f"; {BASELINES[key]} {by.upper()} {np.mean(values):.3f}"
    return ""


def _trainings(diverged: int, ended: int) -> str:
    return f"{diverged:,} of {counted(ended, 'training')}"


def _capital(text: str) -> str:
    """With a capital letter, unless it begins with a symbol."""
    return text[0].upper() + text[1:] if _is_word(text) else text


def _small(text: str) -> str:
    """Without a capital letter at its start, unless that is a symbol."""
    return text[0].lower() + text[1:] if _is_word(text) else text


def _is_word(text: str) -> bool:
    return text[:2].isascii() and text[:2].isalpha()
