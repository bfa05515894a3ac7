"""An explained row in words: plain lines, and HTML for notebooks with every text escaped."""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from tsk_core.explain.antecedents import HOLDS
from tsk_core.explain.digits import percent
from tsk_core.explain.row.features import SWITCH

if TYPE_CHECKING:
    from tsk_core.explain.row.change import Change
    from tsk_core.explain.row.explanation import FiringRule, RowExplanation

__all__ = ["adding_up", "as_html", "as_lines", "changed_to", "rounded_to_sum"]

RULES = 3  # that are written out; the others are added up
FEATURES = 6
_CELL = 'style="text-align: left; vertical-align: top"'


def as_lines(why: RowExplanation) -> list[str]:
    """The explanation, line by line."""
    head = [_prediction(why), *(f"Note: {text}." for text in why.warnings)]
    rules = ["Rules that fire:", *(f"  {_rule(one)}" for one in _written(why))]
    sums = []
    for title, table in adding_up(why).items():
        width = max(len(name) for name, _ in table)
        sums += [title, *(f"  {name:<{width}}  {value}" for name, value in table)]
    return [*head, "", *rules, "", *sums, "", *_turning(why), *(["", *_like(why)] if why.alike else [])]


def as_html(why: RowExplanation) -> str:
    """The same with tables; needs no style sheet, script or network."""
    parts = [f"<p>{escape(line)}</p>" for line in (_prediction(why), *(f"Note: {text}." for text in why.warnings))]
    items = "".join(f"<li>{escape(_rule(one))}</li>" for one in _written(why))
    parts.append(f"<p>Rules that fire:</p><ul>{items}</ul>")
    for title, table in adding_up(why).items():
        rows = "".join(f"<tr><td {_CELL}>{escape(name)}</td><td>{escape(value)}</td></tr>" for name, value in table)
        parts.append(f"<table><caption {_CELL}>{escape(title)}</caption>{rows}</table>")
    parts += [f"<p>{escape(line)}</p>" for line in (*_turning(why), *_like(why))]
    # These classes keep a notebook from reading "$" in a name as mathematics.
    return f'<div class="tex2jax_ignore mathjax_ignore">{"".join(parts)}</div>'


def adding_up(why: RowExplanation) -> dict[str, list[tuple[str, str]]]:
    """The two sums of the predicted class's score, less the mean over the classes: title → (part, number with two digits or
    more).

    The numbers are rounded so that they add up as printed.
    """
    centred, c = why.parts.centred(), why.classes.index(why.predicted)
    by_rule = [(f"Rule {r + 1}", v) for r, v in enumerate(centred.by_rule[:, c])]
    by_feature = [
        (f"{one.name} = {one.written(why.x)}", v) for one, v in zip(why.features, centred.by_feature[:, c], strict=True)
    ]
    constants = [("a typical row", centred.typical[c]), ("other rules fire than for it", centred.by_firing[c])]
    score = f"the score of {why.predicted}"
    return {
        f"By rule, {score}:": _summed(_largest(by_rule, RULES, "rule"), score),
        f"By feature, {score}:": _summed(constants + _largest(by_feature, FEATURES, "feature"), score),
    }


def changed_to(why: RowExplanation, change: Change) -> str:
    """Such as "With petal width 1.62 instead of 1.9 (0.37 standard deviations), the model predicts versicolor."."""
    names = " and ".join(f"{one.name} {one.written(change.x)} instead of {one.written(why.x)}" for one in change.features)
    size = f"{change.distance:.2g} standard {'deviation' if f'{change.distance:.2g}' == '1' else 'deviations'}"
    counted = f"; another category counts {SWITCH:g}" if any(one.categories for one in change.features) else ""
    return f"With {names} ({size}{counted}), the model predicts {why.classes[change.predicted]}."


def rounded_to_sum(values: np.ndarray, digits: int = 2) -> list[float]:
    """The values rounded so that they add up to the rounded sum: the last digits go to the largest remainders."""
    unit = 10.0**digits
    scaled = np.asarray(values, float) * unit
    down, total = np.floor(scaled), round(float(scaled.sum()))
    missing = int(total - down.sum())
    order = np.argsort(down - scaled, kind="stable")
    down[order[:missing]] += 1
    return [float(v) / unit for v in down]


def _prediction(why: RowExplanation) -> str:
    others = sorted(why.probabilities.items(), key=lambda item: -item[1])
    second = next((item for item in others if item[0] != why.predicted), None)
    more = f"; next {second[0]} with {percent(second[1])}" if second else ""
    return f"The model predicts {why.predicted} with probability {percent(why.probabilities[why.predicted])}{more}."


def _written(why: RowExplanation) -> list[FiringRule]:
    """The rules that fire most: together at least 90%, at most ``RULES``."""
    chosen, total = [], 0.0
    for one in why.rules[:RULES]:
        chosen.append(one)
        total += one.firing
        if total >= 0.9:
            break
    return chosen


def _rule(one: FiringRule) -> str:
    head = f"Rule {one.index} (firing level {percent(one.firing)})"
    if not one.conclusion:
        return f"{head}."
    marked = [f"{text} {'✓' if level >= HOLDS else '✗'} {level:.2f}" for text, level in one.conditions]
    return f"{head}: IF {' AND '.join(marked) or 'anything'} THEN {one.conclusion}"


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


def _turning(why: RowExplanation) -> list[str]:
    goal = "the decision" if why.wanted is None else f"the decision to {why.wanted}"
    if why.wanted == why.predicted:
        return [f"The model predicts {why.wanted} already."]
    if not why.changes:
        locked = [one.name for one in why.features if one.locked]
        held = f" ({', '.join(locked)} locked)" if locked else ""
        return [f"No change of one or two features within their ranges turns {goal}{held}."]
    return [f"The nearest change that turns {goal}:", *(f"  {changed_to(why, one)}" for one in why.changes)]


def _like(why: RowExplanation) -> list[str]:
    if not why.alike:
        return []
    count = Counter(one.label for one in why.alike)
    names = ", ".join(f"{n} {name}" for name, n in count.most_common())
    low, high = min(one.distance for one in why.alike), max(one.distance for one in why.alike)
    rows = f"{len(why.alike)} training rows" if len(why.alike) > 1 else "training row"
    return [f"The {rows} most like it, {low:.2g} to {high:.2g} standard deviations away: {names}."]
