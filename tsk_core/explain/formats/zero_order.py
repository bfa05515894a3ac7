"""What code needs of a zero-order rule base: the features that a rule has a condition on, and each rule as a few terms.

A condition adds to the logarithm of its rule's firing level: one on a number −(x − m)²/(2σ²), one on a category what its columns
of 0 and 1 add together, which is a table of the categories.
"""

import math
from dataclasses import dataclass

from tsk_core.explain.antecedents import HOLDS
from tsk_core.explain.digits import number
from tsk_core.explain.formats.model import Feature, Model, PlainRule
from tsk_core.explain.one_line import in_sentence
from tsk_core.model.firing import HALF_HEIGHT

__all__ = ["OnCategory", "OnNumber", "ZeroOrder", "ZeroOrderRule", "read_zero_order"]

_LOWEST = -1e300  # a log firing level that every language can write and subtract


@dataclass(frozen=True)
class OnNumber:
    """A condition on a number. feature: its position among ``ZeroOrder.features``. sigma: positive."""

    feature: int
    center: float
    sigma: float


@dataclass(frozen=True)
class OnCategory:
    """A condition on a category. feature: its position among ``ZeroOrder.features``.

    levels: what a category adds to the log firing level, in [-1e300, 0], at least one; other: what each other category adds.
    """

    feature: int
    levels: tuple[tuple[str, float], ...]
    other: float


@dataclass(frozen=True)
class ZeroOrderRule:
    """sentence: such as "Rule 1: IF size is between 40 and 60 THEN yes", with the range of membership 0.5 and above.

    terms: the conditions, in the order of the features. scores: (C,), the constant of each class.
    """

    sentence: str
    log_weight: float
    terms: tuple[OnNumber | OnCategory, ...]
    scores: tuple[float, ...]


@dataclass(frozen=True)
class ZeroOrder:
    """features: those with a condition in some rule. rules: those of the ``Model``, among them the one of ε."""

    features: tuple[Feature, ...]
    rules: tuple[ZeroOrderRule, ...]


def read_zero_order(model: Model) -> ZeroOrder:
    """The rules of a model whose slopes are all 0."""
    columns = {column for rule in model.rules for column, _, _ in rule.conditions}
    features = tuple(feature for feature in model.features if columns & set(_columns(feature)))
    rules = (_rule(model, features, rule, name) for rule, name in zip(model.rules, model.rule_names, strict=True))
    return ZeroOrder(features, tuple(rules))


def _columns(feature: Feature) -> range:
    return range(feature.first, feature.first + feature.width)


def _rule(model: Model, features: tuple[Feature, ...], rule: PlainRule, name: str) -> ZeroOrderRule:
    by_column = {column: (center, sigma) for column, center, sigma in rule.conditions}
    terms: list[OnNumber | OnCategory] = []
    for at, feature in enumerate(features):
        if not by_column.keys() & set(_columns(feature)):
            continue
        if feature.kind == "number":
            terms.append(OnNumber(at, *by_column[feature.first]))
        elif feature.kind == "ordinal":
            terms.append(_on_rank(at, feature, *by_column[feature.first]))
        else:
            terms.append(_on_category(at, feature, by_column))
    scores = tuple(row[0] for row in rule.consequents)
    conditions = [text for term in terms if (text := _condition(features[term.feature], term))]
    then = in_sentence(model.classes[scores.index(max(scores))]) if len(set(scores)) > 1 else "no class"
    sentence = f"{name.capitalize()}: IF {' AND '.join(conditions) or 'anything'} THEN {then}"
    return ZeroOrderRule(sentence, rule.log_weight, tuple(terms), scores)


def _on_category(at: int, feature: Feature, by_column: dict[int, tuple[float, float]]) -> OnCategory:
    levels = tuple((name, _level(feature, by_column, k)) for k, name in enumerate(feature.categories))
    other = dict(levels)[feature.unknown] if feature.unknown else _level(feature, by_column, None)
    return OnCategory(at, tuple((name, level) for name, level in levels if level != other) or levels, other)


def _on_rank(at: int, feature: Feature, center: float, sigma: float) -> OnCategory:
    """A condition on ordered categories as a table of them; an unknown one is what replaces it."""
    distances = [(rank - center) / sigma for rank in range(len(feature.categories))]
    levels = tuple(
        (name, max(-0.5 * distance * distance, _LOWEST)) for name, distance in zip(feature.categories, distances, strict=True)
    )
    other = dict(levels)[str(feature.impute)]
    return OnCategory(at, tuple((name, level) for name, level in levels if level != other) or levels, other)


def _level(feature: Feature, by_column: dict[int, tuple[float, float]], chosen: int | None) -> float:
    """What the columns of a category add where its ``chosen`` one is 1, or none."""
    level = 0.0
    for k, column in enumerate(_columns(feature)):
        if column in by_column:
            center, sigma = by_column[column]
            distance = (float(k == chosen) - center) / sigma
            level -= 0.5 * distance * distance
    return max(level, _LOWEST)


def _condition(feature: Feature, term: OnNumber | OnCategory) -> str:
    """The words of a condition; "" for one that holds for every category."""
    feature_name = in_sentence(feature.name)
    if isinstance(term, OnNumber):
        half = HALF_HEIGHT * term.sigma
        low, high = (number(value, term.sigma) for value in (term.center - half, term.center + half))
        return f"{feature_name} is between {low} and {high}"
    levels = dict.fromkeys(feature.categories, term.other) | dict(term.levels)
    least = max(levels.values()) + math.log(HOLDS)
    chosen = [in_sentence(name) for name, level in levels.items() if level >= least]
    return f"{feature_name} is {' or '.join(chosen)}" if len(chosen) < len(levels) else ""
