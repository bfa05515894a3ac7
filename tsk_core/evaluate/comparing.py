"""Two classifiers compared: on the same test rows, and over the same seeds and splits; and whether a score jitters.

Rows, or units of rows that belong together, are resampled with both predictions of each, so that what is hard for both does
not widen the interval. Where fewer than five of them differ, for BCA in any class, a resample cannot tell; then a class has the
interval of Bonett and Price, and BCA combines these: its bound lies as far off as √Σd² of the distances d of the classes' bounds,
by their number (Zou, Huang and Zhang, A note on confidence interval estimation for a linear function of binomial proportions,
2009).
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tsk_core.evaluate.intervals import (
    FEWEST,
    LEVEL,
    Interval,
    Overlaps,
    Units,
    normal_quantile,
    overlaps,
    paired_shares,
    percentile_interval,
    resamples,
    t_quantile,
)


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


# Two methods over the same seeds and splits: how far their scores differ, and whether that is more than chance.
#
# Sources: Nadeau and Bengio, Inference for the generalization error (2003), the corrected resampled t-test; Corani and Benavoli,
# A Bayesian approach for comparing cross-validated algorithms on multiple data sets (2015): with a flat prior, the mean
# difference has that test's t distribution, so it gives probabilities too; Holm, A simple sequentially rejective multiple test
# procedure (1979).


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


def paired_over_seeds(a: np.ndarray, b: np.ndarray, test_train_ratio: float) -> SeedDifference:
    """Compare the scores a and b, (J,) each, paired by seed and split; a comparison alone, at the level of 95%.

    test_train_ratio: n_test/n_train. The splits share rows, so that their differences are alike: the variance of the mean is
    s² (1/J + n_test/n_train) rather than s²/J, with J − 1 degrees of freedom.
    """
    from scipy import stats  # imported here: the import is slow

    differences = np.asarray(a, float) - np.asarray(b, float)
    J, mean = len(differences), float(differences.mean())
    counts = int((differences > EQUAL).sum()), int((differences < -EQUAL).sum()), J
    if J < 2 or np.ptp(differences) < EQUAL:
        return SeedDifference(mean, *counts)
    scale = math.sqrt(differences.var(ddof=1) / independent_seeds(J, test_train_ratio))
    half = t_quantile(J - 1) * scale
    above, tail = stats.t.sf(np.array([POINT - mean, abs(mean)]) / scale, J - 1).tolist()
    return SeedDifference(mean, *counts, mean - half, mean + half, LEVEL, half, above, 2 * tail, 2 * tail)


def independent_seeds(J: int, test_train_ratio: float) -> float:
    """How many independent seeds would give a mean as certain as J seeds whose splits share rows: 1/(1/J + n_test/n_train)."""
    return 1 / (1 / J + test_train_ratio)


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


# Whether a score jitters from epoch to epoch, and its mean over the last epochs, which hangs less on the very last one.


SHARE, FEWEST_EPOCHS, MOST = 0.2, 5, 30  # of the epochs that are averaged
JITTER = 0.015  # from here on a score is said to jitter; one of 45 test rows that errs once in five epochs makes 0.011


class LastEpochs(NamedTuple):
    """A score in the last ``epochs`` epochs: its mean, lowest and highest value, in [0, 1].

    jitter: how far the score moves from epoch to epoch on average, beyond its net change. A rise without setbacks has none,
    however few test rows make its steps.
    """

    epochs: int
    mean: float
    low: float
    high: float
    jitter: float

    @property
    def jitters(self) -> bool:
        """Whether the score of a single epoch is to some extent luck."""
        return self.jitter >= JITTER


def window(epochs: int) -> int:
    """How many of so many epochs are averaged: a fifth, at least 5 and at most 30."""
    return min(epochs, MOST, max(FEWEST_EPOCHS, int(SHARE * epochs)))


def last_epochs(scores: Sequence[float]) -> LastEpochs | None:
    """Of a training's scores, (T,) in the order of its epochs; None without any."""
    if not len(scores):
        return None
    last = np.asarray(scores[-window(len(scores)) :], float)
    moves = np.diff(last)
    jitter = (np.abs(moves).sum() - abs(moves.sum())) / max(len(moves), 1)
    return LastEpochs(len(last), float(last.mean()), float(last.min()), float(last.max()), float(jitter))
