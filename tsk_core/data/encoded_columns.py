"""The encoded columns of one feature: how they are learned from training rows, and how its cells become numbers."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from pandas.api import types

from tsk_core.data.clean import LARGEST
from tsk_core.data.naming import printed_column, quoted, sorted_names
from tsk_core.errors import DataError
from tsk_core.numbers import counted

_TRUTH = {"1": "True", "0": "False"}  # as numbers -> as text


@dataclass(frozen=True)
class Column:
    """One encoded column.

    kind: "number", or "category" (1 where the feature equals ``category``, else 0).
    impute: replaces a missing value of the feature: the training median, or the most frequent category.
    levels: of ordered categories, lowest first: the number is the rank of one, from 0; None for any other column.
    """

    feature: str
    kind: str
    category: str | None
    impute: float | str
    levels: tuple[str, ...] | None = None

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values, the levels only where it has some."""
        values = {"feature": self.feature, "kind": self.kind, "category": self.category, "impute": self.impute}
        return values if self.levels is None else {**values, "levels": list(self.levels)}


_TIMES = dict.fromkeys(("date", "datetime", "datetime64", "period"), "dates") | dict.fromkeys(
    ("timedelta", "timedelta64"), "durations"
)  # by pandas' infer_dtype
_IN_DAYS = {"dates": "days since the first", "durations": "days"}


def _is_number_column(column: pd.Series) -> bool:
    """Numbers by type; or, in an object column, by every filled cell. An empty column that takes no text counts as numbers."""
    if times := _times(column):
        raise DataError(f"Column '{column.name}' contains {times}; convert them to numbers, such as {_IN_DAYS[times]}.")
    if types.is_complex_dtype(column):
        raise DataError(f"Column '{column.name}' contains complex numbers; give their real and imaginary parts as two columns.")
    if column.isna().all():
        return True
    if types.is_bool_dtype(column) or isinstance(column.dtype, pd.CategoricalDtype):
        return False
    if types.is_numeric_dtype(column):
        return True
    if column.dtype != object:
        return False
    try:
        return not types.is_bool_dtype(pd.to_numeric(column.dropna()))
    except (TypeError, ValueError):
        return False


def _times(column: pd.Series) -> str:
    """Whether a column has "dates" or "durations", by type or as objects that databases and ``dt.date`` give; else ""."""
    if isinstance(column.dtype, pd.PeriodDtype) or types.is_datetime64_any_dtype(column):
        return "dates"
    if types.is_timedelta64_dtype(column):
        return "durations"
    return _TIMES.get(types.infer_dtype(column, skipna=True), "") if column.dtype == object else ""


def _takes_text(dtype: Any) -> bool:
    """Whether a column of this type may contain text or categories."""
    return isinstance(dtype, pd.CategoricalDtype) or types.is_object_dtype(dtype) or types.is_string_dtype(dtype)


def learn_columns(column: pd.Series) -> list[Column]:
    """The encoded columns of one feature."""
    name = str(column.name)
    if isinstance(column.dtype, pd.CategoricalDtype) and column.dtype.ordered and len(column.dtype.categories):
        levels = tuple(printed_column(pd.Series(column.dtype.categories)))
        return [Column(name, "number", None, _median_rank(to_ranks(column, levels)), levels)]
    if _takes_text(column.dtype) and column.isna().all():
        return [Column(name, "category", "missing", "missing")]  # other rows, such as test rows, may contain text
    if _is_number_column(column):
        numbers = to_numbers(column)
        filled = numbers[~np.isnan(numbers)]
        return [Column(name, "number", None, float(np.median(filled)) if len(filled) else 0.0)]
    values = [v for v in printed_column(column) if v is not None]
    categories = sorted_names(values)
    counts = pd.Series(values).value_counts()
    commonest = max(categories, key=lambda category: counts[category])  # the first of a tie
    return [Column(name, "category", category, commonest) for category in categories]


