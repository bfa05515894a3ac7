"""X, y and weights on their way into a model: checked as scikit-learn's conventions ask."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import _check_sample_weight, _check_y, validate_data

from tsk_core.data.naming import printed
from tsk_core.errors import DataError, SettingError

__all__ = [
    "among",
    "check_classes",
    "check_features",
    "check_groups_or_time",
    "check_weights",
    "one_row",
    "taken",
]

_LEAST_WEIGHT = 1e-20  # of a row beside the largest: float32 still divides by the sum of a batch of such rows
_MOST_COPIES, _MOST_REPEATED = 10, 200_000  # rows that whole weights may give: so many for each row, and in all


def check_features(estimator: Any, X: Any, *, training: bool = False) -> Any:
    """X as a 2-D array; a DataFrame stays what it is. Sets or compares what scikit-learn's estimators know of their columns."""
    if not isinstance(X, pd.DataFrame):
        least = 2 if training else 1
        return validate_data(estimator, X, reset=training, dtype=None, ensure_all_finite="allow-nan", ensure_min_samples=least)
    validate_data(estimator, X, reset=training, skip_check_array=True)
    if X.shape[1] == 0 or len(X) < 1 + training:
        raise DataError(
            f"Found a table with {len(X)} row(s) and {X.shape[1]} feature(s) (shape={X.shape}); at least"
            f" {1 + training} row(s) and a minimum of 1 feature is required."
        )
    return X


def one_row(x: Any) -> Any:
    """A table of one row, from a Series or dictionary by column, an array (F,), or anything with one row already.

    Raises DataError for more than one row, and for none.
    """
    if isinstance(x, Mapping):
        x = pd.Series(dict(x), dtype=object)
    if isinstance(x, pd.Series):
        x = x.to_frame().T if x.dtype != object else pd.DataFrame({name: [value] for name, value in x.items()})
    elif not isinstance(x, pd.DataFrame):
        array = np.asarray(x)
        x = array[None] if array.ndim == 1 else array
    if x.ndim != 2 or len(x) != 1:
        raise DataError(f"Expected one row, got {'a table of ' + str(len(x)) + ' rows' if x.ndim == 2 else 'something else'}.")
    return x


def check_weights(sample_weight: Any, n_rows: int) -> tuple[np.ndarray | slice, np.ndarray | None]:
    """The rows that weigh anything, as sorted row numbers (K,) or a slice of every row, and their weights, float32 (K,).

    Whole weights, divided by their greatest common divisor, say how often a row is repeated in the row numbers, and weights are
    None, as where all rows weigh the same. Others, and whole ones that would give more than 10 times as many rows or more than
    200,000, are relative: the largest becomes 1. Raises ValueError for negative weights, or where all are 0.
    """
    every_row = slice(None)
    if sample_weight is None:
        return every_row, None
    weights = _check_sample_weight(sample_weight, np.empty(n_rows), dtype=np.float64, ensure_non_negative=True)
    kept = every_row if weights.all() else np.flatnonzero(weights)
    weights = weights[kept]
    if not len(weights):
        raise DataError("sample_weight is 0 for every row; at least one row of each of two classes needs a positive weight.")
    if weights.min() == weights.max():
        return kept, None
    copies = _copies(weights)
    if copies is not None:
        return np.repeat(np.arange(n_rows)[kept], copies), None
    return kept, np.maximum(weights / weights.max(), _LEAST_WEIGHT).astype(np.float32)


def _copies(weights: np.ndarray) -> np.ndarray | None:
    """How often each row of these positive weights is repeated, int64 (K,); None unless they are whole and few enough."""
    if weights.max() > 2**53 or (weights % 1).any():
        return None
    copies = weights.astype(np.int64)
    copies //= np.gcd.reduce(copies)
    return copies if copies.sum(dtype=float) <= min(_MOST_COPIES * len(copies), _MOST_REPEATED) else None


def taken(X: Any, rows: np.ndarray | slice) -> Any:
    """These rows of an array or a DataFrame."""
    return X.iloc[rows] if isinstance(X, pd.DataFrame) else X[rows]


def among(rows: np.ndarray, kept: np.ndarray | slice) -> np.ndarray:
    """The numbers that these rows of X have among the rows ``kept`` (of ``check_weights``): none or several for some."""
    if isinstance(kept, slice):
        return rows
    first, end = np.searchsorted(kept, rows), np.searchsorted(kept, rows, side="right")
    counts = end - first
    return np.repeat(end - np.cumsum(counts), counts) + np.arange(counts.sum())


def check_classes(estimator: Any, y: Any, n_rows: int, kept: np.ndarray | slice) -> tuple[np.ndarray, np.ndarray]:
    """The sorted classes (C,) of the training labels y, (N,), and the class index of each row kept, (K,).

    kept: from ``check_weights``. Raises ValueError or DataError.
    """
    if y is None:
        raise ValueError(f"This {type(estimator).__name__} estimator requires y to be passed, but the target y is None.")
    y = _check_y(y, multi_output=False, y_numeric=False, estimator=estimator)
    # Not check_classification_targets: it also warns of more classes than half the rows, which a small table may well have.
    if (kind := type_of_target(y, input_name="y")) not in ("binary", "multiclass"):
        raise DataError(f"Unknown label type: {kind}. The target must hold classes; group continuous numbers into ranges.")
    if n_rows != len(y):
        raise DataError(f"X and y need equally many rows; found inconsistent numbers: X has {n_rows}, y has {len(y)}.")
    classes, indices = np.unique(y[kept], return_inverse=True)
    if len(classes) < 2:
        where = "the target has" if isinstance(kept, slice) else "rows of positive sample_weight have"
        raise DataError(f"The classifier needs at least two classes, but {where} one class only: {printed(classes[0])!r}.")
    return classes, indices


def check_groups_or_time(groups: Any, time: Any, n_rows: int) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Groups as int64 codes (N,) and times as float64 or datetime64 (N,), at most one of them; None stays None.

    A row without a group is a group of its own; a row without a time has NaN or NaT. Raises SettingError or DataError.
    """
    if groups is not None and time is not None:
        raise SettingError("Early stopping holds out by groups or by time, not by both; give one of them.")
    for name, values in (("groups", groups), ("time", time)):
        if values is not None and np.shape(values) != (n_rows,):
            raise DataError(f"{name} needs one value for each of the {n_rows} training rows, got the shape {np.shape(values)}.")
    if groups is not None:
        codes = pd.factorize(pd.Series(groups), sort=True)[0].astype(np.int64)
        alone = codes < 0
        codes[alone] = codes.max(initial=0) + 1 + np.arange(alone.sum())
        return codes, None
    if time is None:
        return None, None
    times = pd.Series(time)
    if pd.api.types.is_datetime64_any_dtype(times):
        return None, (times if times.dt.tz is None else times.dt.tz_convert(None)).to_numpy()
    if pd.api.types.is_numeric_dtype(times):
        return None, times.to_numpy(np.float64, na_value=np.nan)
    raise DataError("time must hold numbers or dates; convert text with pandas.to_datetime first.")
