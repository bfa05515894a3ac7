"""RuleList: the sentences of a readable rule base, in an order in which the first true one decides."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tsk_core.data.naming import joined
from tsk_core.evaluate.intervals import wilson
from tsk_core.explain.antecedents import Antecedent, Unit, log_levels, units_of
from tsk_core.explain.counting import literally
from tsk_core.explain.exported import ExportedRules, Label, RuleArrays, check_rows, read_rules
from tsk_core.explain.rule import Rule
from tsk_core.numbers import counted

# The order of a rule list: next is the most precise sentence of those left, on the rows that no sentence before it takes.
#
# Precision gives every class the same weight, as balanced accuracy does, or the sentences of the largest class come first and
# take the rows of the others. It is judged by the lower end of its 95% interval, or a sentence that is true of one row comes
# first. Sources: Rivest, Learning decision lists (1987); Clark and Boswell, Rule induction with CN2 (1991); Wilson (1927), the
# interval.


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


# The rule list as a grid of rules and features, for a drawing: each condition with its range, its word and its membership.
#
# {"features": all names, "columns": {feature: what its cells are drawn over, see ``_column``}, "of": which rows, "rows": how
# many, "lines": the list as text, "note": what is said of sentences that are true of no row, "items": the others in the order of
# the list, "otherwise" last, each
# {"rule": its number, null for "otherwise", "class", "score": of this class, null there, "true": of how many test rows it is
# true, "right": how many of these have its class, "taken", "takenRight": the same of those that no sentence before it is true of,
# "conditions": [{"feature", "text": the whole, "range": without the name, "word": "" where the range says all, "level": how much
# it restricts, in [0, 1], "center", "sigma": of a number, or "levels": of each category}]}]}


MOST_CATEGORIES = 40  # that a cell can show


def rule_grid(rule_list: RuleList, low: np.ndarray, high: np.ndarray) -> dict[str, Any]:
    """The grid in the form above, JSON-ready. low, high: (D,) smallest and largest training values."""
    arrays = read_rules(rule_list.source)
    units = {_name(unit): unit for unit in units_of(arrays.columns)}
    items = [_item(item, arrays, units) for item in (*rule_list.told, rule_list.otherwise)]
    used = {condition["feature"] for item in items for condition in item["conditions"]}
    lines = rule_list.text.splitlines()
    return {
        "features": [name for name, unit in units.items() if name == unit.feature or name in used],
        "columns": {name: _column(units[name], low, high) for name in sorted(used)},
        "of": rule_list.evaluated_on,
        "rows": rule_list.n_test,
        "lines": lines,
        "note": " ".join(lines[len(items) :]),
        "items": items,
    }


def short_range(said: str) -> str:
    """Such as "4.4 to 6.1" for "between 4.4 and 6.1"; without what is said of data beyond it."""
    said = said.partition(", beyond the data")[0]
    between = re.fullmatch(r"between (.+) and (.+)", said)
    return f"{between[1]} to {between[2]}" if between else said


def _name(unit: Unit) -> str:
    """Of a column of the grid: whether a number is missing has one besides the number."""
    return f"{unit.feature} missing" if unit.states == ("missing", "not missing") else unit.feature


def _name_of(antecedent: Antecedent, units: dict[str, Unit]) -> str:
    missing = f"{antecedent.feature} missing"
    return missing if missing in units and antecedent.low is None and antecedent.high is None else antecedent.feature


def _column(unit: Unit, low: np.ndarray, high: np.ndarray) -> dict[str, Any]:
    """{"low", "high"} of a number, or {"categories": names}."""
    if unit.states:
        return {"categories": list(unit.states)}
    return {"low": float(low[unit.columns[0]]), "high": float(high[unit.columns[0]])}


def _item(item: ListedRule, arrays: RuleArrays, units: dict[str, Unit]) -> dict[str, Any]:
    rule, counts = item.rule, item.test
    return {
        "rule": None if rule is None else rule.index,
        "class": str(item.conclusion),
        "score": None if rule is None else rule.scores[item.conclusion],
        "true": counts.true,
        "right": counts.right,
        "taken": counts.taken,
        "takenRight": counts.taken_right,
        "conditions": [] if rule is None else [_condition(one, arrays, rule.index - 1, units) for one in rule.antecedents],
    }


def _condition(antecedent: Antecedent, arrays: RuleArrays, r: int, units: dict[str, Unit]) -> dict[str, Any]:
    name = _name_of(antecedent, units)
    unit, said = units[name], antecedent.numbers[len(antecedent.feature) + 1 :].removeprefix("is ")
    word = "" if units[name].states or antecedent.label == said else antecedent.label
    found: dict[str, Any] = {"feature": name, "text": antecedent.text, "range": short_range(said), "word": word}
    found["level"] = 1 - antecedent.flatness
    if not unit.states:
        (d,) = unit.columns
        return found | {"center": float(arrays.centers[r, d]), "sigma": float(arrays.sigmas[r, d])}
    if len(unit.states) > MOST_CATEGORIES:
        return found
    logs = log_levels(arrays, r, unit, unit.values)
    return found | {"levels": np.round(np.exp(logs), 3).tolist()}
