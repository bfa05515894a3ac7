"""Encoder: turns a table of numbers, text and missing values into float64 columns, and z-normalises them.

The encoded columns are those of the exported rules, in original units: numbers with missing values filled by the training
median, and one 0/1 column for each category.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from pandas.api import types

from tsk_core.data.clean import LARGEST
from tsk_core.data.naming import listed, printed, printed_column, sorted_names
from tsk_core.errors import DataError

__all__ = ["Column", "Encoder", "class_indices"]

UNKNOWN_RANGE = 7  # standard deviations that a column's range extends on both sides of its mean where it was not kept


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


def class_indices(classes: np.ndarray, y: Any) -> np.ndarray:
    """The position of each label of y, (N,), among the sorted classes; DataError for a label that is none of them."""
    y = np.asarray(y)
    found = np.minimum(np.searchsorted(classes, y), len(classes) - 1)
    unknown = y[classes[found] != y]
    if len(unknown):
        raise DataError(f"The class {printed(unknown[0])!r} has no training rows; known are {', '.join(map(printed, classes))}.")
    return found


class Encoder:
    """Learns from training rows how to encode a table, and encodes other rows in the same way.

    After ``fit``: ``columns`` (list of Column, D of them, in encoded order), ``features`` (names, in order),
    ``mean_`` and ``scale_`` (float64, shape (D,), of the encoded training rows; a constant column has scale 1),
    ``low_`` and ``high_`` (the same shape: their range; of an encoder saved without it, seven scales around the mean),
    and ``named``: whether the table was a DataFrame whose column names are text (then also ``feature_names_in_``).
    """

    columns: list[Column]
    features: list[str]
    named: bool
    mean_: np.ndarray
    scale_: np.ndarray
    low_: np.ndarray
    high_: np.ndarray

    def fit(self, X: pd.DataFrame | np.ndarray, y: object = None) -> "Encoder":  # noqa: ARG002 - scikit-learn's signature
        """Learn the columns from training rows, shape (N, features); ``y`` is not used.

        A DataFrame's text, category and boolean columns are categories; a column of an array is a category
        unless all its cells are numbers. Raises DataError for infinite values, dates, repeated names, or no features.
        """
        frame = _as_frame(X)
        if not all(frame.shape):
            raise DataError(
                f"Training needs at least one row and one feature; the table has the shape {frame.shape[0]} x {frame.shape[1]}."
            )
        twice = frame.columns[frame.columns.duplicated()]
        if len(twice):
            raise DataError(f"Column {listed(twice[:1])} occurs twice; give each column its own name.")
        self.features, self.named = list(frame.columns), _is_named(X)
        self.columns = [column for name in self.features for column in _learn(frame[name])]
        encoded = self.transform(frame)
        self.mean_, self.scale_ = _statistics(encoded)
        self.low_, self.high_ = encoded.min(0), encoded.max(0)
        return self

    def with_statistics_of(self, X: pd.DataFrame | np.ndarray) -> "Encoder":
        """An encoder with the same columns whose imputed values, means and scales come from these rows, (N, features).

        For the folds of a cross-validation, which share their columns so that they can train side by side.
        """
        frame, encoder = self.aligned(X), Encoder()
        encoder.features, encoder.named, encoder.columns = self.features, self.named, []
        for name, block in self.blocks():
            fill = _fill(frame[name], self.columns[block])
            encoder.columns += [replace(column, impute=fill) for column in self.columns[block]]
        encoded = encoder.transform(X)
        encoder.mean_, encoder.scale_ = _statistics(encoded)
        encoder.low_, encoder.high_ = encoded.min(0), encoded.max(0)
        return encoder

    def transform(self, X: pd.DataFrame | np.ndarray) -> np.ndarray:
        """Encode rows in original units: (N, features) -> float64 (N, D), always finite.

        Columns of a DataFrame are matched by name if the encoder learned names, else by position. A category absent from
        training gives zeros. Raises DataError for columns other than in training, text in a number column, or infinity.
        """
        frame = self.aligned(X)
        encoded = np.zeros((len(frame), len(self.columns)))
        for name, block in self.blocks():
            first = self.columns[block.start]
            if first.kind == "number":
                values = _numbers(frame[name])
                encoded[:, block.start] = np.where(np.isnan(values), first.impute, values)
            else:
                encoded[:, block] = self._one_hot(frame[name], block)
        return encoded

    def normalise(self, encoded: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """(x − mean) / scale with the training statistics, float64 (N, D); ``out`` receives the result if given."""
        # In float64, before any cast: the mean of a column such as a Unix time is far larger than its spread.
        centred = np.subtract(encoded, self.mean_, out=out, dtype=np.float64)
        return np.divide(centred, self.scale_, out=centred)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values, from which ``from_dict`` makes an equal encoder."""
        return {
            "columns": [asdict(column) for column in self.columns],
            "mean": self.mean_.tolist(),
            "scale": self.scale_.tolist(),
            "low": self.low_.tolist(),
            "high": self.high_.tolist(),
            "named": self.named,
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Encoder":
        """The inverse of ``to_dict``; inconsistent values raise DataError."""
        encoder = cls()
        try:
            if unknown := set(values) - {"columns", "mean", "scale", "low", "high", "named"}:
                raise ValueError(f"unknown key {min(unknown)!r}")
            encoder.columns = [_checked(Column(**column)) for column in values["columns"]]
            encoder.mean_ = np.array(values["mean"], dtype=np.float64)
            encoder.scale_ = np.array(values["scale"], dtype=np.float64)
            with np.errstate(over="ignore"):  # what overflows is refused below
                low, high = encoder.mean_ - UNKNOWN_RANGE * encoder.scale_, encoder.mean_ + UNKNOWN_RANGE * encoder.scale_
            encoder.low_ = np.array(values.get("low", low), dtype=np.float64)
            encoder.high_ = np.array(values.get("high", high), dtype=np.float64)
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(f"The model's columns cannot be read ({str(error)[:120]}).") from None
        encoder.features = list(dict.fromkeys(column.feature for column in encoder.columns))
        shape = (len(encoder.columns),)
        parts = (encoder.mean_, encoder.scale_, encoder.low_, encoder.high_)
        whole = all(part.shape == shape and (np.abs(part) <= LARGEST).all() for part in parts)
        if not (shape[0] and whole and (encoder.scale_ >= 1 / LARGEST).all()):
            raise DataError(
                f"The model's columns cannot be read: {shape[0]} columns need as many finite means and positive scales."
            )
        if len(list(encoder.blocks())) != len(encoder.features):
            raise DataError("The model's columns cannot be read: the columns of one feature must stand side by side.")
        if any(not _is_one_feature(encoder.columns[block]) for _, block in encoder.blocks()):
            raise DataError("The model's columns cannot be read: a feature is one number, or has distinct categories.")
        encoder.named = values.get("named", False)
        if not isinstance(encoder.named, bool):
            raise DataError("The model's columns cannot be read: 'named' is neither true nor false.")
        return encoder

    @property
    def n_features_in_(self) -> int:
        """How many features a table has, by the name that scikit-learn's checks know."""
        return len(self.features)

    @property
    def feature_names_in_(self) -> np.ndarray:
        """The feature names, object array; absent if the table had none, as scikit-learn expects."""
        if not self.named:
            raise AttributeError("The encoder was fitted on a table without column names.")
        return np.array(self.features, dtype=object)

    def blocks(self) -> Iterator[tuple[str, slice]]:
        """Each feature with the slice of its encoded columns."""
        start = 0
        for stop in range(1, len(self.columns) + 1):
            if stop == len(self.columns) or self.columns[stop].feature != self.columns[start].feature:
                yield self.columns[start].feature, slice(start, stop)
                start = stop

    def _one_hot(self, column: pd.Series, block: slice) -> np.ndarray:
        """0/1 columns, shape (N, categories of this block)."""
        values = printed_column(column)
        values[pd.isna(values)] = self.columns[block.start].impute
        categories = pd.Index([c.category for c in self.columns[block]], dtype=object)
        return categories.get_indexer(values)[:, None] == np.arange(len(categories))

    def aligned(self, X: pd.DataFrame | np.ndarray) -> pd.DataFrame:
        """The table with exactly the training features, in their order; DataError for other columns."""
        frame = _as_frame(X)
        by_name = isinstance(X, pd.DataFrame) and self.named
        if by_name:
            known = set(self.features)
            missing = [name for name in self.features if name not in frame.columns]
            unseen = [name for name in frame.columns if name not in known]
            if missing or unseen:
                lists = [
                    f"{word} {listed(names)}" for word, names in (("missing", missing), ("not in training", unseen)) if names
                ]
                raise self._wrong_columns(frame, ": " + "; ".join(lists))
        if frame.shape[1] != len(self.features):
            raise self._wrong_columns(frame, "")
        return frame[self.features] if by_name else frame.set_axis(self.features, axis=1)

    def _wrong_columns(self, frame: pd.DataFrame, detail: str) -> DataError:
        return DataError(f"Expected {len(self.features)} columns as in training, got {frame.shape[1]}{detail}.")


def _is_named(X: pd.DataFrame | np.ndarray) -> bool:
    return isinstance(X, pd.DataFrame) and all(isinstance(name, str) for name in X.columns)


def _as_frame(X: pd.DataFrame | np.ndarray) -> pd.DataFrame:
    """A DataFrame; features without names are named x0, x1 and so on."""
    if isinstance(X, pd.DataFrame):
        return X if _is_named(X) else X.set_axis([f"x{k}" for k in range(X.shape[1])], axis=1)
    array = np.asarray(X)
    if array.ndim != 2:
        raise DataError(f"Expected a table with rows and columns, got an array of {array.ndim} dimension(s).")
    # Booleans in an array are indicators, hence numbers; an array of text may contain columns of numbers.
    dtype = np.float64 if array.dtype.kind in "biuf" else object
    return pd.DataFrame(array.astype(dtype), columns=[f"x{k}" for k in range(array.shape[1])], dtype=dtype)


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


def _learn(column: pd.Series) -> list[Column]:
    """The encoded columns of one feature."""
    name = column.name
    if column.dtype == "str" and column.isna().all():
        return [Column(name, "category", "missing", "missing")]  # other rows, such as test rows, may contain text
    if _is_number_column(column):
        values = _numbers(column)
        filled = values[~np.isnan(values)]
        return [Column(name, "number", None, float(np.median(filled)) if len(filled) else 0.0)]
    values = [v for v in printed_column(column) if v is not None]
    categories = sorted_names(values)
    counts = pd.Series(values).value_counts()
    commonest = max(categories, key=lambda category: counts[category])  # the first of a tie
    return [Column(name, "category", category, commonest) for category in categories]


def _fill(column: pd.Series, encoded: list[Column]) -> float | str:
    """What replaces a missing value: the median, or the most frequent encoded category; without values 0, or the first one."""
    if encoded[0].kind == "number":
        values = _numbers(column)
        filled = values[~np.isnan(values)]
        return float(np.median(filled)) if len(filled) else 0.0
    counts = pd.Series(printed_column(column)).value_counts()
    return max((one.category for one in encoded), key=lambda category: counts.get(category, 0))  # the first of a tie


def _numbers(column: pd.Series) -> np.ndarray:
    """A column as float64 with NaN for missing values, shape (N,). Raises DataError for text or infinity."""
    try:
        numbers = column if types.is_numeric_dtype(column) else pd.to_numeric(column.astype(object))
        values = numbers.to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError):
        raise DataError(
            f"Column '{column.name}' contained numbers in training, but now has a cell that is not a number."
        ) from None
    if (np.abs(values) > LARGEST).any():
        raise DataError(f"Column '{column.name}' contains infinity or a value too large (beyond {LARGEST:.0e}).")
    return values


