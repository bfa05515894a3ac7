"""The format of a table, guessed from its first rows: separator, quotes, decimal sign, title lines.

Rows are lists of cells as text, from a CSV file or a workbook.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice, zip_longest

from tsk_core.data.number_text import OTHER_SIGN, is_currency, number_span
from tsk_core.data.reading.read_options import DELIMITERS

__all__ = ["NUMBER", "cells_of", "guess_decimal", "guess_delimiter", "guess_quote", "is_spaced", "lines_of", "sample_rows",
           "title_rows", "usual_width"]  # fmt: skip

SAMPLE_ROWS = 60
_MOST_TITLES = 20
NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?", re.IGNORECASE)
_OF_THREE = {sign: re.compile(rf"[+-]?[1-9]\d{{0,2}}[{sign}]\d{{3}}") for sign in ",."}
_SMALL = re.compile(r"[+-]?\d{1,3}")
_ENOUGH = 5  # numbers with a separator


def cells_of(lines: Iterator[str] | list[str], delimiter: str, quote: str) -> Iterator[list[str]]:
    """Rows of cells, [] for a blank line; quoted cells may hold newlines. Raises csv.Error for a quoted cell without end."""
    if delimiter == " ":  # consecutive spaces count as one
        lines = (line.strip(" \r\n") + "\n" for line in lines)
    return csv.reader(lines, delimiter=delimiter, quotechar=quote, skipinitialspace=True)


def sample_rows(sample: list[str], delimiter: str, quote: str, cut: bool) -> list[list[str]]:
    """The first filled rows; if the sample was cut, its incomplete last row is left out."""
    try:
        rows = [row for row in islice(cells_of(sample, delimiter, quote), SAMPLE_ROWS) if row]
    except csv.Error:
        return []
    return rows[:-1] if cut and 1 < len(rows) < SAMPLE_ROWS else rows


def guess_quote(sample: list[str]) -> str:
    """The apostrophe if most lines have cells in apostrophes and none in double quotes; else the double quote."""
    text = "".join(sample)
    if '"' in text:
        return '"'
    return "'" if len(re.findall(r"(?:^|[,;\t|])'[^'\n]*'(?=[,;\t|\r\n])", text, re.MULTILINE)) > len(sample) / 2 else '"'


def guess_delimiter(sample: list[str], quote: str, cut: bool) -> str:
    """The separator that splits most rows into the same number of cells; unlike ``csv.Sniffer``, respects quotes."""
    best, best_share = ",", 0.0
    for delimiter in DELIMITERS:
        rows = sample_rows(sample, delimiter, quote, cut)
        width = usual_width(rows)
        if width < 2:
            continue
        share = sum(len(row) == width for row in rows) / len(rows)
        if delimiter == " " and (best_share or len(rows) < 3 or not (share == 1 or _lacks_a_name(rows, width))):
            continue  # spaces also separate words
        if share > best_share:
            best, best_share = delimiter, share
    return best


def _lacks_a_name(rows: list[list[str]], width: int) -> bool:
    """Whether only the first row differs, by one cell that it lacks: R writes no name above the names of rows."""
    return len(rows[0]) == width - 1 >= 2 and all(len(row) == width for row in rows[1:])


def usual_width(rows: list[list[str]]) -> int:
    """The number of cells that most rows have; the larger one of a tie."""
    widths = Counter(map(len, rows))
    return max(widths, key=lambda width: (widths[width], width), default=0)


def guess_decimal(rows: list[list[str]]) -> str:
    """The sign that more numbers need as their decimal sign, with or without a unit or a sign of comparison."""
    cells = [cell.strip() for row in rows for cell in row]
    needed = Counter(span.decimals for cell in cells if (span := number_span(cell)))
    if needed[","] != needed["."]:
        return "," if needed[","] > needed["."] else "."
    # "1,234" and "R$ 1.234" alone may be thousands.
    columns = [[cell.strip() for cell in column if cell.strip()] for column in zip_longest(*rows, fillvalue="")]
    thousands = {sign for sign in _OF_THREE for column in columns if _has_thousands(column, sign)}
    if len(thousands) == 1:
        return OTHER_SIGN[thousands.pop()]
    return "."


def _has_thousands(column: list[str], sign: str) -> bool:
    """Whether this sign separates thousands: three digits follow it wherever it stands, and numbers below 1000 are without it.

    Of decimals, some would have fewer digits, or whole numbers would have as many.
    """
    signed = [cell for cell in column if sign in cell and NUMBER.fullmatch(cell)]
    if not signed:
        return _has_money(column, sign)
    small = any(_SMALL.fullmatch(cell) for cell in column)
    return small and len(signed) >= _ENOUGH and all(_OF_THREE[sign].fullmatch(cell) for cell in signed)


def _has_money(column: list[str], sign: str) -> bool:
    """Whether this sign separates thousands in amounts of a currency: three digits follow it in each, and one is 10 thousands."""
    spans = [(cell, span) for cell in column if sign in cell and (span := number_span(cell)) and is_currency(span.unit)]
    numbers = [cell[span.start : span.stop] for cell, span in spans]
    return max(map(len, numbers), default=0) > len("1.234") and all(map(_OF_THREE[sign].fullmatch, numbers))


def is_spaced(sample: list[str], delimiter: str, quote: str) -> bool:
    """Whether most cells after the first begin with a space."""
    try:
        rows = list(islice(csv.reader(sample, delimiter=delimiter, quotechar=quote), SAMPLE_ROWS))
    except csv.Error:
        return False
    after = [cell for row in rows for cell in row[1:]]
    return delimiter != " " and 2 * sum(cell.startswith(" ") for cell in after) > len(after)


def title_rows(rows: list[list[str]]) -> int:
    """Number of title rows above the table: rows with at most one filled cell, of text, where the table has more.

    A row that names groups of columns is one too: a row of names for all columns follows, and it fills at most half of the
    columns with anything else.
    """
    width = usual_width(rows)
    for titles, row in enumerate(rows[:_MOST_TITLES]):
        filled = [cell.strip() for cell in row if cell.strip()]
        titled = width > 2 or len(row) < width or not filled
        many = len(filled) > 1 and not _names_groups(row, rows[titles + 1 :], width)
        if many or (filled and NUMBER.fullmatch(filled[0])) or not titled:
            return titles if titles < len(rows) - 1 else 0
    return 0  # no table follows


def _names_groups(row: list[str], below: list[list[str]], width: int) -> bool:
    """Whether a row with a name for each column follows, none of which occurs again, and this row adds few cells to it."""
    names = [cell.strip() for cell in below[0]] if below else []
    texts = {name for name in names if name and not number_span(name)}
    if not len(texts) == len(names) == width or texts & {cell.strip() for row in below[1:] for cell in row}:
        return False
    return 2 * sum(cell.strip() not in ("", name) for cell, name in zip(row, names, strict=False)) <= width


def lines_of(text: str) -> list[str]:
    """Lines with their ends, split only at the line ends of Windows, Unix and old Macs."""
    return list(io.StringIO(text, newline=""))
