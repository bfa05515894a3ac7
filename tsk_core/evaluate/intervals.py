"""Intervals of scores: from resampled test rows (bootstrap), and from the scores of several splits of one table.

Sources: Efron and Tibshirani, An introduction to the bootstrap (1993), the percentile interval; Nadeau and Bengio, Inference for
the generalization error (2003), the corrected resampled t-test.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

__all__ = ["LEVEL", "RESAMPLES", "Interval", "corrected_t_interval", "percentile_interval", "resampled_counts", "t_quantile"]

RESAMPLES = 1000
LEVEL = 0.95


class Interval(NamedTuple):
    """low ≤ high: the bounds of a 95% interval."""

    low: float
    high: float


def resampled_counts(counts: np.ndarray, rng: np.random.Generator, size: int = RESAMPLES) -> np.ndarray:
    """How often each kind of row occurs among as many rows, drawn with replacement; (size, K).

    counts: (K,) rows of each kind, at least one in all. Rows of a kind, such as "of class a, predicted as b", are alike for every
    score, so that their counts are all that a resample of the rows has to tell, and those are multinomial.
    """
    return rng.multinomial(int(counts.sum()), counts / counts.sum(), size=size)


def percentile_interval(values: np.ndarray) -> Interval | None:
    """The middle 95% of the values (resamples,); NaN, where a score is not defined, is left out. None without values."""
    known = values[~np.isnan(values)]
    if not len(known):
        return None
    return Interval(*(float(bound) for bound in np.quantile(known, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])))


def corrected_t_interval(scores: np.ndarray, test_per_train: float) -> Interval | None:
    """95% interval of the mean of a score over J splits of one table, (J,); None for fewer than two.

    mean ± t_{J−1} √(s² (1/J + n_test/n_train)): the splits share rows, so their scores are alike, and s²/J would be too small.
    test_per_train: n_test/n_train, above 0.
    """
    J = len(scores)
    if J < 2:
        return None
    half = t_quantile(J - 1) * np.sqrt(scores.var(ddof=1) * (1 / J + test_per_train))
    return Interval(float(scores.mean() - half), float(scores.mean() + half))


@cache
def t_quantile(freedom: int) -> float:
    """What a 95% interval takes of the t distribution with so many degrees of freedom; a sweep asks thousands of times."""
    from scipy import stats  # imported here: the import is slow

    return float(stats.t.ppf((1 + LEVEL) / 2, freedom))
