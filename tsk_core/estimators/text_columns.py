"""Text columns of a raw table that a classifier would take for categories, although they look like something else."""

import re
import warnings

import numpy as np
import pandas as pd

from tsk_core.data.clean.cells import Cells
from tsk_core.data.clean.dates import read_dates
from tsk_core.data.clean.numbers import read_numbers
from tsk_core.data.clean.roles import FEW, NUMBER_SHARE
from tsk_core.data.inputs import Features, to_pandas
from tsk_core.data.naming import quoted
from tsk_core.errors import DataWarning

__all__ = ["warn_of_text_columns"]

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
