"""X, y, weights and seed on their way into a model, checked as scikit-learn's conventions ask."""

import re
import warnings
from collections.abc import Mapping
from typing import Any, SupportsIndex

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.utils import check_array, check_random_state
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import _check_feature_names, _check_n_features, _check_sample_weight, _check_y

from tsk_core.data.clean.cells import Cells
from tsk_core.data.clean.dates import read_dates
from tsk_core.data.clean.numbers import NUMBER_SHARE, read_numbers
from tsk_core.data.clean.roles import FEW
from tsk_core.data.encoding import (
    Encoder,
    Features,
    Labels,
    Rows,
    check_no_label_is_missing,
    check_no_name_is_repeated,
    rows_of,
    to_pandas,
)
from tsk_core.data.naming import listed, printed, quoted
from tsk_core.errors import DataError, DataWarning, SettingError

_NAME = "TSKClassifier"  # for messages of scikit-learn
_LEAST_WEIGHT = 1e-20  # of a row beside the largest: float32 still divides by the sum of a batch of such rows
_MOST_COPIES, _MOST_REPEATED = 10, 200_000  # rows that whole weights may give: so many for each row, and in all


def check_training_features(X: Features) -> Rows:
    """Training rows X as a 2-D array of at least 2 rows; a DataFrame stays what it is. Raises ValueError or DataError."""
    X = to_pandas(X)
    if isinstance(X, pd.DataFrame):
        return _check_frame(X, least=2)
    rows: np.ndarray = check_array(
        X, dtype=None, ensure_all_finite="allow-nan", ensure_min_samples=2, estimator=_NAME, input_name="X"
    )
    return rows


def check_features(encoder: Encoder, X: Features) -> Rows:
    """Rows X as a 2-D array with the features that the encoder has learnt; a DataFrame stays what it is.

    Raises ValueError or DataError.
    """
    X = to_pandas(X)
    learnt = {name: getattr(encoder, name) for name in ("feature_names_in_", "n_features_in_") if hasattr(encoder, name)}
    check_no_name_is_repeated(X)
    named = type(_NAME, (), learnt)()  # messages name its class
    _check_feature_names(named, X, reset=False)
    if isinstance(X, pd.DataFrame):
        return _check_frame(X, least=1)
    rows: np.ndarray = check_array(X, dtype=None, ensure_all_finite="allow-nan", estimator=_NAME, input_name="X")
    _check_n_features(named, rows, reset=False)
    return rows


def _check_frame(X: pd.DataFrame, least: int) -> pd.DataFrame:
    if X.shape[1] == 0 or len(X) < least:
        raise DataError(
            f"Found a table with {len(X)} row(s) and {X.shape[1]} feature(s) (shape={X.shape}); at least"
            f" {least} row(s) and a minimum of 1 feature is required."
        )
    if len({isinstance(name, str) for name in X.columns}) > 1:
        raise DataError("Only some names of X's columns are text; make all of them text, as X.columns.astype(str) does.")
    return X


def check_seed(random_state: object) -> int:
    """A whole number to train with, of scikit-learn's kinds of ``random_state``.

    A whole number is the seed itself, even one that is out of range, which ``TrainConfig`` refuses. One is drawn from a numpy
    RandomState, and for None from numpy's global one, so that ``np.random.seed`` decides. Raises SettingError.
    """
    if isinstance(random_state, SupportsIndex) and not isinstance(random_state, np.ndarray):
        return random_state  # type: ignore[return-value]  # ``TrainConfig`` makes it an int, or refuses it
    try:
        return int(check_random_state(random_state).randint(2**31 - 1))
    except ValueError:
        shown = repr(random_state)[:80]
        raise SettingError(
            f"random_state is {shown}; it must be None, a whole number of at least 0, or a numpy.random.RandomState."
        ) from None


def single_row(x: Any) -> Any:
    """A table of one row, from a Series or dictionary by column, an array (F,), or anything with one row already.

    Raises DataError for more than one row, and for none.
    """
    if isinstance(x, Mapping):
        x = pd.Series(dict(x), dtype=object)
    if isinstance(x, pd.Series):
        x = x.to_frame().T if x.dtype != object else pd.DataFrame({name: [value] for name, value in x.items()})
    else:
        x = rows_of(x)
        x = x[None] if x.ndim == 1 else x
    if x.ndim != 2 or len(x) != 1:
        raise DataError(f"Expected one row, got {'a table of ' + str(len(x)) + ' rows' if x.ndim == 2 else 'something else'}.")
    return x


