"""Leaks: columns that give the class away, because they name it in other words, follow from it, or are filled only after it.

A good column is no leak, so each rule compares. A copy has values of which each has one class; several columns together may be
one. Any other column is a suspect if it alone makes less than a quarter of the errors that all other columns make together.
Filled after the class is a column of whose filled, or empty, cells (almost) all belong to one class and make up most of it.
"""

import math
import warnings
from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
import pandas as pd

from tsk_core.data.check.table import Checked
from tsk_core.data.findings import Finding, Remedy
from tsk_core.data.folds import folds
from tsk_core.data.naming import listed, quoted
from tsk_core.data.splitting import drawn_rows_per_class
from tsk_core.errors import DataError
from tsk_core.metrics import accuracy
from tsk_core.numbers import percent

# Leaks of several columns together: none tells the class of every row, but all do, as a copy of the class in 0s and 1s.


_FEWEST = 3  # classes; of two, one column is a copy
_AGREE = 0.98  # least share of rows that have the value of their class, where each class has a column of its own
_LARGEST = 0.98  # least share of rows in which the largest of shares is that of the class
_SUM = 0.02  # by how much shares of a row may miss 1

_Parts: TypeAlias = tuple[tuple[str, ...], str]  # the columns, and what they do, as the end of a sentence


def class_parts(
    codes: Mapping[str, np.ndarray], numbers: Mapping[str, np.ndarray], y: np.ndarray, names: list[str]
) -> _Parts | None:
    """The columns that name the class together, or None.

    codes: each row's value as an integer from 0, (N,), by column. numbers: columns of numbers without missing ones, (N,).
    y: classes as integers from 0, (N,). names: of the classes.
    """
    n_classes = len(names)
    if n_classes < _FEWEST or len(y) - n_classes < _LEAST_ROWS:
        return None
    every = {name: _values(of_rows, y, n_classes) for name, of_rows in codes.items()}
    told = {name: (values, share) for name, (values, share) in every.items() if share}
    return _one_each(told, names) or _shares(numbers, y, n_classes) or _codewords(told, n_classes)


def _values(codes: np.ndarray, y: np.ndarray, n_classes: int) -> tuple[np.ndarray, float]:
    """The value that most rows of each class have, (K,), and the share of rows that have it: 0 where classes do not tell it."""
    n_codes = int(codes.max()) + 1
    if n_codes > n_classes + 1 or len(np.unique(codes)) > n_classes:
        return np.empty(0), 0.0
    counts = np.bincount(y * n_codes + codes, minlength=n_codes * n_classes).reshape(n_classes, n_codes)
    share = float(counts.max(1).sum() / len(y))
    values = counts.argmax(1)
    return values, share if share >= _AGREE and len(np.unique(values)) > 1 else 0.0


def _one_each(told: Mapping[str, tuple[np.ndarray, float]], names: list[str]) -> _Parts | None:
    """Columns each of which has one value in the rows of a class and another one in those of all others."""
    columns: dict[int, list[str]] = {}
    for name, (values, _) in told.items():
        distinct, counts = np.unique(values, return_counts=True)
        if len(distinct) == 2 and counts.min() == 1:
            columns.setdefault(int(np.flatnonzero(values == distinct[counts.argmin()])[0]), []).append(name)
    if len(columns) < len(names) - 1:
        return None
    for k, of_class in columns.items():  # a column that only happens to tell a class has another name
        columns[k] = [name for name in of_class if names[k].casefold() in name.casefold()] or of_class
    found = {name for of_class in columns.values() for name in of_class}
    part = tuple(name for name in told if name in found)
    least = min(told[name][1] for name in part)
    almost = "" if least == 1 else f", but for at most {percent(1 - least)} of the rows"
    return part, f"each has one value in the rows of one class and another in all others{almost}"


def _codewords(told: Mapping[str, tuple[np.ndarray, float]], n_classes: int) -> _Parts | None:
    """Columns that have one value in all rows of a class, and not the same values in two classes, as digits of a number."""
    part: list[str] = []
    words = np.zeros(n_classes, dtype=np.int64)
    for name, (values, share) in told.items():
        finer = np.unique(np.stack([words, values]), axis=1, return_inverse=True)[1].ravel()
        if share == 1 and finer.max() > words.max():
            words = finer
            part.append(name)
    if words.max() + 1 < n_classes or len(part) < 2:
        return None
    return tuple(part), "all rows of a class have the same values in them, and no two classes have the same"


