"""Ranges: a numeric target as a few classes of about equal size, named by their bin edges."""

import math

import numpy as np
import pandas as pd

from tsk_core.data.clean.cells import Cells
from tsk_core.data.clean.numbers import finite, read_numbers
from tsk_core.data.clean.roles import NUMBER_SHARE
from tsk_core.data.naming import quoted
from tsk_core.errors import DataError

__all__ = ["are_decimals", "bin_edges", "numbers_of", "range_names", "ranges"]

_WHOLE = 1e15  # above this, floats no longer hold every whole number
_MOST_DIGITS = 15
_FEW_DECIMALS, _MOST_DECIMALS = 10, 20  # different numbers of a scale: of any, and of one in halves


def bin_edges(column: pd.Series, bins: int) -> tuple[float, ...]:
    """The numbers at which the second, third, … class begins when a column is grouped into quantiles.

    bins: number of classes, 2 to 20; equal numbers stay in one class, so there may be fewer. An edge is the number with the
    fewest digits that separates the rows there. Raises DataError for a column with fewer than 2 different numbers.
    """
    cells = Cells.of(column)
    values = numbers_of(cells)
    if values is None:
        raise DataError(f"Column {quoted(cells.name)} does not contain numbers, so it cannot be grouped into ranges.")
    distinct = np.unique(values[~np.isnan(values)])
    if len(distinct) < 2:
        raise DataError(f"Column {quoted(cells.name)} has fewer than 2 different numbers, so it cannot be grouped into ranges.")
    # "higher" selects numbers that occur, so that no class is empty.
    cuts = np.unique(np.quantile(values[~np.isnan(values)], np.arange(1, bins) / bins, method="higher"))
    places = np.searchsorted(distinct, cuts[cuts > distinct[0]])
    if not len(places):
        places = np.array([1])  # more than half of the rows have the lowest number; the others form a class
    return tuple(_roundest(float(distinct[k - 1]), float(distinct[k]), float(distinct[-1] - distinct[0])) for k in places)


def numbers_of(cells: Cells) -> np.ndarray | None:
    """A column as float64 with NaN for missing values, or None if it does not contain numbers."""
    if cells.kind == "number":
        return cells.values.astype(np.float64, copy=False)
    if cells.kind != "text" or (numbers := read_numbers(cells)).share < NUMBER_SHARE:
        return None
    return finite(cells, numbers.of_words)


def are_decimals(values: np.ndarray) -> bool:
    """Whether numbers without NaN are measurements rather than marks such as 1.5: some are not whole, and too many differ."""
    if not (values % 1).any():
        return False
    distinct = len(np.unique(values))
    return distinct > _MOST_DECIMALS or (distinct > _FEW_DECIMALS and bool((values % 0.5).any()))


def ranges(values: np.ndarray, edges: tuple[float, ...]) -> pd.Series:
    """Numbers as the names of their ranges; NaN becomes missing."""
    whole = bool((np.isnan(values) | ((values % 1 == 0) & (np.abs(values) < _WHOLE))).all())
    names = pd.Series(range_names(edges, whole), dtype="str")
    codes = np.where(np.isnan(values), -1, np.searchsorted(edges, values, side="right"))
    return pd.Series(names.array.take(codes, allow_fill=True))


def range_names(edges: tuple[float, ...], whole: bool) -> list[str]:
    """Names in order: "<= 9", "10 to 15", ">= 16" for whole numbers, else "below 1.25", "1.25 to 3.5", "3.5 and above"."""
    if not whole:
        between = [f"{low:.15g} to {high:.15g}" for low, high in zip(edges, edges[1:], strict=False)]
        return [f"below {edges[0]:.15g}", *between, f"{edges[-1]:.15g} and above"]
    starts = [math.ceil(edge) for edge in edges]
    between = [f"{low} to {high - 1}" if low < high - 1 else f"{low}" for low, high in zip(starts, starts[1:], strict=False)]
    return [f"<= {starts[0] - 1}", *between, f">= {starts[-1]}"]


def _roundest(below: float, first: float, span: float) -> float:
    """The number with the fewest digits in (below, first]."""
    for digits in range(-math.floor(math.log10(span)), _MOST_DIGITS):
        number = round(math.floor(first * 10.0**digits) / 10.0**digits, max(digits, 0))
        if below < number <= first:
            return float(number)
    return first
