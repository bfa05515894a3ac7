"""Codes for missing values that nobody declared: −99 among ages, 0 among blood pressures, "unknown" among towns."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from tsk_core.data.cell_text import number_span, sample
from tsk_core.data.check.table import Checked
from tsk_core.data.choices import EVERY
from tsk_core.data.clean.cells import MISSING_AMONG_NUMBERS, MISSING_PHRASES, Cells
from tsk_core.data.clean.codes import CHECK, na_finding, na_word, printed_code, without_codes
from tsk_core.data.clean.dates import DateFormat
from tsk_core.data.clean.roles import CHOSEN
from tsk_core.data.clean.target import numbers_of
from tsk_core.data.findings import Finding, Remedy
from tsk_core.data.naming import joined, printed, quoted, with_counts
from tsk_core.numbers import counted, minus, rounded_text

# Words that stand for a missing value, in columns of categories.


# Words that may well be a category: "none" of three treatments.
_AMBIGUOUS = frozenset({"none", "nil", "not applicable", "entfällt", "nd"})
_SIGNS = frozenset({"-", "--", "---", "–", "—", ".", "..", "..."})  # they say "missing" among words, not among signs and letters
_PLAIN = MISSING_PHRASES.union(
    (word for word in MISSING_AMONG_NUMBERS - _AMBIGUOUS if any(map(str.isalpha, word))), ("#value!", "#div/0!")
)
_NUMBERS = 10  # different numbers beside a single word that is none
_LETTER, _WORD = r"[^\W\d_]", r"[^\W\d_]{3}"
_LEAST_WORDS = 2  # cells with it


def word_codes(table: Checked) -> Iterator[tuple[str, str, np.ndarray]]:
    """Column, word and rows (int64) of the words that say "missing", and of the only word in a column of numbers."""
    for report in table.columns:
        filled = len(table.raw) - report.missing
        if report.role not in ("category", "ignored") or report.reason == CHOSEN or report.distinct == filled:
            continue
        cells = without_codes(table.cells(report.name), table.choices.codes_of(report.name))
        if cells.kind != "text" or not len(cells.words):
            continue
        for place in _places(cells):
            yield report.name, str(cells.words.iloc[place]), np.flatnonzero(cells.codes == place)


def _places(cells: Cells) -> list[int]:
    """The positions of such words among the distinct ones."""
    plain, signs = (cells.words.str.lower().isin(words).to_numpy(bool) for words in (_PLAIN, _SIGNS))
    others = cells.words[~(plain | signs)]
    if len(others) > 1 and others.str.contains(_WORD).any() and others.str.contains(_LETTER).all():
        plain = plain | signs
    if plain.any():
        return np.flatnonzero(plain).tolist() if len(others) > 1 else []
    if cells.declared or len(cells.words) <= _NUMBERS:
        return []
    without_digit = np.flatnonzero(~cells.words.str.contains(r"\d").to_numpy(bool))
    unread = sum(number_span(word) is None for word in sample(cells.words).tolist())
    if len(without_digit) != 1 or cells.counts[without_digit[0]] < _LEAST_WORDS or unread > 1:
        return []
    return without_digit.tolist()


# NA among codes of two letters, which reads as a missing value.


def na_codes(table: Checked) -> list[Finding]:
    """A warning for each column of categories in which NA may be one of them; the target has its own."""
    found = []
    for report in table.columns:
        if report.role not in ("category", "ordinal", "ignored") or report.reason == CHOSEN or not report.missing:
            continue
        word = na_word(table.raw[report.name], table.choices.not_missing.get(report.name, ()))
        if word and word.others:
            found.append(na_finding(report.name, word, "Counted as missing.", "category"))
    return found


# Numbers that stand apart at an end of their column, as codes for missing values do.


# Nines (9, −99, 99.9), 77 and 88 of surveys, 0, −1, and the limits of integers.
_USUAL = re.compile(r"-?9+(?:\.9+)?|-?(?:77+|88+)|0|-1|-999\.25|-?32768|-?2147483648|32767|65535|2147483647")
_BESIDE = re.compile(r"-?9*[78]|-[2-6]")  # a code only nearer to the others than a usual one: 97, 98, 99
_LEAST, _LEAST_SHORT = 2, 3  # cells with a code, and with one of a single digit
_CONTINUOUS = 10  # different numbers besides 0, for 0 to be a code
_MOST_ZEROS = 1 / 3  # of the cells; where more are 0, that is likelier a number, as of damage where nothing happened
_OF_MIDDLE = 1 / 3  # least empty stretch beside a code, in interquartile ranges of the others
_SHOWN = 100  # numbers of which the last digit is looked at
_MANY_TIMES = 3  # cells with a far value that other columns have, too
_OFTEN = 5  # times as many cells with it as with any number of the nearer half
_EVEN, _FAR = 3, 5  # different numbers of an even scale, and of how many of its lengths a far value is away
_SIGN = -7  # a code from here down needs no stretch where all other numbers are at least 0


class Apart(NamedTuple):
    """A number that is likely a code. low, high: the range of the numbers that are none."""

    value: float
    low: float
    high: float


class _End(NamedTuple):
    """The different numbers of a column and how often each occurs, from one end; ``stop``: where the codes of the other begin."""

    distinct: np.ndarray
    counts: np.ndarray
    run: int
    stop: int


def codes_apart(values: np.ndarray, usual: Callable[[float], bool]) -> list[Apart]:
    """The likely codes among numbers (N,), NaN for missing values.

    One is usual as a code, the smallest or largest number (or beside such a code), and occurs several times. The stretch to the
    other numbers is at least a third of their interquartile range, and twice any between neighbours in their nearer half.
    usual: which numbers are usual as codes.
    """
    if not len(values) or not (usual(np.fmin.reduce(values)) or usual(np.fmax.reduce(values))):
        return []
    distinct, counts = np.unique(values[~np.isnan(values)], return_counts=True)
    low = _run(distinct, counts, usual)
    high = _run(distinct[::-1], counts[::-1], usual)
    if low + high + 2 > len(distinct):
        return []
    ends = _End(distinct, counts, low, len(distinct) - high), _End(distinct[::-1], counts[::-1], high, len(distinct) - low)
    taken = [_codes_at(end) for end in ends]
    first, last = distinct[taken[0]], distinct[len(distinct) - 1 - taken[1]]
    places = (*range(taken[0]), *range(len(distinct) - taken[1], len(distinct)))
    found = [float(distinct[place]) for place in places if counts[place] >= _least(distinct[place])]
    return [Apart(value, float(first), float(last)) for value in found]


def is_usual_code(value: float) -> bool:
    """Whether people use a number as a code."""
    return _USUAL.fullmatch(printed(value)) is not None


def _is_beside(value: float) -> bool:
    return _BESIDE.fullmatch(printed(value)) is not None


def _run(distinct: np.ndarray, counts: np.ndarray, usual: Callable[[float], bool]) -> int:
    """How many numbers in a row may be codes, from the first."""
    if not usual(distinct[0]) or counts[0] < _least(distinct[0]):
        return 0
    few = len(distinct) <= _CONTINUOUS
    others = (k for k, value in enumerate(distinct) if not (usual(value) or _is_beside(value)) or (value == 0 and few))
    return next(others, len(distinct))


def _least(value: float) -> int:
    return _LEAST_SHORT if abs(value) < 10 else _LEAST


def _codes_at(end: _End) -> int:
    """How many of the first numbers are codes."""
    return next((k for k in range(end.run, 0, -1) if _is_code(end, k)), 0)


def _is_code(end: _End, k: int) -> bool:
    """Whether the k-th number, and so all before it, stands apart from those after it."""
    code, count = end.distinct[k - 1], end.counts[k - 1]
    others, counts = end.distinct[k : end.stop], end.counts[k : end.stop]
    if count < _least(code) or (code > 0 and _is_thin(count, counts, code, others)):
        return False
    if code == 0 and count > _MOST_ZEROS * (count + counts.sum()):
        return False
    if code <= _SIGN and min(others[0], others[-1]) >= 0:
        return True
    gap, cells = abs(others[0] - code), np.cumsum(counts)
    quarter, half, three = np.searchsorted(cells, cells[-1] * np.array([0.25, 0.5, 0.75]))
    middle = abs(others[three] - others[quarter]) or abs(others[-1] - others[0])
    apart = gap >= 2 * np.abs(np.diff(others[: half + 2])).max()
    if code == -1 and others[0] >= 0 and len(others) >= _CONTINUOUS:
        return bool(apart or count >= 2 * counts[: half + 1].max())
    return bool(apart and gap >= middle * _OF_MIDDLE)


def _is_thin(count: int, counts: np.ndarray, code: float, others: np.ndarray) -> bool:
    """Whether a positive code may be the last number of a tail, or one of prices such as 49, 99 and 199."""
    if abs(code) < 10 and count <= counts[0] < counts.mean() / 2:
        return True
    return bool(np.mean([printed(value).endswith("9") for value in others[:_SHOWN].tolist()]) > 0.5)


def far_ends(values: np.ndarray) -> list[float]:
    """The smallest and the largest number, each but 0 if it occurs several times. values: (N,), NaN for missing values."""
    if not len(values) or np.isnan(low := np.fmin.reduce(values)) or low == (high := np.fmax.reduce(values)):
        return []
    return [float(end) for end in (low, high) if end != 0 and (values == end).sum() >= _MANY_TIMES]


def is_far(values: np.ndarray, code: float) -> bool:
    """Whether a number at an end of numbers (N,) is so far from the others that it is a code if other columns have it there, too.

    The others differ as measurements do, and it stands apart as ``codes_apart`` asks of usual codes, or a third of their
    interquartile range away and far more often than any of the nearer half; or they are an even scale, such as 1 to 5, and it is
    several of their lengths away.
    """
    others, counts = np.unique(values[~np.isnan(values) & (values != code)], return_counts=True)
    if len(others) < _EVEN or others[0] < code < others[-1]:
        return False
    if code > others[-1]:
        others, counts = others[::-1], counts[::-1]
    gap = abs(others[0] - code)
    if len(others) <= _CONTINUOUS:
        steps = np.abs(np.diff(others))
        return bool(steps.max() == steps.min() and gap >= _FAR * abs(others[-1] - others[0]))
    if any(found.value == code for found in codes_apart(values, lambda value: value == code)):
        return True
    cells = np.cumsum(counts)
    quarter, half, three = np.searchsorted(cells, cells[-1] * np.array([0.25, 0.5, 0.75]))
    often = (values == code).sum() >= _OFTEN * counts[: half + 1].max()
    return bool(often and gap >= _OF_MIDDLE * abs(others[three] - others[quarter]) > 0)


def zeros_apart(values: np.ndarray) -> Apart | None:
    """The zero of numbers (N,) without negative ones, where the empty stretch above it is twice any in their lowest twentieth.

    That is too little to tell a code; see ``codes.py`` for what else is needed.
    """
    distinct, counts = np.unique(values[~np.isnan(values)], return_counts=True)
    if len(distinct) <= _CONTINUOUS or distinct[0] != 0 or not _LEAST_SHORT <= counts[0] <= counts[1:].sum():
        return None
    others, cells = distinct[1:], np.cumsum(counts[1:])
    lowest = others[: np.searchsorted(cells, max(cells[-1] / 20, 5)) + 1]
    if others[0] < 2 * np.diff(lowest).max(initial=0):
        return None
    return Apart(0.0, float(others[0]), float(others[-1]))


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
