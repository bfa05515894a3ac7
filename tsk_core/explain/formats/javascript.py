"""The rules as a JavaScript module of two functions; it runs in browsers and in Node."""

import json

from tsk_core.explain.formats.model import Feature, LogGauss, Model, PlainRule, Table, filled, identifiers, in_comment, preface

_TEMPLATE = """\
{{preface}}
//
//   import { predict, predictProba } from "./rules.js";
//   const { predicted, scores } = predict({ "column": value });  // scores in the order of classes
//   const probabilities = predictProba({ "column": value });  // in the same order

export const classes = {{classes}};
export const columns = [ // name, what replaces a missing value, categories
{{columns}}
];

/** Of each rule the terms of its log firing level, and its score for each class. */
function rules(row) {
  const [{{names}}] = read(row);
{{encoded}}
  return [
{{rules}}
  ];
}

/**
 * The class of a row, and the score of each class.
 * @param {Record<string, unknown>} row
 * @returns {{ predicted: string, scores: number[] }}
 */
export function predict(row) {
  const found = rules(row);
  const levels = found.map(([terms]) => Math.max(terms.reduce((sum, term) => sum + term, 0), -1e300)){{log}};
  const top = levels.reduce((a, b) => Math.max(a, b));
  const firing = levels.map((level) => Math.exp(level - top)), total = firing.reduce((sum, share) => sum + share, 0);
  const scores = classes.map((_, k) => found.reduce((sum, [, own], r) => sum + firing[r] * own[k], 0) / total);
  return { predicted: classes[scores.indexOf(scores.reduce((a, b) => Math.max(a, b)))], scores };
}

/** The logarithm of a Gaussian membership. */
const logGauss = (value, centre, sigma) => -0.5 * ((value - centre) / sigma) ** 2;

{{linear}}
/**
 * The values of columns: numbers, and categories as text.
 * @param {Record<string, unknown>} row
 */
function read(row) {
  return columns.map(([name, replacement, categories]) => {
    if (!Object.hasOwn(row, name)) throw new Error(`The row has no column ${JSON.stringify(name)}.`);
    const value = row[name], missing = value === null || value === undefined || Number.isNaN(value);
    if (categories) return missing ? replacement : asText(value, categories);
    const number = missing || String(value).trim() === "" ? replacement : Number(value);
    if (!Number.isFinite(number)) throw new Error(`The value of column ${JSON.stringify(name)} is no number.`);
    return number;
  });
}

/**
 * The probability of each class: exp(score), as a share of their sum.
 * @param {Record<string, unknown>} row
 * @returns {number[]}
 */
export function predictProba(row) {
{{priors}}
  const scores = predict(row).scores{{unweighted}}, top = scores.reduce((a, b) => Math.max(a, b));
  const powers = scores.map((score) => Math.exp(score - top)), total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

/**
 * A category as training read it: truth values are True and False.
 * @param {unknown} value
 * @param {string[]} categories
 */
function asText(value, categories) {
  const text = String(value), truth = !categories.includes(text) && /^(true|false)$/i.test(text);
  return truth ? text[0].toUpperCase() + text.slice(1).toLowerCase() : text;
}
"""
_LINEAR = """\
/** A linear function of the encoded values: a number as it is, a category as one 0 or 1 for each, or as its rank. */
const linear = (encoded, constant, slopes) => slopes.reduce((sum, slope, d) => sum + slope * encoded[d], constant);
"""
_LOG = "\n    .map((level) => -Math.log({epsilon!r} - Math.min(level, 0)))"  # LogTSK: f = 1/(ε − level)
_PRIORS = """\
  // Training weighed the classes, and predict still does. These numbers make the probabilities those of unweighted rows.
  const priors = """
_WORDS = (  # names in the function, and words reserved in JavaScript alone
    "row read linear encoded arguments await debugger eval implements instanceof interface let package private protected public"
    " super typeof undefined"
)
_TAKEN = frozenset(_WORDS.split())


def to_javascript(model: Model) -> str:
    """The source of a module that exports ``predict(row)``, ``predictProba(row)``, ``classes`` and ``columns``."""
    names = identifiers((feature.name for feature in model.taken), _TAKEN)
    encoded = [names[one] if isinstance(one, int) else _term(one, names) for one in model.encoded]
    return filled(
        _TEMPLATE,
        preface=preface(
            model, "// ", made="two functions, predict(row) and predictProba(row). Written by TSK Explorer; it needs no library.",
            row="row: an object with a value for each of columns", missing="A missing value is null, undefined or NaN and is",
            text='text as in columns ("1", not "1.0")',
        ),
        classes=_json(model.classes),
        columns="\n".join(map(_column, model.taken)),
        names=", ".join(names),
        encoded="\n".join(["  const encoded = [", *(f"    {value}," for value in encoded), "  ];"]) if encoded else "",
        rules="\n".join(_rule(rule, names) for rule in model.rules),
        log=_LOG.format(epsilon=model.log_epsilon) if model.log_epsilon else "",
        linear=_LINEAR if encoded else "",
        priors=f"{_PRIORS}{_json(model.log_prior)};" if model.log_prior else "",
        unweighted=".map((score, k) => score + priors[k])" if model.log_prior else "",
    )  # fmt: skip


def _column(feature: Feature) -> str:
    return f"  [{_json(feature.name)}, {_json(feature.impute)}, {_json(feature.categories or None)}],"


def _rule(rule: PlainRule, names: list[str]) -> str:
    terms = [_json(rule.log_weight)] if rule.log_weight else []
    lines = "".join(f"      {term},\n" for term in [*terms, *(_term(term, names) for term in rule.terms)])
    return f"    // {in_comment(rule.sentence, '<')}\n    [[\n{lines}    ], {_scores(rule)}],"


def _scores(rule: PlainRule) -> str:
    if not any(any(slopes) for _, *slopes in rule.consequents):
        return _json([constant for constant, *_ in rule.consequents])
    lines = "".join(f"      linear(encoded, {_json(constant)}, {_json(slopes)}),\n" for constant, *slopes in rule.consequents)
    return f"[\n{lines}    ]"


def _term(term: LogGauss | Table, names: list[str]) -> str:
    name = names[term.feature]
    if isinstance(term, LogGauss):
        return f"logGauss({name}, {_json(term.center)}, {_json(term.sigma)})"
    chosen = "".join(f"{name} === {_json(category)} ? {_json(value)} : " for category, value in term.entries)
    return f"{chosen}{_json(term.other)}"


def _json(value: object) -> str:
    """JSON in ASCII that may also stand in a script of an HTML page."""
    return json.dumps(value, allow_nan=False).replace("<", "\\u003c")
