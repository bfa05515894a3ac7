"""Precision, recall, specificity and F1 of each class, RCA and BCA, each with its 95% interval.

All follow from three counts of each class and each unit: its rows, those predicted as it, and those that are both.
A unit is a row, or rows that belong together (``units``). Intervals: ``shares``. F1 = 2J/(1 + J) of the share J of correct rows
among those that are of the class or predicted as it, and has the interval of J.
"""

import numpy as np

from tsk_core.evaluate.intervals import Interval
from tsk_core.evaluate.shares import Shares, intervals_of, mean_interval, resamples
from tsk_core.evaluate.units import Units

__all__ = ["intervals_and_classes"]

_MEASURES = ("precision", "recall", "specificity", "f1")


def intervals_and_classes(
    true: np.ndarray, predicted: np.ndarray, classes: list[str], units: Units, seed: int
) -> dict[str, object]:
    """{"intervals": {"rca", "bca": [low, high]}, "by_class": one dictionary a class}, JSON-ready; empty without test rows.

    A class has its name ("class"), its test "rows", and "precision", "recall" (sensitivity), "specificity" and "f1", in [0, 1] or
    None where not defined, each with "<name>_interval": its 95% interval over test rows, [low, high] or None.
    true, predicted: (N,) class positions. units: of these rows. seed: of the resamples.
    """
    if not len(true):
        return {}
    counts, alone = _counts(true, predicted, units, len(classes)), units.kind == "rows"
    shares = _shares(counts, alone)
    drawn = {} if alone else _shares(resamples(counts, np.random.default_rng(seed)), alone)
    spread = {name: drawn[name].each if drawn else None for name in shares}
    found = {name: intervals_of(shares[name], spread[name]) for name in shares}
    scores = {"rca": found["rca"][0], "bca": mean_interval(shares["recall"], spread["recall"])}
    by_class: list[dict[str, object]] = [
        {"class": name, "rows": int((true == k).sum())} | _of_class({m: (shares[m].values[k], found[m][k]) for m in _MEASURES})
        for k, name in enumerate(classes)
    ]
    return {"intervals": {score: list(interval) for score, interval in scores.items() if interval}, "by_class": by_class}


def _counts(true: np.ndarray, predicted: np.ndarray, units: Units, n_classes: int) -> np.ndarray:
    """Of each unit, (G, 3C): rows of each class classified correctly, rows, rows predicted. Of single rows the sums, (1, 3C)."""
    alone = units.kind == "rows"
    G, unit = (1, np.zeros(len(true), int)) if alone else (units.count, units.codes)

    def counted(classes: np.ndarray, which: np.ndarray) -> np.ndarray:
        return np.bincount((unit * n_classes + classes)[which], minlength=G * n_classes).reshape(G, n_classes).astype(float)

    every = np.ones(len(true), bool)
    return np.concatenate([counted(true, true == predicted), counted(true, every), counted(predicted, every)], axis=1)


def _shares(counts: np.ndarray, alone: bool) -> dict[str, Shares]:
    """RCA, one share, and the measures of classes; of F1 the share J. counts: (G, 3C) of units or of resamples."""
    correct, rows, predicted = np.split(counts, 3, axis=1)
    total = rows.sum(1, keepdims=True)
    return {
        "rca": Shares(correct.sum(1, keepdims=True), total, alone),
        "recall": Shares(correct, rows, alone),
        "precision": Shares(correct, predicted, alone),
        "specificity": Shares(total - rows - predicted + correct, total - rows, alone),
        "f1": Shares(correct, rows + predicted - correct, alone),
    }


def _of_class(measures: dict[str, tuple[float, Interval | None]]) -> dict[str, object]:
    """Each measure and its interval, as metrics.json has them."""
    found: dict[str, object] = {}
    for name, (value, interval) in measures.items():
        numbers = [float(number) for number in (value, *(interval or ()))]
        if name == "f1":
            numbers = [2 * share / (1 + share) for share in numbers]
        found |= {name: None if np.isnan(value) else numbers[0], f"{name}_interval": numbers[1:] or None}
    return found
