"""Statistics of firing levels over rows, such as support and confidence; Tally: of how many rows a sentence is true."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tsk_core.evaluate.intervals import Interval, wilson
from tsk_core.explain.exported import Label
from tsk_core.numbers import counted, whole_percent


def support(firing: np.ndarray) -> np.ndarray:
    """mean_n f̄_r, shape (R,). firing: (N, R), N ≥ 1."""
    return firing.mean(0)


def wins(firing: np.ndarray) -> np.ndarray:
    """Share of the rows where each rule is the strongest, shape (R,); the first of equals wins."""
    return np.bincount(firing.argmax(1), minlength=firing.shape[1]) / len(firing)


def confidence(firing: np.ndarray, y_index: np.ndarray, n_classes: int) -> np.ndarray:
    """Σ_n f̄_r 1[y = c] / Σ_n f̄_r, shape (R, C); NaN for a rule that fires on no row. y_index: (N,) of 0 … C−1."""
    onehot = np.asarray(y_index)[:, None] == np.arange(n_classes)  # (N, C)
    of_classes = firing.T @ onehot
    with np.errstate(invalid="ignore"):
        return of_classes / of_classes.sum(1, keepdims=True)  # firing.sum(0) rounds otherwise: 1 + 2e-16


def share_of(firing: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """The share of each rule's firing that falls on some rows, (R,); 0 for a rule that fires on none. rows: bool (N,)."""
    total = firing.sum(0)
    return np.divide(firing[rows].sum(0), total, out=np.zeros_like(total), where=total > 0).clip(max=1.0)


def redundancy(firing: np.ndarray) -> np.ndarray:
    """Σ_n min(f̄_r, f̄_s) / Σ_n max(f̄_r, f̄_s), shape (R, R), in [0, 1], symmetric; 1 on the diagonal.

    Two rules that never fire have nothing in common: 0.
    """
    return jaccard(firing.T, of_nothing=0.0)


def jaccard(levels: np.ndarray, of_nothing: float) -> np.ndarray:
    """Σ min / Σ max of each two rows of levels ≥ 0, (T, G); 1 on the diagonal, and ``of_nothing`` where both are 0 throughout."""
    total, result = levels.sum(1), np.eye(len(levels))
    for t in range(len(levels) - 1):
        shared = np.minimum(levels[t], levels[t + 1 :]).sum(1)
        either = total[t] + total[t + 1 :] - shared  # Σ max = Σ a + Σ b − Σ min
        out = np.full_like(shared, of_nothing)
        result[t, t + 1 :] = result[t + 1 :, t] = np.divide(shared, either, out=out, where=either > 0)
    return result


# Tally: of how many rows a rule's sentence is true and how many of these have its class, and the sentence that says so.


class Tally(NamedTuple):
    """true: rows for which every printed condition holds, of ``of`` rows. right: how many of these have the class, or one of the
    classes, that the sentence names; None where it names none, or where the rows' classes are unknown. rows: which they are, such
    as "test rows". worth: how many independent rows those of ``true`` are worth, where rows belong together; else None.
    imputed: of how many of ``true`` a condition holds by a value that replaces a missing one, which no filter of the table finds.
    """

    true: int
    right: int | None
    of: int
    rows: str
    worth: float | None = None
    imputed: int = 0

    @property
    def share(self) -> float | None:
        """Share of the class, right / true; None where it is not defined."""
        return None if self.right is None or not self.true else self.right / self.true

    @property
    def interval(self) -> Interval | None:
        """The 95% Wilson interval of ``share``; rows that belong together count as if they were all alike."""
        worth = self.true if self.worth is None else self.worth
        return None if self.share is None else wilson(self.share * worth, worth)

    @property
    def true_text(self) -> str:
        """Such as "28 of 45 test rows", "27 of 45 test rows, 9 of them by imputed values", "no test row"."""
        row = self.rows.removesuffix("s")
        by_values = f", {self.imputed:,} of them by imputed values" if self.imputed else ""
        return f"{self.true:,} of {counted(self.of, row)}{by_values}" if self.true else f"no {row}"

    def right_text(self, *, with_interval: bool) -> str:
        """Such as "26 (93%, 77% to 98%)"; "" where it is not defined."""
        if self.share is None or self.interval is None:
            return ""
        low, high = map(whole_percent, self.interval)
        interval = f", {low} to {high}" if with_interval else ""
        return f"{self.right:,} ({whole_percent(self.share)}{interval})"


def headline(test: Tally | None, train: Tally, named: Sequence[Label]) -> str:
    """What a reader can recount of a sentence, on the test rows, else on the training rows. named: the classes that it names,
    or none.

    Shares of training rows have no interval, since the sentence was made for these rows.
    """
    if test is None:
        return f"True of {train.true_text}{_of_class(train, named, with_interval=False)}."
    if test.true:
        return f"True of {test.true_text}{_of_class(test, named, with_interval=True)}."
    return f"True of {test.true_text}{', and of ' if train.true else ' and of '}{train.true_text}."


def either(names: Sequence[Label]) -> str:
    """Classes in words: "a", "a or b", "a, b or c"."""
    *others, last = map(str, names)
    return f"{', '.join(others)} or {last}" if others else last


def _of_class(tally: Tally, named: Sequence[Label], *, with_interval: bool) -> str:
    if not named or tally.share is None or tally.interval is None:
        return ""
    low, high = map(whole_percent, tally.interval)
    by_group = "" if tally.worth is None else " by groups"
    share = whole_percent(tally.share) + (f", 95% interval{by_group} {low} to {high}" if with_interval else "")
    if tally.true == 1:
        return f"; it is {'' if tally.right else 'not '}{either(named)} ({share})"
    number = f"{tally.right:,}" if tally.right else "none"
    return f"; {number} of these ({share}) {'are' if (tally.right or 0) > 1 else 'is'} {either(named)}"


# Which rows to measure of a table with many.


def evenly_spaced(n_rows: int, most: int) -> np.ndarray:
    """At most ``most`` of the positions 0 … n_rows − 1, evenly spaced, rising: int (min(n_rows, most),)."""
    return np.linspace(0, n_rows - 1, min(n_rows, most)).round().astype(int)
