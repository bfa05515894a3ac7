"""The rules as Python functions that need no library."""

from collections.abc import Iterable

from tsk_core.explain.formats.model import (
    Feature,
    Model,
    OnNumber,
    PlainRule,
    ZeroOrderRule,
    identifiers,
    in_comment,
    read_zero_order,
)

_HEAD = '''\
"""A fuzzy classifier as two functions, predict(row) and predict_proba(row). Written by TSK Explorer; it needs nothing but Python.

row: a dictionary with a value for each column of COLUMNS. Numbers have no unit, and a date is the number that the name of its
column says. A missing value is None or NaN and is replaced as in training. A category is text as in COLUMNS ("1", not "1.0");
one that training did not have counts as none of them, as "other" where training merged rare categories into that, and where they
have an order as missing.

    predicted, scores = predict({"column": value, ...})
    probabilities = predict_proba({"column": value, ...})  # {class: probability}
"""

import math

'''
_EACH_COLUMN = """\
    for name, replacement, categories, *unknown in COLUMNS:
        value = row[name]
        missing = value is None or value != value
        if categories is None:
            number = replacement if missing or value == "" else float(value)
            if not math.isfinite(number):
                raise ValueError("infinite value in column %r" % name)
"""
_BODY = (
    '''

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
{log}    top = max(levels)
    firing = [math.exp(level - top) for level in levels]
    total = sum(firing)
    scores = [0.0] * len(CLASSES)
    for share, (_, _, consequents) in zip(firing, RULES):
        for k, (constant, *slopes) in enumerate(consequents):
            output = constant + sum(slope * value for slope, value in zip(slopes, x))
            scores[k] += share / total * output
    return CLASSES[scores.index(max(scores))], dict(zip(CLASSES, scores))


def encode(row):
    """The numbers that the rules take: a number as it is, a category as one 0 or 1 for each, or as its rank."""
    x = []
'''
    + _EACH_COLUMN
    + """            x.append(number)
            continue
        text = replacement if missing else as_text(value, categories)
        if isinstance(categories, dict):
            x.append(categories.get(text, categories[replacement]))
        else:
            text = unknown[0] if unknown and text not in categories else text
            x.extend(1.0 if text == category else 0.0 for category in categories)
    return x
"""
)
_PROBABILITIES = '''

def predict_proba(row):
    """The probability of each class: exp(score), as a share of their sum. KeyError and ValueError as for predict."""
    _, scores = predict(row)
    top = max(scores.values())
    powers = {name: math.exp(score - top) for name, score in scores.items()}
    total = sum(powers.values())
    return {name: power / total for name, power in powers.items()}
'''
_SCORES = "    _, scores = predict(row)\n"
_WEIGHTED = """\
    _, scores = predict(row)
    # Training weighed the classes, and predict still does. These numbers make the probabilities those of unweighted rows.
    scores = {{name: score + prior for (name, score), prior in zip(scores.items(), {priors})}}
"""
_AS_TEXT = '''

def as_text(value, categories):
    """A category as training read it: whole numbers without a point, truth values as True and False."""
    if isinstance(value, bool):  # a whole number, too, from Python 3.12 on
        return str(value)
    if hasattr(value, "is_integer") and abs(value) < 1e15 and value == int(value):
        return str(int(value))
    text = str(value)
    return text.capitalize() if text not in categories and text.lower() in ("true", "false") else text
'''

_ZERO_ORDER_HEAD = '''\
"""A readable fuzzy classifier as two functions, predict(row) and predict_proba(row). Written by TSK Explorer; it needs nothing
but Python.

Each rule is its conditions and a score for each class. The predicted scores are the mean of the rules' scores, weighted by their
firing levels. A sentence gives the range in which a condition's membership is at least one half.

row: a dictionary with a value for each column of COLUMNS, those that some rule has a condition on; other columns are not used.
Numbers have no unit, and a date is the number that the name of its column says. A missing value is None or NaN and is replaced as
in training. A category is text as in COLUMNS ("1", not "1.0"); one that training did not have counts as none of them,
as "other" where training merged rare categories into that, and where they have an order as missing.

    predicted, scores = predict({"column": value, ...})
    probabilities = predict_proba({"column": value, ...})  # {class: probability}
"""

import math

'''
_ZERO_ORDER_BODY = (
    '''

def predict(row):
    """The class of a row, and the score of each class. KeyError where a column is absent, ValueError for text as a number."""
    found = rules(row)
    levels = [max(sum(terms), -1e300) for terms, _ in found]
{log}    top = max(levels)
    firing = [math.exp(level - top) for level in levels]
    total = sum(firing)
    scores = [sum(share * own[k] for share, (_, own) in zip(firing, found)) / total for k in range(len(CLASSES))]
    return CLASSES[scores.index(max(scores))], dict(zip(CLASSES, scores))


def log_gauss(value, centre, sigma):
    """The logarithm of a Gaussian membership."""
    distance = (value - centre) / sigma
    return -0.5 * distance * distance


def read(row):
    """The values of COLUMNS: numbers, and categories as text."""
    values = []
'''
    + _EACH_COLUMN
    + """            values.append(number)
        else:
            values.append(replacement if missing else as_text(value, categories))
    return values
"""
)
_LOG = "    levels = [-math.log({epsilon!r} - min(level, 0.0)) for level in levels]  # LogTSK: f = 1/(epsilon - level)\n"
_TAKEN = ("row", "read", "log_gauss")


