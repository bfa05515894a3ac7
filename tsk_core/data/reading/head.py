"""The top of a text file: comments, a title, the header, and how the rows below are written."""

import csv
from dataclasses import dataclass
from typing import BinaryIO

from tsk_core.data.finding import Finding
from tsk_core.data.naming import listed
from tsk_core.data.reading import sniffing
from tsk_core.data.reading.kinds import refuse_other_texts
from tsk_core.data.reading.lines import Lines, endless_cell
from tsk_core.data.reading.wish import COMMENTS, DELIMITERS, Reading
from tsk_core.errors import DataError

__all__ = ["Head", "examine_head", "titles_left_out"]

_SAMPLE = 65_536  # characters that are enough to see how a file is written


@dataclass(frozen=True)
class Head:
    """How a file's rows are written, and where they begin.

    offset, line: the byte at which the data rows begin, and the number of the line before. names: the header's cells,
    None without one. width: the usual number of cells. spaced: whether a space follows most separators.
    comment: the sign that comment lines begin with, "" for none, None where it is to be found out further down.
    comments: how many were passed. findings: what else was.
    """

    offset: int
    line: int
    delimiter: str
    quote: str
    decimal: str
    names: list[str] | None
    width: int
    spaced: bool
    comment: str | None
    comments: int
    findings: tuple[Finding, ...]


@dataclass
class _Top:
    """What stands above the first row."""

    offset: int
    line: int
    hint: str | None = None
    comment: str | None = None
    comments: int = 0
    last: str = ""  # the comment next to the table


def examine_head(file: BinaryIO, start: int, wish: Reading) -> Head:
    """Read the top of a file in UTF-8 whose text begins at ``start``. Raises DataError where it is empty or no table."""
    top = _pass_comments(file, start, wish.comment)
    text = _text(file, top.offset)
    refuse_other_texts(text)
    cut = len(text) > _SAMPLE
    lines = [line for line in sniffing.lines_of(text[:_SAMPLE]) if not (top.comment and line.startswith(top.comment))]
    quote = wish.quote or sniffing.guess_quote(lines)
    delimiter = wish.delimiter or top.hint or sniffing.guess_delimiter(lines, quote, cut)
    rows = sniffing.sample_rows(lines, delimiter, quote, cut)
    titles = sniffing.title_rows(rows)
    table = rows[titles:]
    header = wish.header
    if header is None:
        header = sniffing.guess_header(table) or sniffing.has_quoted_names(lines, delimiter, quote)
    names = None if titles or wish.header is False else _names_in_comment(top.last, table, delimiter, quote, header)
    above, offset, line = _pass_rows(file, top, delimiter, quote, titles + (header and names is None))
    comments = top.comments
    if names is not None:
        comments -= 1
    elif header:
        names = above[-1] if above else []
    return Head(
        offset, line, delimiter, quote, wish.decimal or sniffing.guess_decimal(table, delimiter), names,
        sniffing.usual_width(table), sniffing.is_spaced(lines, delimiter, quote),
        top.comment if comments or wish.comment is not None else None, comments, titles_left_out(above[:titles]),
    )  # fmt: skip


def titles_left_out(rows: list[list[str]]) -> tuple[Finding, ...]:
    """What is said of rows above the table."""
    filled = [cell.strip() for row in rows for cell in row if cell.strip()]
    if not filled:
        return ()
    lines = "1 line" if len(rows) == 1 else f"{len(rows)} lines"
    return (Finding(f"Left out {lines} above the table: {listed(filled, 2)}.", kind="read"),)


def _pass_comments(file: BinaryIO, start: int, wish: str | None) -> _Top:
    """Go past blank lines, a separator's hint and comments; where nothing else would be left, comments are rows."""
    lines = Lines(file, start)
    top = _Top(start, 0, comment=wish)
    signs = COMMENTS if wish is None else tuple(wish)
    try:
        for line in lines:
            bare = line.strip(" \r\n\f\x1a\ufeff")
            if bare[:1] in signs and bare:
                signs, top.comments, top.last = (bare[0],), top.comments + 1, bare
            elif bare[:4].lower() == "sep=" and bare[4:] in DELIMITERS and top.hint is None:
                top.hint = bare[4:]  # a spreadsheet's own first line
            elif bare:
                if top.comments:
                    top.comment = signs[0]
                return top
            top.offset, top.line = lines.offset, lines.number
    finally:
        lines.close()
    if top.comments and wish is None:
        return _pass_comments(file, start, "")
    raise DataError("This file is empty; choose one with a header row and data rows.")


def _text(file: BinaryIO, offset: int) -> str:
    """The first characters from ``offset``, one more than the sample where there are more."""
    file.seek(offset)
    return file.read(4 * _SAMPLE + 4).decode(errors="ignore")[: _SAMPLE + 1]


def _names_in_comment(comment: str, table: list[list[str]], delimiter: str, quote: str, header: bool) -> list[str] | None:
    """Names in a comment above the table, such as "# a,b,c": as many as the rows have cells, and no header below."""
    if not comment or not table:
        return None
    close = comment[1:2] not in ("", " ")  # "#id,name": a comment would begin with a space
    bare = comment if close else comment[1:].strip()
    try:
        names = next(sniffing.cells_of([bare], delimiter, quote), [])
    except csv.Error:
        return None
    fits = len(names) == len(table[0]) == sniffing.usual_width(table) and len(names) > 1
    return names if fits and (close or not header) else None


def _pass_rows(file: BinaryIO, top: _Top, delimiter: str, quote: str, count: int) -> tuple[list[list[str]], int, int]:
    """The next ``count`` filled rows, and where the rest begins."""
    lines = Lines(file, top.offset, top.line)
    drawn = (line for line in lines if not (top.comment and line.startswith(top.comment)))
    rows = []
    try:
        cells = sniffing.cells_of(drawn, delimiter, quote)
        while len(rows) < count and (row := next(cells, None)) is not None:
            if row:
                rows.append(row)
        return rows, lines.offset, lines.number
    except csv.Error:
        raise endless_cell(top.line + 1) from None
    finally:
        lines.close()
