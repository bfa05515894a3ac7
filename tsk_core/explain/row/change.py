"""The nearest change that flips the decision: the smallest standardised move along one feature, and along two.

The distance is √(Σ ((x'_f − x_f)/s_f)²) over the features that change, s_f being the standard deviation of training; another
category counts ``SWITCH``. Numbers stay within their range and are multiples of a step that is fine against s_f; whole numbers
stay whole. Wachter, Mittelstadt and Russell (2018) call such changes counterfactual explanations.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from tsk_core.explain.exported import ExportedRules
from tsk_core.explain.row.features import SWITCH, Margins, RowFeature

# The nearest value of one feature that flips the decision.
#
# On each side of the row's value the margin is computed on a grid: equal steps, and where rules have their centres and flanks.
# The first sign change is narrowed down; so is every dip before it, since between two places of a grid the margin may fall below
# zero and rise again. What is left is a stretch narrower than the grid in which the margin has neither an end nor a dip.


STEPS = 128  # of the grid, on each side, where nothing is known
LANDMARKS = 30  # rules at most whose centres and flanks the grid has
WHOLE = 2000  # whole numbers that are looked at one by one, on each side
ZOOM = 16  # parts into which a stretch is divided
ROUNDS = 6  # of it: the last parts are 16 million times shorter


@dataclass(frozen=True)
class Flip:
    """value: that flips the decision, None for none. distance: from the row's, in standard deviations. least: margin found."""

    value: float | None
    distance: float
    least: float


def nearest_on_line(margins: Margins, feature: RowFeature, reach: float = np.inf, steps: int = STEPS) -> Flip:
    """The nearest value of a number that flips the decision, at most ``reach`` standard deviations away. steps: of the grid."""
    start, least = float(margins.x[feature.columns[0]]), np.inf
    flips: list[tuple[float, float]] = []
    for side, end in ((-1.0, feature.low), (1.0, feature.high)):
        nearer = min([reach, *(distance for distance, _ in flips)])
        length = min(side * (end - start), nearer * feature.scale)
        if length > 0:
            value, lowest = (_whole if feature.whole else _side)(margins, feature, start, side, length, steps)
            least = min(least, lowest)
            if value is not None:
                flips.append((abs(value - start) / feature.scale, value))
    if not flips:
        return Flip(None, np.inf, least)
    distance, value = min(flips)
    return Flip(value, distance, least)


def nearest_state(margins: Margins, feature: RowFeature) -> tuple[np.ndarray | None, float]:
    """The other category that flips the decision most clearly, None for none, and the least margin of all."""
    states = feature.states(margins.x)
    if not len(states):
        return None, np.inf
    margin_at = margins.along(margins.shift(feature, states))
    best = int(margin_at.argmin())
    return (states[best] if margin_at[best] < 0 else None), float(margin_at[best])


def _side(
    margins: Margins, feature: RowFeature, start: float, side: float, length: float, steps: int
) -> tuple[float | None, float]:
    """The nearest value on one side, up to ``length`` away, and the least margin up to there."""
    places = np.union1d(np.linspace(0.0, length, steps + 1), _landmarks(margins, feature, start, side, length))

    def along(at: np.ndarray) -> np.ndarray:
        return margins.along(margins.shift(feature, start + side * at))

    margin_at = along(places)
    flipped = np.flatnonzero(margin_at < 0)
    last = int(flipped[0]) if len(flipped) else len(places) - 1
    for k in range(1, last):
        left, right = margin_at[k - 1] - margin_at[k], margin_at[k + 1] - margin_at[k]
        if left >= 0 and right >= 0 and left + right > 0:  # a flat stretch has no dip
            dip, lowest = _lowest(along, places[k - 1], places[k + 1])
            if lowest < 0:
                return start + side * _first(along, places[k - 1], dip), lowest
    if not len(flipped):
        return None, float(margin_at.min())
    return start + side * _first(along, places[max(last - 1, 0)], places[last]), float(margin_at[last])


