"""Summaries: the readable rules of one model at every length, to show any of them later without the data.

A shorter summary shows fewer of each rule's antecedents, which are ordered, and has its own fidelity and accuracy. So the longest
rules are kept once, with both numbers for each length.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tsk_core.data.inputs import Rows
from tsk_core.errors import SettingError
from tsk_core.explain.antecedents import LONGEST
from tsk_core.explain.base import MEASURED, Measured, measure_rows
from tsk_core.explain.describing import shortened
from tsk_core.explain.exported import ExportedRules
from tsk_core.explain.reader import read_rules
from tsk_core.explain.readings import mask_of, measure_lengths, measured_text
from tsk_core.explain.rule import RULE, Rule
from tsk_core.explain.rule_base_summary import RuleBaseSummary, pair
from tsk_core.explain.shapes import OrNull, check

__all__ = ["LONGEST", "Summaries"]

SHAPE = {
    "rules": [RULE],
    "redundancy": [[float]],
    "evaluated_on": str,
    "whole": bool,
    "fidelity": [float],
    "accuracy": [float],
    "full_accuracy": float,
    "measured": OrNull(MEASURED),
}


@dataclass(frozen=True, eq=False)
class Summaries:
    """Rules with up to 12 antecedents each, and what was measured at each length; ``Summariser`` makes them.

    rules: as in ``RuleBaseSummary``. redundancy: (R, R). fidelity, accuracy: with at most 1, 2, … antecedents, up to the most
    that any rule has. full_accuracy, evaluated_on: as in ``RuleBaseSummary``. complete: whether the longest rules leave no
    antecedent out. measured: the other figures at each length; None for rules of an epoch, and those of older versions.
    """

    rules: tuple[Rule, ...]
    redundancy: np.ndarray = field(repr=False)
    fidelity: tuple[float, ...]
    accuracy: tuple[float | None, ...]
    full_accuracy: float | None
    evaluated_on: str
    complete: bool
    measured: Measured | None = field(repr=False, default=None)

    def summary(
        self,
        max_antecedents: int,
        source: ExportedRules,
        *,
        classes: np.ndarray | None = None,
        encode: Callable[[Rows], np.ndarray] | None = None,
    ) -> RuleBaseSummary:
        """The summary with at most 1 to 12 antecedents per rule; SettingError for other lengths.

        source: the exported rules that were summarised. classes, encode: as in ``RuleBaseSummary.build``.
        """
        if not hasattr(max_antecedents, "__index__") or not 1 <= max_antecedents <= LONGEST:
            raise SettingError(f"max_antecedents is {max_antecedents!r}; these rules were kept with 1 to {LONGEST} conditions.")
        rules, at = shortened(self.rules, max_antecedents), self._position(max_antecedents)
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
            measured=self.measured,
        )

    def measured_on(self, source: ExportedRules, Z: ArrayLike, y_index: ArrayLike | None = None) -> "Summaries":
        """The same rules, measured on test rows Z (N, D) with class positions y_index (N,); None where they are unknown.

        Without y_index, the accuracies of ``summary`` are None; ``to_dict`` is then not for a file.
        """
        Z, true = pair(read_rules(source), Z, y_index, "test")
        lengths = measure_lengths(source, self.rules, Z, true, printed=False)
        measured = None if self.measured is None else measure_rows(self.measured, source, self.rules, Z, true)
        none = (None,) * lengths.longest
        return replace(
            self,
            fidelity=lengths.fidelity["linear"],
            accuracy=lengths.accuracy["linear"] or none,
            full_accuracy=lengths.full_accuracy,
            evaluated_on="test rows",
            measured=measured,
        )

    def texts(self, max_antecedents: int) -> tuple[tuple[Rule, ...], str]:
        """``rules`` and ``measured_text`` of the summary with at most 1 to 12 antecedents, without the exported rules."""
        at = self._position(max_antecedents)
        complete = self.complete and all(len(rule.antecedents) <= max_antecedents for rule in self.rules)
        told = self.fidelity[at], self.accuracy[at], self.full_accuracy, self.evaluated_on
        rules = shortened(self.rules, max_antecedents)
        if self.measured is None:
            return rules, measured_text(len(rules), max_antecedents, complete, *told)
        readings = self.measured.lengths.readings(max_antecedents, self.evaluated_on)
        uncovered = self.measured.uncovered[at], self.measured.n_rows
        return rules, measured_text(len(rules), max_antecedents, complete, *told, readings, uncovered)

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
            "measured": None if self.measured is None else self.measured.to_dict(),
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Summaries":
        """What ``to_dict`` returned; KeyError, TypeError or ValueError for anything else."""
        values = {"measured": None, **values}  # which older versions did not keep
        values.pop("version", None)  # which a run's file has besides
        values["rules"] = [Rule.with_later_fields(rule) for rule in values["rules"]]
        check(values, SHAPE)
        fidelity, accuracy = tuple(values["fidelity"]), tuple(values["accuracy"])
        if not fidelity or len(fidelity) != len(accuracy) or not values["evaluated_on"]:
            raise ValueError("not one fidelity and one accuracy for each length, or not said on which rows")
        kept = values["measured"]
        measured = None if kept is None else Measured.from_dict(kept, values["full_accuracy"])
        if measured is not None and measured.lengths.longest != len(fidelity):
            raise ValueError("not one figure for each length")
        return cls(
            rules=tuple(Rule.from_dict(rule) for rule in values["rules"]),
            redundancy=np.asarray(values["redundancy"], float),
            fidelity=fidelity,
            accuracy=accuracy,
            full_accuracy=values["full_accuracy"],
            evaluated_on=values["evaluated_on"],
            complete=values["whole"],
            measured=measured,
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
            and all(_claims_fit(rule, classes) for rule in rules)
            and (self.measured is None or self.measured.fit(n_rules, len(classes)))
        )

    def _position(self, max_antecedents: int) -> int:
        return min(max_antecedents, len(self.fidelity)) - 1


def _claims_fit(rule: Rule, classes: list[str]) -> bool:
    """Whether a rule's claim speaks of these classes, in shares."""
    if rule.claim is None:
        return True
    named = {rule.claim.centre_class, *(name for name, _ in rule.claim.confused_with)}
    shares = (rule.claim.confidence, rule.claim.prior, rule.claim.support, *rule.claim.interval, *rule.claim.coverage)
    return named <= set(classes) and all(0 <= share <= 1 for share in shares)