def _shares(numbers: Mapping[str, np.ndarray], y: np.ndarray, n_classes: int) -> _Parts | None:
    """Columns of shares that add up to 1, one for each class, the largest of which is that of the row's class."""
    between = {name: values for name, values in numbers.items() if values.min() >= 0 and values.max() <= 1}
    if len(between) < n_classes:
        return None
    table = np.column_stack(list(between.values()))
    means = np.stack([table[y == k].mean(0) for k in range(n_classes)])
    best = means.argmax(1)
    if len(np.unique(best)) < n_classes or (np.abs(table[:, best].sum(1) - 1) > _SUM).any():
        return None
    right = float((table[:, best].argmax(1) == y).mean())
    if right < _LARGEST:
        return None
    part = tuple(name for k, name in enumerate(between) if k in best)
    return part, f"they add up to 1, and the largest of them is that of the class in {percent(right)} of the rows"


_LEAST_ROWS = 20  # fewer agree with the class by chance
_LEAST_OTHERS = 5  # the same outside the largest class
_ROWS_OF_VALUE = 5  # rows that a category has on average, or its rows have one class by chance
_MOST_BINS = 64
_SCREENED = 0.8  # least score of a column, from 0 for chance to 1 for no errors, to be looked at closely
_LEAST = 0.9  # the same, to be a suspect
_FEWER = 4  # times fewer errors than all other columns together
_BETTER = 0.2  # least difference of those scores
_TWINS = 4  # leaks that are not compared with each other; more columns without errors are those of an easy table
_SURE = 2.0  # standard errors by which that has to differ
_COMPARED = 1_500  # rows on which a column is compared with the others
_PURE = 0.99  # least share of one class among the filled, or the empty, cells
_HALF = 0.5  # least share of that class that these cells make up
_SURPRISE = 12.0  # least −ln of the probability that so many rows have the class by chance


def leaks(table: Checked) -> list[Finding]:
    """Columns that give the class away. Each finding says how well the column predicts alone, and offers to leave it out."""
    classes, y = np.unique(table.y[table.rows].astype(str), return_inverse=True)
    steps = [step for step in table.cleaning.steps if step.feature]
    if len(y) < _LEAST_ROWS or len(classes) < 2 or len(steps) < 2:
        return []
    columns = {step.column: table.X[step.feature].iloc[table.rows] for step in steps}
    empty = {step.column: _is_empty(columns[step.column], step.missing) for step in steps}
    facts: dict[str, str] = {}
    scores: dict[str, float] = {}
    coded: dict[str, np.ndarray] = {}
    for name, column in columns.items():
        codes = _codes(column)
        counts = _counts(codes, y, len(classes))
        if text := _copy(counts, column):
            facts[name] = f"Column {quoted(name)} names the class in other words: {text}."
        elif text := _filled_after(empty[name], y, classes):
            facts[name] = f"Column {quoted(name)} is {text}."
        else:
            scores[name], coded[name] = _score(_most_likely(counts)[codes], y), codes
    numbers = {name: columns[name].to_numpy() for name in coded if _is_filled_number(columns[name])}
    together, what = class_parts(coded, numbers, y, classes.tolist()) or ((), "")
    for name in together:
        del scores[name]
    facts |= _suspects({name: columns[name] for name in scores}, scores, y)
    found = [_finding((name,), fact) for name, fact in facts.items()]
    if together:
        found.insert(0, _finding(together, f"Columns {listed(together)} together name the class: {what}."))
    return found


def _finding(names: tuple[str, ...], fact: str) -> Finding:
    it, is_known = ("it", "it is") if len(names) == 1 else ("them", "they are")
    advice = f"Leave {it} out if {is_known} known only once the class is known."
    remedy = Remedy(f"Leave {it} out", {"roles": dict.fromkeys(names, "ignored")})
    return Finding(fact, "", advice, "warning", names, "roles", "leak", remedy)


