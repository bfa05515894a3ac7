"""The order of a rule list: next is the most precise sentence of those left, on the rows that no sentence before it takes.

Precision gives every class the same weight, as balanced accuracy does, or the sentences of the largest class come first and take
the rows of the others. It is judged by the lower end of its 95% interval, or a sentence that is true of one row comes first.
Sources: Rivest, Learning decision lists (1987); Clark and Boswell, Rule induction with CN2 (1991); Wilson (1927), the interval.
"""

import numpy as np

from tsk_core.evaluate.intervals import wilson

__all__ = ["default_class", "ordered", "taken_by"]


def ordered(true: np.ndarray, says: np.ndarray, y_index: np.ndarray) -> list[int]:
    """The positions of the sentences in the order of the list.

    true: (N, R) bool, which sentences are true of each training row. says: (R,) their classes. y_index: (N,) the rows' classes;
    positions. Of equally precise sentences the one that takes the fewest rows is first, and then the one that is given first.
    """
    of_class = (y_index[:, None] == np.arange(1 + max(y_index.max(), says.max(initial=0)))).astype(float)  # (N, C)
    weight = 1 / np.maximum(of_class.sum(0), 1)
    free, rest, order = np.ones(len(true), bool), list(range(len(says))), []
    while rest:
        rows = true[free].T @ of_class[free]  # (R, C), those still free
        shares, counts = _own_share(rows * weight, says), rows.sum(1)
        lower = [wilson(share * n, n).low for share, n in zip(shares, counts, strict=True)]
        best = max(rest, key=lambda r: (round(lower[r], 12), -rows[r].sum(), -r))  # rounded: sums differ in their last digits
        free &= ~true[:, best]
        rest.remove(best)
        order.append(best)
    return order


def taken_by(true: np.ndarray) -> np.ndarray:
    """Which row of which sentence is taken by it, as the first that is true, (N, R + 1) bool; the last column: by none.

    true: (N, R) bool, sentences in the order of the list.
    """
    rows = np.column_stack([true, np.ones(len(true), bool)])
    return rows & (np.cumsum(rows, axis=1) == 1)


def default_class(y_index: np.ndarray, free: np.ndarray) -> int:
    """The class of most training rows that no sentence takes; of most of all rows where every row is taken.

    y_index: (N,) class positions, N ≥ 1. free: (N,) bool, rows that no sentence takes.
    """
    return int(np.bincount(y_index[free] if free.any() else y_index).argmax())


def _own_share(rows: np.ndarray, says: np.ndarray) -> np.ndarray:
    """The share of each sentence's rows that have its class, (R,); 0 without rows. rows: (R, C) weights."""
    own, total = rows[np.arange(len(says)), says], rows.sum(1)
    return np.divide(own, total, out=np.zeros(len(says)), where=total > 0).clip(max=1.0)
