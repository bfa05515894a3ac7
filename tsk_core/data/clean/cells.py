"""Cells: one raw column prepared for inspection; text is stored as codes into its distinct words."""

import datetime
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd
from pandas.api import types

from tsk_core.data.naming import LONGEST, cut, is_cut, printed, printed_column
from tsk_core.data.reading.parsed import MISSING_WORDS

# Missing values: what counts as one, and any column as one of four plain kinds.


_IN_LOWER_CASE = frozenset(map(str.lower, MISSING_WORDS))
# Words that say "missing" where the other cells are numbers; among categories they may be a category of their own.
MISSING_AMONG_NUMBERS = frozenset({
    "-", "--", "---", "–", "—", ".", "..", "...", "*", "none", "nil", "missing", "unknown", "n.a.", "n. a.", "n/d", "nd", "n.d.",
    "not available", "not applicable", "k.a.", "k. a.", "keine angabe", "unbekannt", "fehlt", "entfällt", "#value!", "#div/0!",
    "#ref!", "#num!", "#name?", "#null!",
})  # fmt: skip
MISSING_PHRASES = frozenset({  # they say so wherever they stand
    "refused", "don't know", "dont know", "not known", "not specified", "unspecified", "not reported", "not stated", "no answer",
    "no data", "not recorded", "undisclosed", "ohne angabe", "o. a.", "o.a.", "weiß nicht", "nicht bekannt", "nicht angegeben",
})  # fmt: skip
LARGEST = 1e150  # larger numbers count as infinite, since their squares are


def plain(column: pd.Series, words: Collection[str] = ()) -> pd.Series:
    """Any column as int64, float64, datetime64, timedelta64 or text ("str", stripped, words such as "n/a" missing).

    Booleans and declared categories become text. words: those of such words that are no missing values here. Raises DataError
    for cells such as lists.
    """
    dtype = column.dtype
    if dtype == np.int64 or dtype == np.float64:
        return column
    if types.is_datetime64_any_dtype(dtype):
        naive = column.dt.tz_convert("UTC").dt.tz_localize(None) if isinstance(dtype, pd.DatetimeTZDtype) else column
        return naive.astype("datetime64[us]")
    if types.is_timedelta64_dtype(dtype):
        return column
    if types.is_numeric_dtype(dtype) and not types.is_bool_dtype(dtype) and not types.is_complex_dtype(dtype):
        small = types.is_integer_dtype(dtype) and getattr(dtype, "itemsize", 8) < 8 and not column.isna().any()
        values = column.to_numpy(np.int64) if small else column.to_numpy(np.float64, na_value=np.nan)
        return pd.Series(values, index=column.index, name=column.name)
    if types.is_object_dtype(dtype) and types.infer_dtype(column, skipna=True) in ("date", "datetime"):
        return plain(pd.to_datetime(column.map(_moment, na_action="ignore"), errors="coerce", utc=True))
    return _text(column, words)


def normalise_missing(column: pd.Series, words: Collection[str] = ()) -> pd.Series:
    """Text without outer spaces, words such as "n/a" and "?" made missing but for ``words``; other columns unchanged."""
    if types.is_numeric_dtype(column) or types.is_datetime64_any_dtype(column) or types.is_timedelta64_dtype(column):
        return column
    return _text(column, words)


def _moment(value: datetime.date) -> datetime.datetime:
    """A date as its first moment; moments without a time zone count as UTC."""
    if not isinstance(value, datetime.datetime):
        value = datetime.datetime(value.year, value.month, value.day)
    return value if value.tzinfo else value.replace(tzinfo=datetime.UTC)


def _text(column: pd.Series, kept: Collection[str]) -> pd.Series:
    codes, words, _ = text_codes(column, kept)
    return pd.Series(words.array.take(codes, allow_fill=True), index=column.index, name=column.name)


def text_codes(column: pd.Series, kept: Collection[str] = ()) -> tuple[np.ndarray, pd.Series, int]:
    """A column as text: the code of each cell, -1 if missing; the distinct stripped words; how many cells were stripped.

    kept: words such as "NA" that are no missing values here. Words of more than ``LONGEST`` characters are cut.
    """
    if column.dtype != "str":
        column = _as_text(column)
    # Each distinct text is processed once; the column may be long.
    codes, distinct = pd.factorize(column)
    words = pd.Series(distinct, dtype="str")
    bare = words.str.strip()
    stripped = (bare != words).to_numpy(bool)
    says_missing = bare.str.lower().isin(_IN_LOWER_CASE)
    bare = bare.mask(says_missing & ~bare.isin(list(kept)) if kept else says_missing)
    long = bare.str.len() > LONGEST
    if long.any():
        bare = bare.mask(long, bare[long].map(cut))
    merged, kept = pd.factorize(bare)
    changed = int(np.append(stripped & (merged >= 0), False)[codes].sum()) if stripped.any() else 0
    return np.append(merged, -1)[codes], pd.Series(kept, dtype="str"), changed  # code -1 takes the last entry


def _as_text(column: pd.Series) -> pd.Series:
    cells = printed_column(column)
    try:
        return pd.Series(cells, index=column.index, name=column.name, dtype="str")
    except UnicodeEncodeError:  # lone surrogates, which cannot be encoded
        encodable = [cell and cell.encode("utf-8", "replace").decode() for cell in cells]
        return pd.Series(encodable, index=column.index, name=column.name, dtype="str")


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
