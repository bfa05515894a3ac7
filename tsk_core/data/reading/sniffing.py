"""The lines of a text file, and the format of its table: separator, quotes, decimal sign.

Rows are lists of cells as text, from a CSV file or a workbook.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice, zip_longest
from typing import BinaryIO

from tsk_core.data.cell_text import OTHER_SIGN, is_currency, number_span
from tsk_core.data.reading.parsed import DELIMITERS
from tsk_core.errors import DataError

SAMPLE_ROWS = 60
NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?", re.IGNORECASE)
_OF_THREE = {sign: re.compile(rf"[+-]?[1-9]\d{{0,2}}[{sign}]\d{{3}}") for sign in ",."}
_SMALL = re.compile(r"[+-]?\d{1,3}")
_ENOUGH = 5  # numbers with a separator
_CLEAR = 0.8  # share of rows with the same number of cells


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
    """The separator that splits most rows into the same number of cells; unlike ``csv.Sniffer``, respects quotes.

    Where none splits most of them, it is the one that splits the later half best: other lines may stand above the table.
    """
    split = {delimiter: sample_rows(sample, delimiter, quote, cut) for delimiter in DELIMITERS}
    best, share = _best_delimiter(split)
    return (
        best if share >= _CLEAR or best == " " else _best_delimiter({d: rows[len(rows) // 2 :] for d, rows in split.items()})[0]
    )


def _best_delimiter(split: dict[str, list[list[str]]]) -> tuple[str, float]:
    """The separator whose rows agree most, and the share of rows with the most frequent number of cells above 1."""
    best, best_share = ",", 0.0
    for delimiter, rows in split.items():
        width = usual_width([row for row in rows if len(row) > 1])
        if width < 2:
            continue
        share = sum(len(row) == width for row in rows) / len(rows)
        if delimiter == " " and (best_share or len(rows) < 3 or not (share == 1 or _lacks_a_name(rows, width))):
            continue  # spaces also separate words
        if share > best_share:
            best, best_share = delimiter, share
    return best, best_share


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


def gaps(sample: list[str], delimiter: str, quote: str) -> list[int]:
    """The positions of rows, among those of ``sample_rows``, that follow a blank line."""
    found, count, blank = [], 0, False
    try:
        for row in islice(cells_of(sample, delimiter, quote), SAMPLE_ROWS):
            if row and blank and count:
                found.append(count)
            count, blank = count + bool(row), not row
    except csv.Error:
        return []
    return found


def lines_of(text: str) -> list[str]:
    """Lines with their ends, split only at the line ends of Windows, Unix and old Macs."""
    return list(io.StringIO(text, newline=""))


# The lines of a file in UTF-8, counted while they are read, and the rows of cells in them.


LONGEST_CELL = csv.field_size_limit()  # 131,072 characters


class Lines:
    """Iterates over lines with their line ends. ``number``: of the last line read, from 1.

    ``offset``: the byte at which the next line begins. ``recorded``: lines read while ``recording``, until a reader clears it.
    ``quoted``, ``spaced``, ``blank``: whether ``rows_of`` met a quotation mark, one after a space that begins a cell, and a line
    of spaces or tabs only. ``malformed``: numbers of the lines at which rows of several lines begin whose quotation marks are
    wrong, as where a closing one is missing and the next row's is taken for it.
    """

    def __init__(self, file: BinaryIO, offset: int, number: int = 0) -> None:
        file.seek(offset)
        self._text = io.TextIOWrapper(file, "utf-8", newline="")
        self._pushed_back: str | None = None
        self.offset, self.number = offset, number
        self.recorded: list[str] = []
        self.malformed: list[int] = []
        self.recording = self.quoted = self.spaced = self.blank = False

    def __iter__(self) -> "Lines":
        return self

    def __next__(self) -> str:
        line = self._pushed_back if self._pushed_back is not None else next(self._text)
        self._pushed_back = None
        self.number += 1
        if self.recording:
            self.recorded.append(line)
        self.offset += len(line) if line.isascii() else len(line.encode())
        return line

    def push_back(self, line: str) -> None:
        """Put the last line back; it is read again."""
        self._pushed_back = line
        self.number -= 1
        self.offset -= len(line.encode())

    def close(self) -> None:
        """Stop reading; the file stays open."""
        self._text.detach()


class Row:
    """One row. ``cells``: how many; ``first``, ``last``: cells, or a character of them; ``start``: number of its first line;
    ``size``: in characters; ``apart``: whether a blank line stands above; ``content``: its line, which has no quotation mark, or
    its cells.
    """

    __slots__ = ("apart", "cells", "content", "first", "last", "size", "start")

    def __init__(self, cells: int, first: str, last: str, start: int, size: int, apart: bool, content: str | list[str]) -> None:
        self.cells, self.first, self.last, self.start, self.size = cells, first, last, start, size
        self.apart, self.content = apart, content

    def split(self, delimiter: str) -> list[str]:
        """Its cells."""
        return self.content.rstrip("\r\n").split(delimiter) if isinstance(self.content, str) else self.content


def rows_of(lines: Lines, delimiter: str, quote: str) -> Iterator[Row]:
    """Each filled row; lines without a quotation mark are counted and not split, which is several times as fast.

    Raises DataError for a quoted cell without end.
    """
    apart = False
    for line in lines:
        if quote in line or delimiter == " ":
            lines.push_back(line)
            lines.quoted = True
            yield from _quoted_rows(lines, delimiter, quote)
            return
        bare = line.strip(" \r\n" if delimiter == "\t" else " \t\r\n")
        if not bare:
            lines.blank |= line[0] in " \t"
            apart = True
            continue
        if len(line) > LONGEST_CELL and max(map(len, line.split(delimiter))) > LONGEST_CELL:
            raise endless_cell(lines.number)
        first = line[0] if line[0] != " " else bare[0]
        last = "" if line.rstrip("\r\n").endswith(delimiter) else "x"
        yield Row(line.count(delimiter) + 1, first, last, lines.number, len(line), apart, line)
        apart = False


def _quoted_rows(lines: Lines, delimiter: str, quote: str) -> Iterator[Row]:
    start, lines.recording, last, apart = lines.number + 1, True, [], False
    spaced = re.compile(f"(?:^|{re.escape(delimiter)}) +{quote}")
    try:
        for cells in cells_of(lines, delimiter, quote):
            last, lines.recorded = lines.recorded, []
            lines.spaced = lines.spaced or any(f" {quote}" in line and spaced.search(line) for line in last)
            if len(last) > 1 and _fault(last, delimiter, quote):
                lines.malformed.append(start)
            if cells and (len(cells) > 1 or cells[0].strip()):
                yield Row(len(cells), cells[0] or delimiter, cells[-1].strip(), start, sum(map(len, last)), apart, cells)
                apart = False
            else:
                lines.blank |= bool(cells)
                apart = True
            start = lines.number + 1
    except csv.Error:
        raise endless_cell(start) from None
    if "unexpected end" in _fault(last, delimiter, quote):
        raise endless_cell(lines.number)


def _fault(row: list[str], delimiter: str, quote: str) -> str:
    """What is wrong with the quotation marks in the lines of a row, in the words of ``csv``; "" for nothing."""
    try:
        list(csv.reader(row, delimiter=delimiter, quotechar=quote, skipinitialspace=True, strict=True))
    except csv.Error as error:
        return str(error)
    return ""


def endless_cell(line: int) -> DataError:
    """The error for a quoted cell that does not end."""
    return DataError(f"A cell that begins near line {line:,} is too long; a closing quotation mark may be missing.")
