"""Measured: all that is measured of a rule base at every length, as it is kept with the rules."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tsk_core.explain.base.behaviour import of_rows, of_rules
from tsk_core.explain.base.terms import Terms
from tsk_core.explain.describing import Described
from tsk_core.explain.exported import ExportedRules
from tsk_core.explain.reader import RuleArrays, read_rules
from tsk_core.explain.readings import Lengths, fit_constants, measure_lengths
from tsk_core.explain.readings.lengths import steps_of
from tsk_core.explain.rule import Rule
from tsk_core.explain.shapes import OrNull

__all__ = ["MEASURED", "Measured", "measure", "measure_rows"]

MEASURED = {  # the shape of ``Measured.to_dict``, as ``shapes.check`` reads it
    "fidelity": {str: [float]},
    "accuracy": {str: [float]},
    "constants": OrNull([[[float]]]),
    "uncovered": [int],
    "n_rows": int,
    "terms": [{str: float | None}],
    "whole": {str: float | None},
}


@dataclass(frozen=True, eq=False)
class Measured:
    """Entry k of what has lengths is with at most k + 1 conditions a rule; L entries.

    lengths: the readings of the text. constants: (L, R, C) fixed scores a rule (``fit_constants``), or None.
    uncovered: how many of ``n_rows`` training rows no rule covers, (L,). terms: ``Terms.figures`` (L,). whole: figures of the
    full model (``behaviour``).
    """

    lengths: Lengths
    constants: np.ndarray | None = field(repr=False)
    uncovered: tuple[int, ...]
    n_rows: int
    terms: tuple[dict[str, float | None], ...]
    whole: dict[str, float | None]

    def fit(self, n_rules: int, n_classes: int) -> bool:
        """Whether these are figures of a model with R rules and C classes."""
        return self.constants is None or self.constants.shape[1:] == (n_rules, n_classes)

    def to_dict(self) -> dict[str, object]:
        """JSON-ready values; the rows that measured them had classes."""
        lengths = self.lengths
        return {
            "fidelity": {name: list(values) for name, values in lengths.fidelity.items()},
            "accuracy": {name: list(values or ()) for name, values in lengths.accuracy.items()},
            "constants": None if self.constants is None else self.constants.tolist(),
            "uncovered": list(self.uncovered),
            "n_rows": self.n_rows,
            "terms": [dict(one) for one in self.terms],
            "whole": dict(self.whole),
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any], full_accuracy: float) -> "Measured":
        """What ``to_dict`` returned, of the shape ``MEASURED``; KeyError or ValueError where its lengths differ."""
        fidelity: dict[str, tuple[float, ...]] = {name: tuple(shares) for name, shares in values["fidelity"].items()}
        accuracy: dict[str, tuple[float, ...]] = {name: tuple(shares) for name, shares in values["accuracy"].items()}
        found = {len(one) for one in (*fidelity.values(), *accuracy.values(), values["uncovered"], values["terms"])}
        constants = None if values["constants"] is None else np.array(values["constants"], float)
        if constants is not None:
            found.add(len(constants))
        if len(found) != 1 or fidelity.keys() != accuracy.keys() or "linear" not in fidelity:
            raise ValueError("not one figure for each length")
        if not all(0 <= rows <= values["n_rows"] for rows in values["uncovered"]):
            raise ValueError("more rows that no rule covers than rows")
        if values["n_rows"] < 1 or (constants is not None and constants.ndim != 3):
            raise ValueError("no rows, or scores of another shape")
        lengths = Lengths(fidelity, {**accuracy}, full_accuracy)
        parts = tuple(values["uncovered"]), values["n_rows"], tuple(values["terms"]), dict(values["whole"])
        return cls(lengths, constants, *parts)


def measure(source: ExportedRules, described: Described, Z: np.ndarray, true: np.ndarray | None) -> Measured:
    """Measure a rule base. described: its rules with their training rows. Z, true: the rows that readings are measured on, (N, D)
    and (N,) class positions, None where they are unknown.
    """
    rules = described.rules
    constants = fit_constants(source, rules, described.Z)
    arrays = read_rules(source)
    support = described.firing.mean(0)
    return Measured(
        lengths=measure_lengths(source, rules, Z, true, constants),
        constants=constants,
        uncovered=described.uncovered,
        n_rows=len(described.Z),
        terms=tuple(map(Terms(arrays, described.Z).figures, _uses(arrays, rules))),
        whole={**of_rules(rules, described.firing, described.redundancy), **of_rows(source, support, Z, true)},
    )


def measure_rows(
    before: Measured, source: ExportedRules, rules: tuple[Rule, ...], Z: np.ndarray, true: np.ndarray | None
) -> Measured:
    """The same with the readings, and what else rows decide, measured on other rows. rules: with all their conditions."""
    support = np.zeros(len(rules))
    for rule in rules:
        support[rule.index - 1] = rule.support
    lengths = measure_lengths(source, rules, Z, true, before.constants)
    return replace(before, lengths=lengths, whole={**before.whole, **of_rows(source, support, Z, true)})


def _uses(arrays: RuleArrays, rules: tuple[Rule, ...]) -> list[list[tuple[int, int]]]:
    """The (rule, number column) pairs of the rules that fire, at each length."""
    dead = {rule.index - 1 for rule in rules if rule.dead}
    found: list[list[tuple[int, int]]] = []
    for step in steps_of(arrays, rules):
        new = [(r, d) for r, columns in step for d in columns if r not in dead and arrays.columns[d]["kind"] == "number"]
        found.append([*(found[-1] if found else []), *new])
    return found
