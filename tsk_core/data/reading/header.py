"""Whether the first row of a table has the names of its columns, guessed from the rows below it."""

import re

from tsk_core.data.moment_text import moment_span
from tsk_core.data.number_text import number_span
from tsk_core.data.reading.sniffing import NUMBER

__all__ = ["guess_header", "has_quoted_names"]

_MOST = 0.8  # share of a column's filled cells that are numbers or moments, for its name to stand out among them
_NOTHING = ("na", "n/a", "nan", "null", "?", "-", "k. a.")  # a missing value, neither a name nor a number


def guess_header(rows: list[list[str]]) -> bool:
    """No header if the first row is like the rows below: numbers, dates, or cells with the unit of the column where these
    have them, and texts of which one occurs again below, such as a class name.

    Where all columns are text, most of the first row must occur again. Numbers that count the columns are a header.
    """
    if not rows:
        return True
    first = [cell.strip() for cell in rows[0]]
    while first and not first[-1]:  # a separator at the end of each row
        first.pop()
    if all(NUMBER.fullmatch(cell) for cell in first):
        return _counts(first)
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
    kinds = [kind for below in column if below.lower() not in _NOTHING and (kind := _kind(below)) is not None]
    filled = sum(below.lower() not in _NOTHING for below in column)
    if not filled or len(kinds) < _MOST * filled or not cell or cell.lower() in _NOTHING:
        return None
    return _kind(cell) in kinds


def _kind(cell: str) -> str | None:
    """Its kind as a value: "moment", or "number" with its unit; None for text."""
    if moment_span(cell):
        return "moment"
    span = number_span(cell)
    named = span is not None and span.bound and cell[0].isalpha()  # "Over 65" is a usual name
    return f"number {span.unit}" if span and not named else None


def _counts(first: list[str]) -> bool:
    """Whether a row is 0, 1, 2, … or 1, 2, 3, …: names given by programs, hardly data."""
    return len(first) >= 5 and first in ([str(k + start) for k in range(len(first))] for start in (0, 1))


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
