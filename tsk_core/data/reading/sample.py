"""The first rows of a table as cells of known kinds, each column looked at once."""

from collections.abc import Sequence
from itertools import accumulate

from tsk_core.data.reading.header import LIKE_MISSING, MOST, kind_of_cell
from tsk_core.data.reading.sniffing import NUMBER
from tsk_core.data.reading.unit_words import is_unit_or_type

__all__ = ["Sample", "is_transposed", "names_classes", "normal"]

_CLASSES = ("class", "target", "label", "klasse", "diagnosis", "group", "type", "species", "category")


class Sample:
    """The first rows of a file. rows: their cells as text, without outer spaces; width: cells of a row of the table."""

    def __init__(self, rows: Sequence[Sequence[str]], width: int) -> None:
        self.rows = [[cell.strip() for cell in row] for row in rows]
        self.width = width
        self._counts: dict[int, tuple[list[int], list[int]]] = {}

    def column(self, k: int, start: int) -> list[str]:
        """The filled cells of a column from row ``start`` on."""
        return [row[k] for row in self.rows[start:] if len(row) > k and row[k]]

    def is_numeric(self, k: int, start: int) -> bool:
        """Whether most filled cells of a column from row ``start`` on are numbers or moments."""
        numbers, filled = self._counted(k)
        return filled[start] > 0 and numbers[start] >= MOST * filled[start]

    def has_number(self, k: int, start: int) -> bool:
        """Whether a cell of a column from row ``start`` on is a number or moment."""
        return self._counted(k)[0][start] > 0

    def begins_numeric(self, k: int, start: int, most: int, least: int = 1) -> bool:
        """Whether a column is numeric from row ``start`` on, or, with two rows left, from one of the next ``most`` rows.

        least: filled cells of which this has to be true.
        """
        starts = [start, *range(start + 1, min(start + most + 1, len(self.rows) - 1))]
        return any(self._counted(k)[1][at] >= least and self.is_numeric(k, at) for at in starts)

    def _counted(self, k: int) -> tuple[list[int], list[int]]:
        """How many numbers and filled cells a column has from each row on."""
        if k not in self._counts:
            cells = [row[k] if len(row) > k else "" for row in self.rows]
            sorts = {cell: _sort(cell) for cell in set(cells)}
            numbers = accumulate((sorts[cell] == 2 for cell in reversed(cells)), initial=0)
            filled = accumulate((sorts[cell] > 0 for cell in reversed(cells)), initial=0)
            self._counts[k] = [*numbers][::-1], [*filled][::-1]
        return self._counts[k]


def _sort(cell: str) -> int:
    """0 of a missing cell, 2 of a number or moment, 1 of another."""
    if not cell or cell.lower() in LIKE_MISSING:
        return 0
    return 1 if kind_of_cell(cell) is None else 2


def normal(row: Sequence[str]) -> tuple[str, ...]:
    """A row for a comparison: without outer spaces, capital letters, and empty cells at its end."""
    cells = [cell.strip().casefold() for cell in row]
    while cells and not cells[-1]:
        cells.pop()
    return tuple(cells)


def names_classes(name: str) -> bool:
    """Whether a name is usual for the classes of cases."""
    return name.strip().lower() in _CLASSES


def is_transposed(rows: Sequence[Sequence[str]], header: bool, of_classes: bool = False) -> bool:
    """Whether each row, behind its name, has cells of one kind: numbers in some, categories that recur in others.

    header: whether the first row names the cases. of_classes: whether it rather has the class of each.
    """
    features = [row[0].strip() for row in rows[header:]]
    if not all(features) or len(set(features)) < len(features) or any(map(kind_of_cell, features)):
        return False
    numeric, texts, recurring = 0, [], 0
    for k, row in enumerate(rows):
        cells = [cell.strip() for cell in row[1:] if cell.strip() and cell.strip().lower() not in LIKE_MISSING]
        numbers = sum(kind_of_cell(cell) is not None for cell in cells)
        if not numbers:
            classes = 1 < len(set(cells)) < len(cells)
            recurring += classes and (k >= header or of_classes)
            texts += cells if classes else []
        elif numbers >= MOST * len(cells):
            numeric += k >= header or not _ascends(cells)
        elif k >= header:
            return False
    told = any(map(names_classes, features)) or not all(map(is_unit_or_type, texts))
    return numeric > 0 and recurring > 0 and told


def _ascends(cells: Sequence[str]) -> bool:
    """Whether cells are numbers, each larger than the one before, as doses in the names of columns are."""
    values = [float(cell.replace(",", ".")) for cell in cells if NUMBER.fullmatch(cell)]
    return len(values) == len(cells) and all(one < other for one, other in zip(values, values[1:], strict=False))
