"""Cleaning: a raw table into one that can be trained on. Every repair is said in one sentence."""

import re
from collections import defaultdict
from collections.abc import Callable

import numpy as np
import pandas as pd
from pandas.api import types

from tsk_core import limits
from tsk_core.data.naming import listed, printed_column

__all__ = ["GAPS", "LARGEST", "clean_features", "tidy_names", "without_gap_words"]

GAPS = frozenset({"", "?", "na", "n/a", "nan", "null", "#n/a"})  # words for a missing cell, in lower case
LARGEST = 1e150  # larger numbers are treated as infinite: their squares would be
_NUMBER_SHARE = 0.9  # of the filled cells of a text column, for it to count as numbers
_DATE = re.compile(
    r"(\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}[ -][^\W\d]{3,9}[ -]\d{2,4}|[^\W\d]{3,9} \d{1,2},? \d{4})([ T]\d.*)?"
    r"|\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?"
)
# Cells come from strangers: no two parts of a pattern may match the same digits, or a long cell takes quadratic time.
_PLAIN = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?")
_WITH_UNIT = re.compile(
    r"(?P<number>[+-]?(\d[\d,]*(\.\d*)?|\.\d+)(e[+-]?\d+)?)\s*"
    r"(?P<unit>[%°€$£]|°?[^\W\d_]{1,8}(/[^\W\d_]{1,3})?[²³]?)",
    re.IGNORECASE,
)
_ID_NAME = re.compile(r"(.*[ _.-])?(id|index|idx|nr|no|row|rownames|#)|.*ID|.*Id")
_NAMELESS = re.compile(r"column \d+|unnamed.*", re.IGNORECASE)

_EMPTY = "it is empty"
_SAME = "it has the same value in every row"
_SAME_AND_GAPS = "it has one value and gaps"
_DATES = "it holds dates or times; turn them into a number, such as days since the first"
_IDS = "it has a different text in every row, like a name or an ID"
_COUNTER = "it numbers the rows, like an ID"


