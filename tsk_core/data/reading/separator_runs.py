"""Runs of separators: columns lined up by several tabs, or by spaces and tabs. One tab takes the place of each run."""

import io
import re
from typing import BinaryIO

from tsk_core.data.finding import Finding
from tsk_core.data.moment_text import moment_span
from tsk_core.data.number_text import number_span
from tsk_core.data.reading.read_options import MISSING_WORDS, ReadOptions
from tsk_core.data.reading.sniffing import NUMBER, guess_quote, lines_of, sample_rows
from tsk_core.data.reading.top import table_top
from tsk_core.numbers import counted

__all__ = ["without_runs"]

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
    plain = _width(lines)
    if not plain and _width([_one_tab("tabs", line) for line in lines]):
        return "tabs"
    mixed = _width([_one_tab("spaces and tabs", line) for line in lines])
    return "spaces and tabs" if mixed > plain and (not plain or _have_numbers_in_cells(lines)) else ""


def _width(lines: list[str]) -> int:
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