def _whole(
    margins: Margins, feature: RowFeature, start: float, side: float, length: float, steps: int
) -> tuple[float | None, float]:
    """The same where only whole numbers count."""
    first = np.floor(start) + 1 if side > 0 else np.ceil(start) - 1
    last = np.floor(start + length) if side > 0 else np.ceil(start - length)
    count = int(side * (last - first)) + 1
    if count < 1:
        return None, np.inf
    if count <= WHOLE:
        values = first + side * np.arange(count)
    else:
        values = np.unique(np.round(np.linspace(first, last, steps + 1)))[:: int(side)]
    margin_at = margins.along(margins.shift(feature, values))
    flipped = np.flatnonzero(margin_at < 0)
    if not len(flipped):
        return None, float(margin_at.min())
    k = int(flipped[0])
    held, value = (values[k - 1] if k else start), values[k]
    while abs(value - held) > 1 and count > WHOLE:
        middle = np.trunc((held + value) / 2)
        if middle in (held, value):
            break
        if margins.along(margins.shift(feature, np.array([middle])))[0] < 0:
            value = middle
        else:
            held = middle
    return float(value), float(margin_at[k])


def _landmarks(margins: Margins, feature: RowFeature, start: float, side: float, length: float) -> np.ndarray:
    """Where rules have their centres and flanks, as distances within the length."""
    d, arrays = feature.columns[0], margins.arrays
    here = arrays.present[:, d]
    if arrays.n_rules > LANDMARKS or not here.any():
        return np.empty(0)
    centers, sigmas = arrays.centers[here, d], arrays.sigmas[here, d]
    places = side * (np.concatenate([centers, centers - sigmas, centers + sigmas]) - start)
    return places[(places > 0) & (places < length)]


def _lowest(along: Callable[[np.ndarray], np.ndarray], low: float, high: float) -> tuple[float, float]:
    """The place of the lowest margin between two places, and that margin, as soon as it is below zero."""
    place, lowest = low, np.inf
    for _ in range(ROUNDS):
        places = np.linspace(low, high, ZOOM + 1)
        margin_at = along(places)
        k = int(margin_at.argmin())
        place, lowest = float(places[k]), float(margin_at[k])
        if lowest < 0:
            break
        low, high = places[max(k - 1, 0)], places[min(k + 1, ZOOM)]
    return place, lowest


def _first(along: Callable[[np.ndarray], np.ndarray], held: float, flipped: float) -> float:
    """The first place between one that keeps the class and one that flips it."""
    for _ in range(ROUNDS):
        places = np.linspace(held, flipped, ZOOM + 1)
        k = int((along(places[:-1]) < 0).argmax()) if (along(places[:-1]) < 0).any() else ZOOM
        held, flipped = places[max(k - 1, 0)], places[k]
        if k == 0:
            break
    return float(flipped)


# The nearest change of two features together that flips the decision.
#
# For each value of the first feature on a grid, the margin on a grid of the second; the nearest places that flip the decision are
# narrowed down by the search along one line (line.py) in the second feature, for ever finer values of the first.


GRID = 33  # values of each feature
AROUND = 9  # values of the first feature in a round of refinement
PAIR_STEPS = 32  # of the grid of the second feature, on each side

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
    flip = nearest_on_line(around, second, left, PAIR_STEPS)
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


PAIRED = 12  # features that come closest to another class alone; changes of two are looked for among these
REFINED = 6  # pairs
WORTH = 0.9  # of the distance with one feature, that a change of two may have at most to be worth saying


@dataclass(frozen=True)
class Change:
    """One change. features: those that change. x: the row (D,) with it. distance: in standard deviations. predicted: the position
    of the class that the model then predicts.
    """

    features: tuple[RowFeature, ...]
    x: np.ndarray
    distance: float
    predicted: int


def nearest_changes(
    rules: ExportedRules, x: np.ndarray, features: list[RowFeature], wanted: int | None = None
) -> tuple[Change, ...]:
    """The nearest change of one feature and the nearest of two, the nearest first; fewer where there is none.

    rules: exported. x: (D,) encoded, in original units. wanted: the position of the class to reach; None for any other than the
    predicted one. Each change was predicted anew. A change of two is left out unless it is clearly nearer. Where x has the
    wanted class already, there is none. Features that no rule uses change nothing, and are not looked at.
    """
    margins = Margins(rules, x, wanted)
    if margins.at(margins.x) < 0:
        return ()
    used = np.logical_or(margins.arrays.present.any(0), margins.arrays.consequents[:, :, 1:].any((0, 1)))  # (D,)
    free = [_reaching(one, margins.x) for one in features if not one.locked and used[list(one.columns)].any()]
    single, ranked = _single(margins, free)
    reach = single.distance * WORTH if single else np.inf
    pair = _pair(margins, ranked[:PAIRED], reach)
    changes = [change for change in (single, pair) if change is not None]
    return tuple(sorted(changes, key=lambda change: change.distance))


