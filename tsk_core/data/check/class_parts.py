"""Leaks of several columns together: none tells the class of every row, but all do, as a copy of the class in 0s and 1s."""

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np

from tsk_core.numbers import percent

__all__ = ["class_parts"]

_FEWEST = 3  # classes; of two, one column is a copy
_LEAST_ROWS = 20  # more than classes: fewer agree by chance
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