def check_weights(sample_weight: ArrayLike | None, n_rows: int) -> tuple[np.ndarray | slice, np.ndarray | None]:
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


def select_rows(X: Rows, rows: np.ndarray | slice) -> Rows:
    """These rows of an array or a DataFrame."""
    return X.iloc[rows] if isinstance(X, pd.DataFrame) else X[rows]


def positions_in(rows: np.ndarray, kept: np.ndarray | slice) -> np.ndarray:
    """Where these rows of X stand among the rows ``kept`` (of ``check_weights``): nowhere or several times for some."""
    if isinstance(kept, slice):
        return rows
    first, end = np.searchsorted(kept, rows), np.searchsorted(kept, rows, side="right")
    counts = end - first
    return np.repeat(end - np.cumsum(counts), counts) + np.arange(counts.sum())


def check_classes(y: Labels | None, n_rows: int, kept: np.ndarray | slice) -> tuple[np.ndarray, np.ndarray]:
    """The sorted classes (C,) of the training labels y, (N,), and the class index of each row kept, (K,).

    kept: from ``check_weights``. Raises ValueError or DataError.
    """
    if y is None:
        raise ValueError(f"This {_NAME} estimator requires y to be passed, but the target y is None.")
    check_no_label_is_missing(y)
    if (nullable := getattr(getattr(y, "dtype", None), "numpy_dtype", None)) is not None:  # of pandas, such as Int64
        y = np.asarray(y, dtype=nullable)
    _check_label_type(np.asarray(y))
    _check_label_objects(y)
    labels: np.ndarray = _check_y(y, multi_output=False, y_numeric=False, estimator=_NAME)
    # Not check_classification_targets: it also warns of more classes than half the rows, which a small table may well have.
    if (kind := type_of_target(labels, input_name="y")) not in ("binary", "multiclass"):
        raise DataError(f"Unknown label type: {kind}. The target must hold classes; group continuous numbers into ranges.")
    if n_rows != len(labels):
        raise DataError(f"X and y need equally many rows; found inconsistent numbers: X has {n_rows}, y has {len(labels)}.")
    classes, indices = np.unique(labels[kept], return_inverse=True)
    if len(classes) < 2:
        where = "the target has" if isinstance(kept, slice) else "rows of positive sample_weight have"
        raise DataError(f"The classifier needs at least two classes, but {where} one class only: {printed(classes[0])!r}.")
    return classes, indices


def _check_label_type(labels: np.ndarray) -> None:
    """DataError for labels that a saved model could not hold."""
    if labels.dtype.kind not in "biufUOT":
        raise DataError(f"y has labels of the type {labels.dtype}; give text or numbers.")
    if labels.dtype.kind == "u" and labels.max(initial=0) > np.iinfo(np.int64).max:
        raise DataError(f"y has the label {labels.max()}, which is larger than a whole number of 64 bits; give text.")
    texts = labels.ravel() if labels.dtype.kind in "UOT" else ()
    for text in {text for text in texts if isinstance(text, str) and not text.isascii()}:
        try:
            text.encode()
        except UnicodeEncodeError:
            raise DataError(
                f"y has the label {text!r}, which is not valid Unicode (an unpaired surrogate); correct the text."
            ) from None


def _check_label_objects(y: Labels) -> None:
    """DataError for labels of several types, of which an array makes text, and for objects that are no text."""
    if np.asarray(y).dtype.kind not in "OUT":
        return
    kinds = {type(cell) for cell in np.asarray(y, dtype=object).ravel()}
    texts = {kind for kind in kinds if issubclass(kind, str)}
    named = listed(sorted(kind.__name__ for kind in kinds))
    if texts and texts != kinds:
        raise DataError(f"y has labels of several types, {named}; give all the same type.")
    if not texts and kinds:
        raise DataError(f"Unknown label type: y holds objects of the type {named}; give text, or an array of numbers.")


