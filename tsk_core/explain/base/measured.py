"""MeasuredRuleBase: all that is measured of a rule base at every length, as it is kept with the rules."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tsk_core.explain.base.behaviour import of_firing, of_rows
from tsk_core.explain.base.terms import Terms
from tsk_core.explain.counting import Counted
from tsk_core.explain.describing import Described
from tsk_core.explain.exported import ExportedRules
from tsk_core.explain.fidelity import Lengths, fit_constants, measure_lengths
from tsk_core.explain.fidelity.lengths import steps_of
from tsk_core.explain.readable import READABLE, Readable, measure_readable
from tsk_core.explain.reader import RuleArrays, is_zero_order, read_rules
from tsk_core.explain.rule import Rule
from tsk_core.explain.shapes import OrNull

__all__ = ["MEASURED", "MeasuredRuleBase", "measure", "measure_rows"]

MEASURED = {  # the shape of ``MeasuredRuleBase.to_dict``, as ``shapes.check`` reads it
    "fidelity": {str: [float]},
    "accuracy": {str: [float]},
    "constants": OrNull([[[float]]]),
    "uncovered": [int],
    "n_rows": int,
    "terms": [{str: float | None}],
    "whole": {str: float | None},
    "readable": OrNull(READABLE),
}


@dataclass(frozen=True, eq=False)
class MeasuredRuleBase:
    """Entry k of what has lengths is with at most k + 1 conditions a rule; L entries. A readable rule base has one, of all
    conditions.

    lengths: the inferences from the text. constants: (L, R, C) constant scores per rule (``fit_constants``), or None.
    uncovered: of how many of ``n_rows`` test rows, else training rows, no sentence is true, (L,). terms: ``Terms.metrics``
    (L,). whole: metrics of the full model (``behaviour``). readable: the readings and the rule list of a readable rule base; None
    for others.
    """

    lengths: Lengths
    constants: np.ndarray | None = field(repr=False)
    uncovered: tuple[int, ...]
    n_rows: int
    terms: tuple[dict[str, float | None], ...]
    whole: dict[str, float | None]
    readable: Readable | None = field(repr=False, default=None)

    def fit(self, n_rules: int, n_classes: int) -> bool:
        """Whether these are metrics of a model with R rules and C classes."""
        if self.readable is not None and not self.readable.fit(n_rules, n_classes):
            return False
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
            "terms": [dict(metrics) for metrics in self.terms],
            "whole": dict(self.whole),
            "readable": None if self.readable is None else self.readable.to_dict(),
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any], full_accuracy: float) -> "MeasuredRuleBase":
        """What ``to_dict`` returned, of the shape ``MEASURED``; KeyError or ValueError where its lengths differ."""
        fidelity: dict[str, tuple[float, ...]] = {name: tuple(shares) for name, shares in values["fidelity"].items()}
        accuracy: dict[str, tuple[float, ...]] = {name: tuple(shares) for name, shares in values["accuracy"].items()}
        n_lengths = {
            len(by_length) for by_length in (*fidelity.values(), *accuracy.values(), values["uncovered"], values["terms"])
        }
        constants = None if values["constants"] is None else np.array(values["constants"], float)
        if constants is not None:
            n_lengths.add(len(constants))
        if len(n_lengths) != 1 or fidelity.keys() != accuracy.keys() or "linear" not in fidelity:
            raise ValueError("not one value for each length")
        if not all(0 <= rows <= values["n_rows"] for rows in values["uncovered"]):
            raise ValueError("more rows without a true sentence than rows")
        if values["n_rows"] < 1 or (constants is not None and constants.ndim != 3):
            raise ValueError("no rows, or scores of another shape")
        lengths = Lengths(fidelity, {**accuracy}, full_accuracy)
        parts = tuple(values["uncovered"]), values["n_rows"], tuple(values["terms"]), dict(values["whole"])
        readable = None if values["readable"] is None else Readable.from_dict(values["readable"])
        return cls(lengths, constants, *parts, readable)


def measure(
    source: ExportedRules,
    rules: tuple[Rule, ...],
    described: Described,
    Z: np.ndarray,
    true: np.ndarray | None,
    counted: Counted,
) -> MeasuredRuleBase:
    """Measure a rule base. rules: those of ``described`` with their counts; it has the training rows. Z, true: the rows that
    inferences are measured on, (N, D) and (N,) class positions, None where they are unknown. counted: of the same rows, or of
    more of them.
    """
    arrays = read_rules(source)
    support, readable, constants = described.firing.mean(0), None, None
    kept = slice(None)
    if is_zero_order(arrays):
        readable, kept = measure_readable(source, rules, (described.Z, described.y_index), (Z, true)), slice(-1, None)
        lengths = _one_length(readable)
    else:
        constants = fit_constants(source, rules, described.Z)
        lengths = measure_lengths(source, rules, Z, true, constants)
    return MeasuredRuleBase(
        lengths=lengths,
        constants=constants,
        uncovered=counted.uncovered[kept],
        n_rows=counted.n_rows,
        terms=tuple(map(Terms(arrays, described.Z).metrics, _uses(arrays, rules)[kept])),
        whole={**of_firing(described.firing), **of_rows(source, support, Z, true)},
        readable=readable,
    )


def measure_rows(
    before: MeasuredRuleBase,
    source: ExportedRules,
    rules: tuple[Rule, ...],
    Z: np.ndarray,
    true: np.ndarray | None,
    counted: Counted,
) -> MeasuredRuleBase:
    """The same with the inferences, and what else rows decide, measured on other rows. rules: with all their conditions.
    counted: of these rows.
    """
    kept = slice(None) if before.readable is None else slice(-1, None)
    before = replace(before, uncovered=counted.uncovered[kept], n_rows=counted.n_rows)
    support = np.zeros(len(rules))
    for rule in rules:
        support[rule.index - 1] = rule.support
    whole = {**before.whole, **of_rows(source, support, Z, true)}
    if before.readable is not None:
        readable = before.readable.measured_on(source, rules, Z, true)
        return replace(before, lengths=_one_length(readable), whole=whole, readable=readable)
    return replace(before, lengths=measure_lengths(source, rules, Z, true, before.constants), whole=whole)


def _one_length(readable: Readable) -> Lengths:
    """The model and the strongest rule, with all conditions."""
    model, strongest = readable.readings["model"], readable.readings["strongest"]
    return Lengths(
        fidelity={"linear": (model.fidelity,), "strongest": (strongest.fidelity,)},
        accuracy={
            name: None if reading.rca is None else (reading.rca,)
            for name, reading in (("linear", model), ("strongest", strongest))
        },
        full_accuracy=model.rca,
    )


def _uses(arrays: RuleArrays, rules: tuple[Rule, ...]) -> list[list[tuple[int, int]]]:
    """The (rule, number column) pairs of the rules that fire, at each length."""
    dead = {rule.index - 1 for rule in rules if rule.dead}
    numbers = {d for d, column in enumerate(arrays.columns) if column["kind"] == "number" and "levels" not in column}
    uses: list[list[tuple[int, int]]] = []
    for step in steps_of(arrays, rules, printed=True):
        new = [(r, d) for r, columns in step for d in columns if r not in dead and d in numbers]
        uses.append([*(uses[-1] if uses else []), *new])
    return uses
