"""Cells of new rows that cannot be read as those of training were: said in a warning, and an error where they are too many."""

import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from tsk_core.data.clean.cells import Cells
from tsk_core.data.clean.missing import MISSING_AMONG_NUMBERS
from tsk_core.data.naming import quoted
from tsk_core.errors import DataError, DataWarning
from tsk_core.numbers import counted

__all__ = ["UnreadableCells", "unreadable_cells", "warn_of_unreadable"]


@dataclass(frozen=True, eq=False)
class UnreadableCells:
    """Cells of one column of new rows that are neither empty nor what training had there; they count as missing.

    rows: their row numbers, ascending, int64 (K,). texts: what they hold, object (K,). filled: cells of the column that are not
    empty. expected: what training had, such as "numbers like '12.5 kg'".
    """

    column: str
    rows: np.ndarray = field(repr=False)
    texts: np.ndarray = field(repr=False)
    filled: int
    expected: str

    def __str__(self) -> str:
        verb = "counts" if len(self.rows) == 1 else "count"
        return f"{self._fact} cannot be read as {self.expected} and {verb} as missing."

    def check(self) -> None:
        """Raise DataError where they are more than half of the filled cells."""
        if 2 * len(self.rows) > self.filled:
            raise DataError(f"{self._fact} cannot be read; write them as in training, as {self.expected}, or leave them empty.")

    @property
    def _fact(self) -> str:
        cells = f"{len(self.rows):,} of {counted(self.filled, 'filled cell')}"
        return f"Column {quoted(self.column)}: {cells}, such as {quoted(self.texts[0])},"


def unreadable_cells(cells: Cells, values: np.ndarray, expected: str) -> UnreadableCells | None:
    """Those of a column that training read as numbers or dates; None if there are none.

    values: what was read, float64 or int64 (N,), NaN for cells that are missing or were not read.
    """
    filled = ~cells.missing
    if not (filled & np.isnan(values)).any():
        return None
    cells = cells.as_text()
    filled &= ~cells.spread(cells.words.str.lower().isin(MISSING_AMONG_NUMBERS).to_numpy(bool), False)
    rows = np.flatnonzero(filled & np.isnan(values))
    if not len(rows):
        return None
    texts = cells.words.to_numpy(object)[cells.codes[rows]]
    return UnreadableCells(cells.name, rows, texts, int(filled.sum()), expected)


def warn_of_unreadable(unreadable: Iterable[UnreadableCells]) -> None:
    """One DataWarning for each column."""
    for cells in unreadable:
        warnings.warn(str(cells), DataWarning, stacklevel=3)
