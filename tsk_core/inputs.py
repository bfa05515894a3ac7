"""X and y on their way into a model: checked as scikit-learn's conventions ask, normalised, and the weight of each class."""

from typing import Any

import numpy as np
import pandas as pd
import torch
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import _check_y, validate_data

from tsk_core.data.encoding import Encoder
from tsk_core.data.naming import printed
from tsk_core.errors import DataError, SettingError
from tsk_core.train import Table

__all__ = ["check_classes", "check_features", "check_groups_or_time", "class_weights", "normalised_table"]

_BLOCK_ROWS = 65_536


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


def check_classes(estimator: Any, y: Any, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """The sorted classes (C,) of the training labels y, and each row's class index (N,). Raises ValueError or DataError."""
    if y is None:
        raise ValueError(f"This {type(estimator).__name__} estimator requires y to be passed, but the target y is None.")
    y = _check_y(y, multi_output=False, y_numeric=False, estimator=estimator)
    # Not check_classification_targets: it also warns of more classes than half the rows, which a small table may well have.
    if (kind := type_of_target(y, input_name="y")) not in ("binary", "multiclass"):
        raise DataError(f"Unknown label type: {kind}. The target must hold classes; group continuous numbers into ranges.")
    if n_rows != len(y):
        raise DataError(f"X and y need equally many rows; found inconsistent numbers: X has {n_rows}, y has {len(y)}.")
    classes, indices = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        raise DataError(f"The classifier needs at least two classes, but the target has one class only: {printed(classes[0])!r}.")
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
        codes = pd.factorize(pd.Series(groups))[0].astype(np.int64)
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


def class_weights(wanted: Any, y: np.ndarray, classes: np.ndarray) -> torch.Tensor | None:
    """Weight of each class, (C,): "balanced" is N/(C·N_c); a class that a dictionary leaves out weighs 1. None for None."""
    if wanted is None:
        return None
    if wanted == "balanced":
        weights = len(y) / (len(classes) * np.maximum(1, np.bincount(y, minlength=len(classes))))
    else:
        # JSON turns labels into text, so a restored configuration is looked up by what is printed
        weights = [float(wanted.get(c, wanted.get(printed(c), 1.0))) for c in classes.tolist()]
    return torch.as_tensor(np.asarray(weights), dtype=torch.float32)
