"""Words for one membership function: a term such as "low", and the range in which it is at least 0.5.

A feature's terms are triangles over quantiles of its training values, summing to 1 everywhere: a Ruspini partition.
A membership takes the term, or the run of adjacent terms, with the largest Jaccard similarity Σ min / Σ max. Centres are
never ranked: two rules whose centres differ little get the same term.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from tsk_core.explain.dates import end_writer
from tsk_core.explain.reader import LOWEST
from tsk_core.model.firing import HALF_HEIGHT, log_membership

__all__ = ["ANY", "FuzzyPartition", "AlphaCut", "fuzzy_partition", "label", "terms_of", "words_of"]

ANY = "any value"
GRID = 200
FINEST = 16  # digits that a range may have beyond those that its spread asks for
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
    """The term, or run of adjacent terms, most like the membership: "low", "low or medium", "low to high", "not very high".

    The membership is scaled to 1 at its largest on the data, so that a centre outside the data still gets a term. "not" names
    the one term that is left out, where the membership is at least 0.5 up to the other end of the data.
    ``sigma``: positive. Returns "any value" where all terms together fit best, or the feature is constant.
    """
    if not words.words:
        return ANY
    first, last = _run(center, sigma, words)
    if last - first == len(words.words) - 2 > 0:
        if first == 0 and center - HALF_HEIGHT * sigma <= words.low:
            return f"not {words.words[-1]}"
        if first == 1 and center + HALF_HEIGHT * sigma >= words.high:
            return f"not {words.words[0]}"
    return _phrase(words.words, first, last)


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


Write = Callable[[float, bool, int], tuple[str, float]]  # ``dates.end_writer``


@dataclass(frozen=True)
class AlphaCut:
    """The α-cut of a membership at 0.5, where it is at least that: centre ± 1.177σ, rounded as printed.

    low, high: the ends as printed, in the column's units; None where the text leaves an end out, as it excludes no training row.
    text: "between 1.2 and 3.4", "≥ 4.9" or "≤ 2.0"; with a remark where it contains none, which ``beyond`` says.
    """

    low: float | None
    high: float | None
    text: str
    beyond: bool = False

    @classmethod
    def of(cls, center: float, sigma: float, words: FuzzyPartition, write: Write | None = None) -> "AlphaCut":
        """The cut of one Gaussian membership that excludes a training value; ``sigma`` is positive. write: of the ends, else
        as numbers.
        """
        low, high = center - HALF_HEIGHT * sigma, center + HALF_HEIGHT * sigma
        write = write or end_writer(None, words.spread)
        if center > words.high:
            text, value = write(low, False, 0)
            remark = f", beyond the data, which end at {write(words.high, False, 0)[0]}" if low > words.high else ""
            return cls(value, None, f"≥ {text}{remark}", bool(remark))
        if center < words.low:
            text, value = write(high, True, 0)
            remark = f", beyond the data, which start at {write(words.low, False, 0)[0]}" if high < words.low else ""
            return cls(None, value, f"≤ {text}{remark}", bool(remark))
        return _between(low, high, words, write)


def _between(low: float, high: float, words: FuzzyPartition, write: Write) -> AlphaCut:
    """The cut with the fewest digits that exclude a training value at either end where its exact ends do."""
    lower, upper = low > words.low, high < words.high
    ends = ("", -np.inf), ("", np.inf)
    for finer in range(FINEST):
        ends = write(low, False, finer), write(high, True, finer)
        (_, least), (_, most) = ends
        if least < most and (not lower or least > words.low) and (not upper or most < words.high):
            break
    else:
        ends = (repr(low), low), (repr(high), high)
    (low_text, least), (high_text, most) = ends
    if not lower:
        return AlphaCut(None, most, f"≤ {high_text}")
    if not upper:
        return AlphaCut(least, None, f"≥ {low_text}")
    return AlphaCut(least, most, f"between {low_text} and {high_text}" if low_text != high_text else low_text)


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
