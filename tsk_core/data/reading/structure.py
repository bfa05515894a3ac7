"""The structure of a text file, found before a table reader opens it: encoding, separator, header, shape.

Uses only the standard library and charset-normalizer, so that a bad file is refused quickly, whatever its content.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import BinaryIO

from tsk_core import limits
from tsk_core.data.findings import Finding
from tsk_core.data.naming import joined
from tsk_core.data.reading.head import Footnotes, Head, Repeats, examine_head, left_out_below, places
from tsk_core.data.reading.parsed import COMMENTS, DELIMITERS, ReadOptions
from tsk_core.data.reading.sniffing import Lines, Row, cells_of, rows_of
from tsk_core.data.reading.top import without_runs
from tsk_core.errors import DataError
from tsk_core.numbers import counted

NO_ROWS = "This file has a header row and no data rows."


@dataclass(frozen=True)
class Structure:
    """A text file that is known to be a table.

    file: in UTF-8. offset, line: the byte at which the data rows begin, and the number of the line before. read_options: how to
    read it. names: of the columns, "" for none. longest: bytes of the longest row, at most. quoted: whether cells are quoted.
    plain: whether a table reader can read the rows as they are; otherwise ``rows`` selects them first. spaced: whether a space
    follows each separator. end: number of the line with the first footnote, None without one.
    """

    file: BinaryIO
    offset: int
    line: int
    read_options: ReadOptions
    names: list[str]
    longest: int
    quoted: bool
    plain: bool
    spaced: bool
    comments: "Comments"
    repeats: Repeats
    end: int | None = None
    findings: tuple[Finding, ...] = ()

    def rows(self) -> Iterator[list[str]]:
        """The cells of each row of the table: no comment, no names again, no footnote, no blank line."""
        options = self.read_options
        lines = Lines(self.file, self.offset, self.line)
        try:
            for row in cells_of(lines, options.delimiter or ",", options.quote or '"'):
                if self.end is not None and lines.number >= self.end:
                    return
                filled = row and (len(row) > 1 or row[0].strip())
                if filled and not self.comments.has(row[0], len(row)) and not (self.repeats.known and self.repeats.has(row)):
                    yield row
        finally:
            lines.close()


@dataclass
class Comments:
    """Which rows below the header are comments, by their first character; ``settled`` if comments also stand above the header.

    Otherwise a comment must also have a number of cells other than ``width``.
    """

    signs: str
    settled: bool
    width: int
    count: int = 0

    def has(self, first: str, cells: int) -> bool:
        """Whether a row with this first cell and this number of cells is a comment."""
        return bool(first) and first[0] in self.signs and (self.settled or cells != self.width)


def examine(file: BinaryIO, start: int, encoding: str, options: ReadOptions) -> Structure:
    """Find out how to read a text file in UTF-8 that begins at ``start``, and check that it is a table.

    Raises DataError with one sentence that names the kind of the file or the wrong lines; LimitError for too many rows or
    columns.
    """
    even, begin, findings = without_runs(file, start, options)
    structure = measured(even, examine_head(even, begin, options), encoding)
    return replace(structure, findings=(*findings, *structure.findings)) if findings else structure


def measured(file: BinaryIO, head: Head, encoding: str) -> Structure:
    """The structure of a file with a known head; counts every row. Raises as ``examine`` does."""
    if head.names is not None:
        limits.check("columns", len(head.names), "Columns")
    signs = "".join(COMMENTS) if head.comment is None else head.comment
    comments = Comments(signs, head.comment is not None, head.width)
    lines, repeats = Lines(file, head.offset, head.line), Repeats(head.repeats)
    shape = _Shape(head.width if head.names is None else len(head.names), comments, repeats, Footnotes(head.sample))
    try:
        shape.count(rows_of(lines, head.delimiter, head.quote), head.delimiter)
    finally:
        lines.close()
    below = shape.without_footnotes()
    names, findings = _names(head, shape)
    sign = comments.signs if comments.count or head.comment else ""
    options = ReadOptions(encoding, head.delimiter, head.decimal, head.names is not None, head.quote, sign)
    # A table reader skips neither comments nor lines of spaces, and reads a space before a quotation mark as text.
    irregular = lines.blank or lines.spaced or head.delimiter == " " or len(shape.counts) > 1
    plain = not (irregular or comments.count or repeats.count or below)
    left_out = (
        *_comments_left_out(head.comments + comments.count, sign),
        *head.findings,
        *repeats.left_out(),
        *left_out_below(below),
    )
    return Structure(
        file, head.offset, head.line, options, names, 4 * shape.longest, lines.quoted, plain, head.spaced, comments, repeats,
        below[0][1] if below else None, (*left_out, *findings, *_malformed(lines.malformed)),
    )  # fmt: skip


def _comments_left_out(count: int, sign: str) -> tuple[Finding, ...]:
    if not count:
        return ()
    lines = counted(count, "comment line that begins", "comment lines that begin")
    return (Finding(f"Left out {lines} with {sign}.", kind="note"),)


def _malformed(lines: list[int]) -> tuple[Finding, ...]:
    """The finding for rows of several lines with a wrong quotation mark; lines: at which they begin."""
    if not lines:
        return ()
    one = len(lines) == 1
    where = places(lines, len(lines))
    which = (
        "The row that begins in {} spans several lines and has" if one else "Rows that begin in {} span several lines and have"
    )
    fact = f"{which.format(where)} a misplaced quotation mark."
    advice = "A closing quotation mark may be missing there, so that rows are read as one; correct the file and upload it again."
    return (Finding(fact, "Read as one row." if one else "Each read as one row.", advice, "warning"),)


@dataclass(slots=True)
class _Rows:
    """Rows with equally many cells: how many, and the numbers of the first three lines."""

    count: int = 0
    lines: list[int] = field(default_factory=list)


@dataclass
class _Shape:
    """How many rows have how many cells. ``width``: cells of the first row.

    ``counts``: cells -> rows that have so many. ``filled``: rows wider than ``width`` with a filled last cell. ``comments``,
    ``repeats``: rows that are not counted. ``footnotes``: the last rows that may be some.
    """

    width: int
    comments: Comments
    repeats: Repeats
    footnotes: Footnotes
    counts: dict[int, "_Rows"] = field(default_factory=dict)
    longest: int = 0
    filled: int = 0

    def count(self, rows: Iterator[Row], delimiter: str) -> None:
        """Count rows, comments, and rows that repeat the names. Raises DataError for no rows, LimitError for too many."""
        most, n_rows, width, tail = limits.value("rows"), 0, self.width, self.footnotes.tail
        watched = self.repeats.starts(delimiter).union(self.comments.signs)
        for row in rows:
            if row.first[0] in watched and self._is_stray(row, delimiter):
                continue
            n_rows += 1
            entry = self.counts.get(row.cells) or self._entry(row.cells)
            entry.count += 1
            if len(entry.lines) < 3:
                entry.lines.append(row.start)
            if row.size > self.longest:
                self.longest = row.size
            if n_rows > most:
                limits.check("rows", n_rows, "Rows (at least)")  # stop early: counting the rest may take long
            if row.cells != width or not row.last or row.apart:
                self.filled += row.cells > width and bool(row.last)
                tail.append((row.split(delimiter), row.start, row.apart))
            elif tail:
                tail.clear()
        if not n_rows:
            raise DataError(NO_ROWS)

    def _is_stray(self, row: Row, delimiter: str) -> bool:
        """Whether a row is a comment or repeats the names; it is counted as one."""
        if row.first[0] in self.comments.signs and self.comments.has(row.first, row.cells):
            self.comments.count += 1
            self.comments.signs = row.first[0]
            return True
        content, repeats = row.content, self.repeats
        if not (repeats.has_line(content, delimiter) if isinstance(content, str) else repeats.has(content)):
            return False
        repeats.add(row.start)
        return True

    def _entry(self, cells: int) -> "_Rows":
        limits.check("columns", cells, "Columns")
        return self.counts.setdefault(cells, _Rows())

    def without_footnotes(self) -> list[tuple[Sequence[str], int]]:
        """Count the footnotes no longer, and return the cells and the line of each."""
        found = self.footnotes.found(sum(entry.count for entry in self.counts.values()))
        for cells, line in found:
            entry = self.counts[len(cells)]
            entry.count -= 1
            entry.lines = [other for other in entry.lines if other != line]
            self.filled -= len(cells) > self.width and bool(cells[-1].strip())
            if not entry.count:
                del self.counts[len(cells)]
        return found


def _names(head: Head, shape: _Shape) -> tuple[list[str], list[Finding]]:
    """One column name for each cell of the rows, and findings. One extra cell is accepted if it is empty; else DataError."""
    widths, usual = sorted(shape.counts), shape.width
    names = [f"column {k}" for k in range(1, usual + 1)] if head.names is None else list(head.names)
    if widths == [usual]:
        return names, []
    if widths == [usual - 1] and not names[-1].strip():
        return names[:-1], []
    if widths == [usual + 1] and not shape.filled:
        return [*names, ""], []
    if widths == [usual + 1] and head.names is not None:
        text = "The header has one name fewer than the rows have cells; the first column is read as row names."
        return ["", *names], [Finding(text, kind="note")]
    if widths == [usual, usual + 1] and not shape.filled:
        count = shape.counts[usual + 1].count
        rows = counted(count, "row ends", "rows end")
        return names, [Finding(f"{rows} with a separator; the empty cell after it is ignored.", kind="note")]
    raise _ragged(shape, head)


def _ragged(shape: _Shape, head: Head) -> DataError:
    """The error that names lines whose number of cells is not that of the table, and says what to do."""
    odd = {cells: entry for cells, entry in shape.counts.items() if cells != shape.width}
    examples = sorted((line, cells) for cells, entry in odd.items() for line in entry.lines)[:3]
    count = sum(entry.count for entry in odd.values())
    where = places([line for line, _ in examples], count)
    numbers = joined(f"{cells:,}" for cells in dict.fromkeys(cells for _, cells in examples))
    have = f"have {numbers} cells" if count > 1 else f"has {counted(examples[0][1], 'cell')}"
    more = f"put cells that contain {DELIMITERS[head.delimiter]} in quotation marks"
    remedy = f"{more}, or delete" if max(odd) > shape.width else "complete or delete"
    them = "what is none of its rows" if max(odd) > shape.width else "them" if count > 1 else "it"
    of = f"the first row has {shape.width:,}" if head.names is None else f"the header has {counted(shape.width, 'name')}"
    return DataError(f"{where.capitalize()} {have} where {of}; {remedy} {them}.")
