"""Missing values: what counts as one, and any column as one of four plain kinds."""

import datetime
from collections.abc import Collection

import numpy as np
import pandas as pd
from pandas.api import types

from tsk_core.data.naming import LONGEST, cut, printed_column
from tsk_core.data.reading.read_options import MISSING_WORDS

__all__ = ["LARGEST", "MISSING_AMONG_NUMBERS", "MISSING_PHRASES", "normalise_missing", "plain", "text_codes"]

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
