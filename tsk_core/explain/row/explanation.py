"""RowExplanation: why one row gets its class, and what would change it, as data, as plain lines, and as HTML for notebooks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from html import escape
from typing import TypedDict

import numpy as np
from scipy.special import softmax

from tsk_core.data.naming import listed, printed
from tsk_core.errors import DataError
from tsk_core.explain.antecedents import units_of
from tsk_core.explain.counting import literally, memberships
from tsk_core.explain.exported import ExportedRules, firing_levels, read_rules
from tsk_core.explain.labels import rounded_to_sum
from tsk_core.explain.row.change import PAIRED, Change, nearest_changes
from tsk_core.explain.row.decomposition import Decomposition, decompose
from tsk_core.explain.row.features import SWITCH, Alike, RowFeature, nearest_rows, typical_row
from tsk_core.explain.rule import Rule
from tsk_core.numbers import percent

RULES = 3  # that are written out; the others are added up
FEATURES = 6
_CELL = 'style="text-align: left; vertical-align: top"'


ClassContributions = TypedDict(
    "ClassContributions",
    {"rules": dict[str, float], "features": dict[str, float], "typical row": float, "which rules fire": float, "score": float},
)


@dataclass(frozen=True)
class FiringRule:
    """One rule and what it has to do with the row.

    index: its number, from 1. firing: f̄_r. adds: to the predicted class's score, less the mean over the classes. conditions:
    the text of each printed condition, the row's membership in it, in [0, 1], and whether it holds as printed. conclusion: ""
    where the rule has no text.
    """

    index: int
    firing: float
    adds: float
    conditions: tuple[tuple[str, float, bool], ...]
    conclusion: str

    @property
    def is_true(self) -> bool:
        """Whether the rule has a text of which every condition holds."""
        return bool(self.conclusion) and all(holds for _, _, holds in self.conditions)


@dataclass(frozen=True, eq=False)  # arrays have no single answer to ==
class RowExplanation:
    """One row explained; ``str`` and notebooks show it in words, ``to_dict`` gives JSON-ready values.

    predicted: the class. probabilities: class → softmax of the scores, with class weights of the scores and ``log_prior``. x:
    (D,) the row encoded, in original units. typical: (D,) the row that features are compared with: training medians and most
    frequent values. features: see ``RowFeature``. decomposition: of the scores, by rule and by feature. rules: those that fire,
    most first. changes: the nearest that flip the decision, with one feature and with two; empty where there is none. alike:
    training rows; empty where they are not at hand. warnings: what makes the row unlike the training rows, and whether no
    sentence is true of it. wanted: the class that the changes lead to; None for any.
    """

    classes: tuple[str, ...]
    predicted: str
    probabilities: dict[str, float]
    x: np.ndarray
    typical: np.ndarray
    features: tuple[RowFeature, ...]
    decomposition: Decomposition
    rules: tuple[FiringRule, ...]
    changes: tuple[Change, ...]
    alike: tuple[Alike, ...]
    warnings: tuple[str, ...]
    wanted: str | None = None

    def contributions(self, label: object = None) -> ClassContributions:
        """What adds up to the score of a class (default: the predicted one): {"rules": {"Rule 1": …}, "features": {name: …},
        "typical row": …, "which rules fire": …, "score": …}. The rules' sum is the score; so is that of the features and
        of the two constants. DataError for a label that is no class.
        """
        name = self.predicted if label is None else printed(label)
        if name not in self.classes:
            raise DataError(f"There is no class {name[:80]!r}; the classes are {listed(self.classes)}.")
        c = self.classes.index(name)
        return {
            "rules": {f"Rule {r + 1}": float(v) for r, v in enumerate(self.decomposition.by_rule[:, c])},
            "features": {
                feature.name: float(v) for feature, v in zip(self.features, self.decomposition.by_feature[:, c], strict=True)
            },
            "typical row": float(self.decomposition.typical[c]),
            "which rules fire": float(self.decomposition.by_firing[c]),
            "score": float(self.decomposition.scores[c]),
        }

    def __str__(self) -> str:
        """The explanation in words."""
        return "\n".join(as_lines(self))

    def _repr_html_(self) -> str:
        return as_html(self)

    def to_dict(self) -> dict[str, object]:
        """JSON-ready values."""
        return {
            "predicted": self.predicted,
            "probabilities": dict(self.probabilities),
            "row": {feature.name: feature.written(self.x) for feature in self.features},
            "contributions": {name: self.contributions(name) for name in self.classes},
            "rules": [
                vars(rule)
                | {"conditions": [{"text": text, "membership": level, "holds": held} for text, level, held in rule.conditions]}
                for rule in self.rules
            ],
            "changes": [
                {
                    "features": {f.name: {"from": f.written(self.x), "to": f.written(change.x)} for f in change.features},
                    "distance": change.distance,
                    "predicted": self.classes[change.predicted],
                    "text": changed_to(self, change),
                }
                for change in self.changes
            ],
            "alike": [
                {
                    "distance": neighbour.distance,
                    "overlap": neighbour.overlap,
                    "class": neighbour.label,
                    "row": {f.name: f.written(neighbour.x) for f in self.features},
                }
                for neighbour in self.alike
            ],
            "warnings": list(self.warnings),
        }


def as_lines(why: RowExplanation) -> list[str]:
    """The explanation, line by line."""
    head = [_prediction(why), *(f"Note: {text}." for text in why.warnings)]
    rules = ["Rules that fire:", *(f"  {_rule(rule)}" for rule in _written(why))]
    sums = []
    for title, table in adding_up(why).items():
        width = max(len(name) for name, _ in table)
        sums += [title, *(f"  {name:<{width}}  {value}" for name, value in table)]
    return [*head, "", *rules, "", *sums, "", *_flipping(why), *(["", *_like(why)] if why.alike else [])]


def as_html(why: RowExplanation) -> str:
    """The same with tables; needs no style sheet, script or network."""
    blocks = [f"<p>{escape(line)}</p>" for line in (_prediction(why), *(f"Note: {text}." for text in why.warnings))]
    items = "".join(f"<li>{escape(_rule(rule))}</li>" for rule in _written(why))
    blocks.append(f"<p>Rules that fire:</p><ul>{items}</ul>")
    for title, table in adding_up(why).items():
        rows = "".join(f"<tr><td {_CELL}>{escape(name)}</td><td>{escape(value)}</td></tr>" for name, value in table)
        blocks.append(f"<table><caption {_CELL}>{escape(title)}</caption>{rows}</table>")
    blocks += [f"<p>{escape(line)}</p>" for line in (*_flipping(why), *_like(why))]
    # These classes keep a notebook from reading "$" in a name as mathematics.
    return f'<div class="tex2jax_ignore mathjax_ignore">{"".join(blocks)}</div>'


def adding_up(why: RowExplanation) -> dict[str, list[tuple[str, str]]]:
    """The two sums of the predicted class's score, less the mean over the classes: title → (part, number with two digits or
    more).

    The numbers are rounded so that they add up as printed.
    """
    centred, c = why.decomposition.centred(), why.classes.index(why.predicted)
    by_rule = [(f"Rule {r + 1}", v) for r, v in enumerate(centred.by_rule[:, c])]
    by_feature = [
        (f"{feature.name} = {feature.written(why.x)}", v)
        for feature, v in zip(why.features, centred.by_feature[:, c], strict=True)
        if v != 0 or not centred.shared  # where the features share the score, the others are unused, or as in the typical row
    ]
    constants = [("a typical row", centred.typical[c])]
    if not centred.shared:
        constants.append(("different rules fire", centred.by_firing[c]))
    score = f"the score of {why.predicted}"
    return {
        f"By rule, {score}:": _summed(_largest(by_rule, RULES, "rule"), score),
        f"By feature, {score}:": _summed(constants + _largest(by_feature, FEATURES, "feature"), score),
    }


def changed_to(why: RowExplanation, change: Change) -> str:
    """Such as "With petal width 1.62 instead of 1.9 (0.37 standard deviations), the model predicts versicolor."."""
    names = " and ".join(
        f"{feature.name} {feature.written(change.x)} instead of {feature.written(why.x)}" for feature in change.features
    )
    size = f"{change.distance:.2g} standard {'deviation' if f'{change.distance:.2g}' == '1' else 'deviations'}"
    counted = f"; a change of category counts as {SWITCH:g}" if any(feature.categories for feature in change.features) else ""
    return f"With {names} ({size}{counted}), the model predicts {why.classes[change.predicted]}."


def _prediction(why: RowExplanation) -> str:
    others = sorted(why.probabilities.items(), key=lambda item: -item[1])
    second = next((item for item in others if item[0] != why.predicted), None)
    more = f"; next {second[0]} with {percent(second[1])}" if second else ""
    if second and second[1] > why.probabilities[why.predicted]:
        more = f"; {second[0]} has {percent(second[1])}, and class weights decide"
    return f"The model predicts {why.predicted} with probability {percent(why.probabilities[why.predicted])}{more}."


def _written(why: RowExplanation) -> list[FiringRule]:
    """The rules that fire most: together at least 90%, at most ``RULES``."""
    chosen, total = [], 0.0
    for rule in why.rules[:RULES]:
        chosen.append(rule)
        total += rule.firing
        if total >= 0.9:
            break
    return chosen


def _rule(rule: FiringRule) -> str:
    head = f"Rule {rule.index} (firing level {percent(rule.firing)})"
    if not rule.conclusion:
        return f"{head}."
    marked = [f"{text} {'✓' if held else '✗'} {level:.2f}" for text, level, held in rule.conditions]
    return f"{head}: IF {' AND '.join(marked) or 'anything'} THEN {rule.conclusion}"


def _largest(values: list[tuple[str, float]], most: int, noun: str) -> list[tuple[str, float]]:
    """The largest parts, and all others as one."""
    order = sorted(values, key=lambda item: -abs(item[1]))
    rest = order[most:]
    if len(rest) < 2:
        return order
    return [*order[:most], (f"{len(rest)} other {noun}s", sum(v for _, v in rest))]


def _summed(table: list[tuple[str, float]], score: str) -> list[tuple[str, str]]:
    values = np.array([v for _, v in table])
    largest = float(np.abs(values).max())
    if not largest < 1e12:
        return [(name, f"{v:+.4g}") for name, v in table] + [(f"sum: {score}", f"{values.sum():+.4g}")]
    digits = 2 if largest >= 0.1 or largest == 0 else min(12, 2 + int(np.ceil(-np.log10(largest))))
    shown = rounded_to_sum(values, digits)
    lines = [(name, f"{v:+.{digits}f}") for (name, _), v in zip(table, shown, strict=True)]
    return [*lines, (f"sum: {score}", f"{sum(shown):+.{digits}f}")]


def _flipping(why: RowExplanation) -> list[str]:
    goal = "the decision" if why.wanted is None else f"the decision to {why.wanted}"
    if why.wanted == why.predicted:
        return [f"The model predicts {why.wanted} already."]
    if not why.changes:
        locked = [feature.name for feature in why.features if feature.locked]
        held = f" ({', '.join(locked)} locked)" if locked else ""
        free = len(why.features) - len(locked)
        which = f"one feature, or of two of the {PAIRED} that come closest," if free > PAIRED else "one or two features"
        return [f"No change of {which} within their ranges flips {goal}{held}."]
    return [f"The nearest change that flips {goal}:", *(f"  {changed_to(why, change)}" for change in why.changes)]


def _like(why: RowExplanation) -> list[str]:
    if not why.alike:
        return []
    count = Counter(neighbour.label for neighbour in why.alike)
    names = ", ".join(f"{n} {name}" for name, n in count.most_common())
    low, high = min(neighbour.distance for neighbour in why.alike), max(neighbour.distance for neighbour in why.alike)
    rows = f"{len(why.alike)} training rows" if len(why.alike) > 1 else "training row"
    return [f"The {rows} most like it, {low:.2g} to {high:.2g} standard deviations away: {names}."]


# Making a RowExplanation: why one row gets its class, and what would change it, from the exported rules.


def explain_row(
    rules: ExportedRules,
    x: np.ndarray,
    features: list[RowFeature],
    *,
    sentences: tuple[Rule, ...],
    training: tuple[np.ndarray, np.ndarray] | None = None,
    warnings: tuple[str, ...] = (),
    wanted: str | None = None,
    alike: int = 5,
    by: str = "distance",
) -> RowExplanation:
    """The explanation of the row x, (D,) encoded and in original units, by exported rules.

    features: of ``row_features``. sentences: the rules in words. training: encoded training rows (n, D) and the positions of
    their classes (n,), where they are at hand. wanted: a class that the nearest change has to lead to. alike, by: see
    ``nearest_rows``.
    """
    arrays = read_rules(rules)
    classes = tuple(map(str, arrays.classes))
    typical = typical_row(arrays.columns)
    decomposition = decompose(rules, x, typical, features)
    shares = softmax(decomposition.scores + arrays.log_prior)
    best = int(decomposition.scores.argmax())
    near: tuple[Alike, ...] = ()
    if training is not None and len(training[0]):
        Z, y = training
        near = nearest_rows(
            x, decomposition.firing, Z, lambda some: firing_levels(rules, some), np.asarray(classes)[y], features, alike, by
        )
    firing = firing_rules(rules, x, decomposition.firing, decomposition.by_rule, best, sentences)
    if sentences and not any(rule.is_true for rule in firing if not _dead(rule.index, sentences)):
        scores = "fixed" if sentences[0].zero_order else "linear"
        warnings = (
            *warnings,
            "for this row no rule's conditions all hold; the model classifies it by the firing levels and"
            f" {scores} scores of the rules",
        )
    return RowExplanation(
        classes,
        classes[best],
        dict(zip(classes, shares.tolist(), strict=True)),
        x,
        typical,
        tuple(features),
        decomposition,
        firing,
        nearest_changes(rules, x, features, None if wanted is None else classes.index(wanted)),
        near,
        warnings,
        wanted,
    )


def _dead(index: int, sentences: tuple[Rule, ...]) -> bool:
    return any(rule.dead for rule in sentences if rule.index == index)


def firing_rules(
    rules: ExportedRules, x: np.ndarray, firing: np.ndarray, by_rule: np.ndarray, best: int, sentences: tuple[Rule, ...] = ()
) -> tuple[FiringRule, ...]:
    """All rules and what they have to do with the row x, (D,) encoded and in original units; those that fire most first.

    firing: (R,) f̄ of the row. by_rule: (R, C), their contributions to the scores. best: the position of the predicted class.
    sentences: the rules in words, which have the conditions.
    """
    arrays, known, adds = read_rules(rules), {rule.index: rule for rule in sentences}, by_rule[:, best] - by_rule.mean(1)
    units = units_of(arrays.columns)
    result = []
    for r in np.argsort(-firing, kind="stable").tolist():
        text = known.get(r + 1)
        antecedents = text.antecedents if text else ()
        levels = memberships(arrays, r, antecedents, x[None], units)[0].tolist()
        holds = literally(arrays, r, antecedents, x[None], units)[0].tolist()
        conditions = tuple(
            (condition.text, level, held) for condition, level, held in zip(antecedents, levels, holds, strict=True)
        )
        conclusion = text.then if text else ""
        result.append(FiringRule(r + 1, float(firing[r]), float(adds[r]), conditions, conclusion))
    return tuple(result)
