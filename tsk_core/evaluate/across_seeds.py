"""Two methods over the same seeds and splits: how far their scores differ, and whether that is more than chance.

Sources: Nadeau and Bengio, Inference for the generalization error (2003), the corrected resampled t-test; Corani and Benavoli,
A Bayesian approach for comparing cross-validated algorithms on multiple data sets (2015): with a flat prior, the mean
difference has that test's t distribution, so it gives probabilities too; Holm, A simple sequentially rejective multiple test
procedure (1979).
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tsk_core.evaluate.intervals import t_quantile

__all__ = ["POINT", "SeedDifference", "holm", "paired_over_seeds"]

POINT = 0.01  # of a score in [0, 1]: one percentage point


class SeedDifference(NamedTuple):
    """The mean of the paired differences a − b of a score over ``of`` pairs; its 95% interval is from ``low`` to ``high``.

    wins, losses: in how many pairs a is higher, and b is. p_above, p_below: probabilities that the true mean lies above 0.01, one
    point, and below −0.01. p_value: two-sided, of no difference. These and the interval are None for fewer than two pairs.
    """

    difference: float
    wins: int
    losses: int
    of: int
    low: float | None
    high: float | None
    p_above: float | None
    p_below: float | None
    p_value: float | None

    def turned(self) -> "SeedDifference":
        """Of b − a."""
        low, high = (None, None) if self.low is None or self.high is None else (-self.high, -self.low)
        turned = self._replace(difference=-self.difference, wins=self.losses, losses=self.wins, low=low, high=high)
        return turned._replace(p_above=self.p_below, p_below=self.p_above)


def paired_over_seeds(a: np.ndarray, b: np.ndarray, test_per_train: float) -> SeedDifference:
    """Compare the scores a and b, (J,) each, paired by seed and split.

    test_per_train: n_test/n_train. The splits share rows, so that their differences are alike: the variance of the mean is
    s² (1/J + n_test/n_train) rather than s²/J, with J − 1 degrees of freedom. Differences without any spread count as certain.
    """
    from scipy import stats  # imported here: the import is slow

    differences = np.asarray(a, float) - np.asarray(b, float)
    J, mean = len(differences), float(differences.mean())
    wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
    if J < 2:
        return SeedDifference(mean, wins, losses, J, None, None, None, None, None)
    scale = math.sqrt(differences.var(ddof=1) * (1 / J + test_per_train))
    if scale < 1e-12:
        certain = float(mean > POINT), float(mean < -POINT), float(abs(mean) < 1e-12)
        return SeedDifference(mean, wins, losses, J, mean, mean, *certain)
    half = t_quantile(J - 1) * scale
    above, below, tail = stats.t.sf(np.array([POINT - mean, POINT + mean, abs(mean)]) / scale, J - 1).tolist()
    return SeedDifference(mean, wins, losses, J, mean - half, mean + half, above, below, 2 * tail)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """The p-values adjusted for their number by Holm's procedure, in the same order; None stays None and counts as no test."""
    known = sorted((p, at) for at, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, at) in enumerate(known):
        highest = max(highest, min(1.0, (len(known) - rank) * p))
        adjusted[at] = highest
    return adjusted
