"""Codes for missing values that nobody declared: −99 among ages, 0 among blood pressures, "unknown" among towns."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from tsk_core.data.check.apart import Apart, codes_apart, far_ends, is_far, is_usual_code, zeros_apart
from tsk_core.data.check.checked import Checked
from tsk_core.data.check.code_words import word_codes
from tsk_core.data.choices import EVERY
from tsk_core.data.clean.cells import Cells
from tsk_core.data.clean.codes import CHECK, printed_code, without_codes
from tsk_core.data.clean.dates import DateFormat
from tsk_core.data.clean.ranges import numbers_of
from tsk_core.data.finding import Finding, Remedy
from tsk_core.data.naming import joined, printed, quoted, with_counts
from tsk_core.numbers import counted, minus, rounded_text

__all__ = ["missing_codes"]

_DATES = np.array(
    ["0001-01-01", "1800-01-01", "1899-12-30", "1899-12-31", "1900-01-01", "1901-01-01", "1970-01-01", "2099-12-31",
     "2999-12-31", "9999-12-31"],
    dtype="datetime64[us]",
)  # fmt: skip
_SEVERAL = 2  # columns with the same far value at an end
_TOGETHER, _LIFT, _ROWS = 0.9, 1.5, 5  # zeros that are missing where those of another column are


@dataclass(frozen=True)
class _Code:
    """A likely code of a column. text: as displayed. rows: of its cells, int64. others: what the other cells are, or ""."""

    column: str
    text: str
    rows: np.ndarray = field(repr=False)
    others: str = ""


@dataclass(frozen=True)
class _Column:
    """A column as numbers. values: float64 (N,), NaN if missing. usual: whether a number is one that people use as a code.

    dates: how its numbers are moments, or None. is_target: whether its numbers are classes.
    """

    name: str
    values: np.ndarray = field(repr=False)
    usual: Callable[[float], bool]
    dates: DateFormat | None = None
    is_target: bool = False

    def printed(self, value: float) -> str:
        """One of its numbers, equal in columns of dates that count from different days."""
        return str(self.dates.moment(value)) if self.dates else printed(value)

    def code(self, table: Checked, value: float, low: float, high: float) -> _Code:
        """One of its numbers, as most cells write it, beside the range of the others."""
        rows = np.flatnonzero(self.values == value)
        cells = Cells.of(table.raw[self.name].iloc[rows])
        if cells.kind == "number":
            return _Code(self.name, printed(value), rows, _range(low, high))
        if cells.kind == "text":
            others = "" if self.dates or self.is_target else _range(low, high)
            return _Code(self.name, str(cells.words.iloc[cells.counts.argmax()]), rows, others)
        return _Code(self.name, str(cells.values[0].astype("datetime64[D]")), rows)


def missing_codes(table: Checked) -> list[Finding]:
    """A warning for each likely code; columns with the same codes share one."""
    by_column: dict[str, list[_Code]] = {}
    words = (_Code(column, word, rows) for column, word, rows in word_codes(table))
    for code in (*_numbers(table), *words):
        by_column.setdefault(code.column, []).append(code)
    groups: dict[tuple[str, ...], list[_Code]] = {}
    for codes in by_column.values():
        groups.setdefault(tuple(code.text for code in codes), []).extend(codes)
    return [_finding(table, texts, codes) for texts, codes in groups.items()]


def _numbers(table: Checked) -> Iterator[_Code]:
    """The codes of columns of numbers and dates."""
    columns, zeros = list(_columns(table)), {}
    shared = _shared_ends(table, columns)
    for column in columns:
        for value, low, high in _apart(table, column, shared.get(column.name, [])):
            code = column.code(table, value, low, high)
            if value == 0 and column.usual is is_usual_code:
                zeros[column.name] = code.rows
            yield code
    sure = [rows for rows in zeros.values() if len(rows) >= _ROWS]
    for column in columns if sure else ():
        if column.usual is is_usual_code and column.name not in zeros:
            zero = zeros_apart(column.values)
            if zero and any(_together(column.values == 0, others) for others in sure):
                yield column.code(table, *zero)


def _columns(table: Checked) -> Iterator[_Column]:
    """The columns of numbers and of dates, and the target if its classes are numbers."""
    for step in table.cleaning.steps:
        if step.role == "number" and not (step.date and step.date.scale == "clock"):
            usual = set(step.date.numbers(_DATES).tolist()).__contains__ if step.date else is_usual_code
            yield _Column(step.column, table.X[step.feature].to_numpy(np.float64), usual, step.date)
    values = numbers_of(table.cells(table.target))
    if values is not None:
        yield _Column(table.target, values, _is_usual_class, is_target=True)


def _is_usual_class(value: float) -> bool:
    """Classes are often numbered from −1, 0 or 1 on."""
    return (value <= -7 or value >= 10) and is_usual_code(value)


def _shared_ends(table: Checked, columns: list[_Column]) -> dict[str, list[float]]:
    """The far values that several columns have at an end, many times each, such as −200 of sensors, by column."""
    places: dict[tuple[bool, str], list[tuple[_Column, float]]] = {}
    for column in columns:
        for value in () if column.is_target else far_ends(column.values[table.rows]):
            places.setdefault((column.dates is not None, column.printed(value)), []).append((column, value))
    shared: dict[str, list[float]] = {}
    for of_value in places.values():
        far = [one for one in of_value if len(of_value) >= _SEVERAL and is_far(one[0].values, one[1])]
        for column, value in far if len(far) >= _SEVERAL else ():
            shared.setdefault(column.name, []).append(value)
    return shared


def _apart(table: Checked, column: _Column, shared: list[float]) -> list[Apart]:
    """Decided in the sample, and confirmed in the whole column. shared: numbers that are codes since other columns have them."""
    found = codes_apart(column.values[table.rows], column.usual)
    if found and len(table.rows) < len(column.values):
        found = codes_apart(column.values, column.usual)
    codes = {code.value for code in found} | {*shared}
    others = column.values[~np.isin(column.values, [*codes])] if codes else column.values
    return [Apart(value, np.nanmin(others), np.nanmax(others)) for value in sorted(codes)]


def _together(zero: np.ndarray, others: np.ndarray) -> bool:
    """Whether a column is 0 in nearly all rows in which another one is, and clearly more often than elsewhere."""
    share = zero[others].mean()
    return bool(share >= _TOGETHER and share >= _LIFT * zero.mean())


def _range(low: float, high: float) -> str:
    return minus(f"{rounded_text(low)} to {rounded_text(high)}")


def _finding(table: Checked, texts: tuple[str, ...], codes: list[_Code]) -> Finding:
    counts: dict[str, int] = {}
    for code in codes:
        counts[code.column] = counts.get(code.column, 0) + len(code.rows)
    total, one = sum(counts.values()), len(counts) == 1
    fact = f"{counted(total, 'cell is', 'cells are')} {joined(map(printed_code, texts), 'or')}"
    first = min(int(code.rows[0]) for code in codes)
    row = first if table.positions is None else int(table.positions[first])
    fact += f", the first in row {row + 1:,}"
    if one:
        others = f"; the others are {codes[0].others}" if codes[0].others else ""
        fact = f"Column {quoted(codes[0].column)}: {fact}{others}."
    else:
        fact = f"{fact}: {with_counts(counts)}."
    everywhere = not one and "0" not in texts and not _elsewhere(table, texts, counts)
    changes = {"codes": {EVERY: texts} if everywhere else dict.fromkeys(counts, texts)}
    them = "it" if len(texts) == 1 else "them"
    advice = f"Count {them} as missing if nothing was measured there; keep {them} otherwise."
    remedy = Remedy(f"Count {joined(map(printed_code, texts))} as missing", changes)
    return Finding(fact, "", advice, "warning", tuple(counts), "codes", CHECK, remedy)


def _elsewhere(table: Checked, texts: tuple[str, ...], columns: dict[str, int]) -> bool:
    """Whether another column has a cell that is one of these."""
    others = (name for name in table.raw.columns if name not in columns)
    return any(any(without_codes(table.cells(name), texts).coded.values()) for name in others)
