"""Encoder: turns a table of numbers, text and missing values into float64 columns, and z-normalises them.

The encoded columns are those of the exported rules, in original units: numbers with missing values filled by the training
median, one 0/1 column for each category, and the ranks of ordered categories.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias, Union

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tsk_core.data.clean import LARGEST
from tsk_core.data.encoded_columns import (
    Column,
    check_column,
    fill_value,
    is_one_feature,
    learn_columns,
    to_categories,
    to_numbers,
    to_ranks,
)
from tsk_core.data.naming import listed, printed
from tsk_core.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

# The types of rows and labels that are passed in; ``Encoder`` and ``estimators.validation`` say which values they may have.


Features: TypeAlias = Union["pd.DataFrame", ArrayLike]  # X as people pass it: (N, features); a table of Arrow too
Rows: TypeAlias = Union["pd.DataFrame", np.ndarray]  # the same, checked
Labels: TypeAlias = Union["pd.Series[Any]", ArrayLike]  # y: (N,)


def to_pandas(X: Features) -> Features:
    """A table of another library that gives its columns as Arrow, such as polars or pyarrow, as a DataFrame with their names.

    Anything else is returned as it is.
    """
    import pandas as pd

    if isinstance(X, pd.DataFrame) or not (hasattr(X, "__arrow_c_stream__") and hasattr(X, "columns")):
        return X
    frame: pd.DataFrame = pd.DataFrame.from_arrow(X)  # type: ignore[attr-defined]  # of pandas 3, which pandas-stubs lacks
    return frame


def rows_of(X: Features) -> Rows:
    """Rows as a DataFrame where they are a table of any library, else as an array. DataError for a sparse matrix."""
    import pandas as pd
    from scipy.sparse import issparse

    if issparse(X):
        raise DataError("X is a sparse matrix; pass X.toarray().")
    X = to_pandas(X)
    return X if isinstance(X, pd.DataFrame) else np.asarray(X)


def check_no_label_is_missing(y: Labels) -> None:
    """DataError for labels some of which are missing."""
    missing = np.flatnonzero(pd.isna(np.asarray(y, dtype=object)))
    if len(missing):
        raise DataError(
            f"y has no label in {len(missing)} of {len(np.asarray(y))} rows, the first of them row {missing[0]} (counted from 0);"
            " leave these rows out, or give each a class."
        )


def check_no_name_is_repeated(X: object) -> None:
    """DataError for a DataFrame two of whose columns have the same name."""
    if isinstance(X, pd.DataFrame) and len(twice := X.columns[X.columns.duplicated()]):
        raise DataError(f"Column {listed(twice[:1])} occurs twice; give each column its own name.")


def class_indices(classes: np.ndarray, y: Labels) -> np.ndarray:
    """The position of each label of y, (N,) or (N, 1), among the sorted classes; DataError for a label that is none of them."""
    check_no_label_is_missing(y)
    y = np.asarray(y)
    if y.ndim == 2 and y.shape[1] == 1:  # a table with one column, as ``fit`` takes it too
        y = y[:, 0]
    try:
        indices = np.minimum(np.searchsorted(classes, y), len(classes) - 1)
    except TypeError:  # names where numbers were learnt, or the other way round
        indices = np.zeros(y.shape, dtype=np.intp)
    unknown = y[classes[indices] != y]
    if len(unknown):
        raise DataError(
            f"The class {printed(unknown[0])!r} has no training rows; the known classes are {', '.join(map(printed, classes))}."
        )
    return indices


class Encoder:
    """Learns from training rows how to encode a table, and encodes other rows in the same way.

    After ``fit``: ``columns`` (list of Column, D of them, in encoded order), ``features`` (names, in order),
    ``mean_`` and ``scale_`` (float64, shape (D,), of the encoded training rows; a constant column has scale 1),
    ``low_`` and ``high_`` (the same shape: their range),
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

        A DataFrame's text, category and boolean columns are categories, and those of an ordered dtype ranks; a column of an
        array is a category unless all its cells are numbers. Raises DataError for infinite values, dates, repeated names, or no
        features.
        """
        frame = _as_frame(X)
        if not all(frame.shape):
            raise DataError(
                f"Training needs at least one row and one feature; the table has the shape {frame.shape[0]} x {frame.shape[1]}."
            )
        check_no_name_is_repeated(X)
        self.features, self.named = list(frame.columns), _is_named(X)
        self.columns = [column for name in self.features for column in learn_columns(frame[name])]
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
            fill = fill_value(frame[name], self.columns[block])
            encoder.columns += [replace(column, impute=fill) for column in self.columns[block]]
        encoded = encoder.transform(X)
        encoder.mean_, encoder.scale_ = _statistics(encoded)
        encoder.low_, encoder.high_ = encoded.min(0), encoded.max(0)
        return encoder

    def transform(self, X: pd.DataFrame | np.ndarray) -> np.ndarray:
        """Encode rows in original units: (N, features) -> float64 (N, D), always finite.

        Columns of a DataFrame are matched by name if the encoder learned names, else by position. A category absent from
        training gives zeros, one that is no level of ordered categories the imputed rank. Raises DataError for columns other than
        in training, text in a number column, or infinity.
        """
        frame = self.aligned(X)
        encoded = np.zeros((len(frame), len(self.columns)))
        for name, block in self.blocks():
            first = self.columns[block.start]
            if first.kind == "number":
                values = to_ranks(frame[name], first.levels) if first.levels else to_numbers(frame[name])
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
            "columns": [column.to_dict() for column in self.columns],
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
            encoder.named = values["named"]
            encoder.columns = [check_column(Column(**column)) for column in values["columns"]]
            encoder.mean_ = np.array(values["mean"], dtype=np.float64)
            encoder.scale_ = np.array(values["scale"], dtype=np.float64)
            encoder.low_ = np.array(values["low"], dtype=np.float64)
            encoder.high_ = np.array(values["high"], dtype=np.float64)
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(f"The model's columns cannot be read ({str(error)[:120]}).") from None
        encoder.features = list(dict.fromkeys(column.feature for column in encoder.columns))
        shape = (len(encoder.columns),)
        arrays = (encoder.mean_, encoder.scale_, encoder.low_, encoder.high_)
        whole = all(array.shape == shape and (np.abs(array) <= LARGEST).all() for array in arrays)
        if not (shape[0] and whole and (encoder.scale_ >= 1 / LARGEST).all()):
            raise DataError(
                f"The model's columns cannot be read: each of the {shape[0]} columns needs a finite mean and a positive scale."
            )
        if len(list(encoder.blocks())) != len(encoder.features):
            raise DataError("The model's columns cannot be read: the columns of one feature must stand side by side.")
        if any(not is_one_feature(encoder.columns[block]) for _, block in encoder.blocks()):
            raise DataError("The model's columns cannot be read: a feature is one number, or has distinct categories.")
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

    @property
    def feature_of(self) -> list[int]:
        """The feature of each encoded column, by its position among ``features``; (D,)."""
        return [k for k, (_, block) in enumerate(self.blocks()) for _ in range(block.start, block.stop)]

    def _one_hot(self, column: pd.Series, block: slice) -> np.ndarray:
        """0/1 columns, shape (N, categories of this block)."""
        categories = pd.Index([c.category for c in self.columns[block]], dtype=object)
        values = to_categories(column, categories)
        values[pd.isna(values)] = self.columns[block.start].impute
        return categories.get_indexer(pd.Index(values, dtype=object))[:, None] == np.arange(len(categories))

    def lacking(self, X: pd.DataFrame | np.ndarray) -> dict[str, np.ndarray]:
        """Which rows have no value, bool (N,), of each feature that some row lacks. X: as ``transform`` takes it."""
        if not isinstance(X, pd.DataFrame):
            columns: Iterable[Any] = np.asarray(X).T
        else:
            columns = (X[name] for name in self.features) if self.named else (X.iloc[:, k] for k in range(X.shape[1]))
        # Column by column: a million rows need no copy of the table.
        found = ((name, np.asarray(pd.isna(column))) for name, column in zip(self.features, columns, strict=True))
        return {name: lacks for name, lacks in found if lacks.any()}

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
