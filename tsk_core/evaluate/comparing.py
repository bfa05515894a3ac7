"""Two classifiers on the same test rows: the difference of their scores, with a paired 95% interval.

Rows, or units of rows that belong together, are resampled with both predictions of each, so that what is hard for both does
not widen the interval. Where fewer than five of them differ, for BCA in any class, a resample cannot tell; then a class has the
interval of Bonett and Price, and BCA combines these: its bound lies as far off as √Σd² of the distances d of the classes' bounds,
by their number (Zou, Huang and Zhang, A note on confidence interval estimation for a linear function of binomial proportions,
2009).
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from tsk_core.evaluate.intervals import LEVEL, Interval, normal_quantile, paired_shares, percentile_interval
from tsk_core.evaluate.shares import FEWEST, Overlaps, overlaps, resamples
from tsk_core.evaluate.units import Units

__all__ = ["Paired", "lowest_below", "paired_differences"]


class Paired(NamedTuple):
    """A score of one classifier less that of the other; its 95% interval is from ``low`` to ``high``."""

    difference: float
    low: float
    high: float

    @property
    def is_below(self) -> bool:
        """Whether the first classifier scores lower by more than chance: the interval lies below 0."""
        return self.high < 0


def paired_differences(y: np.ndarray, one: np.ndarray, other: np.ndarray, units: Units, seed: int) -> dict[str, Paired]:
    """{"rca", "bca"} of ``one`` less those of ``other``; empty without rows.

    y, one, other: (N,) true and predicted labels. units: of these rows. seed: of the resamples. A class without rows in a
    resample is left out of its BCA.
    """
    if not len(y):
        return {}
    classes, codes = np.unique(y, return_inverse=True)
    won, lost = (one == y) & (other != y), (one != y) & (other == y)
    found = {}
    for score, columns in (("rca", np.zeros(len(y), int)), ("bca", codes)):
        found[score] = _paired(*_counts(columns, won, lost, units), units.kind == "rows", seed)
    return found


def lowest_below(differences: Mapping[str, Mapping[str, list[float]]]) -> tuple[str, str, Paired] | None:
    """The baseline, the score and the difference where the model is lowest below a baseline by more than chance; None if nowhere.

    differences: {baseline: {score: [difference, low, high]}}, as metrics.json has them, with 95% intervals. The intervals of the
    result are wider, by as much as Bonferroni's correction for so many differences widens a normal interval.
    """
    of = sum(map(len, differences.values()))
    known = [
        (key, score, _adjusted(Paired(*values), of)) for key, scores in differences.items() for score, values in scores.items()
    ]
    below = [baseline for baseline in known if baseline[2].is_below]
    return min(below, key=lambda baseline: baseline[2].difference, default=None)


def _adjusted(paired: Paired, of: int) -> Paired:
    """The same with an interval at the level that ``of`` differences together need."""
    wider = normal_quantile(1 - (1 - LEVEL) / of) / normal_quantile(LEVEL)
    middle, low, high = paired
    return Paired(middle, max(-1.0, middle - wider * (middle - low)), min(1.0, middle + wider * (high - middle)))


def _counts(columns: np.ndarray, won: np.ndarray, lost: np.ndarray, units: Units) -> tuple[np.ndarray, np.ndarray]:
    """(G, 3, K) counts: rows that only the first classifier has right, those that only the other has, and all; and how many units
    each line stands for. columns: (N,) from 0 to K − 1, what each row counts for. Of single rows, all alike are one line.
    """
    K = int(columns.max()) + 1
    alone = units.kind == "rows"
    unit = 3 * columns + won + 2 * lost if alone else units.codes
    G = 3 * K if alone else units.count
    counts = [np.bincount((unit * K + columns)[part], minlength=G * K).reshape(G, K) for part in (won, lost, won | True)]
    stacked = np.stack(counts, axis=1).astype(float)
    if not alone:
        return stacked, np.ones(G, int)
    of = stacked[:, 2].sum(1).astype(int)
    return stacked[of > 0] / of[of > 0, None, None], of[of > 0]


def _paired(counts: np.ndarray, of: np.ndarray, alone: bool, seed: int) -> Paired:
    """The mean of the K differences (won − lost)/rows. counts, of: of ``_counts``."""
    G, _, K = counts.shape
    won, lost, rows = np.tensordot(of, counts, axes=1)
    values = (won - lost) / rows
    differing = of @ (counts[:, 0] != counts[:, 1])  # (K,): a class of which no unit differs would add no variance to a resample
    if differing.min() >= FEWEST:
        drawn = resamples(counts.reshape(G, 3 * K), np.random.default_rng(seed), of if alone else None).reshape(-1, 3, K)
        with np.errstate(invalid="ignore"):
            interval = percentile_interval(np.nanmean((drawn[:, 0] - drawn[:, 1]) / drawn[:, 2], axis=1), int(of.sum()))
    else:
        worth, alike = Overlaps(rows, np.eye(K)) if alone else overlaps(counts[:, 2])
        bounds = [paired_shares(won[k] / rows[k] * worth[k], lost[k] / rows[k] * worth[k], worth[k]) for k in range(K)]
        interval = _combined(values, np.array(bounds), alike)
    return Paired(float(values.mean()), *(interval or Interval(-1.0, 1.0)))


def _combined(values: np.ndarray, bounds: np.ndarray, alike: np.ndarray) -> Interval:
    """The interval of the mean of K values with the intervals ``bounds`` (K, 2) and the correlations ``alike`` (K, K)."""
    mean = float(values.mean())
    low, high = (
        float(np.sqrt(max(0.0, distance @ alike @ distance))) / len(values)
        for distance in (values - bounds[:, 0], bounds[:, 1] - values)
    )
    return Interval(mean - low, mean + high)
