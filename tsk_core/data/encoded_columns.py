"""The encoded columns of one feature: how they are learned from training rows, and how its cells become numbers."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from pandas.api import types

from tsk_core.data.clean import LARGEST
from tsk_core.data.naming import printed_column, quoted, sorted_names
from tsk_core.errors import DataError

__all__ = ["Column", "check_column", "fill_value", "is_one_feature", "learn_columns", "to_numbers"]


@dataclass(frozen=True)
class Column:
    """One encoded column.

    kind: "number", or "category" (1 where the feature equals ``category``, else 0).
    impute: replaces a missing value of the feature: the training median, or the most frequent category.
    """

    feature: str
    kind: str
    category: str | None
    impute: float | str


def _is_number_column(column: pd.Series) -> bool:
    """Numbers by type; or, in an object column, by every filled cell. An empty column counts as numbers."""
    if types.is_datetime64_any_dtype(column) or types.is_timedelta64_dtype(column):
        raise DataError(f"Column '{column.name}' contains dates; convert them to numbers, such as days since the first.")
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


def learn_columns(column: pd.Series) -> list[Column]:
    """The encoded columns of one feature."""
    name = str(column.name)
    if column.dtype == "str" and column.isna().all():
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
    if encoded[0].kind == "number":
        values = to_numbers(column)
        filled = values[~np.isnan(values)]
        return float(np.median(filled)) if len(filled) else 0.0
    counts, categories = pd.Series(printed_column(column)).value_counts(), [str(of_category.category) for of_category in encoded]
    return max(categories, key=lambda category: counts.get(category, 0))  # the first of a tie


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
    cells = f"{len(odd):,} of {len(filled):,} filled cell{'' if len(filled) == 1 else 's'}, such as {quoted(odd.iloc[0])},"
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
    category = column.kind == "category" and isinstance(column.category, str) and isinstance(impute, str)
    if not (isinstance(feature, str) and (number or category)) or (
        isinstance(impute, int | float) and not abs(impute) <= LARGEST
    ):
        raise ValueError(f"column {str(feature)[:40]!r} is malformed")
    return column
