"""Bootstrap intervals of the rules' confidences: rows are drawn again, and each draw gives each rule another confidence.

Vectorised over rules: with weights w of the rows, one row of W a draw, all confidences are W(f̄·1[y=c]) / Wf̄, two products of
matrices. Tables of many rows take a bag of little bootstraps (Kleiner, Talwalkar, Sarkar and Jordan 2014): as many rows are
drawn as the table has, but from an evenly spaced part of them, so that the interval has the width that all rows deserve. Rows
that belong together are drawn together. Where hardly a row is a mistake, or hardly one is right, a draw cannot tell; then it is
Wilson's interval of as many rows as the rule's firing is worth.
"""

import numpy as np

from tsk_core.evaluate.intervals import percentile_interval, wilson
from tsk_core.evaluate.shares import FEWEST
from tsk_core.explain.spaced_rows import evenly_spaced

__all__ = ["DRAWS", "MOST_ROWS", "confidence_intervals"]

DRAWS = 400
MOST_ROWS = 2_000  # distinct rows that are drawn from


def confidence_intervals(firing: np.ndarray, own: np.ndarray, seed: int = 0, groups: np.ndarray | None = None) -> np.ndarray:
    """The 95% interval of each rule's confidence, (R, 2) in [0, 1]; NaN for a rule that fires on no row.

    firing: (N, R) normalised firing levels. own: (N, R) bool, whether the row has the rule's class. The same seed gives the
    same draws. groups: (N,) integers from 0, equal in rows that belong together; None for rows alone.
    """
    fired, covered = firing, firing * own
    if groups is not None:
        fired, covered = _summed(fired, groups), _summed(covered, groups)
    n_units, total = len(fired), fired.sum(0)
    with np.errstate(invalid="ignore"):
        whole = covered.sum(0) / total
    part = evenly_spaced(n_units, MOST_ROWS)
    f, c = fired[part], covered[part]
    drawn = np.random.default_rng(seed).multinomial(n_units, np.full(len(part), 1 / len(part)), size=DRAWS).astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        centre = c.sum(0) / f.sum(0)  # of the part; the interval is moved to that of all rows
        values = (drawn @ c) / (drawn @ f) - centre + whole  # (draws, R); NaN without firing
    result = np.full((firing.shape[1], 2), np.nan)
    # Mistakes in the tail of a rule's firing are many rows, and yet next to nothing beside one row at its centre.
    worths = _worth(fired)
    few = np.minimum(_worth(covered), _worth(fired - covered)) < FEWEST
    few |= np.minimum(whole, 1 - whole) * worths < FEWEST
    for r, worth in enumerate(worths):
        if np.isfinite(whole[r]):  # a draw may leave out every row on which the rule fires
            interval = None if few[r] else percentile_interval(values[:, r], n_units)
            result[r] = np.clip(interval or wilson(whole[r] * worth, worth), 0.0, 1.0)
    return result


def _summed(values: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Over the rows of each group that has some, (G, R)."""
    codes = np.unique(groups, return_inverse=True)[1]
    sums = np.zeros((int(codes.max()) + 1, values.shape[1]))
    np.add.at(sums, codes, values)
    return sums


def _worth(weights: np.ndarray) -> np.ndarray:
    """How many equal weights the weights (N, R) are worth, (Σw)²/Σw² (Kish), (R,); 0 where all are 0."""
    squares = (weights**2).sum(0)
    worth: np.ndarray = np.divide(weights.sum(0) ** 2, squares, out=np.zeros(weights.shape[1]), where=squares > 0)
    return worth
