"""Intervals of scores: closed ones of shares, bootstrap ones, and those of the scores of several splits of one table.

Sources: Wilson, Probable inference (1927), the score interval; Efron and Tibshirani, An introduction to the bootstrap (1993), the
percentile interval; Hesterberg, What teachers should know about the bootstrap (2015), its expansion for few units; Bonett
and Price, Adjusted Wald confidence interval for a difference of binomial proportions based on paired data (2012); Nadeau and
Bengio, Inference for the generalization error (2003), the corrected resampled t-test.
"""

import math
from functools import cache
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

__all__ = [
    "LEVEL",
    "RESAMPLES",
    "Interval",
    "corrected_t_interval",
    "normal_quantile",
    "paired_shares",
    "percentile_interval",
    "t_quantile",
    "wilson",
]

RESAMPLES = 2000
LEVEL = 0.95
EQUAL = 1e-12  # scores that differ by less do not differ


class Interval(NamedTuple):
    """low ≤ high: the bounds of a 95% interval."""

    low: float
    high: float

    @property
    def of_score(self) -> "Interval":
        """The part of it that lies in [0, 1], where scores do."""
        return Interval(max(0.0, self.low), min(1.0, self.high))


def percentile_interval(values: np.ndarray, units: int) -> Interval | None:
    """The middle of the values (resamples,), a little more than 95% of them; NaN, where a score is not defined, is left out.

    units: how many rows or groups were drawn in each resample, at least 2. A bootstrap distribution is too narrow by the factor
    √((n − 1)/n), and normal where Student's t is right; its quantiles are taken further out to make up for both. None without
    values.
    """
    known = values[~np.isnan(values)]
    if not len(known):
        return None
    tail = _expanded_tail(units)
    return Interval(*(float(bound) for bound in np.quantile(known, [tail, 1 - tail])))


@cache
def _expanded_tail(units: int) -> float:
    from scipy import stats  # imported here: the import is slow

    return float(stats.norm.cdf(-t_quantile(units - 1) * math.sqrt(units / (units - 1))))


def corrected_t_interval(scores: np.ndarray, test_per_train: float) -> Interval | None:
    """95% interval of the mean of a score over J splits of one table, (J,); None for fewer than two, or if all scores are equal.

    mean ± t_{J−1} √(s² (1/J + n_test/n_train)): the splits share rows, so their scores are alike, and s²/J would be too small.
    Equal scores say how coarse the score is, not how certain its mean. test_per_train: n_test/n_train, above 0.
    """
    J = len(scores)
    if J < 2 or np.ptp(scores) < EQUAL:
        return None
    half = t_quantile(J - 1) * np.sqrt(scores.var(ddof=1) * (1 / J + test_per_train))
    return Interval(float(scores.mean() - half), float(scores.mean() + half))


@cache
def t_quantile(freedom: int, level: float = LEVEL) -> float:
    """What an interval takes of the t distribution with so many degrees of freedom; a sweep asks thousands of times."""
    from scipy import stats  # imported here: the import is slow

    return float(stats.t.ppf((1 + level) / 2, freedom))


@cache
def normal_quantile(level: float) -> float:
    """What an interval at this level takes of the normal distribution: 1.96 at 0.95."""
    return NormalDist().inv_cdf((1 + level) / 2)


def wilson(successes: float, n: float) -> Interval:
    """95% interval of a share, such as 26 of 28; (0, 1) of no rows. It lies in [0, 1], and has a width at 0 and 1, too.

    Rows are taken as independent. Where rows belong together (a patient's visits), n is how many independent rows they are worth,
    which need not be a whole number: see ``units.share_interval``.
    """
    if not n:
        return Interval(0.0, 1.0)
    z = normal_quantile(LEVEL)
    share, weight = successes / n, n / (n + z**2)
    centre = weight * share + (1 - weight) / 2
    half = weight * z * math.sqrt(share * (1 - share) / n + (z / (2 * n)) ** 2)
    return Interval(max(0.0, centre - half) if successes else 0.0, min(1.0, centre + half) if successes < n else 1.0)


def paired_shares(won: float, lost: float, n: float) -> Interval:
    """95% interval of (won − lost)/n: of n rows two classifiers differ on these. It has a width where they differ nowhere.

    Bonett and Price's: Wald's, with one more row of each kind. The numbers need not be whole, as for ``wilson``.
    """
    first, other = (won + 1) / (n + 2), (lost + 1) / (n + 2)
    half = normal_quantile(LEVEL) * math.sqrt((first + other - (first - other) ** 2) / (n + 2))
    return Interval(max(-1.0, first - other - half), min(1.0, first - other + half))
