"""Cells: one raw column made ready for looking at; text is held as codes into its distinct words."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd
from pandas.api import types

from tsk_core.data.clean.gaps import LARGEST, plain, text_codes
from tsk_core.data.naming import printed, printed_column

__all__ = ["Cells"]


@dataclass(frozen=True, eq=False)
class Cells:
    """One column. ``kind``: "number", "date", "duration" or "text".

    values: for the first three kinds, shape (N,); numbers are int64 or float64, NaN for a gap.
    codes, words: for text, the index of each cell's word, -1 for a gap, shape (N,), and the distinct words.
    declared: whether the table's source says that these are categories. stripped: cells that had outer spaces.
    """

    name: str
    kind: str
    values: np.ndarray = field(default=None, repr=False)
    codes: np.ndarray = field(default=None, repr=False)
    words: pd.Series = field(default=None, repr=False)
    declared: bool = False
    stripped: int = 0
    wild: int = 0  # infinite numbers, or numbers beyond ``LARGEST``, that were made gaps

    @classmethod
    def of(cls, column: pd.Series) -> "Cells":
        """Any pandas column. Raises DataError for cells that are lists or the like."""
        name, declared = str(column.name), isinstance(column.dtype, pd.CategoricalDtype)
        if column.dtype != "str":
            column = plain(column)
        if types.is_datetime64_dtype(column.dtype):
            return cls(name, "date", column.to_numpy())
        if types.is_timedelta64_dtype(column.dtype):
            return cls(name, "duration", column.to_numpy())
        if column.dtype == "str":
            codes, words, stripped = text_codes(column)
            return cls(name, "text", codes=codes, words=words, declared=declared, stripped=stripped)
        values = column.to_numpy()
        # min and max see infinity without a copy of the column; gaps they skip.
        low, high = (np.fmin.reduce(values), np.fmax.reduce(values)) if len(values) else (0, 0)
        if not (low < -LARGEST or high > LARGEST):
            return cls(name, "number", values)
        beyond = np.abs(values) > LARGEST
        return cls(name, "number", np.where(beyond, np.nan, values), wild=int(beyond.sum()))

    @cached_property
    def counts(self) -> np.ndarray:
        """How many cells hold each word."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.words))

    @cached_property
    def missing(self) -> np.ndarray:
        """Whether each cell is a gap, bool, shape (N,)."""
        return self.codes < 0 if self.kind == "text" else pd.isna(self.values)

    @cached_property
    def filled(self) -> int:
        """How many cells are no gap."""
        return int(len(self.missing) - self.missing.sum())

    @cached_property
    def distinct(self) -> int:
        """How many different values there are."""
        return len(self.words) if self.kind == "text" else int(pd.Series(self.values, copy=False).nunique())

    @property
    def example(self) -> str:
        """The first value, as a person sees it; "" where there is none."""
        if not self.filled:
            return ""
        first = int(np.argmin(self.missing))
        return (
            self.words.iloc[self.codes[first]] if self.kind == "text" else printed(pd.Series(self.values[first : first + 1])[0])
        )

    def spread(self, of_words: np.ndarray, gap: object) -> np.ndarray:
        """One value for each word as one for each cell, shape (N,)."""
        return np.append(of_words, np.array([gap], dtype=of_words.dtype))[self.codes]

    def as_text(self) -> "Cells":
        """The same column as text: numbers as a person sees them."""
        if self.kind == "text":
            return self
        codes, words, _ = text_codes(pd.Series(printed_column(pd.Series(self.values, name=self.name)), dtype="str"))
        return Cells(self.name, "text", codes=codes, words=words)
