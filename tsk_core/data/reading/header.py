"""Whether the first row of a table has the names of its columns, guessed from the rows below it."""

import re
from collections import Counter
from functools import lru_cache

from tsk_core.data.digit_patterns import LONGEST
from tsk_core.data.moment_text import moment_span
from tsk_core.data.number_text import number_span
from tsk_core.data.reading.sniffing import NUMBER

__all__ = ["LIKE_MISSING", "MOST", "guess_header", "has_quoted_names", "kind_of_cell", "runs_up"]

MOST = 0.8  # share of a column's filled cells that are numbers or moments, for its name to stand out among them
_NOTHING = ("na", "n/a", "nan", "null", "?", "-", "k. a.")  # a missing value, neither a name nor a number
LIKE_MISSING = frozenset({  # words among numbers that are no unit either
    *_NOTHING, "--", "–", "—", ".", "none", "nil", "missing", "unknown", "n.a.", "nd", "n/d", "not available", "k.a.",
    "unbekannt", "not measured", "keine angabe", "#n/a",
})  # fmt: skip


def guess_header(rows: list[list[str]]) -> bool:
    """No header if the first row is like the rows below: numbers, dates, or cells with the unit of the column where these
    have them, and texts of which one occurs again below, such as a class name.

    Where all columns are text, most of the first row must occur again. Numbers that count the columns are a header, and so are
    others that run up behind an empty cell.
    """
    if not rows:
        return True
    first = [cell.strip() for cell in rows[0]]
    while first and not first[-1]:  # a separator at the end of each row
        first.pop()
    if all(NUMBER.fullmatch(cell) for cell in first):
        return _counts(first, rows[1:])
    if first and not first[0] and all(NUMBER.fullmatch(cell) for cell in first[1:]):
        return _names_an_index(first[1:], [row[0].strip() for row in rows[1:] if row])
    columns = [[row[k].strip() for row in rows[1:] if len(row) > k and row[k].strip()] for k in range(len(first))]
    like = [_like(cell, column) for cell, column in zip(first, columns, strict=True)]
    if False in like:
        return True
    texts = [k for k, of in enumerate(like) if of is None and first[k] and first[k].lower() not in _NOTHING]
    again = [k for k in texts if first[k] in columns[k]]
    if True in like:
        return bool(texts) and not again
    return 2 * len(again) <= len(texts)


def _like(cell: str, column: list[str]) -> bool | None:
    """Whether a cell of the first row is a number or moment as those below; None where these are text or it is missing."""
    counts = {below: count for below, count in Counter(column).items() if below.lower() not in _NOTHING}
    kinds = {below: kind for below in counts if (kind := kind_of_cell(below)) is not None}
    numbers, filled = sum(counts[below] for below in kinds), sum(counts.values())
    if not filled or numbers < MOST * filled or not cell or cell.lower() in _NOTHING:
        return None
    return kind_of_cell(cell) in kinds.values()


def kind_of_cell(cell: str) -> str | None:
    """Its kind as a value: "moment", or "number" with its unit; None for text."""
    return _kind(cell) if len(cell) <= LONGEST else None


@lru_cache(maxsize=4096)
def _kind(cell: str) -> str | None:
    if moment_span(cell):
        return "moment"
    span = number_span(cell)
    named = span is not None and span.bound and cell[0].isalpha()  # "Over 65" is a usual name
    return f"number {span.unit}" if span and not named else None


def _counts(first: list[str], below: list[list[str]]) -> bool:
    """Whether a row is 0, 1, 2, … or 1, 2, 3, …, names given by programs: hardly data where there are four of them, or text below
    one.
    """
    if first not in ([str(k + start) for k in range(len(first))] for start in (0, 1)):
        return False
    if len(first) < 4:
        columns = [[row[k].strip() for row in below if len(row) > k and row[k].strip()] for k in range(len(first))]
        return len(first) > 1 and any(column and not any(map(kind_of_cell, column)) for column in columns)
    return not any([cell.strip() for cell in row[: len(first)]] == first for row in below)


def _names_an_index(names: list[str], column: list[str]) -> bool:
    """Whether numbers behind an empty cell are names: they run up, or the column below that cell has the names of rows."""
    if not column or not all(column):
        return False
    counts = column == [str(k + int(column[0])) for k in range(len(column))] if column[0].isdecimal() else False
    return (
        (len(names) > 1 and runs_up(names))
        or counts
        or (len(set(column)) == len(column) > 1 and not any(map(kind_of_cell, column)))
    )


def runs_up(numbers: list[str]) -> bool:
    """Whether numbers are whole, without a sign, and each is larger than the one before, as years in names are."""
    whole = [int(number) for number in numbers if number.isdecimal()]
    return 0 < len(whole) == len(numbers) and all(one < other for one, other in zip(whole, whole[1:], strict=False))


def has_quoted_names(sample: list[str], delimiter: str, quote: str) -> bool:
    """Whether all cells of the first row are quoted, and in the next some are not, nor any number.

    Then even numbers are names.
    """
    cell = re.compile(f"{quote}(?:[^{quote}]|{quote}{quote})*{quote}(?=[{delimiter}]|$)|[^{delimiter}]+")
    filled = (cell.findall(line.strip("\r\n")) for line in sample if line.strip())
    first, below = (next(filled, []) for _ in range(2))
    if not first or not all(_is_quoted(cell, quote) for cell in first):
        return False
    quoted = [cell for cell in below if _is_quoted(cell, quote)]
    return len(quoted) < len(below) and not any(NUMBER.fullmatch(cell[1:-1].strip()) for cell in quoted)


def _is_quoted(cell: str, quote: str) -> bool:
    return len(cell) > 1 and cell[0] == cell[-1] == quote
