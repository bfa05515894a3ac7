"""Cells: one raw column prepared for inspection; text is stored as codes into its distinct words."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd
from pandas.api import types

from tsk_core.data.clean.missing import LARGEST, plain, text_codes
from tsk_core.data.naming import is_cut, printed, printed_column

__all__ = ["Cells"]


@dataclass(frozen=True, eq=False)
class Cells:
    """One column. ``kind``: "number", "date", "duration" or "text".

    values: for the first three kinds, shape (N,); numbers are int64 or float64, NaN if missing.
    codes, words: for text, the index of each cell's word, -1 if missing, shape (N,), and the distinct words.
    declared: whether the source declares the column as categories. order: these from lowest to highest where it declares that
    they have an order, else empty. stripped: number of cells that had outer spaces.
    out_of_range: number of infinite numbers, or numbers beyond ``LARGEST``; they are made missing.
    coded: code for missing values -> number of cells that were it; they are made missing.
    """

    name: str
    kind: str
    values: np.ndarray = field(default_factory=lambda: np.empty(0), repr=False)
    codes: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64), repr=False)
    words: pd.Series = field(default_factory=lambda: pd.Series([], dtype="str"), repr=False)
    declared: bool = False
    order: tuple[str, ...] = ()
    stripped: int = 0
    out_of_range: int = 0
    coded: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, column: pd.Series, not_missing: Collection[str] = ()) -> "Cells":
        """Any pandas column. not_missing: words such as "NA" that are no missing values in it.

        Raises DataError for cells that are lists or the like.
        """
        name, dtype, order = str(column.name), column.dtype, ()
        declared = isinstance(dtype, pd.CategoricalDtype)
        if isinstance(dtype, pd.CategoricalDtype) and dtype.ordered:
            order = tuple(text_codes(pd.Series(dtype.categories), not_missing)[1])
        if column.dtype != "str":
            column = plain(column, not_missing)
        if types.is_datetime64_dtype(column.dtype):
            return cls(name, "date", column.to_numpy())
        if types.is_timedelta64_dtype(column.dtype):
            return cls(name, "duration", column.to_numpy())
        if column.dtype == "str":
            codes, words, stripped = text_codes(column, not_missing)
            return cls(name, "text", codes=codes, words=words, declared=declared, order=order, stripped=stripped)
        values = column.to_numpy()
        # min and max detect infinity without a copy of the column, and skip missing values.
        low, high = (np.fmin.reduce(values), np.fmax.reduce(values)) if len(values) else (0, 0)
        if not (low < -LARGEST or high > LARGEST):
            return cls(name, "number", values)
        beyond = np.abs(values) > LARGEST
        return cls(name, "number", np.where(beyond, np.nan, values), out_of_range=int(beyond.sum()))

    @cached_property
    def counts(self) -> np.ndarray:
        """Number of cells with each word."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.words))

    @cached_property
    def missing(self) -> np.ndarray:
        """Whether each cell is missing, bool, shape (N,)."""
        return self.codes < 0 if self.kind == "text" else pd.isna(self.values)

    @cached_property
    def has_cut_words(self) -> bool:
        """Whether it had words of more than ``LONGEST`` characters."""
        return self.kind == "text" and any(map(is_cut, self.words))

    @cached_property
    def filled(self) -> int:
        """Number of cells that are not missing."""
        return int(len(self.missing) - self.missing.sum())

    @cached_property
    def distinct(self) -> int:
        """Number of distinct values."""
        return len(self.words) if self.kind == "text" else int(pd.Series(self.values, copy=False).nunique())

    @property
    def example(self) -> str:
        """The first value as displayed; "" if there is none."""
        if not self.filled:
            return ""
        first = int(np.argmin(self.missing))
        return (
            self.words.iloc[self.codes[first]] if self.kind == "text" else printed(pd.Series(self.values[first : first + 1])[0])
        )

    def spread(self, of_words: np.ndarray, missing: object) -> np.ndarray:
        """Expand one value for each word to one for each cell, shape (N,); missing cells get ``missing``."""
        return np.append(of_words, np.array([missing], dtype=of_words.dtype))[self.codes]

    def as_text(self) -> "Cells":
        """The same column as text, with numbers as displayed."""
        if self.kind == "text":
            return self
        codes, words, _ = text_codes(pd.Series(printed_column(pd.Series(self.values, name=self.name)), dtype="str"))
        return Cells(self.name, "text", codes=codes, words=words)
