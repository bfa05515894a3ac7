"""Where a table begins: the lines above its names, and those between the names and the data.

Rows are lists of cells as text, from a text file or a workbook.
"""

import io
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from tsk_core.data.cell_text import moment_span, number_span
from tsk_core.data.findings import Finding
from tsk_core.data.naming import listed
from tsk_core.data.reading.header import (
    LIKE_MISSING,
    Sample,
    guess_header,
    is_flag,
    is_transposed,
    is_type,
    is_unit_or_type,
    kind_of_cell,
    normal,
    runs_up,
)
from tsk_core.data.reading.parsed import MISSING_WORDS, ReadOptions
from tsk_core.data.reading.sniffing import NUMBER, guess_quote, lines_of, sample_rows, usual_width
from tsk_core.numbers import counted

BETWEEN = "between the names and the data"
_MOST_ABOVE = 40  # rows
_MOST_BETWEEN = 4
_NUMBERED = re.compile(  # as programs number columns
    r"(\(?|(?:v|x|c|f|col|columna?|colonne|spalte|field|feld|campo|var|variable|feature|unnamed)[ :_.]*)(\d{1,4})\)?",
    re.IGNORECASE,
)
_RULE = re.compile(r"[-=_*+~.:|\s]+")  # a line that is drawn below names


@dataclass(frozen=True)
class Top:
    """Where a table begins. width: its usual number of cells. above: rows above the names or, without these, above the data.

    header: whether names follow, None if that is still to be guessed. between: rows between the names, if any, and the data.
    """

    width: int
    above: int
    header: bool | None
    between: int


def table_top(rows: list[list[str]], gaps: Collection[int] = ()) -> Top:
    """Where the table begins in these first rows of a file. gaps: positions of rows that follow a blank line.

    Above it are rows with another number of cells or hardly any, and numbers of the columns. They may be all that and more above
    a row of names that stand out from the numbers below them; without one, they have at most one filled cell, or another number
    of cells than the names and the data that follow.
    """
    gaps = {*gaps, *(k + 1 for k, row in enumerate(rows) if not any(cell.strip() for cell in row))}
    sample = Sample(rows, _width(rows))
    above = _above_names(sample, gaps)
    header = True if above is not None else None
    if above is None:
        above = _above_table(sample, gaps)
    again = next((k for k in range(above + 2, len(rows)) if normal(rows[k]) == normal(rows[above])), len(rows))
    return Top(sample.width, above, header, _rows_between(Sample(rows[:again], sample.width), above + 1))


def left_out(rows: list[list[str]], where: str) -> tuple[Finding, ...]:
    """A finding about rows that are none of the table. where: such as "above the table"."""
    filled = [cell.strip() for row in rows for cell in row if cell.strip()]
    if not filled:
        return ()
    return (Finding(f"Left out {counted(len(rows), 'line')} {where}: {listed(filled, 2 if len(rows) > 1 else 3)}.", kind="note"),)


def _width(rows: list[list[str]]) -> int:
    """The number of cells of the table's rows: the usual one, unless all rows with it stand above or below a wider table."""
    usual = usual_width(rows)
    places: dict[int, list[int]] = {}
    for k, row in enumerate(rows):
        places.setdefault(len(row), []).append(k)
    for width in () if len(places) == 1 else sorted(places, reverse=True):
        own = places[width]
        apart = own[0] > places[usual][-1] or own[-1] < places[usual][0]
        if width == usual or (apart and width > 1 and len(own) > 2):
            sample = Sample(rows[own[0] :], width)
            if _stands_out(sample, 0) or (width > usual and _has_names(sample, 0)):
                return width
    return usual


