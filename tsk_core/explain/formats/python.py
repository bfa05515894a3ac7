"""The rules as Python functions that need no library."""

from collections.abc import Iterable

from tsk_core.explain.formats.model import Feature, LogGauss, Model, PlainRule, Table, filled, identifiers, in_comment, preface

_TEMPLATE = '''\
"""{{preface}}

    predicted, scores = predict({"column": value, ...})
    probabilities = predict_proba({"column": value, ...})  # {class: probability}
"""

import math

CLASSES = {{classes}}
COLUMNS = [  # name, what replaces a missing value, categories
{{columns}}
]


def rules(row):
    """Of each rule the terms of its log firing level, and its score for each class."""
    {{names}} = read(row)
{{encoded}}
    return [
{{rules}}
    ]


def predict(row):
    """The class of a row, and the score of each class. KeyError where a column is absent, ValueError for text as a number."""
    found = rules(row)
    levels = [max(sum(terms), -1e300) for terms, _ in found]
{{log}}
    top = max(levels)
    firing = [math.exp(level - top) for level in levels]
    total = sum(firing)
    scores = [sum(share * own[k] for share, (_, own) in zip(firing, found)) / total for k in range(len(CLASSES))]
    return CLASSES[scores.index(max(scores))], dict(zip(CLASSES, scores))


def log_gauss(value, centre, sigma):
    """The logarithm of a Gaussian membership."""
    distance = (value - centre) / sigma
    return -0.5 * distance * distance


{{linear}}
def read(row):
    """The values of COLUMNS: numbers, and categories as text."""
    values = []
    for name, replacement, categories in COLUMNS:
        value = row[name]
        missing = value is None or value != value
        if categories is None:
            number = replacement if missing or value == "" else float(value)
            if not math.isfinite(number):
                raise ValueError("infinite value in column %r" % name)
            values.append(number)
        else:
            values.append(replacement if missing else as_text(value, categories))
    return values


def predict_proba(row):
    """The probability of each class: exp(score), as a share of their sum. KeyError and ValueError as for predict."""
    _, scores = predict(row)
{{priors}}
    top = max(scores.values())
    powers = {name: math.exp(score - top) for name, score in scores.items()}
    total = sum(powers.values())
    return {name: power / total for name, power in powers.items()}


def as_text(value, categories):
    """A category as training read it: whole numbers without a point, truth values as True and False."""
    if isinstance(value, bool):  # a whole number, too, from Python 3.12 on
        return str(value)
    if hasattr(value, "is_integer") and abs(value) < 1e15 and value == int(value):
        return str(int(value))
    text = str(value)
    return text.capitalize() if text not in categories and text.lower() in ("true", "false") else text
'''
_LINEAR = '''\
def linear(encoded, constant, slopes):
    """A linear function of the encoded values: a number as it is, a category as one 0 or 1 for each, or as its rank."""
    return constant + sum(slope * value for slope, value in zip(slopes, encoded))

'''
_LOG = "    levels = [-math.log({epsilon!r} - min(level, 0.0)) for level in levels]  # LogTSK: f = 1/(epsilon - level)"
_PRIORS = """\
    # Training weighed the classes, and predict still does. These numbers make the probabilities those of unweighted rows.
    scores = {{name: score + prior for (name, score), prior in zip(scores.items(), {priors})}}"""
_TAKEN = ("row", "read", "log_gauss", "linear", "encoded")


def to_python(model: Model) -> str:
    """The source of a module with ``predict(row)`` → (class, {class: score}), ``predict_proba(row)`` → {class: probability}."""
    names = identifiers((feature.name for feature in model.taken), _TAKEN)
    encoded = [names[one] if isinstance(one, int) else _term(one, names) for one in model.encoded]
    return filled(
        _TEMPLATE,
        preface=preface(
            model, "", text='text as in COLUMNS ("1", not "1.0")',
            made="two functions, predict(row) and predict_proba(row). Written by TSK Explorer; it needs nothing but Python.",
            row="row: a dictionary with a value for each column of COLUMNS", missing="A missing value is None or NaN and is",
        ),
        classes=_list(map(ascii, model.classes)),
        columns="\n".join(map(_column, model.taken)),
        names=_list(names),
        encoded="\n".join(["    encoded = [", *(f"        {value}," for value in encoded), "    ]"]) if encoded else "",
        rules="\n".join(_rule(rule, names) for rule in model.rules),
        log=_LOG.format(epsilon=model.log_epsilon) if model.log_epsilon else "",
        linear=_LINEAR if encoded else "",
        priors=_PRIORS.format(priors=list(model.log_prior)) if model.log_prior else "",
    )  # fmt: skip


def _column(feature: Feature) -> str:
    categories = "None" if feature.kind == "number" else _list(map(ascii, feature.categories))
    return f"    ({ascii(feature.name)}, {ascii(feature.impute)}, {categories}),"


def _rule(rule: PlainRule, names: list[str]) -> str:
    terms = [repr(rule.log_weight)] if rule.log_weight else []
    lines = "".join(f"            {term},\n" for term in [*terms, *(_term(term, names) for term in rule.terms)])
    return f"        # {in_comment(rule.sentence)}\n        ([\n{lines}        ], {_scores(rule)}),"


def _scores(rule: PlainRule) -> str:
    if not any(any(slopes) for _, *slopes in rule.consequents):
        return _list(repr(constant) for constant, *_ in rule.consequents)
    lines = "".join(f"            linear(encoded, {constant!r}, {slopes}),\n" for constant, *slopes in rule.consequents)
    return f"[\n{lines}        ]"


def _term(term: LogGauss | Table, names: list[str]) -> str:
    name = names[term.feature]
    if isinstance(term, LogGauss):
        return f"log_gauss({name}, {term.center!r}, {term.sigma!r})"
    return f"{{{', '.join(f'{ascii(category)}: {value!r}' for category, value in term.entries)}}}.get({name}, {term.other!r})"


def _list(items: Iterable[str]) -> str:
    return f"[{', '.join(items)}]"
