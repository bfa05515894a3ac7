"""What a row can be changed in: a number within a range, or a category."""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np

from tsk_core.errors import DataError
from tsk_core.explain.dates import finest, writer, written_date
from tsk_core.explain.digits import number
from tsk_core.explain.exported import ExportedColumn, ExportedDate

__all__ = ["SWITCH", "RowFeature", "row_features", "typical_row"]

SWITCH = 2.0  # standard deviations that another category counts: as much as 0 and 1 are apart in an evenly split column
FINEST = 500  # parts of a standard deviation that a change distinguishes, at least


@dataclass(frozen=True)
class RowFeature:
    """One feature of the table.

    columns: its positions in the encoded row. categories: the names of these columns; empty for a number. low, high: the range of
    a number. whole: whether it takes whole numbers only. scale: its standard deviation. step: changes are multiples of it, a
    power of ten, 1 for whole numbers; dates change by whole days, or minutes. locked: whether it has to stay as it is. date: of
    a column that was read from dates, as exported. levels: of ordered categories, lowest first; its numbers are their ranks.

    The source of ``SWITCH``: Gelman (2008), who compares inputs by two standard deviations for that reason.
    """

    name: str
    columns: tuple[int, ...]
    categories: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 1.0
    whole: bool = False
    scale: float = 1.0
    step: float = 0.001
    locked: bool = False
    date: ExportedDate | None = None
    levels: tuple[str, ...] = ()

    def states(self, x: np.ndarray) -> np.ndarray:
        """The other categories that the feature of row x can have, as 0/1 values of its columns: (states, columns)."""
        own = x[list(self.columns)]
        every = np.eye(len(self.columns))
        return every[(every != own).any(1)]

    def snapped(self, value: float, towards: float = 0.0) -> float:
        """The multiple of ``step`` at the value: the nearest one, or the next one up (1) or down (−1); within the range."""
        if self.date:
            return self._date_at(value, towards)
        place = value / self.step
        chosen = round(place) if not towards else math.ceil(place - 1e-9) if towards > 0 else math.floor(place + 1e-9)
        digits = max(0, round(-math.log10(self.step)))
        return float(min(max(round(chosen * self.step, digits), self.low), self.high))

    def _date_at(self, value: float, towards: float) -> float:
        """The same of a date, which is a value that its text stands for."""
        assert self.date, "it has one"
        at = written_date(self.date, value, towards)
        if at > self.high:
            return written_date(self.date, self.high, -1)
        return written_date(self.date, self.low, 1) if at < self.low else at

    def written(self, x: np.ndarray) -> str:
        """The value in the row, as text."""
        if self.categories:
            chosen = [name for name, value in zip(self.categories, x[list(self.columns)], strict=True) if value > 0.5]
            return chosen[0] if chosen else "none of the known categories"
        value = float(x[self.columns[0]])
        if self.levels:
            return self.levels[round(value)]
        if self.date:
            return writer(self.date, None)(value)
        if self.whole and value == round(value) and abs(value) < 1e15:
            return str(round(value))
        snapped = round(value, max(0, round(-math.log10(self.step)))) if self.step < 1 else value
        return f"{snapped:.12g}" if abs(snapped - value) <= 1e-9 * (1 + abs(value)) else number(value, self.scale / 30)


def row_features(
    columns: list[ExportedColumn],
    scale: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    Z: np.ndarray | None = None,
    *,
    locked: Collection[str] = (),
    bounds: Mapping[str, tuple[float, float]] | None = None,
) -> list[RowFeature]:
    """The features of exported columns.

    scale, low, high: (D,) of the encoded training rows. Z: (n, D) some of them; a number is whole where all its values are,
    and without rows where its lowest, highest and typical values are. locked: features that have to stay as they are. bounds:
    feature → (lowest, highest) instead of the training range. DataError for names that are no features, and for empty ranges.
    """
    features: list[RowFeature] = []
    for d, column in enumerate(columns):
        if column["kind"] == "number":
            values = np.array([low[d], high[d], column["impute"]], float) if Z is None or not len(Z) else Z[:, d]
            levels = tuple(column.get("levels", ()))
            whole = bool(levels or (values == np.round(values)).all())
            step = 1.0 if whole else 10.0 ** math.floor(math.log10(float(scale[d]) / FINEST))
            bounds_of, spread, date = (float(low[d]), float(high[d])), float(scale[d]), column.get("date")
            step, whole = (finest(date), False) if date else (step, whole)
            features.append(RowFeature(column["feature"], (d,), (), *bounds_of, whole, spread, step, False, date, levels))
        elif features and features[-1].categories and features[-1].name == column["feature"]:
            last = features[-1]
            features[-1] = replace(last, columns=(*last.columns, d), categories=(*last.categories, str(column["category"])))
        else:
            features.append(RowFeature(column["feature"], (d,), (str(column["category"]),)))
    return _limited(features, locked, bounds or {})


def typical_row(columns: list[ExportedColumn]) -> np.ndarray:
    """What replaces missing values: each number's training median, each category's most frequent value; (D,)."""
    return np.array([float(c["impute"]) if c["kind"] == "number" else float(c["category"] == c["impute"]) for c in columns])


def _limited(features: list[RowFeature], locked: Collection[str], bounds: Mapping[str, tuple[float, float]]) -> list[RowFeature]:
    if isinstance(locked, str):
        locked = (locked,)
    known = {feature.name: feature for feature in features}
    for name in (*locked, *bounds):
        if name not in known:
            raise DataError(f"There is no feature {str(name)[:80]!r} to lock or to bound; the features are {_some(known)}.")
    for name, bound in bounds.items():
        if known[name].categories or known[name].levels:
            raise DataError(f"{name!r} is a category and has no range; lock it instead.")
        try:
            low, high = map(float, bound)
        except (TypeError, ValueError):
            raise DataError(f"The range of {name!r} is {str(bound)[:80]}; give two numbers, the lower one first.") from None
        if not (math.isfinite(low) and math.isfinite(high) and low <= high):
            raise DataError(f"The range of {name!r} is {low} to {high}; give two numbers, the lower one first.")
    return [
        replace(
            feature,
            locked=feature.name in locked,
            low=float(bounds[feature.name][0]) if feature.name in bounds else feature.low,
            high=float(bounds[feature.name][1]) if feature.name in bounds else feature.high,
        )
        for feature in features
    ]


def _some(names: Collection[str]) -> str:
    shown = [repr(str(name)[:40]) for name in list(names)[:10]]
    return ", ".join(shown) + (f" and {len(names) - 10} more" if len(names) > 10 else "")
