"""Summaries: the readable rules of one model at every length, to show any of them later without the data.

A shorter summary shows fewer of each rule's antecedents, which are ordered, and has its own fidelity and accuracy. So the longest
rules are kept once, with both numbers for each length.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tsk_core.errors import SettingError
from tsk_core.explain.lengths import mask_of
from tsk_core.explain.reader import read_rules
from tsk_core.explain.rule import Rule
from tsk_core.explain.rule_base_summary import RuleBaseSummary, measured_text

__all__ = ["LONGEST", "Summaries"]

LONGEST = 12  # antecedents per rule


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
            raise SettingError(f"max_antecedents is {max_antecedents!r}; the rules of a run are kept with 1 to {LONGEST}.")
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
        fidelity, accuracy = (tuple(float(share) for share in values[name]) for name in ("fidelity", "accuracy"))
        if not fidelity or len(fidelity) != len(accuracy):
            raise ValueError("not one fidelity and one accuracy for each length")
        return cls(
            rules=tuple(Rule.from_dict(rule) for rule in values["rules"]),
            redundancy=np.asarray(values["redundancy"], float),
            fidelity=fidelity,
            accuracy=accuracy,
            full_accuracy=float(values["full_accuracy"]),
            evaluated_on=str(values["evaluated_on"]),
            complete=bool(values["whole"]),
        )

    def _shortened(self, max_antecedents: int) -> tuple[Rule, ...]:
        return tuple(replace(rule, antecedents=rule.antecedents[:max_antecedents]) for rule in self.rules)

    def _position(self, max_antecedents: int) -> int:
        return min(max_antecedents, len(self.fidelity)) - 1
