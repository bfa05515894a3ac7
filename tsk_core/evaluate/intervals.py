"""Intervals of scores: of shares, over rows or units of rows that belong together, and of the scores of several splits.

Sources: Wilson, Probable inference (1927), the score interval; Efron and Tibshirani, An introduction to the bootstrap (1993), the
percentile interval; Hesterberg, What teachers should know about the bootstrap (2015), its expansion for few units; Bonett
and Price, Adjusted Wald confidence interval for a difference of binomial proportions based on paired data (2012); Nadeau and
Bengio, Inference for the generalization error (2003), the corrected resampled t-test.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from tsk_core.data.naming import quoted
from tsk_core.data.splitting import SplitColumn

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


def corrected_t_interval(scores: np.ndarray, test_train_ratio: float) -> Interval | None:
    """95% interval of the mean of a score over J splits of one table, (J,); None for fewer than two, or if all scores are equal.

    mean ± t_{J−1} √(s² (1/J + n_test/n_train)): the splits share rows, so their scores are alike, and s²/J would be too small.
    Equal scores say how coarse the score is, not how certain its mean. test_train_ratio: n_test/n_train, above 0.
    """
    J = len(scores)
    if J < 2 or np.ptp(scores) < EQUAL:
        return None
    half = t_quantile(J - 1) * np.sqrt(scores.var(ddof=1) * (1 / J + test_train_ratio))
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


# Intervals of shares, and of means of shares, over rows or over units of rows that belong together.
#
# Rows: Wilson's interval of a share. A mean of K shares, such as BCA, has that of as many rows as give the mean's variance, n =
# ā(1 − ā)/v with v = Σ a(1 − a)/n over the shares, by K²: each a has one right and one wrong row more than its share, so that v
# does not vanish where all are right. For K = 1 it is Wilson's itself. Neither collapses to a point at 0 or 1. Units: whole units
# are drawn with replacement. Where fewer than five of them have a mistake, or fewer than five a right row, a resample cannot tell
# how much of a mistake is the unit's; then the same intervals are taken as if the rows of a unit were all alike, which is the
# widest that they need be: units of equal sizes count as one row each.
#
# Sources: Korn and Graubard, Confidence intervals for proportions with small expected number of positive counts estimated from
# survey data (1998), intervals with an effective number of rows; Dean and Pagano (2015), of these Wilson's; Agresti and Coull
# (1998), the added rows; Kish, Survey sampling (1965), the effective number of units of unequal sizes. Coverage:
# docs/measured/intervals.md.


FEWEST = 5  # units with a mistake, and with a right row, from which units are resampled
BLOCK = 100  # resamples at a time, so that many units of many classes need no more than some MB


class Overlaps(NamedTuple):
    """How the rows of K shares lie in units.

    worth: (K,) how many independent rows the rows of each share are worth if those of a unit are all alike, (Σn)²/Σn² over its
    units; 0 without rows. alike: (K, K) correlations of the shares in that case: 0 where no unit has rows of both.
    """

    worth: np.ndarray
    alike: np.ndarray


class Shares(NamedTuple):
    """K shares, successes of trials: (G, K) counts of each of G units, or of G resamples.

    alone: whether each row is a unit of its own; the counts are then those of all rows, G = 1.
    """

    successes: np.ndarray
    trials: np.ndarray
    alone: bool

    @property
    def each(self) -> np.ndarray:
        """Successes/trials, (G, K); NaN without trials."""
        each: np.ndarray = np.divide(self.successes, self.trials, out=np.full(self.trials.shape, np.nan), where=self.trials > 0)
        return each

    @property
    def values(self) -> np.ndarray:
        """Of all units together, (K,); NaN without trials."""
        whole: np.ndarray = Shares(self.successes.sum(0, keepdims=True), self.trials.sum(0, keepdims=True), True).each[0]
        return whole

    @property
    def overlaps(self) -> Overlaps:
        """Of their trials."""
        return Overlaps(self.trials[0], np.eye(self.trials.shape[1])) if self.alone else overlaps(self.trials)

    @property
    def units(self) -> np.ndarray:
        """How many units have trials of each share, (K,)."""
        counted: np.ndarray = (self.trials > 0).sum(0)
        return counted

    @property
    def suffice(self) -> np.ndarray:
        """Whether enough units have a mistake, and enough a success, to resample them; (K,)."""
        fewer: np.ndarray = np.minimum((self.successes > 0).sum(0), (self.successes < self.trials).sum(0))
        return np.full(fewer.shape, not self.alone) & (fewer >= FEWEST)


def overlaps(trials: np.ndarray) -> Overlaps:
    """trials: (G, K) rows of each unit that count for each share."""
    rows = trials.sum(0)
    parts = np.divide(trials, rows, out=np.zeros(trials.shape), where=rows > 0)
    products = parts.T @ parts
    own = np.diagonal(products)
    worth = np.divide(1.0, own, out=np.zeros(len(own)), where=own > 0)
    return Overlaps(worth, products * np.sqrt(np.outer(worth, worth)))


def intervals_of(shares: Shares, drawn: np.ndarray | None) -> list[Interval | None]:
    """Of each share; None without trials. drawn: (resamples, K), its values in resamples of the units; None for rows."""
    closed, values = shares.overlaps.worth, shares.values
    return [
        None if np.isnan(values[k])
        else percentile_interval(drawn[:, k], int(shares.units[k])) if drawn is not None and shares.suffice[k]
        else wilson(values[k] * closed[k], closed[k])
        for k in range(len(values))
    ]  # fmt: skip


def mean_interval(shares: Shares, drawn: np.ndarray | None) -> Interval | None:
    """Of the mean of the shares that have trials; None without any. drawn: as for ``intervals_of``.

    Units are resampled where, of each share, enough of them have a mistake and enough a success.
    """
    known = np.flatnonzero(shares.trials.sum(0) > 0)
    if not len(known):
        return None
    if drawn is not None and shares.suffice[known].all():
        units = int((shares.trials.sum(1) > 0).sum())
        return percentile_interval(np.nanmean(drawn[:, known], axis=1), units)
    values, (worth, alike) = shares.values[known], shares.overlaps
    worth, alike = worth[known], alike[np.ix_(known, known)]
    adjusted = (values * worth + 1) / (worth + 2)
    errors = np.sqrt(adjusted * (1 - adjusted) / worth)
    mean, n_shares = adjusted.mean(), len(known)
    effective = float(mean * (1 - mean) * n_shares**2 / (errors @ alike @ errors))
    return wilson(float(values.mean()) * effective, effective)


def resamples(counts: np.ndarray, rng: np.random.Generator, of: np.ndarray | None = None) -> np.ndarray:
    """Sums of ``counts`` (G, K) over as many units, drawn with replacement; (RESAMPLES, K).

    of: (G,) how many units each line of counts stands for, where several have the same; 1 each where it is None.
    """
    blocks, G = [], len(counts)
    for _ in range(RESAMPLES // BLOCK):
        if of is None:
            places = rng.integers(0, G, (BLOCK, G)) + G * np.arange(BLOCK)[:, None]
            drawn = np.bincount(places.ravel(), minlength=BLOCK * G).reshape(BLOCK, G)
        else:
            drawn = rng.multinomial(int(of.sum()), of / of.sum(), size=BLOCK)
        blocks.append(drawn.astype(float) @ counts)
    return np.concatenate(blocks)


# Which test rows belong together: a patient's visits, or the rows of a stretch of time. Intervals draw them together.
#
# Sources: Davison and Hinkley, Bootstrap methods and their application (1997), section 3.8, whole groups; Carlstein, The use of
# subseries values for estimating the variance (1986), blocks of consecutive times that do not overlap; Politis and White,
# Automatic block-length selection for the dependent bootstrap (2004; corrected with Patton, 2009), the length of the blocks.


@dataclass(frozen=True, eq=False)
class Units:
    """What an interval draws: rows, whole groups, or blocks of consecutive times.

    codes: (N,) from 0, the unit of each test row. kind: "rows", "groups" or "blocks". column: of the table, "" for rows.
    length: times in a block, else 0.
    """

    codes: np.ndarray
    kind: str = "rows"
    column: str = ""
    length: int = 0

    @property
    def count(self) -> int:
        """How many units there are."""
        return int(self.codes.max(initial=-1)) + 1

    def to_dict(self) -> dict[str, object]:
        """JSON-ready, without the codes: {"unit", "count", "column", "length"}."""
        return {"unit": self.kind, "count": self.count, "column": self.column, "length": self.length}


def rows_alone(n_rows: int) -> Units:
    """Each row a unit of its own."""
    return Units(np.arange(n_rows))


def units_of(split_column: SplitColumn | None, correct: np.ndarray) -> Units:
    """The units of N test rows, by the column that decided the split. split_column: of these rows (``Dataset.split_column_of``).

    correct: (N,) bool, whether a model classifies each of them correctly; the blocks of a split by time are as long as this
    sequence asks for (``block_length``).
    """
    if split_column is None or split_column.kind == "split" or not len(correct):
        return rows_alone(len(correct))
    found, codes = np.unique(split_column.values, return_inverse=True)
    if split_column.kind == "group":
        return Units(codes, "groups", split_column.column) if len(found) < len(codes) else rows_alone(len(codes))
    share = np.bincount(codes, weights=correct) / np.bincount(codes)
    length = block_length(share)
    blocks = max(1, len(found) // length)
    return Units(codes * blocks // len(found), "blocks", split_column.column, length)


def kept_units(codes: np.ndarray) -> Units:
    """The units of N test rows from what a run kept of them, (N,): equal in rows that belong together."""
    return rows_alone(len(codes)) if len(np.unique(codes)) == len(codes) else Units(codes, "groups")


def block_length(series: np.ndarray) -> int:
    """How many consecutive values of a series (T,) have to stay together, at least ∛T and at most T/3.

    Politis and White's rule for the circular block bootstrap: b = ∛(2 T g²/d), with the flat-top window λ(t) = min(1, 2(1 − |t|))
    over 2m lags, m the lag after which no autocorrelation differs from 0: g = Σ λ |k| R(k), d = 4/3 (Σ λ R(k))².
    """
    series = np.asarray(series, float)
    T = len(series)
    least: int = math.ceil(T ** (1 / 3))
    if 3 * least > T or np.ptp(series) < 1e-12:
        return least
    centred = series - series.mean()
    in_a_row = max(5, math.isqrt(int(math.log10(T))))
    lags = min(T - 1, math.isqrt(T) + 1 + in_a_row)
    covariance = np.array([centred[: T - k] @ centred[k:] for k in range(lags + 1)]) / T
    large = np.abs(covariance[1:] / covariance[0]) >= 2 * math.sqrt(math.log10(T) / T)
    last = next((m for m in range(lags) if not large[m : m + in_a_row].any()), lags)
    window = min(2 * last, lags)
    if not window:
        return least
    k = np.arange(1, window + 1)
    weight = np.minimum(1.0, 2 * (1 - k / window)) * covariance[1 : window + 1]
    g, spectrum = 2 * (weight * k).sum(), covariance[0] + 2 * weight.sum()
    wanted = T / 3 if spectrum <= 0 else (1.5 * T * g**2 / spectrum**2) ** (1 / 3)
    return min(T // 3, max(least, math.ceil(wanted)))


def share_interval(right: np.ndarray, units: Units, seed: int) -> Interval | None:
    """95% interval of the share of rows that are right, (N,) bool; None without rows. units: of them. seed: of resamples."""
    if not len(right):
        return None
    alone = units.kind == "rows"
    codes = np.zeros(len(right), int) if alone else units.codes
    shares = Shares(np.bincount(codes, right)[:, None], np.bincount(codes)[:, None].astype(float), alone)
    drawn = None
    if not alone:
        counts = resamples(np.concatenate([shares.successes, shares.trials], axis=1), np.random.default_rng(seed))
        drawn = Shares(counts[:, :1], counts[:, 1:], alone).each
    (interval,) = intervals_of(shares, drawn)
    return None if interval is None else Interval(float(interval.low), float(interval.high))


def drawn_text(resampled: Mapping[str, Any], rows: int) -> str:
    """What follows "95% interval": " over 45 test rows", or ", by the 7 groups of 'patient' (280 test rows)".

    resampled: of ``Units.to_dict``. rows: how many there are.
    """
    count, column = f"{resampled['count']:,}", quoted(resampled["column"])
    if resampled["unit"] == "rows":
        return f" over {rows:,} test rows"
    if resampled["unit"] == "groups":
        return f", by the {count} groups of {column} ({rows:,} test rows)"
    times = f"{resampled['length']} consecutive times" if resampled["length"] > 1 else "one time"
    return f", by {count} blocks of {times} of {column} ({rows:,} test rows)"


def how_drawn(resampled: Mapping[str, Any]) -> str:
    """How the intervals of scores and differences are made, in a few sentences."""
    if resampled["unit"] == "rows":
        return (
            "Intervals of shares are Wilson's; that of BCA is Wilson's for the number of rows that would give its variance; for"
            f" differences, both predictions of a row are resampled together ({RESAMPLES:,} bootstrap resamples)."
        )
    unit = "group" if resampled["unit"] == "groups" else "block"
    period = "" if unit == "group" else " They hold for the period tested; later rows may differ."
    return (
        f"Rows of a {unit} are alike, so whole {unit}s are drawn with replacement ({RESAMPLES:,} resamples). Where fewer than"
        f" {FEWEST} {unit}s have a misclassified row, or fewer than {FEWEST} a correctly classified one (for BCA: in some class),"
        f" the interval is Wilson's, with each {unit} as one row.{period}"
    )