def tidy_names(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Column names as distinct, non-empty text: " a " -> "a", "" -> "column 3", a second "a" -> "a (2)"."""
    names, notes, taken = [], [], set()
    for position, original in enumerate(frame.columns, 1):
        name = "" if original is None or original != original else str(original).strip()
        if not name:
            name = f"column {position}"
            notes.append(f"Column {position} has no name; it is called '{name}'.")
        fresh, copy = name, 1
        while fresh in taken:
            copy += 1
            fresh = f"{name} ({copy})"
        if fresh != name:
            notes.append(f"Two columns are called '{name}'; the later one is now '{fresh}'.")
        taken.add(fresh)
        names.append(fresh)
    if len(notes) > 3:
        notes = [f"{len(notes)} columns have no name or a name that is taken; they are numbered."]
    return frame.set_axis(names, axis=1), notes


def clean_features(frame: pd.DataFrame, target: str) -> tuple[pd.DataFrame, list[str]]:
    """Clean every column but ``target``: each becomes numbers (with gaps) or text (with gaps), or is left out.

    Returns the new table, columns in their order, and one note for each kind of repair.
    """
    kept, notes = {}, []
    left_out: dict[str, list[str]] = defaultdict(list)
    booleans = []
    for name in frame.columns:
        column = frame[name]
        if name == target:
            kept[name] = column
            continue
        if types.is_bool_dtype(column) and not column.isna().all():
            booleans.append(name)
        column, reason, said = _clean_column(column)
        notes += said
        if reason:
            left_out[reason].append(name)
        else:
            kept[name] = column
    if booleans:
        notes.append(f"Read as the categories True and False: {listed(booleans)}.")
    for reason, names in left_out.items():
        plural = re.sub(r"^it has\b", "each has", re.sub(r"^it (is|holds|numbers)", "each \\1", reason))
        notes.append(f"Left out column{'s' if len(names) > 1 else ''} {listed(names)}: {plural if len(names) > 1 else reason}.")
    table = pd.DataFrame(kept, index=frame.index)
    gaps = int(table.isna().sum().sum())
    if gaps:
        notes.append(
            f"{gaps:,} cell{'s are gaps' if gaps > 1 else ' is a gap'}; "
            "training fills them with the column's median or most frequent category."
        )
    return table, notes


def without_gap_words(column: pd.Series) -> pd.Series:
    """Text stripped of outer spaces, words such as "n/a" and "?" made missing; other columns as they are."""
    if types.is_numeric_dtype(column) or types.is_datetime64_any_dtype(column) or types.is_timedelta64_dtype(column):
        return column
    if column.dtype != "str":
        column = pd.Series(printed_column(column), index=column.index, name=column.name, dtype="str")
    text = column.str.strip()
    return text.mask(text.str.lower().isin(GAPS))


def _clean_column(column: pd.Series) -> tuple[pd.Series, str | None, list[str]]:
    """One feature: (cleaned column, why it is left out or None, notes)."""
    if types.is_datetime64_any_dtype(column) or types.is_timedelta64_dtype(column):
        return column, _DATES, []
    if types.is_numeric_dtype(column) and not types.is_bool_dtype(column):
        column, notes = _finite(column)
    else:
        column, notes = _text_or_numbers(without_gap_words(_unboxed(column)))
    reason = _useless(column)
    if reason:
        return column, reason, []
    if not types.is_numeric_dtype(column):
        column, said = _fewer_categories(column)
        notes += said
    return column, None, notes


def _unboxed(column: pd.Series) -> pd.Series:
    """Booleans as text, so that they become categories."""
    return column.astype(object) if types.is_bool_dtype(column) else column


def _finite(column: pd.Series) -> tuple[pd.Series, list[str]]:
    """A numeric column as int64 or float64 with infinite values made gaps."""
    if column.dtype != np.int64:
        column = pd.Series(column.to_numpy(dtype=np.float64, na_value=np.nan), index=column.index, name=column.name)
    wild = column.abs() > LARGEST
    if not wild.any():
        return column, []
    return column.mask(wild), [f"Column '{column.name}': {_cells(wild.sum())} infinite or beyond {LARGEST:.0e} and made a gap."]


def _text_or_numbers(text: pd.Series) -> tuple[pd.Series, list[str]]:
    """Text that is meant as numbers becomes numbers, cells that cannot be read become gaps."""
    filled = text.dropna()
    values = filled.drop_duplicates()
    numbers, said = _numbers(values)
    good = filled.map(numbers)
    if not len(filled) or good.notna().mean() < _NUMBER_SHARE:
        return text, []
    column, notes = _finite(text.map(numbers).astype(np.float64))
    bad = filled[good.isna()]
    if len(bad):
        said.append(f"{_cells(len(bad))} not a number and made a gap, such as {listed(bad.iloc[:1])}")
    return column, [f"Column '{text.name}' is read as numbers{': ' + '; '.join(said) if said else ''}.", *notes]


def _numbers(values: pd.Series) -> tuple[dict[str, float], list[str]]:
    """Distinct texts -> {text: number or NaN}, and what had to be looked past (thousands separators, one unit)."""
    plain = values[values.map(_matches(_PLAIN))]
    rest = values.drop(plain.index)
    thousands = rest[rest.map(_matches(_THOUSANDS))]
    rest = rest.drop(thousands.index)
    found = {v: float(v) for v in plain} | {v: float(v.replace(",", "")) for v in thousands}
    infinite = {"inf", "+inf", "-inf", "infinity", "-infinity"}
    found |= {v: float(v) for v in rest if v.lower() in infinite}
    said = ["thousands separators are left out"] if len(thousands) else []
    united = {v: match for v in rest if (match := _WITH_UNIT.fullmatch(v))}
    units = {match["unit"] for match in united.values()}
    # Two units (kg and g) or ordinals (1st, 2nd) do not make one scale.
    if len(units) == 1 and all(_readable(m["number"]) for m in united.values()):
        found |= {v: float(match["number"].replace(",", "")) for v, match in united.items()}
        said.append(f"the unit '{units.pop()}' is left out")
    return {v: found.get(v, np.nan) for v in values}, said


def _readable(number: str) -> bool:
    return bool(_PLAIN.fullmatch(number) or _THOUSANDS.fullmatch(number))


def _matches(pattern: re.Pattern) -> Callable[[str], bool]:
    return lambda text: pattern.fullmatch(text) is not None


def _useless(column: pd.Series) -> str | None:
    """Why a column cannot be a feature, or None."""
    filled = column.dropna()
    distinct = filled.nunique()
    if distinct < 2:
        return _EMPTY if distinct == 0 else _SAME if len(filled) == len(column) else _SAME_AND_GAPS
    if types.is_numeric_dtype(column):
        return _COUNTER if _counts_rows(column) else None
    if filled.drop_duplicates().map(_matches(_DATE)).mean() >= _NUMBER_SHARE:
        return _DATES
    return _IDS if distinct == len(filled) else None


def _counts_rows(column: pd.Series) -> bool:
    """Whether a column of whole numbers is an ID by its name, or a nameless row counter."""
    name = str(column.name)
    if column.isna().any() or not column.is_unique or (column % 1 != 0).any():
        return False
    return bool(_ID_NAME.fullmatch(name)) or (bool(_NAMELESS.fullmatch(name)) and bool((column.diff().dropna() == 1).all()))


def _fewer_categories(text: pd.Series) -> tuple[pd.Series, list[str]]:
    """Keep the commonest categories up to the limit; the rest are counted as "other"."""
    allowed = limits.value("categories")
    counts = text.value_counts()
    if len(counts) <= allowed:
        return text, []
    # value_counts leaves ties in table order; sorting by name first makes them the same for any order of rows.
    common = counts.sort_index().sort_values(ascending=False, kind="stable").index[: allowed - 1]
    note = (
        f"Column '{text.name}' has {len(counts):,} categories; the {allowed - 1} most frequent are kept, "
        f"the others are counted as 'other'."
    )
    return text.where(text.isna() | text.isin(common), "other"), [note]


def _cells(count: int) -> str:
    return f"{count:,} cell{'s are' if count > 1 else ' is'}"
