"""Two classifiers on the same test rows: the difference of their scores, with a paired bootstrap interval."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from tsk_core.evaluate.intervals import Interval, percentile_interval, resampled_counts

__all__ = ["Paired", "lowest_below", "paired_differences"]


class Paired(NamedTuple):
    """A score of one classifier less that of the other; its 95% bootstrap interval is from ``low`` to ``high``."""

    difference: float
    low: float
    high: float

    @property
    def is_below(self) -> bool:
        """Whether the first classifier scores lower by more than chance: the interval lies below 0."""
        return self.high < 0


def paired_differences(y: np.ndarray, one: np.ndarray, other: np.ndarray, seed: int) -> dict[str, Paired]:
    """{"rca", "bca"} of ``one`` less those of ``other``; empty without rows.

    y, one, other: (N,) true and predicted labels. Rows are resampled with both predictions of each, so that what is hard for both
    classifiers does not widen the interval. A class without rows in a resample is left out of its BCA.
    """
    if not len(y):
        return {}
    classes, codes = np.unique(y, return_inverse=True)
    kinds = 4 * codes + 2 * (one == y).astype(int) + (other == y).astype(int)  # of each class: neither, other, one, both right
    counts = np.bincount(kinds, minlength=4 * len(classes))
    draws = np.concatenate([counts[None], resampled_counts(counts, np.random.default_rng(seed))])
    by_class = draws.reshape(len(draws), len(classes), 4).astype(float)  # (1 + resamples, C, 4), the test rows themselves first
    rows, gained = by_class.sum(2), by_class[:, :, 2] - by_class[:, :, 1]
    with np.errstate(invalid="ignore"):
        differences = {"rca": gained.sum(1) / len(y), "bca": np.nanmean(gained / rows, axis=1)}
    return {score: _paired(values) for score, values in differences.items()}


def lowest_below(differences: Mapping[str, Mapping[str, list[float]]]) -> tuple[str, str, Paired] | None:
    """The baseline, the score and the difference where the model is lowest below a baseline by more than chance; None if nowhere.

    differences: {baseline: {score: [difference, low, high]}}, as metrics.json has them.
    """
    known = [(key, score, Paired(*values)) for key, scores in differences.items() for score, values in scores.items()]
    below = [baseline for baseline in known if baseline[2].is_below]
    return min(below, key=lambda baseline: baseline[2].difference, default=None)


def _paired(values: np.ndarray) -> Paired:
    difference = float(values[0])
    interval = percentile_interval(values[1:]) or Interval(difference, difference)
    return Paired(difference, interval.low, interval.high)
