"""Bootstrap intervals of the rules' confidences: rows are drawn again, and each draw gives each rule another confidence.

Vectorised over rules: with weights w of the rows, one row of W a draw, all confidences are W(f̄·1[y=c]) / Wf̄, two products of
matrices. Tables of many rows take a bag of little bootstraps (Kleiner, Talwalkar, Sarkar and Jordan 2014): as many rows are
drawn as the table has, but from an evenly spaced part of them, so that the interval has the width that all rows deserve.
"""

import numpy as np

from tsk_core.explain.measures import evenly_spaced

__all__ = ["DRAWS", "MOST_ROWS", "confidence_intervals"]

DRAWS = 400
MOST_ROWS = 2_000  # distinct rows that are drawn from
LEVEL = 0.95


def confidence_intervals(firing: np.ndarray, own: np.ndarray, seed: int = 0) -> np.ndarray:
    """The 95% percentile interval of each rule's confidence, (R, 2) in [0, 1]; NaN for a rule that fires on no row.

    firing: (N, R) normalised firing levels. own: (N, R) bool, whether the row has the rule's class. The same seed gives the
    same draws.
    """
    n_rows = len(firing)
    with np.errstate(invalid="ignore"):
        whole = (firing * own).sum(0) / firing.sum(0)
    part = evenly_spaced(n_rows, MOST_ROWS)
    f, covered = firing[part], firing[part] * own[part]
    drawn = np.random.default_rng(seed).multinomial(n_rows, np.full(len(part), 1 / len(part)), size=DRAWS).astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        centre = covered.sum(0) / f.sum(0)  # of the part; the interval is moved to that of all rows
        values = (drawn @ covered) / (drawn @ f) - centre + whole  # (draws, R)
    result = np.full((firing.shape[1], 2), np.nan)
    tail = (1 - LEVEL) / 2
    for r, draws in enumerate(values.T):
        draws = draws[np.isfinite(draws)]  # a draw may leave out every row on which the rule fires
        if len(draws):
            result[r] = np.clip(np.quantile(draws, [tail, 1 - tail]), 0.0, 1.0)
        elif np.isfinite(whole[r]):
            result[r] = whole[r]
    return result