def to_python(model: Model) -> str:
    """The source of a module with ``predict(row)`` → (class, {class: score}), ``predict_proba(row)`` → {class: probability}."""
    if model.zero_order:
        return _zero_order(model)
    note = "  # the last one is the epsilon of the normalisation" if model.has_epsilon else ""
    return "\n".join([
        f"{_HEAD}CLASSES = {_list(ascii(name) for name in model.classes)}",
        f"COLUMNS = [  # name, what replaces a missing value, categories\n{''.join(map(_column, model.features))}]",
        f"RULES = [  # log-weight, (column, centre, sigma) of each condition, (constant, slopes) of each class\n"
        f"{''.join(map(_rule, model.rules))}]{note}\n{_BODY.replace('{log}', model.if_log(_LOG))}"
        f"{_probabilities(model)}{_AS_TEXT}",
    ])  # fmt: skip


def _probabilities(model: Model) -> str:
    """The source of ``predict_proba``."""
    if not model.log_prior:
        return _PROBABILITIES
    return _PROBABILITIES.replace(_SCORES, _WEIGHTED.format(priors=_list(map(repr, model.log_prior))))


def _zero_order(model: Model) -> str:
    base = read_zero_order(model)
    names = identifiers((feature.name for feature in base.features), _TAKEN)
    return "\n".join([
        f"{_ZERO_ORDER_HEAD}CLASSES = {_list(ascii(name) for name in model.classes)}",
        f"COLUMNS = [  # name, what replaces a missing value, categories\n{''.join(map(_column, base.features))}]\n\n",
        "def rules(row):",
        '    """Of each rule the terms of its log firing level, and its score for each class."""',
        f"    {_list(names)} = read(row)",
        "    return [",
        *(_zero_order_rule(rule, names) for rule in base.rules),
        f"    ]\n{_ZERO_ORDER_BODY.replace('{log}', model.if_log(_LOG))}{_probabilities(model)}{_AS_TEXT}",
    ])  # fmt: skip


def _zero_order_rule(rule: ZeroOrderRule, names: list[str]) -> str:
    terms = [repr(rule.log_weight)] if rule.log_weight else []
    for term in rule.terms:
        name = names[term.feature]
        if isinstance(term, OnNumber):
            terms.append(f"log_gauss({name}, {term.center!r}, {term.sigma!r})")
        else:
            levels = ", ".join(f"{ascii(category)}: {level!r}" for category, level in term.levels)
            terms.append(f"{{{levels}}}.get({name}, {term.other!r})")
    lines = "".join(f"            {term},\n" for term in terms)
    return f"        # {in_comment(rule.sentence)}\n        ([\n{lines}        ], {_list(map(repr, rule.scores))}),"


def _column(feature: Feature) -> str:
    categories = "None" if feature.kind == "number" else _list(ascii(name) for name in feature.categories)
    if feature.kind == "ordinal":
        categories = f"{{{', '.join(f'{ascii(name)}: {float(rank)}' for rank, name in enumerate(feature.categories))}}}"
    impute = repr(feature.impute) if feature.kind == "number" else ascii(feature.impute)
    unknown = f", {ascii(feature.unknown)}" if feature.unknown else ""
    return f"    ({ascii(feature.name)}, {impute}, {categories}{unknown}),\n"


def _rule(rule: PlainRule) -> str:
    conditions = _list(f"({column}, {center!r}, {sigma!r})" for column, center, sigma in rule.conditions)
    consequents = ",\n        ".join(_list(map(repr, row)) for row in rule.consequents)
    return f"    ({rule.log_weight!r}, {conditions}, [\n        {consequents},\n    ]),\n"


def _list(items: Iterable[str]) -> str:
    return f"[{', '.join(items)}]"
