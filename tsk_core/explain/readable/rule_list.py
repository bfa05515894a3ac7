"""RuleList: the sentences of a readable rule base, in an order in which the first true one decides."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tsk_core.data.naming import joined
from tsk_core.explain.antecedents import units_of
from tsk_core.explain.exported import ExportedRules, Label
from tsk_core.explain.readable.ordering import taken_by
from tsk_core.explain.reader import RuleArrays, check_rows, read_rules
from tsk_core.explain.rule import Rule
from tsk_core.explain.truth import literally
from tsk_core.numbers import counted

__all__ = ["Counts", "ListedRule", "RuleList", "count", "true_sentences"]


class Counts(NamedTuple):
    """Of a sentence and some rows: of how many it is true, and how many it takes as the first true one.

    right, taken_right: how many of these have its class; None where the rows' classes are unknown.
    """

    true: int
    right: int | None
    taken: int
    taken_right: int | None


@dataclass(frozen=True)
class ListedRule:
    """One sentence of a rule list. rule: None for "otherwise". conclusion: its class. train, test: of the training rows, and of
    those that ``RuleList.evaluated_on`` names.
    """

    rule: Rule | None
    conclusion: Label
    train: Counts
    test: Counts

    @property
    def conditions(self) -> tuple[str, ...]:
        """Their texts; () for a rule without conditions, and for "otherwise"."""
        return () if self.rule is None else tuple(antecedent.text for antecedent in self.rule.antecedents)

    def text(self, n_rows: int, evaluated_on: str) -> str:
        """The sentence and its rows, such as "IF a is ≥ 2 THEN b: true of 41 of 140 test rows, 38 of them b"."""
        counts = self.test
        if self.rule is None:
            taken = f"{counts.taken:,} of {n_rows:,} {evaluated_on}{_of_class(counts.taken, counts.taken_right, self.conclusion)}"
            return f"Otherwise: {self.conclusion} ({taken})"
        line = f"{self.rule.text}: true of {counts.true:,} of {n_rows:,} {evaluated_on}"
        line += _of_class(counts.true, counts.right, self.conclusion)
        if counts.taken == counts.true:
            return line
        return f"{line}; the first true sentence for {counts.taken:,}" + _of_class(
            counts.taken, counts.taken_right, self.conclusion
        )

    def to_dict(self) -> dict[str, object]:
        """JSON-ready values. rule: its number in the model, null for "otherwise"."""
        return {
            "rule": None if self.rule is None else self.rule.index,
            "class": self.conclusion,
            "conditions": list(self.conditions),
            "train": self.train._asdict(),
            "test": self.test._asdict(),
        }


@dataclass(frozen=True, eq=False)
class RuleList:
    """Sentences in the order of reading: a row belongs to the first that is literally true of it, else to "otherwise".

    Literally true means that every printed condition holds, with its numbers as printed; dates are compared before rounding.
    rules: those that fire. otherwise: the last line. n_train, n_test: how many rows the counts are of. evaluated_on: which rows
    the test counts are of, such as "test rows"; "training rows" where there are no others. source: the exported rules.
    """

    rules: tuple[ListedRule, ...]
    otherwise: ListedRule
    n_train: int
    n_test: int
    evaluated_on: str
    source: ExportedRules = field(repr=False)

    @property
    def items(self) -> tuple[ListedRule, ...]:
        """Every line, "otherwise" last."""
        return (*self.rules, self.otherwise)

    @property
    def told(self) -> tuple[ListedRule, ...]:
        """The sentences that are true of a training or test row, in order."""
        return tuple(item for item in self.rules if item.train.true or item.test.true)

    @property
    def text(self) -> str:
        """The list as a person reads it, one line per rule, numbered by its place; sentences true of no row are counted."""
        sampled = self.evaluated_on.partition(" of the ")[2]
        of = f"sampled {sampled}" if sampled else self.evaluated_on
        lines = [f"{at}. {item.text(self.n_test, of)}" for at, item in enumerate(self.told, 1)]
        lines.append(self.otherwise.text(self.n_test, of))
        if untold := len(self.rules) - len(self.told):
            lines.append(f"{counted(untold, 'more rule is', 'more rules are')} true of no training or test row.")
        return "\n".join(lines)

    @property
    def order_text(self) -> str:
        """The order of the sentences and the class of the last line, in a sentence."""
        last = f"a row of which no sentence is true is {self.otherwise.conclusion}."
        numbers = [f"{item.rule.index}" for item in self.rules if item.rule]
        if not numbers:
            return f"Prediction by the sentences alone: {last}"
        named = f"rules {joined(numbers)} in this order" if numbers[1:] else f"rule {numbers[0]}"
        return f"Prediction by the sentences alone: {named}; {last}"

    def __str__(self) -> str:
        return self.text

    def predict_index(self, Z: ArrayLike) -> np.ndarray:
        """The classes that the sentences alone give rows Z (N, D), in original units, as positions, (N,)."""
        arrays = read_rules(self.source)
        true = true_sentences(arrays, [item.rule for item in self.rules if item.rule], check_rows(Z, arrays))
        says = np.array([arrays.classes.index(item.conclusion) for item in self.items])
        return says[taken_by(true).argmax(1)]

    def to_dict(self) -> dict[str, object]:
        """JSON-ready values."""
        return {
            "items": [item.to_dict() for item in self.items],
            "n_train": self.n_train,
            "n_test": self.n_test,
            "evaluated_on": self.evaluated_on,
            "text": self.text,
        }


def true_sentences(arrays: RuleArrays, rules: Iterable[Rule], Z: np.ndarray) -> np.ndarray:
    """Which rules' sentences are literally true of each row, (N, rules) bool. Z: (N, D) rows in original units."""
    units, rules = units_of(arrays.columns), tuple(rules)
    true = np.ones((len(Z), len(rules)), bool)
    for at, rule in enumerate(rules):
        true[:, at] = literally(arrays, rule.index - 1, rule.antecedents, Z, units).all(1)
    return true


def count(true: np.ndarray, says: np.ndarray, y_index: np.ndarray | None) -> tuple[Counts, ...]:
    """The counts of every line, "otherwise" last: it is true of the rows that it takes.

    true: (N, R) bool, in the order of the list. says: (R + 1,) class positions. y_index: (N,), None where they are unknown.
    """
    taken = taken_by(true)
    true = np.column_stack([true, taken[:, -1]])
    own = None if y_index is None else y_index[:, None] == says

    def right(rows: np.ndarray) -> list[int] | list[None]:
        return [None] * rows.shape[1] if own is None else (rows & own).sum(0).tolist()

    parts = true.sum(0).tolist(), right(true), taken.sum(0).tolist(), right(taken)
    return tuple(Counts(*numbers) for numbers in zip(*parts, strict=True))


def _of_class(rows: int, right: int | None, conclusion: Label) -> str:
    return "" if right is None or not rows else f", {right:,} of them {conclusion}"