def _above_names(sample: Sample, gaps: Collection[int]) -> int | None:
    """The number of rows above the first row of names that stands out; None without one."""
    last = min(len(sample.rows) - 1, _MOST_ABOVE)
    first = next((k for k in range(last) if _stands_out(sample, k)), None)
    if first is None or not all(_is_above(sample, k, first, gaps) for k in range(first)):
        return None
    for k in range(first + 1, last):  # a line above the table may have as many cells as it
        above = sample.rows[first:k]
        if k > first + 1 and not all(_is_partial(sample, row) or _is_numbering(row) for row in above):
            break
        parted = (
            k in gaps or all(map(_is_numbering, above)) or (k == first + 1 and "" in above[0] and _names_groups(sample, first))
        )
        if parted and _stands_out(sample, k) and not _is_of_units(sample.rows[k]):
            return k
    return first


def _is_partial(sample: Sample, row: Sequence[str]) -> bool:
    """Whether a row has fewer cells than the table, or others, or no last one."""
    return len(row) != sample.width or not row[-1] or sum(map(bool, row)) < 2


def _is_above(sample: Sample, k: int, names: int, gaps: Collection[int]) -> bool:
    """Whether a row is none of the table whose names stand in row ``names``, further below."""
    row = sample.rows[k]
    return (
        _is_partial(sample, row)
        or _is_numbering(row)
        or any(gap in gaps for gap in range(k + 1, names + 1))
        or any(map(kind_of_cell, filter(None, row)))
        or _names_groups(sample, k)
    )


def _above_table(sample: Sample, gaps: Collection[int]) -> int:
    """The number of rows above a table without names that stand out."""
    for k, row in enumerate(sample.rows[:_MOST_ABOVE]):
        filled = list(filter(None, row))
        if len(filled) > 1:
            above = _is_foreign(sample, k, gaps) or _names_groups(sample, k)
            above = above or (_is_numbering(row) and _has_names(sample, k + 1))
        else:
            above = (sample.width > 2 or len(row) < sample.width or not filled) and not any(map(NUMBER.fullmatch, filled))
        if not above:
            return k if k < len(sample.rows) - 1 else 0
    return 0  # no table follows


def _is_foreign(sample: Sample, k: int, gaps: Collection[int]) -> bool:
    """Whether a row of text has another number of cells than the names and the data that follow."""
    row, width = sample.rows[k], sample.width
    if width in (len(row), len(normal(row))) or NUMBER.fullmatch(row[0]):
        return False
    start = next((i for i in range(k + 1, len(sample.rows)) if len(sample.rows[i]) == width), len(sample.rows))
    if not _has_names(sample, start):
        return False
    if len(row) != width - 1:
        return True
    # One name too few: R writes none above the names of rows, which all differ.
    firsts = [other[0] for other in sample.rows[start:]]
    return any(gap in gaps for gap in range(k + 1, start + 1)) or len(set(firsts)) < len(firsts)


def _has_names(sample: Sample, k: int) -> bool:
    """Whether row k has the names of columns, in which numbers, if any, are years or others that run up."""
    rows = sample.rows[k:]
    if len(rows) < 2 or len(rows[0]) != sample.width:
        return False
    filled = list(filter(None, rows[0]))
    numbers = list(filter(kind_of_cell, filled))
    differ = len(set(filled)) == len(filled) > len(numbers)
    return differ and (not numbers or runs_up(numbers)) and guess_header(rows)


def _stands_out(sample: Sample, k: int) -> bool:
    """Whether row k has a different name for each column but one, and one stands above numbers or moments."""
    row, width = sample.rows[k], sample.width
    filled = list(filter(None, row))
    if len(row) < width or any(row[width:]) or len(set(filled)) < len(filled):
        return False
    if len(filled) < max(2, width - 1) and not (width == 2 and not row[0] and filled):
        return False
    if any(kind_of_cell(cell) or cell.lower() in LIKE_MISSING for cell in filled):
        return False
    again = next((i for i in range(k + 2, len(sample.rows)) if sample.rows[i] == row), None)
    data, least = sample if again is None else Sample(sample.rows[:again], width), 2 if k else 1
    return any(row[column] and data.begins_numeric(column, k + 1, _MOST_BETWEEN, least) for column in range(width))


