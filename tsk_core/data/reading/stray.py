"""Lines among and below the rows of a table that are none of it: names again, and footnotes."""

import re
from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from tsk_core.data.finding import Finding
from tsk_core.data.naming import joined, listed
from tsk_core.data.reading.header import LIKE_MISSING, kind_of_cell
from tsk_core.data.reading.sample import Sample, normal
from tsk_core.data.reading.sniffing import NUMBER
from tsk_core.numbers import counted

__all__ = ["Footnotes", "Repeats", "left_out_below", "may_repeat", "places"]

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
