"""Three ways to read a readable rule base, and how true its sentences are, measured on the same rows.

"model": the scores of all rules, weighted by their firing levels. "strongest": the class of the rule with the largest firing
level. "sentences": the rule list, without any firing level.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from tsk_core.explain.exported import ExportedRules, firing_levels, read_rules, scores
from tsk_core.explain.fidelity import READINGS, Inference, of_rows, sampled_rows, uncovered_text
from tsk_core.explain.readable.rule_list import (
    Counts,
    ListedRule,
    RuleList,
    count,
    default_class,
    ordered,
    taken_by,
    true_sentences,
)
from tsk_core.explain.rule import Rule
from tsk_core.explain.shapes import OrNull
from tsk_core.metrics import accuracy
from tsk_core.numbers import counted, percent

_COUNTS = [(int, OrNull(int), int, OrNull(int))]
READABLE = {  # the shape of ``Readable.to_dict``, as ``shapes.check`` reads it
    "readings": {str: (float, OrNull(float), OrNull(float))},
    "winner_true": float,
    "winner_right": OrNull(float),
    "some_true": float,
    "order": [int],
    "otherwise": int,
    "train": _COUNTS,
    "test": _COUNTS,
}
MEANING = "THEN names the class with the rule's highest score; a rule's scores are the same for every row."


class Reading(NamedTuple):
    """fidelity: share of the rows with the model's class. rca, bca: of its classes; None where the rows' are unknown."""

    fidelity: float
    rca: float | None
    bca: float | None


@dataclass(frozen=True)
class Readable:
    """What was measured of a readable rule base on the evaluation rows, and its rule list in numbers.

    readings: by name (``READINGS``). winner_true: share of the rows for which the sentence of the strongest rule is literally
    true. winner_right: how often its class is right there; None where the rows' classes are unknown, and without such rows.
    some_true: share of the rows for which at least one sentence is. order: the numbers of the rules that fire, from 1, as the
    rule list has them. otherwise: the class of its last line, a position. train, test: the counts of each line, "otherwise" last,
    on the training and on the evaluation rows.
    """

    readings: dict[str, Reading]
    winner_true: float
    winner_right: float | None
    some_true: float
    order: tuple[int, ...]
    otherwise: int
    train: tuple[Counts, ...]
    test: tuple[Counts, ...]

    def inferences(self, evaluated_on: str) -> tuple[Inference, ...]:
        """The readings in words. evaluated_on: which rows they were measured on."""
        return tuple(
            Inference(name, reading.fidelity, reading.rca, evaluated_on, reading.bca)
            for name, reading in ((name, self.readings[name]) for name in READINGS)
        )

    def truth_text(self, evaluated_on: str) -> str:
        """How often the sentences are true, in two sentences."""
        right = ""
        if self.winner_right is not None:
            right = f"; its class is right in {percent(self.winner_right)} of these"
        return (
            f"The sentence of the strongest rule is literally true of {of_rows(self.winner_true, evaluated_on)}{right}."
            f" At least one sentence is true of {of_rows(self.some_true, evaluated_on)}."
        )

    def rule_list(self, source: ExportedRules, rules: tuple[Rule, ...], evaluated_on: str) -> RuleList:
        """The rule list. rules: of ``source``, in any order."""
        by_index, classes = {rule.index: rule for rule in rules}, source["classes"]
        listed = tuple(
            ListedRule(by_index[index], by_index[index].conclusion, train, test)
            for index, train, test in zip(self.order, self.train, self.test, strict=False)  # which have "otherwise" besides
        )
        last = ListedRule(None, classes[self.otherwise], self.train[-1], self.test[-1])
        n_train, n_test = (sum(line.taken for line in counts) for counts in (self.train, self.test))
        return RuleList(listed, last, n_train, n_test, evaluated_on, source)

    def measured_on(self, source: ExportedRules, rules: tuple[Rule, ...], Z: np.ndarray, y: np.ndarray | None) -> "Readable":
        """The same rule list, measured on other rows Z (N, D) with class positions y (N,), None where they are unknown."""
        return _measured(self, source, rules, Z, y)

    def fit(self, n_rules: int, n_classes: int) -> bool:
        """Whether these are numbers of a model with R rules and C classes."""
        lines = len(self.order) + 1
        return (
            self.readings.keys() == READINGS.keys()
            and len(set(self.order)) == len(self.order)
            and set(self.order) <= set(range(1, n_rules + 1))
            and 0 <= self.otherwise < n_classes
            and len(self.train) == len(self.test) == lines
        )

    def to_dict(self) -> dict[str, object]:
        """JSON-ready values."""
        return {
            "readings": {name: list(reading) for name, reading in self.readings.items()},
            "winner_true": self.winner_true,
            "winner_right": self.winner_right,
            "some_true": self.some_true,
            "order": list(self.order),
            "otherwise": self.otherwise,
            "train": [list(counts) for counts in self.train],
            "test": [list(counts) for counts in self.test],
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Readable":
        """What ``to_dict`` returned, of the shape ``READABLE``."""
        return cls(
            **values
            | {
                "readings": {name: Reading(*reading) for name, reading in values["readings"].items()},
                "order": tuple(values["order"]),
                "train": tuple(Counts(*counts) for counts in values["train"]),
                "test": tuple(Counts(*counts) for counts in values["test"]),
            }
        )


def measure_readable(
    source: ExportedRules,
    rules: tuple[Rule, ...],
    train: tuple[np.ndarray, np.ndarray | None],
    test: tuple[np.ndarray, np.ndarray | None],
) -> Readable:
    """Order the rule list on the training rows, and measure it and the other readings on the evaluation rows.

    source: exported rules of zero order. rules: the same in words. train, test: rows (N, D), N ≥ 1, and their class positions
    (N,), None where they are unknown: the list is then ordered by the classes that the model predicts.
    """
    arrays, (Z, y) = read_rules(source), train
    alive = [rule for rule in rules if not rule.dead]
    true, wanted = true_sentences(arrays, alive, Z), scores(source, Z).argmax(1) if y is None else y
    says = np.array([arrays.classes.index(rule.conclusion) for rule in alive], int)
    order = ordered(true, says, wanted)
    true, otherwise = true[:, order], default_class(wanted, np.logical_not(true.any(1)))
    counts = count(true, np.append(says[order], otherwise), y)
    numbers = tuple(alive[at].index for at in order)
    return _measured(Readable({}, 0.0, None, 0.0, numbers, otherwise, counts, ()), source, rules, *test)


def readable_text(
    rules: tuple[Rule, ...],
    full_accuracy: float | None,
    evaluated_on: str,
    readable: Readable | None = None,
    uncovered: tuple[int, int] | None = None,
    *,
    with_readings: bool = True,
) -> str:
    """What stands above the rules, in a few lines. readable: None where only the model's accuracy was measured.

    uncovered: of how many rows no sentence is true, and of how many. with_readings: without, both stand beside it.
    """
    alive = [rule for rule in rules if not rule.dead]
    conditions = sum(len(rule.antecedents) for rule in alive)
    lines = [f"{counted(len(rules), 'rule')}, {counted(conditions, 'condition')} in all."]
    if len(alive) < len(rules):
        lines[0] += f" {len(rules) - len(alive)} of the rules never fire{'s' if len(rules) - len(alive) == 1 else ''}."
    if readable is not None and with_readings:
        lines += [inference.text for inference in readable.inferences(evaluated_on)]
    elif full_accuracy is not None:
        lines[0] += f" The model's accuracy is {percent(full_accuracy)} on the {sampled_rows(evaluated_on)}."
    if readable is not None:
        lines.append(readable.truth_text(evaluated_on))
    if uncovered is not None and with_readings:
        lines.append(uncovered_text(*uncovered, evaluated_on, zero_order=True))
    return "\n".join([*lines, MEANING])


def _measured(
    readable: Readable, source: ExportedRules, rules: tuple[Rule, ...], Z: np.ndarray, y: np.ndarray | None
) -> Readable:
    """``readable`` with what rows decide besides the training rows."""
    arrays, by_index = read_rules(source), {rule.index: rule for rule in rules}
    listed = [by_index[index] for index in readable.order]
    true = true_sentences(arrays, listed, Z)
    says = np.array([*(arrays.classes.index(rule.conclusion) for rule in listed), readable.otherwise])
    strongest = _strongest(source, readable.order, Z)
    inferred = {
        "model": scores(source, Z).argmax(1),
        "strongest": says[strongest],
        "sentences": says[taken_by(true).argmax(1)],
    }
    known = np.column_stack([true, np.zeros(len(Z), bool)])[np.arange(len(Z)), strongest]
    right = None if y is None or not known.any() else float((inferred["strongest"] == y)[known].mean())
    return replace(
        readable,
        readings={name: _reading(classes, inferred["model"], y, len(arrays.classes)) for name, classes in inferred.items()},
        winner_true=float(known.mean()),
        winner_right=right,
        some_true=float(true.any(1).mean()),
        test=count(true, says, y),
    )


def _strongest(source: ExportedRules, order: tuple[int, ...], Z: np.ndarray) -> np.ndarray:
    """Which line of the list has the strongest rule of each row, (N,); the last line where no rule fires on the training rows."""
    if not order:
        return np.zeros(len(Z), int)
    at = np.array(order) - 1
    by_number = np.sort(at)  # of equals the first in the model is the strongest, as in ``measures.wins``
    line = {number: k for k, number in enumerate(at.tolist())}
    return np.array([line[number] for number in by_number.tolist()])[firing_levels(source, Z)[:, by_number].argmax(1)]


def _reading(classes: np.ndarray, model: np.ndarray, y: np.ndarray | None, n_classes: int) -> Reading:
    """y: (N,) class positions, −1 for a class that the model does not know, which is then one more class."""
    same = float((classes == model).mean())
    if y is None:
        return Reading(same, None, None)
    return Reading(same, *accuracy(np.where(y < 0, n_classes, y), classes))
