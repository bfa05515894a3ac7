"""Repeated rows: test rows that equal a training row, and equal rows of different classes.

Copies let a classifier recall what it should predict. Where columns have few values, equal rows are no copies but cases alike, as
it will meet them again: where independent columns would make some of them by chance, that is said and nothing is offered; where
they would make most of them, nothing is said.
"""

import numpy as np
import pandas as pd

from tsk_core.data.check.checked import Checked
from tsk_core.data.finding import Finding, Remedy
from tsk_core.data.repeated_rows import REPEATED_ROWS, equal_rows
from tsk_core.data.splitting import EQUAL_ROWS
from tsk_core.numbers import percent, whole_percent

__all__ = ["repeated_rows"]

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
