"""Shapes of points by formula, with a number of rows and noise; and painted points drawn again."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tsk_core.data.gallery import generated
from tsk_core.data.painted.points import MOST, STEPS, Points
from tsk_core.errors import DataError, SettingError

__all__ = ["NOISE", "PRESETS", "ROWS", "preset", "resampled"]

ROWS, NOISE = (20, MOST), (0.0, 0.2)  # what presets allow; noise is a standard deviation, where the plane is 1 wide
PRESETS = {
    "moons": "Two moons",
    "circles": "Circles",
    "xor": "XOR",
    "blobs": "Blobs, imbalanced",
    "spirals": "Two spirals",
    "islands": "Three islands",
    "rich_get_richer": "Rich get richer",
}
_ISLANDS = np.array([[0.25, 0.3], [0.75, 0.3], [0.5, 0.75]])  # centres


def preset(name: str, rows: int, noise: float, seed: int = 0) -> Points:
    """A shape of PRESETS as points: the formula of the gallery without its noise, in the middle of the plane, plus N(0, noise²).

    rows, noise: within ROWS and NOISE. Raises SettingError for other values, or an unknown name.
    """
    _check(rows, noise)
    if name not in PRESETS:
        raise SettingError(f"There is no shape {name[:40]!r}; the shapes are {', '.join(PRESETS)}.")
    shape, classes = _islands(rows, seed) if name == "islands" else _generated(name, rows, seed)
    return _noisy(shape, classes, noise, seed)


def resampled(points: Points, rows: int, noise: float, seed: int = 0) -> Points:
    """As many points as ``rows``, drawn evenly from those given, plus N(0, noise²). Raises as ``preset``; DataError for none."""
    _check(rows, noise)
    if not len(points):
        raise DataError("There are no points to draw from; paint some first.")
    order = np.random.default_rng(seed).permutation(len(points))
    drawn = order[np.arange(rows) % len(points)]  # each as often as any other, but for one
    return _noisy(points.places[drawn] / STEPS, points.classes[drawn], noise, seed)


def _check(rows: int, noise: float) -> None:
    for value, (low, high), what in ((rows, ROWS, "number of rows"), (noise, NOISE, "noise")):
        if not low <= value <= high:
            raise SettingError(f"The {what} is {value:g}; it must be from {low:g} to {high:g}.")


def _noisy(shape: NDArray[np.float64], classes: NDArray[np.int64], noise: float, seed: int) -> Points:
    return Points.at(shape + np.random.default_rng([seed, 1]).normal(0, noise, shape.shape), classes)


def _islands(rows: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Three round clouds of equal size that lie apart, one class each."""
    classes = np.arange(rows) % len(_ISLANDS)
    return _ISLANDS[classes] + np.random.default_rng(seed).normal(0, 0.06, (rows, 2)), classes


def _generated(name: str, rows: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """A table of the gallery, centred in the plane; both axes have the same scale."""
    tables = {
        "moons": lambda: generated.moons(rows, 0.0, seed),
        "circles": lambda: generated.circles(rows, 0.0, seed),
        "xor": lambda: generated.xor(rows, 0.0, seed),
        "blobs": lambda: generated.blobs(rows, seed),
        "spirals": lambda: generated.spirals(2, rows, 0.0, seed),
        "rich_get_richer": lambda: generated.rich_get_richer(rows, seed),
    }
    frame = tables[name]()
    x = frame[["x", "y"]].to_numpy(float)
    low, high = x.min(0), x.max(0)
    placed = 0.5 + (x - (low + high) / 2) / (high - low).max() * 0.84
    return placed, pd.factorize(frame["class"], sort=True)[0].astype(np.int64)
