"""Intervals of shares, and of means of shares, over rows or over units of rows that belong together.

Rows: Wilson's interval of a share. A mean of K shares, such as BCA, has that of as many rows as give the mean's variance,
n = ā(1 − ā)/v with v = Σ a(1 − a)/n over the shares, by K²: each a has one right and one wrong row more than its share, so that v
does not vanish where all are right. For K = 1 it is Wilson's itself. Neither collapses to a point at 0 or 1.
Units: whole units are drawn with replacement. Where fewer than five of them have a mistake, or fewer than five a right row, a
resample cannot tell how much of a mistake is the unit's; then the same intervals are taken as if the rows of a unit were all
alike, which is the widest that they need be: units of equal sizes count as one row each.

Sources: Korn and Graubard, Confidence intervals for proportions with small expected number of positive counts estimated from
survey data (1998), intervals with an effective number of rows; Dean and Pagano (2015), of these Wilson's; Agresti and Coull
(1998), the added rows; Kish, Survey sampling (1965), the effective number of units of unequal sizes. Coverage:
docs/decisions/0053.
"""

from typing import NamedTuple

import numpy as np

from tsk_core.evaluate.intervals import RESAMPLES, Interval, percentile_interval, wilson

__all__ = ["FEWEST", "Overlaps", "Shares", "intervals_of", "mean_interval", "overlaps", "resamples"]

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
