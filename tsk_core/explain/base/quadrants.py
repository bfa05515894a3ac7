"""The metrics of a rule base with one sentence each on what is good, and its source, in the quadrants of Gacto et al. (2011).

Complexity or semantics, of the rules or of the partitions; and, after Vilone and Longo (2021), how well the text explains its
model: completeness, correctness, fidelity, robustness, length.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tsk_core.explain.base.measured import MeasuredRuleBase, of_rules
from tsk_core.explain.rule import Rule
from tsk_core.numbers import percent, signed

ENOUGH = 0.95  # fidelity of the smallest base that is marked
DISGUISE = 0.01  # of the decisions: where firing levels change fewer, they hardly matter

GACTO = "Gacto, Alcalá and Herrera 2011"
VILONE = "Vilone and Longo 2021"


class _Kind(NamedTuple):
    """A metric before it is measured. write: its value as text."""

    key: str
    name: str
    write: Callable[[float], str]
    good: str
    source: str


def _count(value: float) -> str:
    return f"{value:.0f}" if value == round(value) else f"{value:.1f}"


def _points(value: float) -> str:
    return f"{signed(100 * value, 1)} points"


QUADRANTS: dict[str, tuple[_Kind, ...]] = {
    "Complexity of the rules": (
        _Kind("conditions", "Conditions in all", _count, "Fewer are easier to read; each rule's are counted.", GACTO),
        _Kind("rules", "Rules that fire", _count, "Fewer are easier to read; a person keeps about seven in mind.", GACTO),
        _Kind("smallest", "Conditions per rule for 95% fidelity", _count,
              "The fewest with which the text, with its linear functions, gives the full model's class in 95% of rows.", VILONE),
    ),
    "Complexity of the partitions": (
        _Kind("terms", "Terms per feature", _count, "Few; seven, plus or minus two, is the usual bound.", GACTO),
        _Kind("features", "Numeric features used", _count, "Fewer are easier to read and cheaper to measure.", GACTO),
    ),
    "Semantics of the rules": (
        _Kind("covered", "Rows with a true sentence", percent,
              "Near 100%: for other rows no rule's conditions all hold, and no sentence tells why they get their class.", VILONE),
        _Kind("literal", "Rules true at their own centre", percent,
              "Near 100%: there the whole system predicts the class that the rule names.", "after Galende et al. 2014"),
        _Kind("named", "Rules that name one class", percent,
              "Near 100%: the others say \"mostly\", as no class has more than half of their rows.", "Ishibuchi et al. 2005"),
        _Kind("overlap", "Overlap of two rules", percent, "Low: rules that fire together cannot be read one at a time.", GACTO),
        _Kind("conflict", "Largest overlap of rules for different classes", percent,
              "Low: a high value means that rules contradict each other.", "Pancho et al. 2013"),
        _Kind("redundant", "Largest overlap of rules for one class", percent,
              "Low: rules that overlap much and say the same could be one.", "Pancho et al. 2013"),
        _Kind("effective", "Effective rules per row", _count, "Near 1: the exponential of the firing entropy.", "Shannon 1948"),
        _Kind("changed", "Decisions that firing levels change", percent,
              "Well above 0: the rows that get another class when every row gets the mean firing levels.", "own"),
        _Kind("matter", "What the rules add to accuracy", _points,
              "Well above 0: the accuracy lost when every row gets the mean firing levels, which is a linear model.", "own"),
    ),
    "Semantics of the partitions": (
        _Kind("distinguishability", "Distinguishability of terms", percent,
              "High: 1 less the largest similarity of two terms of a feature, averaged over features.", "Setnes et al. 1998"),
        _Kind("distinguishability_least", "Least distinguishable feature", percent,
              "High: near 0, two terms with different numbers mean the same.", "Setnes et al. 1998"),
        _Kind("completeness", "Values described by a term", percent,
              "High: at these values a term of the feature holds to at least one half.", GACTO),
        _Kind("epsilon", "Lowest best membership", percent,
              "At least 50%: how much the best term holds where it holds least.", GACTO),
    ),
    "The text as an explanation": (
        _Kind("fidelity_strongest", "Fidelity, one class per rule", percent,
              "High: how often the strongest rule's class is the full model's.", VILONE),
        _Kind("fidelity", "Fidelity with the linear functions", percent,
              "High: how often the shortened rules with their hidden linear THEN give the full model's class.", VILONE),
        _Kind("accuracy_strongest", "Correctness, one class per rule", percent,
              "High: how often the strongest rule's class is right.", VILONE),
        _Kind("robustness", "Robustness of the model", percent,
              "Near 100%: predictions that stay the same when noise of a tenth of each column's spread is added.", VILONE),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Metric:
    """One metric: its key, name, value, the value as text, a sentence on what is good, and the source of the measure."""

    key: str
    name: str
    value: float
    text: str
    good: str
    source: str


@dataclass(frozen=True)
class Metrics:
    """The metrics of a rule base. values: by key; None where one cannot be measured. curve: (conditions a rule, fidelity with
    linear functions, fidelity of the text alone or None), one a length; () for a readable rule base.
    """

    values: dict[str, float | None]
    curve: tuple[tuple[int, float, float | None], ...]

    @property
    def groups(self) -> dict[str, tuple[Metric, ...]]:
        """The metrics that are known, by quadrant; the first of each stands for it."""
        by_quadrant = {}
        for title, kinds in QUADRANTS.items():
            known = [(kind, value) for kind in kinds if (value := self.values.get(kind.key)) is not None]
            by_quadrant[title] = tuple(Metric(k.key, k.name, v, k.write(v), k.good, k.source) for k, v in known)
        return {title: metrics for title, metrics in by_quadrant.items() if metrics}

    def to_dict(self) -> dict[str, object]:
        """JSON-ready values."""
        return {"values": dict(self.values), "curve": [list(point) for point in self.curve]}


def metrics_of(rules: tuple[Rule, ...], measured: MeasuredRuleBase, redundancy: np.ndarray, most: int | None) -> Metrics:
    """The metrics of the rules with at most ``most`` conditions each (None: all). rules: at this length. redundancy: (R, R)."""
    lengths, at = measured.lengths, measured.lengths.position(most)
    alive = [rule for rule in rules if not rule.dead]
    fidelity, printed = lengths.fidelity["linear"], lengths.fidelity.get("strongest")
    right = lengths.accuracy.get("strongest")
    whole = max((len(rule.antecedents) for rule in alive), default=0) if most is None else 0
    counts = [*range(1, len(fidelity)), max(lengths.longest, whole)]  # the last may stand for all conditions
    smallest = next((count for count, share in zip(counts, fidelity, strict=True) if share >= ENOUGH), None)
    values = {
        "rules": float(len(alive)),
        "conditions": float(sum(len(rule.antecedents) for rule in alive)),
        "smallest": None if smallest is None else float(smallest),
        "covered": 1 - measured.uncovered[min(at, len(measured.uncovered) - 1)] / measured.n_rows,
        "fidelity": fidelity[at],
        "fidelity_strongest": None if printed is None else printed[at],
        "accuracy_strongest": None if right is None else right[at],
        **measured.terms[at],
        **measured.whole,
        **of_rules(rules, redundancy),
    }
    curve = tuple((counts[k], share, None if printed is None else printed[k]) for k, share in enumerate(fidelity))
    if measured.readable is not None:  # which has no other lengths, and no linear functions
        return Metrics({**values, "smallest": None, "fidelity": None}, ())
    return Metrics(values, curve)


def linear_in_disguise(values: dict[str, float | None]) -> str:
    """A sentence where the firing levels lower the accuracy by more than chance, or change hardly any decision; else ""."""
    changed, matter, low, high = (values.get(name) for name in ("changed", "matter", "matter_low", "matter_high"))
    if matter is not None and low is not None and high is not None and high < 0:
        return (
            "A linear model would be more accurate: with the mean firing levels for every row, accuracy rises by"
            f" {-100 * matter:.1f} points (95% interval over rows {-100 * high:.1f} to {-100 * low:.1f})."
        )
    if changed is None or changed >= DISGUISE:
        return ""
    return (
        f"In effect a linear model: with the mean firing levels for every row, {percent(changed)} of the rows get another class,"
        " so which rule fires hardly matters."
    )