def _is_numbering(row: Sequence[str]) -> bool:
    """Whether the cells, but an empty first one, number the columns: 0, 1, 2 or (1), (2) or V1, V2 or A, B, C, three at least."""
    cells = list(row)
    while cells and not cells[-1]:
        cells.pop()
    cells = cells[1:] if cells and not cells[0] else cells
    if len(cells) < 3:
        return False
    if cells == [chr(ord("A") + k) for k in range(len(cells))]:
        return True
    matches = [match for cell in cells if (match := _NUMBERED.fullmatch(cell))]
    if len(matches) < len(cells):
        return False
    start = int(matches[0][2])
    return start < 2 and all(m[1] == matches[0][1] and int(m[2]) == start + k for k, m in enumerate(matches))


def _is_of_units(row: Sequence[str]) -> bool:
    return all(map(is_unit_or_type, filter(None, row)))


def _names_groups(sample: Sample, k: int) -> bool:
    """Whether a row with a name for each column follows, none of which occurs again, and row k adds few cells to it."""
    below, width = sample.rows[k + 1 :], sample.width
    names = below[0] if below else []
    texts = {name for name in names if name and not number_span(name)}
    if not len(texts) == len(names) == width or texts & {cell for row in below[1:] for cell in row}:
        return False
    return 2 * sum(cell not in ("", name) for cell, name in zip(sample.rows[k], names, strict=False)) <= width


def _rows_between(sample: Sample, start: int) -> int:
    """The number of rows from ``start`` on that stand between names and data: units, types, labels or numbers of the columns."""
    left = len(sample.rows) - start - 2  # rows of data have to be two
    if left < 1 or not _is_between(sample, start, start + 1, start) or is_transposed(sample.rows[start - 1 :], header=True):
        return 0
    for count in range(min(_MOST_BETWEEN, left), 1, -1):
        if all(_is_between(sample, k, start + count, start) or not any(sample.rows[k]) for k in range(start, start + count)):
            return count
    return 1


def _is_between(sample: Sample, k: int, data: int, start: int) -> bool:
    """Whether no cell of row k can be a value of its column, since the rows from ``data`` on have numbers or other words there.

    start: the first row below the names.
    """
    row = sample.rows[k]
    cells = [(column, cell) for column, cell in enumerate(row[: sample.width]) if cell]
    texts = [cell for _, cell in cells]
    if not cells or any(row[sample.width :]):
        return False
    if _is_numbering(row):
        return row[0].startswith("(") or not all(sample.has_number(column, data) for column, _ in cells)
    if all(map(_RULE.fullmatch, texts)):
        return any(len(text) > 1 for text in texts)
    above_numbers, strange, numeric = [], 0, 0
    for column, cell in cells:
        below = sample.column(column, data)
        if cell in below:
            return False
        if sample.begins_numeric(column, data, _MOST_BETWEEN):
            if _is_value(cell, below):
                return False
            numeric += 1
            above_numbers += [cell] if cell.lower() not in LIKE_MISSING else []
        else:
            strange += len(below) > 1 and 2 * len(set(below)) <= len(below) and cell.lower() not in LIKE_MISSING
    if k > start and all(map(is_flag, texts)):
        return True
    if all(map(is_unit_or_type, texts)):
        return bool(above_numbers) or (numeric == 0 and strange > 1 and _says_types(sample, k))
    # The same word above all numbers is rather a word for a missing value; words that recur, the classes of a transposed table.
    differ = len(set(above_numbers)) == len(above_numbers) > 1
    return bool(above_numbers) and (strange > 0 or differ)


def _is_value(cell: str, below: list[str]) -> bool:
    """Whether a cell is a number or moment as the column has, rather than a type such as "5s" or a unit such as "1000 kg"."""
    kind = kind_of_cell(cell)
    return kind is not None and not (is_unit_or_type(cell) and kind not in map(kind_of_cell, below))


def _says_types(sample: Sample, k: int) -> bool:
    """Whether a row above text alone has words for types, or their initials and a row below that marks the class."""
    below = list(filter(None, sample.rows[k + 1])) if k + 1 < len(sample.rows) else []
    return any(is_type(cell) for cell in sample.rows[k]) or (bool(below) and all(map(is_flag, below)))


