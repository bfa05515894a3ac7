"""The nearest change that flips the decision: the smallest standardised move along one feature, and along two.

The distance is √(Σ ((x'_f − x_f)/s_f)²) over the features that change, s_f being the standard deviation of training; another
category counts ``SWITCH``. Numbers stay within their range and are multiples of a step that is fine against s_f; whole numbers
stay whole. Wachter, Mittelstadt and Russell (2018) call such changes counterfactual explanations.
"""

import math
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from tsk_core.explain.exported import ExportedRules
from tsk_core.explain.row.features import SWITCH, RowFeature
from tsk_core.explain.row.line import nearest_on_line, nearest_state
from tsk_core.explain.row.margins import Margins
from tsk_core.explain.row.pair import coarse_distance, refined

__all__ = ["PAIRED", "Change", "nearest_changes"]

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
