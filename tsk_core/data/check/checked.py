"""Checked: a cleaned table as the checks see it, raw and cleaned side by side."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd

from tsk_core.data.choices import Choices
from tsk_core.data.clean.cells import Cells
from tsk_core.data.clean.pipeline import CleaningPipeline
from tsk_core.data.clean.roles import ColumnReport
from tsk_core.data.some_rows import drawn_rows
from tsk_core.data.splitting import Split, SplitColumn, split_by_column, split_rows
from tsk_core.errors import DataError

__all__ = ["SAMPLED", "Checked"]

SAMPLED = 10_000  # rows at most for checks whose time grows faster than the table


@dataclass(frozen=True, eq=False)
class Checked:
    """A table of N rows that have a class.

    raw: with tidy column names and no repair, shape (N, columns), the target included. X: the cleaned features, (N, F).
    y: class names, object array (N,). target: the name of its column. choices: what a person decided.
    cleaning: how X was made of raw. columns: how each column of raw is used. split_column, positions: as in ``Dataset``.
    """

    raw: pd.DataFrame = field(repr=False)
    X: pd.DataFrame = field(repr=False)
    y: np.ndarray = field(repr=False)
    target: str
    choices: Choices
    cleaning: CleaningPipeline = field(repr=False)
    columns: Sequence[ColumnReport] = field(repr=False)
    split_column: SplitColumn | None = field(default=None, repr=False)
    positions: np.ndarray | None = field(default=None, repr=False)

    @cached_property
    def rows(self) -> np.ndarray:
        """All row numbers, or a sorted random sample of ``SAMPLED``; always the same one."""
        return np.sort(drawn_rows(np.arange(len(self.y)), SAMPLED, 0))

    @cached_property
    def split(self) -> Split | None:
        """Training and test rows as ``Dataset.split`` draws them by default; None where that is not possible."""
        try:
            return split_by_column(self.split_column, self.y) if self.split_column else split_rows(self.y)
        except DataError:  # too few rows to split; training reports it
            return None

    def cells(self, column: str) -> Cells:
        """The cells of a raw column; those of a column are prepared once."""
        if column not in self._cells:
            self._cells[column] = Cells.of(self.raw[column], self.choices.not_missing.get(column, ()))
        return self._cells[column]

    @cached_property
    def _cells(self) -> dict[str, Cells]:
        return {}