def _reaching(feature: RowFeature, x: np.ndarray) -> RowFeature:
    """The feature with a range that has the row's own value."""
    if feature.categories:
        return feature
    value = float(x[feature.columns[0]])
    inside = feature.low <= value <= feature.high
    return feature if inside else RowFeature(**vars(feature) | {"low": min(feature.low, value), "high": max(feature.high, value)})


def _single(margins: Margins, features: list[RowFeature]) -> tuple[Change | None, list[RowFeature]]:
    """The nearest change of one feature, and the features by the least margin that they reach."""
    best, least = None, []
    for feature in features:
        if feature.categories:
            state, lowest = nearest_state(margins, feature)
            change = None if state is None else _checked(margins, (feature,), (state,))
        else:
            flip = nearest_on_line(margins, feature)
            lowest = flip.least
            change = None if flip.value is None else _checked(margins, (feature,), (np.array([flip.value]),))
        least.append(lowest)
        if change and (best is None or change.distance < best.distance):
            best = change
    order = np.argsort(least, kind="stable")
    return best, [features[k] for k in order if np.isfinite(least[k])]


def _pair(margins: Margins, features: list[RowFeature], reach: float) -> Change | None:
    """The nearest change of two of the features that is less than ``reach`` away."""
    coarse: list[tuple[float, int, RowFeature, RowFeature, np.ndarray]] = []
    for one, other in combinations(features, 2):
        first, second = sorted((one, other), key=lambda feature: (not feature.categories, not feature.whole))
        distance, at = coarse_distance(margins, first, second, reach)
        if at is not None:
            coarse.append((distance, len(coarse), first, second, at))
    best = None
    for _, _, first, second, at in sorted(coarse, key=lambda pair: pair[:2])[:REFINED]:
        flip = refined(margins, first, second, best.distance if best else reach, at)
        change = flip and _checked(margins, (first, second), flip[1:])
        if change and change.distance < (best.distance if best else reach):
            best = change
    return best


def _checked(margins: Margins, features: tuple[RowFeature, ...], values: tuple[np.ndarray, ...]) -> Change | None:
    """The change with readable numbers: the nearest multiples of their steps that flip the decision, else the values
    themselves; of dates none but those.
    """
    options = [_options(margins, feature, value) for feature, value in zip(features, values, strict=True)]
    rounded = [_change(margins, features, chosen) for chosen in product(*options)]
    flipping = [change for change in rounded if change is not None]
    if flipping:
        return min(flipping, key=lambda change: change.distance)
    if any(feature.date for feature in features):  # whose text would be another date
        return None
    return _change(margins, features, values)


def _change(margins: Margins, features: tuple[RowFeature, ...], values: tuple[np.ndarray, ...]) -> Change | None:
    x = margins.x.copy()
    for feature, value in zip(features, values, strict=True):
        x[list(feature.columns)] = value
    if not margins.at(x) < 0:
        return None
    return Change(features, x, _distance(margins.x, x, features), int(margins.scores_at(x).argmax()))


def _options(margins: Margins, feature: RowFeature, value: np.ndarray) -> list[np.ndarray]:
    if feature.categories or feature.whole:
        return [value]
    start = float(margins.x[feature.columns[0]])
    side = 1.0 if value[0] > start else -1.0
    near = feature.snapped(float(value[0]), side)
    places = {near, feature.snapped(near + side * feature.step), feature.snapped(near - side * feature.step)}
    return [np.array([place]) for place in sorted(places) if side * (place - start) > 0]


def _distance(x: np.ndarray, other: np.ndarray, features: tuple[RowFeature, ...]) -> float:
    return math.hypot(
        *(
            SWITCH if feature.categories else float(other[feature.columns[0]] - x[feature.columns[0]]) / feature.scale
            for feature in features
        )
    )
