"""The nearest change of two features together that flips the decision.

For each value of the first feature on a grid, the margin on a grid of the second; the nearest places that flip the decision are
narrowed down by the search along one line (line.py) in the second feature, for ever finer values of the first.
"""

import numpy as np

from tsk_core.explain.row.features import SWITCH, RowFeature
from tsk_core.explain.row.line import nearest_on_line, nearest_state
from tsk_core.explain.row.margins import Margins

__all__ = ["PairTurn", "coarse_distance", "refined"]

GRID = 33  # values of each feature
AROUND = 9  # values of the first feature in a round of refinement
ROUNDS = 6
STEPS = 32  # of the grid of the second feature, on each side

PairTurn = tuple[float, np.ndarray, np.ndarray]  # distance, and the new values of the columns of both features


def coarse_distance(margins: Margins, first: RowFeature, second: RowFeature, reach: float) -> tuple[float, np.ndarray | None]:
    """The distance of the grid's nearest place that flips the decision, and the first feature's values there."""
    a, b = _values(margins, first, reach), _values(margins, second, reach)
    if not len(a) or not len(b):
        return np.inf, None
    distance = np.hypot(_distances(margins, first, a)[:, None], _distances(margins, second, b))
    near = distance < reach
    if not near.any():
        return np.inf, None
    flipped = near & (margins.along(margins.shift(first, a), margins.shift(second, b)) < 0)
    if not flipped.any():
        return np.inf, None
    k = int(np.where(flipped, distance, np.inf).argmin())
    return float(distance.flat[k]), a[k // len(b)]


def refined(margins: Margins, first: RowFeature, second: RowFeature, reach: float, at: np.ndarray) -> PairTurn | None:
    """The nearest change of both; ``at``: the first feature's values from ``coarse_distance``. A category should come first."""
    if first.categories:
        flips = [_with(margins, first, second, value, reach) for value in _values(margins, first, reach)]
        return min((flip for flip in flips if flip), key=lambda flip: flip[0], default=None)
    start, d = float(margins.x[first.columns[0]]), first.columns[0]
    low, high = max(first.low, start - reach * first.scale), min(first.high, start + reach * first.scale)
    width = (high - low) / (GRID - 1)
    best: PairTurn | None = None
    centre = float(at[0])
    for _ in range(ROUNDS):
        values = np.linspace(max(low, centre - width), min(high, centre + width), AROUND)
        values = np.unique(np.round(values)) if first.whole else values
        for value in values[values != margins.x[d]]:
            flip = _with(margins, first, second, np.array([value]), best[0] if best else reach)
            if flip and (best is None or flip[0] < best[0]):
                best, centre = flip, float(value)
        width /= 3
        if first.whole and width < 0.5:
            break
    return best


def _with(margins: Margins, first: RowFeature, second: RowFeature, value: np.ndarray, reach: float) -> PairTurn | None:
    """The nearest change of the second feature where the first one has this value."""
    moved = _distances(margins, first, value[None])[0]
    left = np.sqrt(max(0.0, reach * reach - moved * moved)) if np.isfinite(reach) else np.inf
    if not left > 0:
        return None
    around = margins.moved(first, value)
    if second.categories:
        state, _ = nearest_state(around, second)
        return (float(np.hypot(moved, SWITCH)), value, state) if state is not None and left > SWITCH else None
    flip = nearest_on_line(around, second, left, STEPS)
    if flip.value is None:
        return None
    return float(np.hypot(moved, flip.distance)), value, np.array([flip.value])


def _values(margins: Margins, feature: RowFeature, reach: float) -> np.ndarray:
    """Other values that the feature can have within reach: (K, columns)."""
    if feature.categories:
        return feature.states(margins.x) if reach > SWITCH else np.empty((0, len(feature.columns)))
    start = float(margins.x[feature.columns[0]])
    low, high = max(feature.low, start - reach * feature.scale), min(feature.high, start + reach * feature.scale)
    if not high > low:
        return np.empty((0, 1))
    values = np.linspace(low, high, GRID)
    if feature.whole:
        values = np.unique(np.round(values))
        values = values[(values >= low) & (values <= high)]
    return values[values != start][:, None]


def _distances(margins: Margins, feature: RowFeature, values: np.ndarray) -> np.ndarray:
    """Standard deviations that the values are away from the row's, (K,)."""
    if feature.categories:
        return np.full(len(values), SWITCH)
    return np.abs(values[:, 0] - margins.x[feature.columns[0]]) / feature.scale