def check_groups(groups: ArrayLike | None, n_rows: int | None) -> np.ndarray | None:
    """Groups of test rows as int64 codes from 0, (N,); None for none, or where each row is one. n_rows: None without rows.

    Raises SettingError or DataError.
    """
    if groups is None:
        return None
    if n_rows is None:
        raise SettingError("groups are those of the rows of X; pass X and y too.")
    found, codes = np.unique(np.asarray(check_groups_or_time(groups, None, n_rows)[0]), return_inverse=True)
    return codes if len(found) < len(codes) else None


def check_groups_or_time(
    groups: ArrayLike | None, time: ArrayLike | None, n_rows: int
) -> tuple[np.ndarray | None, np.ndarray | None]:
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
    times: pd.Series[Any] = pd.Series(time)
    if pd.api.types.infer_dtype(times, skipna=True) == "date":
        times = pd.to_datetime(times)
    if pd.api.types.is_datetime64_any_dtype(times):
        return None, (times if times.dt.tz is None else times.dt.tz_convert(None)).to_numpy()
    if pd.api.types.is_numeric_dtype(times):
        return None, times.to_numpy(np.float64, na_value=np.nan)
    raise DataError("time must hold numbers or dates; convert text with pandas.to_datetime first.")


# Text columns of a raw table that a classifier would take for categories, although they look like something else.


_ROWS = 2000  # that are looked at
_DIGIT = re.compile("[0-9]")
_CODE = re.compile(r"[+-]?[0-9]+")
_READ = "read the table with tsk_core.read_csv or tsk_core.data.make_dataset, or convert the column to numbers."


def warn_of_text_columns(X: Features) -> None:
    """A DataWarning for each text column of a DataFrame with numbers or dates, or with about as many values as rows.

    Each distinct text would become a category. Declared categories (``astype("category")``), few codes such as "1" and "2", and
    other text are categories without a word. The caller's caller is named as the place.
    """
    X = to_pandas(X)
    if not isinstance(X, pd.DataFrame):
        return
    rows = np.linspace(0, len(X) - 1, min(_ROWS, len(X))).astype(int)
    for k in range(X.shape[1]):
        column = X.iloc[:, k]
        if (column.dtype == "str" or column.dtype == object) and (text := _odd(column, column.iloc[rows])):
            warnings.warn(f"Column {quoted(column.name)} {text}", DataWarning, stacklevel=3)


def _odd(column: pd.Series, part: pd.Series) -> str:
    """What is odd about a column of text, as the rest of a sentence; "". part: some rows of it."""
    if pd.api.types.infer_dtype(part, skipna=True) != "string":
        return ""
    words = [word for word in part.unique() if not pd.isna(word)]
    if not (_many(len(words), len(part) / 2) or _have_digits(words)):
        return ""  # at once: most columns end here
    cells = Cells.of(part.rename("text"))
    if cells.distinct < 2 or _becomes_numbers(part):
        return ""
    such = f"such as {quoted(cells.example)}"
    if read_numbers(cells).share >= NUMBER_SHARE:
        codes = cells.distinct <= FEW and all(_CODE.fullmatch(word) for word in cells.words)
        return "" if codes else f"has numbers as text, {such}, and {_each(column)}; {_READ}"
    if read_dates(cells):
        return f"has dates as text, {such}, and {_each(column)}; {_READ}"
    if not _many(cells.distinct, cells.filled) or not _many(distinct := column.nunique(), filled := int(column.count())):
        return ""
    counted = f"has {distinct:,} different texts in {filled:,} filled cells, {such}, and each becomes a category"
    return f'{counted}; leave it out, or declare it with astype("category") to keep them.'


def _have_digits(words: list[str]) -> bool:
    """Whether at least half of the texts have a digit, as numbers and dates do."""
    return 2 * sum(_DIGIT.search(word) is not None for word in words) >= len(words)


def _becomes_numbers(part: pd.Series) -> bool:
    """Whether the encoder reads this text as plain numbers."""
    return bool(part.dtype == object and pd.to_numeric(part, errors="coerce").notna().eq(part.notna()).all())


def _many(distinct: int, filled: float) -> bool:
    return distinct > max(FEW, filled / 2)


def _each(column: pd.Series) -> str:
    return f"each of its {column.nunique():,} different texts becomes a category"