# Runs of separators: columns lined up by several tabs, or by spaces and tabs. One tab takes the place of each run.


_SAMPLE = 65_536  # characters
_LEAST = 3  # rows that have equally many cells without runs
_QUOTED = r"""("(?:[^"]|"")*")"""
_RUNS = {"tabs": re.compile(rf"{_QUOTED}|[ \t]*\t[ \t]*"), "spaces and tabs": re.compile(rf"{_QUOTED}|[ \t]+")}


def without_runs(file: BinaryIO, start: int, options: ReadOptions) -> tuple[BinaryIO, int, tuple[Finding, ...]]:
    """The file, where its text begins, and a finding; a new file where runs of separators were found.

    Runs of tabs are found where the rows have equally many cells only without them, for else two tabs enclose an empty cell. Runs
    of spaces and tabs are found where it is so, or where the cells between the tabs are several numbers each.
    """
    file.seek(start)
    text = file.read(4 * _SAMPLE).decode(errors="ignore")[:_SAMPLE]
    if "\t" not in text or options.delimiter not in (None, "\t", " "):
        return file, start, ()
    lines = [line for line in lines_of(text) if line.strip() and line[0] not in "#%"]
    lines = lines[:-1] if len(text) == _SAMPLE else lines
    what = _kind(lines)
    if not what:
        return file, start, ()
    even, changed = _evened(file, start, what)
    many = counted(changed, "line has", "lines have")
    return (
        even,
        0,
        (Finding(f"{many} runs of {what} between the cells.", "Each run is one separator, not empty cells.", kind="note"),),
    )


def _kind(lines: list[str]) -> str:
    """The runs that separate the cells of these lines: one of ``_RUNS``, or ""."""
    plain = _columns_of(lines)
    if not plain and _columns_of([_one_tab("tabs", line) for line in lines]):
        return "tabs"
    mixed = _columns_of([_one_tab("spaces and tabs", line) for line in lines])
    return "spaces and tabs" if mixed > plain and (not plain or _have_numbers_in_cells(lines)) else ""


def _columns_of(lines: list[str]) -> int:
    """The number of cells between tabs that each row has; 0 where rows differ, or are few."""
    rows = sample_rows(lines, "\t", guess_quote(lines), cut=False)
    rows = rows[table_top(rows).above :]
    widths = set(map(len, rows))
    return widths.pop() if len(rows) >= _LEAST and len(widths) == 1 else 0


def _have_numbers_in_cells(lines: list[str]) -> bool:
    """Whether most rows have a cell of several numbers between its tabs, and all cells of several words are such, names aside."""
    bare = [re.sub(_QUOTED, "", line) for line in lines[1:]]
    several = [[cell.strip() for cell in line.split("\t") if len(cell.split()) > 1] for line in bare]
    cells = [cell for row in several for cell in row]
    return 2 * sum(map(bool, several)) > len(several) and all(map(_is_several, cells))


def _is_several(cell: str) -> bool:
    """Whether a cell is several numbers or missing values: neither 1 234 nor a day and its hour."""
    words = all(NUMBER.fullmatch(word) or word in MISSING_WORDS for word in cell.split())
    return words and number_span(cell) is None and moment_span(cell) is None


def _one_tab(what: str, line: str) -> str:
    bare = line.strip(" \t\r\n") if what != "tabs" else line.rstrip(" \t\r\n")
    return _RUNS[what].sub(lambda run: run[1] or "\t", bare) + "\n"


def _evened(file: BinaryIO, start: int, what: str) -> tuple[BinaryIO, int]:
    """The file with one tab for each run, and the number of lines that have a run."""
    file.seek(start)
    text, changed, out = io.TextIOWrapper(file, "utf-8", newline=""), 0, io.BytesIO()
    try:
        for line in text:
            even = _one_tab(what, line)
            changed += even.rstrip("\n") != line.rstrip("\r\n")
            out.write(even.encode())
    finally:
        text.detach()
    return out, changed