def _is_filled_number(column: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(column) and not column.hasnans


def _is_empty(column: pd.Series, missing: str) -> np.ndarray:
    """Whether each cell is missing, bool (N,). missing: the category that missing cells are, or ""."""
    return (column.isna() | (column == missing) if missing else column.isna()).to_numpy(bool)


def _codes(column: pd.Series) -> np.ndarray:
    """Each cell's value, or range of values, as an integer from 1; 0 where it is missing. (N,)"""
    if not pd.api.types.is_numeric_dtype(column):
        return pd.factorize(column)[0] + 1
    values = column.to_numpy(np.float64, na_value=np.nan)
    filled = ~np.isnan(values)
    codes = np.zeros(len(values), dtype=np.int64)
    distinct, of_filled = np.unique(values[filled], return_inverse=True)
    bins = min(_MOST_BINS, max(2, len(values) // 5))
    if len(distinct) > bins:
        edges = np.quantile(values[filled], np.arange(1, bins) / bins)
        of_filled = np.searchsorted(edges, values[filled], side="right")
    codes[filled] = of_filled + 1
    return codes


def _counts(codes: np.ndarray, y: np.ndarray, n_classes: int) -> np.ndarray:
    """Rows by code and class, (codes, K)."""
    n_codes = codes.max() + 1
    return np.bincount(codes * n_classes + y, minlength=n_codes * n_classes).reshape(n_codes, n_classes)


def _most_likely(counts: np.ndarray) -> np.ndarray:
    """For each code, the class of whose rows it has the largest share."""
    return (counts / np.maximum(counts.sum(0), 1)).argmax(1)


def _bca(predicted: np.ndarray, y: np.ndarray) -> float:
    return accuracy(y, predicted).numbers[1]


def _score(predicted: np.ndarray, y: np.ndarray) -> float:
    """Balanced accuracy, from 0 for chance to 1 for no errors."""
    chance = 1 / len(np.unique(y))
    return (_bca(predicted, y) - chance) / (1 - chance)


def _copy(counts: np.ndarray, column: pd.Series) -> str:
    """What makes a column a copy of the class, if at least half of its cells are filled, and each value has one class and each
    class one value, or several if they are categories; else "".
    """
    filled = counts[1:]
    rows = filled.sum(0)
    if 2 * rows.sum() < len(column) or rows.sum() < _LEAST_ROWS or rows.min() == 0 or rows.sum() - rows.max() < _LEAST_OTHERS:
        return ""
    finer = not pd.api.types.is_numeric_dtype(column) and _ROWS_OF_VALUE * len(filled) <= rows.sum()
    if ((filled > 0).sum(1) != 1).any() or (len(filled) != len(rows) and not finer):
        return ""
    return f"each of its {len(filled)} values has rows of only one class"  # no value: findings are kept where the table is not


def _filled_after(empty: np.ndarray, y: np.ndarray, classes: np.ndarray) -> str:
    """A description of a column of whose filled, or empty, cells (almost) all belong to one class; else ""."""
    rows = np.bincount(y, minlength=len(classes))
    for cells, what in ((~empty, "filled"), (empty, "empty")):
        of_class = np.bincount(y[cells], minlength=len(classes))
        k, n = int(of_class.argmax()), int(cells.sum())
        if not n or of_class[k] < max(_PURE * n, _HALF * rows[k]):
            continue
        if _log_choices(len(y), int(of_class[k])) - _log_choices(int(rows[k]), int(of_class[k])) < _SURPRISE:
            continue
        return (
            f"{what} in {n:,} rows; {percent(of_class[k] / n)} of them have the class {quoted(classes[k])}, compared with"
            f" {percent(rows[k] / len(y))} of all rows"
        )
    return ""


def _log_choices(n: int, k: int) -> float:
    """The logarithm of the number of ways to choose k of n."""
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def _suspects(columns: dict[str, pd.Series], scores: dict[str, float], y: np.ndarray) -> dict[str, str]:
    """Columns that alone predict the class far better than all others together, with what to say about them."""
    strong = [name for name, score in scores.items() if score > _SCREENED]
    if not strong or len(columns) < 2:
        return {}
    rows = _some_of_each(y)
    y = y[rows]
    columns = {name: column.iloc[rows] for name, column in columns.items()}
    try:
        looked_at = [*strong, *sorted(set(scores) - set(strong), key=lambda name: -scores[name])[:1]]
        predicted = {name: _alone(columns[name], y) for name in looked_at}
    except DataError:  # too few rows for folds
        return {}
    strong = [name for name in strong if _score(predicted[name], y) >= _LEAST]
    scores = scores | {name: _score(predicted[name], y) for name in predicted}
    perfect = {name for name in strong if scores[name] > 1 - (1 - _LEAST) / 10}
    twins = perfect if len(perfect) <= _TWINS else set()
    facts = {}
    for name in strong:
        others = {other: column for other, column in columns.items() if other != name and other not in twins}
        rivals = [predicted[other] for other in others if other in predicted]  # alone, it may do better than among poor ones
        if not others or not all(_is_better(predicted[name], rival, y) for rival in rivals):
            continue
        together = max((_together(others, y), *rivals), key=lambda rival: _bca(rival, y))
        if _is_better(predicted[name], together, y):
            facts[name] = (
                f"Column {quoted(name)} alone predicts the class with balanced accuracy {_bca(predicted[name], y):.3f},"
                f" compared with {1 / (y.max() + 1):.3f} by chance{_next_best(scores, others, y.max() + 1)}"
                f" and {_bca(together, y):.3f} for all other columns together."
            )
    return facts


def _some_of_each(y: np.ndarray) -> np.ndarray:
    """Sorted numbers of rows drawn at random, of each class as many as of any other or all that it has."""
    n_classes = y.max() + 1
    return drawn_rows_per_class(y, [max(_COMPARED // n_classes, 1)] * n_classes, np.random.default_rng(0))


def _is_better(alone: np.ndarray, together: np.ndarray, y: np.ndarray) -> bool:
    """Whether one column predicts the class better than all others by far, and not by chance."""
    wrong, wrong_together = alone != y, together != y
    surplus = int((wrong_together & ~wrong).sum()) - int((wrong & ~wrong_together).sum())
    return bool(
        (1 - _bca(alone, y)) * _FEWER < 1 - _bca(together, y)
        and _score(alone, y) - _score(together, y) >= _BETTER
        and surplus > _SURE * np.sqrt((wrong ^ wrong_together).sum())
    )


def _next_best(scores: dict[str, float], others: dict[str, pd.Series], n_classes: int) -> str:
    if not others:
        return ""
    best = max(others, key=lambda name: scores[name])
    bca = 1 / n_classes + (1 - 1 / n_classes) * scores[best]
    return f", {bca:.3f} for the next best column, {quoted(best)},"


def _alone(column: pd.Series, y: np.ndarray) -> np.ndarray:
    """The class of each row as predicted from one column by a small tree, or the most likely class of a category, that was
    learned from other rows. (N,)
    """
    from sklearn.tree import DecisionTreeClassifier  # imported here: the import is slow

    predicted, n_classes = np.empty_like(y), y.max() + 1
    numbers = pd.api.types.is_numeric_dtype(column)
    values = _numbers(column)
    for train, test in folds(y, 3, 0):
        if numbers:
            tree = DecisionTreeClassifier(max_leaf_nodes=2 * n_classes + 1, class_weight="balanced", random_state=0)
            predicted[test] = tree.fit(values[train, None], y[train]).predict(values[test, None])
        else:
            counts = np.zeros((int(values.max()) + 1, n_classes))
            np.add.at(counts, (values[train].astype(int), y[train]), 1)
            predicted[test] = _most_likely(counts)[values[test].astype(int)]
    return predicted


def _together(columns: dict[str, pd.Series], y: np.ndarray) -> np.ndarray:
    """The class of each row as predicted from all columns by the trees of a forest that did not learn from it. (N,)"""
    from sklearn.ensemble import RandomForestClassifier  # imported here: the import is slow

    forest = RandomForestClassifier(30, class_weight="balanced", oob_score=True, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a row that every tree learned from has no prediction
        forest.fit(np.column_stack([_numbers(column) for column in columns.values()]), y)
    return np.nan_to_num(forest.oob_decision_function_).argmax(1)


def _numbers(column: pd.Series) -> np.ndarray:
    """A column as numbers, float64: a number scaled to between 1 and 2, a category as its code from 1; 0 where it is missing."""
    if not pd.api.types.is_numeric_dtype(column):
        return pd.factorize(column)[0].astype(np.float64) + 1
    values = column.to_numpy(np.float64, na_value=np.nan)
    low, high = np.fmin.reduce(values), np.fmax.reduce(values)
    return np.nan_to_num(1 + (values - low) / (high - low if high > low else 1.0))  # trees compare in float32
