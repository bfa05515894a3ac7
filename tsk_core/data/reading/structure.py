"""The structure of a text file, found before a table reader opens it: encoding, separator, header, shape.

Uses only the standard library and charset-normalizer, so that a bad file is refused quickly, whatever its content.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import BinaryIO

from tsk_core import limits
from tsk_core.data.finding import Finding
from tsk_core.data.naming import joined
from tsk_core.data.reading.head import Head, examine_head
from tsk_core.data.reading.lines import Lines, Row, rows_of
from tsk_core.data.reading.read_options import COMMENTS, ReadOptions
from tsk_core.data.reading.separator_runs import without_runs
from tsk_core.errors import DataError
from tsk_core.numbers import counted

__all__ = ["NO_ROWS", "Structure", "examine", "measured"]

NO_ROWS = "This file has a header row and no data rows."


@dataclass(frozen=True)
class Structure:
    """A text file that is known to be a table.

    file: in UTF-8. offset: the byte at which the data rows begin. read_options: how to read it. names: of the columns, "" for
    none. longest: bytes of the longest row, at most. quoted: whether cells are quoted. plain: whether a table reader can read
    the rows as they are; otherwise ``comments`` selects them first. spaced: whether a space follows each separator.
    """

    file: BinaryIO
    offset: int
    read_options: ReadOptions
    names: list[str]
    longest: int
    quoted: bool
    plain: bool
    spaced: bool
    comments: "Comments"
    findings: tuple[Finding, ...] = ()


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
    lines = Lines(file, head.offset, head.line)
    try:
        shape = _Shape(head.width if head.names is None else len(head.names))
        shape.count(rows_of(lines, head.delimiter, head.quote), comments)
    finally:
        lines.close()
    names, findings = _names(head, shape)
    sign = comments.signs if comments.count or head.comment else ""
    options = ReadOptions(encoding, head.delimiter, head.decimal, head.names is not None, head.quote, sign)
    # A table reader skips neither comments nor lines of spaces, and reads a space before a quotation mark as text.
    irregular = comments.count or len(shape.counts) > 1 or lines.blank or lines.spaced or head.delimiter == " "
    return Structure(
        file, head.offset, options, names, 4 * shape.longest, lines.quoted, not irregular, head.spaced, comments,
        (*_comments_left_out(head.comments + comments.count, sign), *head.findings, *findings, *_malformed(lines.malformed)),
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
    where = f"{'line' if one else 'lines'} {_numbers(lines[:3], len(lines))}"
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

    ``counts``: cells -> rows that have so many. ``filled``: rows wider than ``width`` with a filled last cell.
    """

    width: int
    counts: dict[int, "_Rows"] = field(default_factory=dict)
    longest: int = 0
    filled: int = 0

    def count(self, rows: Iterator[Row], comments: Comments) -> None:
        """Count rows and comments. Raises DataError for no rows, LimitError for too many."""
        most, n_rows = limits.value("rows"), 0
        for row in rows:
            if comments.has(row.first, row.cells):
                comments.count += 1
                comments.signs = row.first[0]
                continue
            n_rows += 1
            entry = self.counts.get(row.cells)
            if entry is None:
                limits.check("columns", row.cells, "Columns")
                entry = self.counts[row.cells] = _Rows()
            entry.count += 1
            if len(entry.lines) < 3:
                entry.lines.append(row.start)
            if row.cells > self.width and row.last.strip():
                self.filled += 1
            if row.size > self.longest:
                self.longest = row.size
            if n_rows > most:
                limits.check("rows", n_rows, "Rows (at least)")  # stop early: counting the rest may take long
        if not n_rows:
            raise DataError(NO_ROWS)


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
    raise _ragged(shape)


def _numbers(lines: list[int], count: int) -> str:
    """The first of ``count`` lines by their numbers, and how many more there are."""
    return joined([f"{line:,}" for line in lines]) + (f" (and {count - len(lines):,} more)" if count > len(lines) else "")


def _ragged(shape: _Shape) -> DataError:
    """The error that names lines whose number of cells differs from the first row."""
    odd = {cells: entry for cells, entry in shape.counts.items() if cells != shape.width}
    examples = sorted((line, cells) for cells, entry in odd.items() for line in entry.lines)[:3]
    count = sum(entry.count for entry in odd.values())
    lines, cells = [line for line, _ in examples], [f"{cells:,}" for _, cells in examples]
    text = f"Line {lines[0]:,} has {cells[0]} cell{'s' if cells[0] != '1' else ''}"
    if count > 1:
        text = f"Lines {_numbers(lines, count)} have {joined(cells)} cells"
    return DataError(f"{text} where the first row has {shape.width:,}; every row needs the same number.")
