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
from tsk_core.errors import DataError

__all__ = [
    "CLASSES", "IN_LINK", "LETTERS", "LONGEST", "MOST", "NAME", "NONE", "SOURCE", "STEPS", "TARGET", "Points", "as_dataset",
    "as_frame", "as_text", "from_frame", "from_text", "lacking",
]  # fmt: skip

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
