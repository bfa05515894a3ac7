"""Summaries: the readable rules of one model at every length, to show any of them later without the data.

A shorter summary shows fewer of each rule's antecedents, which are ordered, and has its own fidelity and accuracy. So the longest
rules are kept once, with both numbers for each length.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tsk_core.data.inputs import Rows
from tsk_core.errors import SettingError
from tsk_core.explain.antecedents import LONGEST
from tsk_core.explain.base import MEASURED, MeasuredRuleBase, measure_rows
from tsk_core.explain.counting import count_rows, with_counts
from tsk_core.explain.describing import shortened
from tsk_core.explain.exported import ExportedRules
from tsk_core.explain.fidelity import mask_of, measure_lengths, measured_text
from tsk_core.explain.missing import with_test_notes
from tsk_core.explain.readable import readable_text
from tsk_core.explain.reader import is_zero_order, read_rules
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
    antecedent out. measured: the other metrics at each length; None for rules of an epoch.
    """

    rules: tuple[Rule, ...]
    redundancy: np.ndarray = field(repr=False)
    fidelity: tuple[float, ...]
    accuracy: tuple[float | None, ...]
    full_accuracy: float | None
    evaluated_on: str
    complete: bool
    measured: MeasuredRuleBase | None = field(repr=False, default=None)

    def summary(
        self,
        max_antecedents: int | None,
        source: ExportedRules,
        *,
        classes: np.ndarray | None = None,
        encode: Callable[[Rows], np.ndarray] | None = None,
    ) -> RuleBaseSummary:
        """The summary with at most 1 to 12 antecedents per rule; SettingError for other lengths.

        source: the exported rules that were summarised. classes, encode: as in ``RuleBaseSummary.build``.
        """
        if max_antecedents is None or not hasattr(max_antecedents, "__index__") or not 1 <= max_antecedents <= LONGEST:
            raise SettingError(f"max_antecedents is {max_antecedents!r}; these rules were kept with 1 to {LONGEST} conditions.")
        rules, at = shortened(self.rules, max_antecedents), self._position(max_antecedents)
        arrays = read_rules(source)
        return RuleBaseSummary(
            rules=rules,
            classes=np.asarray(source["classes"]) if classes is None else classes,
            source=source,
            mask=mask_of(arrays, rules),
            fidelity=self.fidelity[at],
            accuracy=self.accuracy[at],
            full_accuracy=self.full_accuracy,
            evaluated_on=self.evaluated_on,
            redundancy=self.redundancy,
            max_antecedents=None if is_zero_order(arrays) else max_antecedents,
            encode=encode,
            measured=self.measured,
        )

    def measured_on(
        self,
        source: ExportedRules,
        Z: ArrayLike,
        y_index: ArrayLike | None = None,
        missing: Mapping[str, np.ndarray] | None = None,
        groups: np.ndarray | None = None,
    ) -> "Summaries":
        """The same rules, measured on test rows Z (N, D) with class positions y_index (N,); None where they are unknown.

        missing: feature -> bool (N,), which of these rows lack its value. groups: (N,) integers from 0, equal in rows that belong
        together.
        Without y_index, the accuracies of ``summary`` are None; ``to_dict`` is then not for a file.
        """
        arrays = read_rules(source)
        Z, true = pair(arrays, Z, y_index, "test")
        counted = count_rows(source, self.rules, [(Z, true)], groups, missing)
        rules = with_counts(with_test_notes(self.rules, arrays.columns, missing or {}), test=counted)
        measured = None if self.measured is None else measure_rows(self.measured, source, rules, Z, true, counted)
        lengths = measure_lengths(source, rules, Z, true, printed=False) if measured is None else measured.lengths
        none = (None,) * lengths.longest
        return replace(
            self,
            rules=rules,
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
        measured = self.measured
        uncovered = None if measured is None else (measured.uncovered[at], measured.n_rows)
        if any(rule.zero_order for rule in rules):
            readable = None if measured is None else measured.readable
            return rules, readable_text(rules, self.full_accuracy, self.evaluated_on, readable, uncovered)
        inferences = () if measured is None else measured.lengths.inferences(max_antecedents, self.evaluated_on)
        return rules, measured_text(len(rules), max_antecedents, complete, *told, inferences, uncovered)

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
        values = {**values}
        values.pop("version", None)  # which a run's file has besides
        values["rules"] = [_of_today(rule) for rule in values["rules"]]
        check(values, SHAPE)
        fidelity, accuracy = tuple(values["fidelity"]), tuple(values["accuracy"])
        if not fidelity or len(fidelity) != len(accuracy) or not values["evaluated_on"]:
            raise ValueError("not one fidelity and one accuracy for each length, or not said on which rows")
        kept = values["measured"]
        measured = None if kept is None else MeasuredRuleBase.from_dict(kept, values["full_accuracy"])
        if measured is not None and measured.lengths.longest != len(fidelity):
            raise ValueError("not one value for each length")
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
            and len(self.fidelity) == self._longest <= LONGEST
            and {antecedent.feature for rule in rules for antecedent in rule.antecedents} <= set(features)
            and all(rule.model_class in classes and list(rule.scores) == classes for rule in rules)
            and all(rule.confidence is None or list(rule.confidence) == classes for rule in rules)
            and all(_claims_fit(rule, classes) and _counts_fit(rule, len(classes)) for rule in rules)
            and (self.measured is None or self.measured.fit(n_rules, len(classes)))
        )

    @property
    def _longest(self) -> int:
        """How many lengths the rules have; a readable rule base has one."""
        return max(1, *(1 if rule.zero_order else len(rule.antecedents) for rule in self.rules))

    def _position(self, max_antecedents: int) -> int:
        return min(max_antecedents, len(self.fidelity)) - 1


def _of_today(rule: Any) -> Any:
    """A rule as written before imputed values were counted, with none of them."""
    return {"train_imputed": None, "test_imputed": None, **rule} if isinstance(rule, dict) else rule


def _claims_fit(rule: Rule, classes: list[str]) -> bool:
    """Whether a rule's claim speaks of these classes, in shares."""
    if rule.claim is None:
        return True
    named = {rule.claim.centre_class, *(name for name, _ in rule.claim.confused_with)}
    shares = (rule.claim.confidence, rule.claim.prior, rule.claim.support, *rule.claim.interval)
    return named <= set(classes) and all(0 <= share <= 1 for share in shares)


def _counts_fit(rule: Rule, n_classes: int) -> bool:
    """Whether a rule's counts are those of rows in C classes: not negative, and never more with a further condition."""
    kinds = (rule.train_counts, rule.n_train, rule.train_imputed), (rule.test_counts, rule.n_test, rule.test_imputed)
    for by_length, of, imputed in kinds:
        if by_length is None:
            continue
        if imputed is not None and not _are_parts(imputed, by_length):
            return False
        if len(by_length) != max(1, len(rule.antecedents)) or {len(counts) for counts in by_length} != {n_classes + 1}:
            return False
        fewer = (all(0 <= b <= a for a, b in zip(*pair, strict=True)) for pair in pairwise(by_length))
        if min(by_length[0]) < 0 or sum(by_length[0]) > of or not all(fewer):
            return False
    return True


def _are_parts(imputed: tuple[int, ...], by_length: tuple[tuple[int, ...], ...]) -> bool:
    return len(imputed) == len(by_length) and all(0 <= k <= sum(row) for k, row in zip(imputed, by_length, strict=True))
