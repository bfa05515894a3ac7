"""Checked: a cleaned table as the checks see it; repeated rows, and classes that only test rows have."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd

from tsk_core.data.choices import Choices
from tsk_core.data.clean.cells import Cells
from tsk_core.data.clean.pipeline import CleaningPipeline
from tsk_core.data.clean.roles import ColumnReport
from tsk_core.data.findings import Finding, Remedy
from tsk_core.data.folds import REPEATED_ROWS, equal_rows
from tsk_core.data.naming import joined, quoted, sorted_names
from tsk_core.data.splitting import EQUAL_ROWS, Split, SplitColumn, drawn_rows, split_by_column, split_rows
from tsk_core.errors import DataError
from tsk_core.numbers import counted, percent, whole_percent

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


# Repeated rows: test rows that equal a training row, and equal rows of different classes.
#
# Copies let a classifier recall what it should predict. Where columns have few values, equal rows are no copies but cases alike,
# as it will meet them again: where independent columns would make some of them by chance, that is said and nothing is offered;
# where they would make most of them, nothing is said.


_MATTERS = 0.03  # least share of test rows that equal a training row, or of rows that cannot be right, to be mentioned
_MATTERS_BY_CHANCE = 0.1  # the same where equal rows are to be expected
_LEAST = 3  # such test rows
_PARTLY, _MOSTLY = 0.1, 0.5  # shares of the pairs of equal rows from which on chance explains some of them, or enough


def repeated_rows(table: Checked) -> list[Finding]:
    """How many test rows equal a training row, with an offer for copies; and how many equal rows have different classes."""
    codes = equal_rows(table.X)
    repetitions = len(codes) - len(np.unique(codes))
    by_chance = _chance_pairs(table) / _pairs(np.bincount(codes)) if repetitions else 1.0
    if by_chance >= _MOSTLY:
        return []
    return [*_tested(table, codes, repetitions, by_chance >= _PARTLY), *_contradictions(table, codes)]


def _tested(table: Checked, codes: np.ndarray, repetitions: int, by_chance: bool) -> list[Finding]:
    """The finding about test rows that training knows, if they matter."""
    if table.split is None or (table.split_column and table.split_column.column == EQUAL_ROWS):
        return []
    test = codes[table.split.test]
    known = int(np.isin(test, codes[table.split.train]).sum())
    if known < max(_LEAST, _MATTERS * len(test)):
        return []
    rows = f"{repetitions:,} of {len(codes):,} rows equal{'s' if repetitions == 1 else ''} an earlier one in all features"
    fact = f"{rows}: {whole_percent(known / len(test))} of the test rows equal a training row."
    if by_chance:
        if known < _MATTERS_BY_CHANCE * len(test):
            return []
        done = "That is to be expected of columns with so few values, as new cases will equal known ones, too."
        return [Finding(fact, done, kind="note", choice="repeated", check=REPEATED_ROWS)]
    if table.split_column:
        remedy = Remedy("Drop repeated rows", {"repeated": "drop"})
    else:
        remedy = Remedy("Keep equal rows together", {"repeated": "together"})
    advice = f"{remedy.label}, so that none is in both training and test, if they are copies."
    return [Finding(fact, "", advice, "warning", (), "repeated", REPEATED_ROWS, remedy)]


def _contradictions(table: Checked, codes: np.ndarray) -> list[Finding]:
    """A note on the accuracy that equal rows of different classes leave."""
    classes, y = np.unique(table.y.astype(str), return_inverse=True)
    counts = pd.Series(y).groupby(codes * len(classes) + y).size()
    by_features = counts.groupby(counts.index // len(classes))
    wrong, of = len(y) - int(by_features.max().sum()), int(counts[by_features.transform("size") > 1].sum())
    if wrong < max(_LEAST, _MATTERS * len(y)):
        return []
    fact = (
        f"{of:,} rows equal others of another class in all features. Any classifier is wrong for at least {wrong:,} of them, and"
        f" right for at most {percent(1 - wrong / len(y))} of all rows."
    )
    return [Finding(fact, kind="note", check=REPEATED_ROWS)]


def _pairs(rows: np.ndarray) -> float:
    return float((rows * (rows - 1) / 2).sum())


def _chance_pairs(table: Checked) -> float:
    """Pairs of equal rows to be expected if the columns of each class were independent."""
    y = np.unique(table.y.astype(str), return_inverse=True)[1]
    rows = np.bincount(y)
    pairs = rows.astype(np.float64) ** 2 / 2
    for name in table.X.columns:
        codes = pd.factorize(table.X[name], use_na_sentinel=False)[0].astype(np.int64)
        counts = np.unique(codes * len(rows) + y, return_counts=True)
        squares = np.bincount(counts[0] % len(rows), weights=counts[1].astype(np.float64) ** 2, minlength=len(rows))
        pairs *= squares / rows.astype(np.float64) ** 2
    return float(pairs.sum())


# Classes that only test rows have, as where a test file spells its classes in another way.


_SHOWN = 5


def untrained_classes(table: Checked) -> list[Finding]:
    """A warning where the column that says train or test leaves a class without a training row."""
    if table.split_column is None or table.split_column.kind != "split":
        return []
    tested = table.split_column.values
    counts = pd.Series(table.y[tested]).value_counts()
    only = counts[~np.isin(counts.index.to_numpy(object), table.y[~tested])]
    if not len(only):
        return []
    names = [f"{quoted(name)} ({counted(int(only[name]), 'row')})" for name in sorted_names(only.index)]
    shown = joined([*names[:_SHOWN], f"{len(names) - _SHOWN} more"] if len(names) > _SHOWN else names)
    they = "It cannot be learned" if len(names) == 1 else "They cannot be learned"
    return [
        Finding(
            f"Only test rows have the class{'es' * (len(names) > 1)} {shown}.",
            f"{they}: each of these rows counts as a mistake.",
            "Write the classes of the test rows as in the training rows, or leave these rows out.",
            "warning", (table.target,),
        )
    ]  # fmt: skip