def _statistics(encoded: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of each column, float64; for a constant column, its value and 1."""
    mean, scale = np.zeros(encoded.shape[1]), np.ones(encoded.shape[1])
    for k, column in enumerate(encoded.T):  # one by one, to save the memory of a second table
        column = np.sort(column)  # the last digits of a sum depend on the order
        if column[0] == column[-1]:
            mean[k] = column[0]  # rounding may give a spread of 1e-17
        else:
            mean[k], scale[k] = column.mean(), column.std() or 1.0
    return mean, scale


def _is_one_feature(columns: list[Column]) -> bool:
    """Whether these are the columns of one feature: one number, or distinct categories with one value for missing cells."""
    if columns[0].kind == "number":
        return len(columns) == 1
    categories = {column.category for column in columns}
    return len(categories) == len(columns) and {(c.kind, c.impute) for c in columns} == {("category", columns[0].impute)}


def _checked(column: Column) -> Column:
    """A column from an untrusted file, with its types checked."""
    number = column.kind == "number" and column.category is None and type(column.impute) in (int, float)
    category = column.kind == "category" and isinstance(column.category, str) and isinstance(column.impute, str)
    if not isinstance(column.feature, str) or not (number or category) or (number and not abs(column.impute) <= LARGEST):
        raise ValueError(f"column {str(column.feature)[:40]!r} is malformed")
    return column
