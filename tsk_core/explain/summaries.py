"""Summaries: the readable rules of one model at every length, to show any of them later without the data.

A shorter summary shows fewer of each rule's antecedents, which are ordered, and has its own fidelity and accuracy. So the longest
rules are kept once, with both numbers for each length.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tsk_core.errors import SettingError
from tsk_core.explain.antecedents import LONGEST
from tsk_core.explain.lengths import mask_of
from tsk_core.explain.reader import read_rules
from tsk_core.explain.rule import RULE, Rule
from tsk_core.explain.rule_base_summary import RuleBaseSummary, measured_text
from tsk_core.explain.shapes import check

__all__ = ["LONGEST", "Summaries"]

SHAPE = {
    "rules": [RULE],
    "redundancy": [[float]],
    "evaluated_on": str,
    "whole": bool,
    "fidelity": [float],
    "accuracy": [float],
    "full_accuracy": float,
}


@dataclass(frozen=True, eq=False)
class Summaries:
    """Rules with up to 12 antecedents each, and what was measured at each length; ``Summariser`` makes them.

    rules: as in ``RuleBaseSummary``. redundancy: (R, R). fidelity, accuracy: with at most 1, 2, … antecedents, up to the most
    that any rule has. full_accuracy, evaluated_on: as in ``RuleBaseSummary``. complete: whether the longest rules leave no
    antecedent out.
    """

    rules: tuple[Rule, ...]
    redundancy: np.ndarray = field(repr=False)
    fidelity: tuple[float, ...]
    accuracy: tuple[float, ...]
    full_accuracy: float
    evaluated_on: str
    complete: bool

    def summary(
        self,
        max_antecedents: int,
        source: dict[str, Any],
        *,
        classes: np.ndarray | None = None,
        encode: Callable[[Any], np.ndarray] | None = None,
    ) -> RuleBaseSummary:
        """The summary with at most 1 to 12 antecedents per rule; SettingError for other lengths.

        source: the exported rules that were summarised. classes, encode: as in ``RuleBaseSummary.build``.
        """
        if not hasattr(max_antecedents, "__index__") or not 1 <= max_antecedents <= LONGEST:
            raise SettingError(f"max_antecedents is {max_antecedents!r}; these rules were kept with 1 to {LONGEST} conditions.")
        rules, at = self._shortened(max_antecedents), self._position(max_antecedents)
        return RuleBaseSummary(
            rules=rules,
            classes=np.asarray(source["classes"]) if classes is None else classes,
            source=source,
            mask=mask_of(read_rules(source), rules),
            fidelity=self.fidelity[at],
            accuracy=self.accuracy[at],
            full_accuracy=self.full_accuracy,
            evaluated_on=self.evaluated_on,
            redundancy=self.redundancy,
            max_antecedents=max_antecedents,
            encode=encode,
        )

    def texts(self, max_antecedents: int) -> tuple[tuple[Rule, ...], str]:
        """``rules`` and ``measured_text`` of the summary with at most 1 to 12 antecedents, without the exported rules."""
        at = self._position(max_antecedents)
        complete = self.complete and all(len(rule.antecedents) <= max_antecedents for rule in self.rules)
        measured = self.fidelity[at], self.accuracy[at], self.full_accuracy, self.evaluated_on
        return self._shortened(max_antecedents), measured_text(len(self.rules), max_antecedents, complete, *measured)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values."""
        return {
            "rules": [rule.to_dict() for rule in self.rules],
            "redundancy": self.redundancy.tolist(),
            "evaluated_on": self.evaluated_on,
            "whole": self.complete,
            "fidelity": list(self.fidelity),
            "accuracy": list(self.accuracy),
            "full_accuracy": self.full_accuracy,
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Summaries":
        """What ``to_dict`` returned; KeyError, TypeError or ValueError for anything else."""
        values = {name: value for name, value in dict(values).items() if name != "version"}  # which a run's file has besides
        values["rules"] = [Rule.with_later_fields(rule) for rule in values["rules"]]
        check(values, SHAPE)
        fidelity, accuracy = tuple(values["fidelity"]), tuple(values["accuracy"])
        if not fidelity or len(fidelity) != len(accuracy) or not values["evaluated_on"]:
            raise ValueError("not one fidelity and one accuracy for each length, or not said on which rows")
        return cls(
            rules=tuple(Rule.from_dict(rule) for rule in values["rules"]),
            redundancy=np.asarray(values["redundancy"], float),
            fidelity=fidelity,
            accuracy=accuracy,
            full_accuracy=values["full_accuracy"],
            evaluated_on=values["evaluated_on"],
            complete=values["whole"],
        )

    def fit(self, n_rules: int, features: list[str], classes: list[str]) -> bool:
        """Whether these are rules of a model with R rules and these features and classes."""
        rules = self.rules
        return (
            sorted(rule.index for rule in rules) == list(range(1, n_rules + 1))
            and self.redundancy.shape == (n_rules, n_rules)
            and len(self.fidelity) == max(1, *(len(rule.antecedents) for rule in rules)) <= LONGEST
            and {antecedent.feature for rule in rules for antecedent in rule.antecedents} <= set(features)
            and all(rule.conclusion in classes and list(rule.scores) == classes for rule in rules)
            and all(rule.confidence is None or list(rule.confidence) == classes for rule in rules)
        )

    def _shortened(self, max_antecedents: int) -> tuple[Rule, ...]:
        most = max_antecedents
        return tuple(replace(rule, antecedents=rule.antecedents[:most], true_of=rule.true_of[:most]) for rule in self.rules)

    def _position(self, max_antecedents: int) -> int:
        return min(max_antecedents, len(self.fidelity)) - 1
