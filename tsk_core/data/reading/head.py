"""The top of a text file (comments, titles, header, format), and lines that are no rows: names again, and footnotes."""

import csv
import re
from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import BinaryIO

from tsk_core.data.findings import Finding
from tsk_core.data.naming import joined, listed
from tsk_core.data.reading import sniffing
from tsk_core.data.reading.content import refuse_other_texts
from tsk_core.data.reading.header import LIKE_MISSING, Sample, guess_header, has_quoted_names, kind_of_cell, normal
from tsk_core.data.reading.parsed import COMMENTS, DELIMITERS, ReadOptions
from tsk_core.data.reading.sniffing import NUMBER, Lines, endless_cell
from tsk_core.data.reading.top import BETWEEN, left_out, table_top
from tsk_core.errors import DataError
from tsk_core.numbers import counted

# Lines among and below the rows of a table that are none of it: names again, and footnotes.


_MOST = 50  # footnotes
_SAYS = re.compile(  # how footnotes begin, or what sentences have and cells hardly
    r"[*†‡§¹²³]|(?:source|note|footnote|last |updated|generated|created|exported|copyright|quelle|anmerkung|hinweis|stand\b|"
    r"fuente|nota|fonte|remarque|bron\b|źródło|uwaga|kilde|källa|источник|примечание|来源|注|资料|資料|出典|数据)|"
    r".*(?::(?:\s|$)|://|\w[.。]$)|(?:\S+\s+){3}",
    re.IGNORECASE | re.DOTALL,
)
_RULE = re.compile(r"[-=_*+~.:|\s]{2,}")  # a line that is drawn


@dataclass
class Repeats:
    """Rows below the names that repeat them, or a line above the data. known: as ``normal`` writes them.

    count: of those that were met; lines: the numbers of the first three.
    """

    known: frozenset[tuple[str, ...]] = frozenset()
    count: int = 0
    lines: list[int] = field(default_factory=list)

    @cached_property
    def firsts(self) -> frozenset[str]:
        """Their first cells."""
        return frozenset(row[0] for row in self.known)

    def starts(self, delimiter: str) -> set[str]:
        """The characters with which such rows may begin."""
        return {sign for row in self.known for sign in (row[0][:1] or delimiter, row[0][:1].upper() or delimiter)}

    def has(self, cells: Sequence[str]) -> bool:
        """Whether a row repeats the names or a line above the data."""
        return cells[0].strip().casefold() in self.firsts and normal(cells) in self.known

    def has_line(self, line: str, delimiter: str) -> bool:
        """The same of a line without quotation marks."""
        return line[: line.find(delimiter)].strip().casefold() in self.firsts and self.has(line.split(delimiter))

    def add(self, line: int) -> None:
        """Count one that begins in this line."""
        self.count += 1
        if len(self.lines) < 3:
            self.lines.append(line)

    def left_out(self) -> tuple[Finding, ...]:
        """A finding about them."""
        if not self.count:
            return ()
        rows = counted(self.count, "line that repeats", "lines that repeat")
        return (
            Finding(f"Left out {rows} the names or another line above the data: {places(self.lines, self.count)}.", kind="note"),
        )


def may_repeat(rows: Sequence[Sequence[str]]) -> frozenset[tuple[str, ...]]:
    """Those of the rows above the data that no row of data can equal: two cells at least, and one of them text."""
    repeats = map(normal, rows)
    return frozenset(row for row in repeats if sum(map(bool, row)) > 1 and not all(kind_of_cell(cell) for cell in row if cell))


class Footnotes:
    """The last rows of a table that are none.

    tail: to which each row that may be one is added (its cells, the number of its line, and whether a blank line stands above),
    and which is cleared at any other row. sample: the first rows of data.
    """

    def __init__(self, sample: Sample | None) -> None:
        self.tail: deque[tuple[Sequence[str], int, bool]] = deque(maxlen=_MOST)
        self._sample = sample

    def found(self, data: int) -> list[tuple[Sequence[str], int]]:
        """The footnotes: their cells and the numbers of their lines. data: rows of the table, footnotes among them."""
        if self._sample is None or not self.tail:
            return []
        rows, first = list(self.tail), len(self.tail)
        same = {normal(row) for row, _, _ in rows}
        sample = Sample([row for row in self._sample.rows if normal(row) not in same], self._sample.width)
        known = set(sample.column(0, 0))
        numeric = [sample.is_numeric(k, 0) for k in range(sample.width)]
        for k in range(len(rows) - 1, -1, -1):
            apart = any(gap for _, _, gap in rows[: k + 1])
            if not _is_footnote(rows[k][0], apart, sample.width, numeric, known):
                break
            first = k
        return [] if len(rows) - first >= data else [(cells, line) for cells, line, _ in rows[first:]]


def _is_footnote(row: Sequence[str], apart: bool, width: int, numeric: Sequence[bool], known: Collection[str]) -> bool:
    """Whether a row says something about a table instead of being a row of it.

    apart: whether a blank line stands above. numeric: which columns have numbers. known: cells of the first column, which a
    row that was cut off may have, too.
    """
    filled = [cell.strip() for cell in row if cell.strip()]
    if not filled or all(map(_RULE.fullmatch, filled)):
        return True
    first = filled[0]
    if NUMBER.fullmatch(first) or first in known or first.lower() in LIKE_MISSING:
        return False
    says = _SAYS.match(first) is not None
    strange = numeric[0] and bool(row[0].strip()) and not kind_of_cell(first)
    if len(row) != width:
        return says or apart or strange
    if len(filled) == 1:
        return width > 2 and bool(row[0].strip()) and (says or strange)
    alien = [not kind_of_cell(cell.strip()) for cell, of in zip(row, numeric, strict=False) if of and cell.strip()]
    return strange and (says or apart) and all(alien)


def left_out_below(rows: Sequence[tuple[Sequence[str], int]]) -> tuple[Finding, ...]:
    """A finding about footnotes: their cells and lines."""
    filled = [cell.strip() for row, _ in rows for cell in row if cell.strip()]
    if not filled:
        return ()
    lines = places([line for _, line in rows], len(rows))
    return (Finding(f"Left out {counted(len(rows), 'line')} below the table, {lines}: {listed(filled, 2)}.", kind="note"),)


def places(lines: Sequence[int], count: int) -> str:
    """Where ``count`` rows are: "line 3", or "lines 3, 4 and 5 (and 2 more)" of the first ``lines``."""
    more = f" (and {count - 3:,} more)" if count > 3 else ""
    return f"line{'s' if count > 1 else ''} {joined([f'{line:,}' for line in lines[:3]])}{more}"


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
