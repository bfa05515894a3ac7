"""How values are printed and ordered: class and category names as a person sees them ("1", never "1.0")."""

from collections.abc import Iterable
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from tsk_core.errors import DataError

__all__ = ["listed", "printed", "printed_column", "sorted_names"]

_WHOLE = 1e15  # above this, floats no longer hold every whole number


def printed(value: Any) -> str:
    """One value as text; whole numbers without ".0", booleans as "True" and "False"."""
    if isinstance(value, bool | np.bool_):
        return str(bool(value))
    if isinstance(value, Real) and abs(value) < _WHOLE and value == int(value):
        return str(int(value))
    return str(value)


def printed_column(column: pd.Series) -> np.ndarray:
    """A column as an object array of text, None where missing, shape (N,).

    Raises DataError when the cells are not plain values (lists, dictionaries).
    """
    try:
        # Each distinct value is printed once; the column may be long.
        codes, values = pd.factorize(column)
    except TypeError:
        raise DataError(f"Column '{column.name}' has cells that are not text or numbers; give each cell one value.") from None
    names = np.array([*(printed(v) for v in values), None], dtype=object)
    return names[codes]  # code -1, missing, takes the last entry


def sorted_names(names: Iterable[str]) -> list[str]:
    """Distinct names in reading order: as numbers where all are numbers ("2" before "10"), else as text."""
    distinct = sorted(set(names))
    try:
        return sorted(distinct, key=float)
    except ValueError:
        return distinct


def listed(names: Iterable[Any], most: int = 5) -> str:
    """Names quoted for a sentence: ``'a', 'b' and 3 more``; each cut to 40 characters."""
    quoted = [f"'{str(n)[:40]}'" for n in names]
    if len(quoted) > most:
        return f"{', '.join(quoted[:most])} and {len(quoted) - most} more"
    return " and ".join(filter(None, [", ".join(quoted[:-1]), quoted[-1]]))
