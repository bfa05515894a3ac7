"""Words for one membership function: a term such as "low", and the interval that it covers.

A feature's terms are triangles over quantiles of its training values, summing to 1 everywhere: a Ruspini partition.
A membership takes the term, or the run of adjacent terms, with the largest Jaccard similarity Σ min / Σ max. Centres are
never ranked: two rules whose centres differ little get the same term.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, partial

import numpy as np

from tsk_core.explain.digits import number
from tsk_core.explain.reader import LOWEST
from tsk_core.model.firing import HALF_HEIGHT, log_membership

__all__ = ["ANY", "FuzzyPartition", "Interval", "fuzzy_partition", "label", "terms_of", "words_of"]

ANY = "any value"
GRID = 200
FEW = 10  # with fewer distinct values than this, five terms are too many
WORDS = {2: ("low", "high"), 3: ("low", "medium", "high"), 5: ("very low", "low", "medium", "high", "very high")}


@dataclass(frozen=True)
class FuzzyPartition:
    """One feature's terms.

    words: K terms, lowest first; none for a constant feature. peaks: (K,) strictly increasing, where each term is 1.
    grid: (200,) training quantiles from smallest to largest, where similarity is measured.
    low, high, spread: smallest, largest and standard deviation of the training values.
    """

    words: tuple[str, ...]
    peaks: np.ndarray
    grid: np.ndarray
    low: float
    high: float
    spread: float

    def terms(self, values: np.ndarray) -> np.ndarray:
        """Membership of each value in each term, shape (K, len(values)); the outer terms stay 1 beyond their peaks."""
        eye = np.eye(len(self.words))
        return np.array([np.interp(values, self.peaks, row) for row in eye]).reshape(len(self.words), len(values))

    @cached_property
    def runs(self) -> tuple[list[tuple[int, int]], np.ndarray]:
        """All runs of adjacent terms as (first, last), and the membership of each on the grid, shape (runs, 200).

        The terms sum to 1, so a run's membership is their sum, without a dip between neighbours.
        """
        runs = [(first, last) for first in range(len(self.words)) for last in range(first, len(self.words))]
        terms = self.terms(self.grid)
        return runs, np.array([terms[first : last + 1].sum(0) for first, last in runs])


def fuzzy_partition(values: np.ndarray) -> FuzzyPartition:
    """The reference partition of one column's training values, shape (N,), N ≥ 1, finite.

    Five terms peak in the middle of each fifth of the values (the 10th, 30th, … percentile); three terms where the
    feature has fewer than 10 distinct values or its fifths coincide; two where it has two values; none where it has one.
    """
    values = np.asarray(values, float)
    distinct = np.unique(values)
    words, peaks = _peaks(values, distinct)
    # Points evenly spaced in rank: evenly spaced values would leave one point for most rows of a skewed feature.
    grid = np.quantile(values, np.linspace(0, 1, GRID))
    spread = float(values.std()) if len(distinct) > 1 else 0.0
    return FuzzyPartition(words, peaks, grid, float(distinct[0]), float(distinct[-1]), spread)


def words_of(Z: np.ndarray) -> Callable[[int], FuzzyPartition]:
    """The partition of each column of the training rows Z, (N, D), computed on first use."""
    return cache(lambda d: fuzzy_partition(Z[:, d]))


def label(center: float, sigma: float, words: FuzzyPartition) -> str:
    """The term, or run of adjacent terms, most like the membership: "low", "low or medium", "low to high".

    The membership is scaled to 1 at its largest on the data, so that a centre outside the data still gets a term.
    ``sigma``: positive. Returns "any value" where all terms together fit best, or the feature is constant.
    """
    return _phrase(words.words, *_run(center, sigma, words)) if words.words else ANY


def terms_of(center: float, sigma: float, words: FuzzyPartition) -> tuple[str, ...]:
    """The terms that ``label`` speaks of, lowest first: of "low to high" three; () for "any value"."""
    if not words.words:
        return ()
    first, last = _run(center, sigma, words)
    return () if last - first + 1 == len(words.words) else words.words[first : last + 1]


def _run(center: float, sigma: float, words: FuzzyPartition) -> tuple[int, int]:
    """The first and the last term of the run with the largest Jaccard similarity to the membership."""
    with np.errstate(over="ignore", under="ignore"):
        depth = np.maximum(log_membership(words.grid, np.array(center), np.array(sigma)), LOWEST)
    membership = np.exp(depth - depth.max())  # (200,)
    runs, unions = words.runs
    similarity = np.minimum(membership, unions).sum(1) / np.maximum(membership, unions).sum(1)
    return runs[int(similarity.argmax())]


@dataclass(frozen=True)
class Interval:
    """Where a membership is at least 0.5: centre ± 1.177σ, clipped to the data.

    low, high: the ends in the column's units; None where the interval is open, because the centre lies outside the data.
    text: "between 1.2 and 3.4", "≥ 4.9", "≤ 2.0", "about 5.0" or "anywhere between 1.0 and 6.9"; with a remark where it
    contains no training row.
    """

    low: float | None
    high: float | None
    text: str

    @classmethod
    def of(cls, center: float, sigma: float, words: FuzzyPartition, write: Callable[[float], str] | None = None) -> "Interval":
        """The interval of one Gaussian membership on one feature; ``sigma`` is positive. write: of values, else as numbers."""
        low, high = center - HALF_HEIGHT * sigma, center + HALF_HEIGHT * sigma
        write = write or partial(number, spread=words.spread)
        ends = [write(v) for v in (max(low, words.low), min(high, words.high))]
        if low <= words.low and high >= words.high:
            both = f"anywhere between {ends[0]} and {ends[1]}" if ends[0] != ends[1] else f"always {ends[0]}"
            return cls(words.low, words.high, both)
        if center > words.high:
            remark = f", beyond the data, which end at {write(words.high)}" if low > words.high else ""
            return cls(low, None, f"≥ {write(low)}{remark}")
        if center < words.low:
            remark = f", beyond the data, which start at {write(words.low)}" if high < words.low else ""
            return cls(None, high, f"≤ {write(high)}{remark}")
        text = f"between {ends[0]} and {ends[1]}" if ends[0] != ends[1] else f"about {ends[0]}"
        return cls(max(low, words.low), min(high, words.high), text)


def _peaks(values: np.ndarray, distinct: np.ndarray) -> tuple[tuple[str, ...], np.ndarray]:
    if len(distinct) == 1:
        return (), np.empty(0)
    for count, source in ((5, values), (3, values), (3, distinct)):
        enough = FEW if count == 5 else 3
        peaks = np.quantile(source, (np.arange(count) + 0.5) / count)
        if len(distinct) >= enough and (np.diff(peaks) > 0).all():
            return WORDS[count], peaks
    return WORDS[2], distinct[[0, -1]]


def _phrase(words: tuple[str, ...], first: int, last: int) -> str:
    if first == last:
        return words[first]
    if last - first + 1 == len(words):
        return ANY
    return f"{words[first]} {'or' if last == first + 1 else 'to'} {words[last]}"
