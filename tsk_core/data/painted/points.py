"""Points painted in the plane, as the text of a link and as a dataset.

A point lies on a grid of 1,001 × 1,001 places and has one of eight classes. So coordinates have three decimals, and a point is
the same on the screen, in a link, in a CSV file and in training. In a text it takes three bytes, which base64url writes as four
letters: 10 bits for x1, 10 bits for x2, 4 bits for the class. Before them stands the version of the encoding.
"""

import base64
import re
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from tsk_core.data.choices import Choices
from tsk_core.data.dataset import Dataset, make_dataset
from tsk_core.data.gallery import bundled
from tsk_core.errors import DataError, SettingError

NAME, SOURCE, TARGET = "Painted points", "Painted by hand", "class"
CLASSES = ("blue", "orange", "green", "purple", "red", "pink", "brown", "black")  # figures draw a class of such a name in it
STEPS = 1_000  # of a coordinate, from 0 to 1
MOST = 2_000  # points
LONGEST = 1_500  # letters that a link may spend on points
_VERSION, _LETTERS = "1.", 4  # letters of a point
IN_LINK = (LONGEST - len(_VERSION)) // _LETTERS  # points that a link has room for
NONE = _VERSION  # the text of no points
LETTERS = len(_VERSION) + _LETTERS * MOST  # of the longest text
_TEXT = re.compile(r"[A-Za-z0-9_-]*", re.ASCII)


@dataclass(frozen=True, eq=False)
class Points:
    """N painted points. places: (N, 2) whole numbers from 0 to STEPS. classes: (N,) indices of CLASSES.

    Raises DataError for other values, and for more than MOST points.
    """

    places: NDArray[np.int64]
    classes: NDArray[np.int64]

    def __post_init__(self) -> None:
        """Check every number."""
        if self.places.shape != (len(self.classes), 2):
            raise DataError("Each painted point needs x1, x2 and a class.")
        if len(self.classes) > MOST:
            raise DataError(f"There are {len(self.classes):,} painted points; at most {MOST:,} are possible.")
        for values, high, what in ((self.places, STEPS, "place"), (self.classes, len(CLASSES) - 1, "class")):
            if ((values < 0) | (values > high)).any():
                raise DataError(f"The {what} of a painted point is outside the range from 0 to {high:,}.")

    def __len__(self) -> int:
        """The number of points."""
        return len(self.classes)

    @classmethod
    def at(cls, coordinates: ArrayLike, classes: ArrayLike) -> "Points":
        """Points at the nearest places of the grid. coordinates: (N, 2) in [0, 1]; those outside are moved to the edge.

        Raises DataError where a coordinate is not a number.
        """
        given = np.asarray(coordinates, dtype=float).reshape(-1, 2)
        if np.isnan(given).any():
            raise DataError("A coordinate of a painted point is not a number.")
        places = np.rint(given.clip(0.0, 1.0) * STEPS).astype(np.int64)
        return cls(places, np.asarray(classes, dtype=np.int64).reshape(-1))

    def counts(self) -> dict[str, int]:
        """Class -> number of its points, of the classes that have any."""
        numbers = np.bincount(self.classes, minlength=len(CLASSES))
        return {name: int(number) for name, number in zip(CLASSES, numbers, strict=True) if number}


def as_text(points: Points) -> str:
    """The points for a link, in order: the version, then four letters a point."""
    x, y = points.places.T
    packed = (x << 14) | (y << 4) | points.classes  # 24 bits each
    return _VERSION + base64.urlsafe_b64encode(packed.astype(">u4").view(np.uint8).reshape(-1, 4)[:, 1:].tobytes()).decode()


def from_text(text: str, longest: int = LONGEST) -> Points:
    """The points of a text; the inverse of ``as_text``.

    longest: letters that it may have. Raises DataError in one sentence where it is longer, of another version or damaged.
    """
    if len(text) > longest:
        raise DataError(f"The text of the painted points has {len(text):,} letters; at most {longest:,} are possible.")
    if not text.startswith(_VERSION):
        raise DataError(f"The text of the painted points does not begin with “{_VERSION}”, so this version did not write it.")
    letters = text[len(_VERSION) :]
    if not _TEXT.fullmatch(letters) or len(letters) % _LETTERS:
        raise DataError("The text of the painted points is damaged or cut off; copy the whole link again.")
    bytes_ = np.frombuffer(base64.urlsafe_b64decode(letters), np.uint8).reshape(-1, 3).astype(np.int64)
    packed = (bytes_ << [16, 8, 0]).sum(1)
    return Points(np.column_stack([packed >> 14, (packed >> 4) & 1023]), packed & 15)


def as_frame(points: Points) -> pd.DataFrame:
    """The points as a table: x1 and x2 in [0, 1] with three decimals, and the name of the class."""
    x, y = points.places.T / STEPS
    return pd.DataFrame({"x1": x, "x2": y, TARGET: np.array(CLASSES, dtype=object)[points.classes]})


def from_frame(frame: pd.DataFrame) -> Points:
    """The points of a table that ``as_frame`` made, such as one that was kept with a run. DataError where it is another one."""
    if {"x1", "x2", TARGET} - set(frame.columns) or not frame[TARGET].isin(CLASSES).all():
        raise DataError(f"This table has no painted points: it needs the columns x1, x2 and {TARGET} with names of colours.")
    classes = [CLASSES.index(name) for name in frame[TARGET]]
    return Points.at(frame[["x1", "x2"]].to_numpy(dtype=float, na_value=np.nan), classes)


def lacking(points: Points) -> str:
    """What points need before they can be trained on, as a sentence; "" where they have two classes."""
    counts = points.counts()
    if len(counts) >= 2:
        return ""
    found = "There are no points" if not counts else f"All painted points are {next(iter(counts))}"
    return f"{found}; paint points of two classes at least."


def as_dataset(points: Points, choices: Choices | None = None) -> Dataset:
    """The points as a dataset. Raises DataError where there are none or all have one class, else as ``make_dataset`` does."""
    if reason := lacking(points):
        raise DataError(reason)
    target = None if choices else TARGET
    return make_dataset(as_frame(points), target, name=NAME, source=SOURCE, choices=choices, check=False)


# Shapes of points by formula, with a number of rows and noise; and painted points drawn again.


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
        "moons": lambda: bundled.moons(rows, 0.0, seed),
        "circles": lambda: bundled.circles(rows, 0.0, seed),
        "xor": lambda: bundled.xor(rows, 0.0, seed),
        "blobs": lambda: bundled.blobs(rows, seed),
        "spirals": lambda: bundled.spirals(2, rows, 0.0, seed),
        "rich_get_richer": lambda: bundled.rich_get_richer(rows, seed),
    }
    frame = tables[name]()
    x = frame[["x", "y"]].to_numpy(float)
    low, high = x.min(0), x.max(0)
    placed = 0.5 + (x - (low + high) / 2) / (high - low).max() * 0.84
    return placed, pd.factorize(frame["class"], sort=True)[0].astype(np.int64)
