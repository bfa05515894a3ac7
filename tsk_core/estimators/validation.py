"""X, y and weights on their way into a model: checked as scikit-learn's conventions ask, normalised, and scaled."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import torch
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import _check_sample_weight, _check_y, validate_data

from tsk_core.data.encoding import Encoder
from tsk_core.data.naming import printed
from tsk_core.errors import DataError, SettingError
from tsk_core.train import Table

__all__ = [
    "among",
    "by_contents",
    "check_classes",
    "check_features",
    "check_groups_or_time",
    "check_weights",
    "class_weights",
    "normalised_table",
    "one_row",
    "number_groups",
    "training_order",
    "taken",
]

_BLOCK_ROWS = 65_536
_LEAST_WEIGHT = 1e-20  # of a row beside the largest: float32 still divides by the sum of a batch of such rows
_MOST_COPIES, _MOST_REPEATED = 10, 200_000  # rows that whole weights may give: so many for each row, and in all
_ODD = np.uint64(0x9E3779B97F4A7C15)


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


def by_contents(table: Table, encoded: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """These row numbers, (K,), in an order that depends on what the rows contain, and not on where they stand.

    encoded: (N, D), the rows of the table, not normalised. The order is that of a hash of each row and its class; rows that are
    equal in these are ordered by weight, group and time.
    """
    hashes = pd.util.hash_array(table.y.cpu().numpy()[rows])
    for column in encoded.T:  # one by one, to save the memory of a second table
        hashes = hashes * _ODD + pd.util.hash_array(column[rows] + 0.0)  # -0.0 becomes 0.0
    weight = None if table.weight is None else table.weight.cpu().numpy()
    return rows[np.lexsort([key[rows] for key in (table.time, table.groups, weight) if key is not None] + [hashes])]


def training_order(table: Table, encoded: np.ndarray, rows: np.ndarray, batch_size: int) -> np.ndarray:
    """The rows to train on, ``by_contents`` where one batch holds them all; else as they are.

    With one batch there is no order of batches, and the order of the rows need not matter. With several it always does: any order
    is as good as another, so the rows stay as the caller has them.
    """
    return by_contents(table, encoded, rows) if len(rows) <= batch_size else rows


def number_groups(table: Table, encoded: np.ndarray) -> Table:
    """The table with its groups, if any, numbered as they occur in the order of ``by_contents``."""
    if table.groups is None:
        return table
    order = by_contents(table, encoded, np.arange(len(encoded)))
    groups = np.empty_like(table.groups)
    groups[order] = pd.factorize(table.groups[order])[0]
    return replace(table, groups=groups)


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


def normalised_table(encoder: Encoder, encoded: np.ndarray, y: np.ndarray, n_classes: int, device: str) -> Table:
    """Encoded rows (N, D) and class indices (N,) as the model's inputs on ``device``.

    Normalised block by block, so that a million rows need no second copy in float64.
    """
    x = torch.empty(encoded.shape, dtype=torch.float32)
    for start in range(0, len(x), _BLOCK_ROWS):
        rows = slice(start, start + _BLOCK_ROWS)
        x[rows] = torch.from_numpy(encoder.normalise(encoded[rows]))
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    return Table(x.to(device), torch.from_numpy(y).long().to(device), n_classes)


def class_weights(wanted: Any, y: np.ndarray, classes: np.ndarray, row_weight: np.ndarray | None = None) -> torch.Tensor | None:
    """Weight of each class, (C,); None for None.

    "balanced" is N/(C·N_c), a row counting as much as it weighs; a class that a dictionary leaves out weighs 1.
    """
    if wanted is None:
        return None
    if wanted == "balanced":
        counts = np.bincount(y, row_weight, minlength=len(classes))
        weights = counts.sum() / (len(classes) * np.where(counts > 0, counts, 1))
    else:
        # JSON turns labels into text, so a restored configuration is looked up by what is printed
        weights = [float(wanted.get(c, wanted.get(printed(c), 1.0))) for c in classes.tolist()]
    return torch.as_tensor(np.asarray(weights), dtype=torch.float32)
