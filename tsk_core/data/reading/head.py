"""The top of a text file: comments, title lines, the header, and the format of the rows below."""

import csv
from dataclasses import dataclass
from typing import BinaryIO

from tsk_core.data.finding import Finding
from tsk_core.data.reading import sniffing
from tsk_core.data.reading.header import guess_header, has_quoted_names
from tsk_core.data.reading.kinds import refuse_other_texts
from tsk_core.data.reading.lines import Lines, endless_cell
from tsk_core.data.reading.read_options import COMMENTS, DELIMITERS, ReadOptions
from tsk_core.data.reading.sample import Sample
from tsk_core.data.reading.stray import may_repeat
from tsk_core.data.reading.top import BETWEEN, left_out, table_top
from tsk_core.errors import DataError

__all__ = ["Head", "examine_head"]

_SAMPLE = 65_536  # characters; enough to detect the format


@dataclass(frozen=True)
class Head:
    """The format of the rows of a file, and where they begin.

    offset, line: the byte at which the data rows begin, and the number of the line before them. names: the cells of the
    header, None without one. width: the usual number of cells. spaced: whether most separators are followed by a space.
    comment: the character that begins comment lines, "" for none, None if the rows below decide it.
    comments: number of comment lines above the rows. findings: about other lines above the rows. sample: the first data rows.
    repeats: the names, and the other lines of text above the rows, as ``normal`` writes them; they may stand below again.
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
    sample: Sample | None = None
    repeats: frozenset[tuple[str, ...]] = frozenset()


@dataclass
class _Start:
    """The lines above the first row."""

    offset: int
    line: int
    hint: str | None = None
    comment: str | None = None
    comments: int = 0
    last: str = ""  # the comment just above the table


def examine_head(file: BinaryIO, start: int, options: ReadOptions) -> Head:
    """Read the top of a file in UTF-8 whose text begins at ``start``. Raises DataError if it is empty or not a table."""
    top = _skip_comments(file, start, options.comment)
    text = _text(file, top.offset)
    refuse_other_texts(text)
    cut = len(text) > _SAMPLE
    lines = [line for line in sniffing.lines_of(text[:_SAMPLE]) if not (top.comment and line.startswith(top.comment))]
    quote = options.quote or sniffing.guess_quote(lines)
    delimiter = options.delimiter or top.hint or sniffing.guess_delimiter(lines, quote, cut)
    rows = sniffing.sample_rows(lines, delimiter, quote, cut)
    place = table_top(rows, sniffing.gaps(lines, delimiter, quote))
    titles, table = place.above, rows[place.above :]
    header = place.header if options.header is None else options.header
    if header is None:
        header = guess_header(table) or has_quoted_names(lines, delimiter, quote)
    names = None if titles or options.header is False else _names_in_comment(top.last, table, delimiter, quote, header)
    of_table = header and names is None  # whether the names are a row of the table
    below = place.between if of_table else 0
    above, offset, line = _take_rows(file, top, delimiter, quote, titles + of_table + below)
    comments = top.comments
    if names is not None:
        comments -= 1
    elif header:
        names = above[titles] if len(above) > titles else []
    between = above[titles + 1 :]
    findings = (*left_out(above[:titles], "above the table"), *left_out(between, BETWEEN))
    return Head(
        offset, line, delimiter, quote, options.decimal or sniffing.guess_decimal(table), names,
        place.width, sniffing.is_spaced(lines, delimiter, quote),
        top.comment if comments or options.comment is not None else None, comments, findings,
        Sample(table[of_table + below :], place.width), may_repeat([*above[:titles], *above[titles + 1 :], names or []]),
    )  # fmt: skip


def _skip_comments(file: BinaryIO, start: int, comment: str | None) -> _Start:
    """Skip blank lines, a separator hint ("sep=;") and comments; if nothing else is left, comments are rows."""
    lines = Lines(file, start)
    top = _Start(start, 0, comment=comment)
    signs = COMMENTS if comment is None else tuple(comment)
    try:
        for line in lines:
            bare = line.strip(" \r\n\f\x1a\ufeff")
            if bare[:1] in signs and bare:
                signs, top.comments, top.last = (bare[0],), top.comments + 1, bare
            elif bare[:4].lower() == "sep=" and bare[4:] in DELIMITERS and top.hint is None:
                top.hint = bare[4:]  # written by spreadsheets
            elif bare:
                if top.comments:
                    top.comment = signs[0]
                return top
            top.offset, top.line = lines.offset, lines.number
    finally:
        lines.close()
    if top.comments and comment is None:
        return _skip_comments(file, start, "")
    raise DataError("This file is empty; choose one with a header row and data rows.")


def _text(file: BinaryIO, offset: int) -> str:
    """The first characters from ``offset``: at most one more than the sample."""
    file.seek(offset)
    return file.read(4 * _SAMPLE + 4).decode(errors="ignore")[: _SAMPLE + 1]


def _names_in_comment(comment: str, table: list[list[str]], delimiter: str, quote: str, header: bool) -> list[str] | None:
    """Names in a comment above the table, such as "# a,b,c": as many as the rows have cells, and no header follows."""
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


def _take_rows(file: BinaryIO, top: _Start, delimiter: str, quote: str, count: int) -> tuple[list[list[str]], int, int]:
    """The next ``count`` filled rows, and the byte and line at which the remaining rows begin."""
    lines = Lines(file, top.offset, top.line)
    kept = (line for line in lines if not (top.comment and line.startswith(top.comment)))
    rows: list[list[str]] = []
    try:
        cells = sniffing.cells_of(kept, delimiter, quote)
        while len(rows) < count and (row := next(cells, None)) is not None:
            if row:
                rows.append(row)
        return rows, lines.offset, lines.number
    except csv.Error:
        raise endless_cell(top.line + 1) from None
    finally:
        lines.close()
