"""The lines of a file in UTF-8, counted while they are read, and the rows of cells in them."""

import csv
import io
import re
from collections.abc import Iterator
from typing import BinaryIO

from tsk_core.data.reading.sniffing import cells_of
from tsk_core.errors import DataError

__all__ = ["Lines", "Row", "endless_cell", "rows_of"]

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