def fill_value(column: pd.Series, encoded: list[Column]) -> float | str:
    """What replaces a missing value: the median, or the most frequent encoded category; without values 0, or the first one."""
    if encoded[0].levels:
        return _median_rank(to_ranks(column, encoded[0].levels))
    if encoded[0].kind == "number":
        values = to_numbers(column)
        filled = values[~np.isnan(values)]
        return float(np.median(filled)) if len(filled) else 0.0
    counts, categories = pd.Series(printed_column(column)).value_counts(), [str(of_category.category) for of_category in encoded]
    return max(categories, key=lambda category: counts.get(category, 0))  # the first of a tie


def to_categories(column: pd.Series, known: Collection[str | None]) -> np.ndarray:
    """Each cell as text, None where missing, shape (N,); 1 and 0 are the truth values of a feature that has no other ``known``
    categories: an array of Booleans has no others.
    """
    words = printed_column(column)
    if set(known) <= set(_TRUTH.values()):
        words = np.array([_TRUTH.get(word, word) for word in words], dtype=object)
    return words


def to_ranks(column: pd.Series, levels: tuple[str, ...]) -> np.ndarray:
    """The rank of each cell among the levels, float64 with NaN for missing values and for other categories, shape (N,)."""
    ranks = pd.Index(levels, dtype=object).get_indexer(pd.Index(printed_column(column), dtype=object)).astype(np.float64)
    ranks[ranks < 0] = np.nan
    return ranks


def _median_rank(ranks: np.ndarray) -> float:
    """The lower of the two middle ranks, so that it is one of them; 0 without any."""
    filled = np.sort(ranks[~np.isnan(ranks)])
    return float(filled[(len(filled) - 1) // 2]) if len(filled) else 0.0


def to_numbers(column: pd.Series) -> np.ndarray:
    """A column as float64 with NaN for missing values, shape (N,). Raises DataError for text or infinity."""
    try:
        numbers = column if types.is_numeric_dtype(column) else pd.to_numeric(column.astype(object))
        values = numbers.to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError):
        raise _not_numbers(column) from None
    if (np.abs(values) > LARGEST).any():
        raise DataError(f"Column '{column.name}' contains infinity or a value too large (beyond {LARGEST:.0e}).")
    return values


def _not_numbers(column: pd.Series) -> DataError:
    filled = column.dropna()
    odd = filled[pd.to_numeric(filled.astype(object), errors="coerce").isna()]
    odd = odd if len(odd) else filled
    cells = f"{len(odd):,} of {counted(len(filled), 'filled cell')}, such as {quoted(odd.iloc[0])},"
    verb = "is not one" if len(odd) == 1 else "are not"
    return DataError(
        f"Column {quoted(column.name)} contained numbers in training, but now {cells} {verb}; write numbers, or leave them empty."
    )


def is_one_feature(columns: list[Column]) -> bool:
    """Whether these are the columns of one feature: one number, or distinct categories with one value for missing cells."""
    if columns[0].kind == "number":
        return len(columns) == 1
    categories = {column.category for column in columns}
    return len(categories) == len(columns) and {(c.kind, c.impute) for c in columns} == {("category", columns[0].impute)}


def check_column(column: Column) -> Column:
    """A column from an untrusted file, with its types checked."""
    feature: object = column.feature
    impute: object = column.impute
    number = column.kind == "number" and column.category is None and type(impute) in (int, float)
    levels: object = column.levels
    if levels is not None:
        names = levels if isinstance(levels, list) else []
        ranked = bool(names) and all(isinstance(name, str) for name in names) and len(set(names)) == len(names)
        number = number and ranked and impute in range(len(names))
        column = replace(column, levels=tuple(names))
    category = column.kind == "category" and isinstance(column.category, str) and isinstance(impute, str) and levels is None
    if not (isinstance(feature, str) and (number or category)) or (
        isinstance(impute, int | float) and not abs(impute) <= LARGEST
    ):
        raise ValueError(f"column {str(feature)[:40]!r} is malformed")
    return column
