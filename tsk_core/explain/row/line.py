"""The nearest value of one feature that flips the decision.

On each side of the row's value the margin is computed on a grid: equal steps, and where rules have their centres and flanks.
The first sign change is narrowed down; so is every dip before it, since between two places of a grid the margin may fall below
zero and rise again. What is left is a stretch narrower than the grid in which the margin has neither an end nor a dip.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tsk_core.explain.row.features import RowFeature
from tsk_core.explain.row.margins import Margins

__all__ = ["Flip", "nearest_on_line", "nearest_state"]

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
