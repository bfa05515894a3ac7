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

from tsk_core.evaluate.intervals import LEVEL, t_quantile

__all__ = ["POINT", "SIGNIFICANT", "SeedDifference", "adjusted", "holm", "independent_seeds", "paired_over_seeds"]

POINT = 0.01  # of a score in [0, 1]: one percentage point
EQUAL = 1e-12  # differences below this are of rounding
SIGNIFICANT = 0.05  # adjusted p-value below which a difference is called clear


class SeedDifference(NamedTuple):
    """The mean of the paired differences a − b of a score over ``of`` pairs.

    wins, losses: in how many pairs a is higher, and b is. low, high: the interval at ``level``. detectable: half its width, the
    smallest difference that would have been clear with this spread (a true difference of this size is found about half the time).
    p_above: probability that the true mean lies above 0.01, one point. p_value: two-sided, of no difference. p_adjusted: for the
    number of comparisons. All but the counts are None for fewer than two pairs, and where all pairs have the same difference: a
    spread of 0 then says how coarse the scores are, not how certain the mean is.
    """

    difference: float
    wins: int
    losses: int
    of: int
    low: float | None = None
    high: float | None = None
    level: float = LEVEL
    detectable: float | None = None
    p_above: float | None = None
    p_value: float | None = None
    p_adjusted: float | None = None

    @property
    def ties(self) -> int:
        """In how many pairs both are equal."""
        return self.of - self.wins - self.losses

    @property
    def clear(self) -> bool:
        """Whether the interval leaves 0 out, which is whether ``p_adjusted`` is below 0.05."""
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high


def paired_over_seeds(a: np.ndarray, b: np.ndarray, test_per_train: float) -> SeedDifference:
    """Compare the scores a and b, (J,) each, paired by seed and split; a comparison alone, at the level of 95%.

    test_per_train: n_test/n_train. The splits share rows, so that their differences are alike: the variance of the mean is
    s² (1/J + n_test/n_train) rather than s²/J, with J − 1 degrees of freedom.
    """
    from scipy import stats  # imported here: the import is slow

    differences = np.asarray(a, float) - np.asarray(b, float)
    J, mean = len(differences), float(differences.mean())
    counts = int((differences > EQUAL).sum()), int((differences < -EQUAL).sum()), J
    if J < 2 or np.ptp(differences) < EQUAL:
        return SeedDifference(mean, *counts)
    scale = math.sqrt(differences.var(ddof=1) / independent_seeds(J, test_per_train))
    half = t_quantile(J - 1) * scale
    above, tail = stats.t.sf(np.array([POINT - mean, abs(mean)]) / scale, J - 1).tolist()
    return SeedDifference(mean, *counts, mean - half, mean + half, LEVEL, half, above, 2 * tail, 2 * tail)


def independent_seeds(J: int, test_per_train: float) -> float:
    """How many independent seeds would give a mean as certain as J seeds whose splits share rows: 1/(1/J + n_test/n_train)."""
    return 1 / (1 / J + test_per_train)


def adjusted(differences: Sequence[SeedDifference], of: int | None = None) -> list[SeedDifference]:
    """The same differences as comparisons made together: p-values by Holm's procedure, and each interval at its own level.

    of: m, how many comparisons there are in all, where these were picked after looking; None for these alone.

    Holm compares the p-value of rank r (from 0) of m with 0.05/(m − r), and stops at the first that is not below. The interval of
    a pair is at 1 − 0.05/(m − r), where r is its rank, or the rank at which Holm stopped if that is before: so it leaves 0 out
    exactly where the pair is called different. Those without a p-value count as no comparison and stay as they are.
    """
    p_values = holm([one.p_value for one in differences], of)
    found = sorted((p, one.p_value, at) for at, (p, one) in enumerate(zip(p_values, differences, strict=True)) if p is not None)
    rejected, m = sum(p < SIGNIFICANT for p, _, _ in found), of or len(found)
    made = list(differences)
    for rank, (p, _, at) in enumerate(found):
        made[at] = _at_level(differences[at], 1 - SIGNIFICANT / (m - min(rank, rejected)), p)
    return made


def _at_level(one: SeedDifference, level: float, p_adjusted: float) -> SeedDifference:
    assert one.detectable is not None  # it has a p-value
    half = one.detectable * t_quantile(one.of - 1, level) / t_quantile(one.of - 1, one.level)
    return one._replace(
        low=one.difference - half, high=one.difference + half, level=level, detectable=half, p_adjusted=p_adjusted
    )


def holm(p_values: Sequence[float | None], of: int | None = None) -> list[float | None]:
    """The p-values adjusted for their number by Holm's procedure, in the same order; None stays None and counts as no test.

    of: as in ``adjusted``; the tests that are not given count as if their p-values were larger, which errs on the safe side.
    """
    known = sorted((p, at) for at, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    highest, m = 0.0, of or len(known)
    for rank, (p, at) in enumerate(known):
        highest = max(highest, min(1.0, (m - rank) * p))
        adjusted[at] = highest
    return adjusted
