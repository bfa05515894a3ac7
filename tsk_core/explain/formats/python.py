"""The rules as a Python function that needs no library."""

from collections.abc import Iterable

from tsk_core.explain.formats.model import Feature, Model, PlainRule

__all__ = ["to_python"]

_HEAD = '''\
"""A fuzzy classifier as one function, predict(row). Written by TSK Explorer; it needs nothing but Python.

row: a dictionary with a value for each column of COLUMNS. Numbers have no unit, and a date is the number that the name of its
column says. A missing value is None or NaN and is replaced as in training. A category is text as in COLUMNS ("1", not "1.0");
one that training did not have counts as none of them.

    predicted, scores = predict({"column": value, ...})
"""

import math

'''
_BODY = '''

def predict(row):
    """The class of a row, and the score of each class. KeyError where a column is absent, ValueError for text as a number."""
    x = encode(row)
    levels = []  # the logarithm of each rule's firing level
    for log_weight, conditions, _ in RULES:
        level = log_weight
        for column, centre, sigma in conditions:
            distance = (x[column] - centre) / sigma
            level -= 0.5 * distance * distance
        levels.append(max(level, -1e300))
    top = max(levels)
    firing = [math.exp(level - top) for level in levels]
    total = sum(firing)
    scores = [0.0] * len(CLASSES)
    for share, (_, _, consequents) in zip(firing, RULES):
        for k, (constant, *slopes) in enumerate(consequents):
            output = constant + sum(slope * value for slope, value in zip(slopes, x))
            scores[k] += share / total * output
    return CLASSES[scores.index(max(scores))], dict(zip(CLASSES, scores))


def encode(row):
    """The numbers that the rules take: a number as it is, a category as one 0 or 1 for each category."""
    x = []
    for name, replacement, categories in COLUMNS:
        value = row[name]
        missing = value is None or value != value
        if categories is None:
            number = replacement if missing or value == "" else float(value)
            if not math.isfinite(number):
                raise ValueError("infinite value in column %r" % name)
            x.append(number)
        else:
            text = replacement if missing else as_text(value)
            x.extend(1.0 if text == category else 0.0 for category in categories)
    return x


def as_text(value):
    """A category as training read it: whole numbers without a point, booleans as words."""
    if isinstance(value, float) and abs(value) < 1e15 and value == int(value):
        return str(int(value))
    return str(value)
'''


def to_python(model: Model) -> str:
    """The source of a module with ``predict(row)`` → (class, {class: score})."""
    note = "  # the last one is the epsilon of the normalisation" if model.has_epsilon else ""
    return "\n".join([
        f"{_HEAD}CLASSES = {_list(ascii(name) for name in model.classes)}",
        f"COLUMNS = [  # name, what replaces a missing value, categories\n{''.join(map(_column, model.features))}]",
        f"RULES = [  # log-weight, (column, centre, sigma) of each condition, (constant, slopes) of each class\n"
        f"{''.join(map(_rule, model.rules))}]{note}\n{_BODY}",
    ])  # fmt: skip


def _column(feature: Feature) -> str:
    categories = "None" if feature.kind == "number" else _list(ascii(name) for name in feature.categories)
    impute = repr(feature.impute) if feature.kind == "number" else ascii(feature.impute)
    return f"    ({ascii(feature.name)}, {impute}, {categories}),\n"


def _rule(rule: PlainRule) -> str:
    conditions = _list(f"({column}, {center!r}, {sigma!r})" for column, center, sigma in rule.conditions)
    consequents = ",\n        ".join(_list(map(repr, row)) for row in rule.consequents)
    return f"    ({rule.log_weight!r}, {conditions}, [\n        {consequents},\n    ]),\n"


def _list(items: Iterable[str]) -> str:
    return f"[{', '.join(items)}]"
