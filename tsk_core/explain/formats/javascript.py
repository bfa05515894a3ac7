"""The rules as a JavaScript module of two functions; it runs in browsers and in Node."""

import json
from collections.abc import Iterable

from tsk_core.explain.formats.model import Feature, Model, OnNumber, ZeroOrderRule, identifiers, in_comment, read_zero_order

_HEAD = """\
// A fuzzy classifier as two functions, predict(row) and predictProba(row). Written by TSK Explorer; it needs no library.
//
//   import { predict, predictProba } from "./rules.js";
//   const { predicted, scores } = predict({ "column": value });  // scores in the order of classes
//   const probabilities = predictProba({ "column": value });  // in the same order
//
// row: an object with a value for each of columns. Numbers have no unit, and a date is the number that the name of its column
// says. A missing value is null, undefined or NaN and is replaced as in training. A category is text as in columns ("1", not
// "1.0"); one that training did not have counts as none of them, as "other" where training merged rare categories into that, and
// where they have an order as missing.

"""
_BODY = """
/**
 * The class of a row, and the score of each class.
 * @param {Record<string, unknown>} row
 * @returns {{ predicted: string, scores: number[] }}
 */
export function predict(row) {
  const x = encode(row);
  const levels = rules.map(([logWeight, conditions]) => { // the logarithm of each rule's firing level
    let level = logWeight;
    for (const [column, centre, sigma] of conditions) level -= 0.5 * ((x[column] - centre) / sigma) ** 2;
    return {level};
  });
  const top = levels.reduce((a, b) => Math.max(a, b));
  const firing = levels.map((level) => Math.exp(level - top)), total = firing.reduce((sum, share) => sum + share, 0);
  const scores = classes.map((_, k) => rules.reduce((sum, [, , consequents], r) => {
    const [constant, ...slopes] = consequents[k];
    return sum + (firing[r] / total) * slopes.reduce((output, slope, d) => output + slope * x[d], constant);
  }, 0));
  return { predicted: classes[scores.indexOf(scores.reduce((a, b) => Math.max(a, b)))], scores };
}

/**
 * The numbers that the rules take: a number as it is, a category as one 0 or 1 for each, or as its rank.
 * @param {Record<string, unknown>} row
 */
function encode(row) {
  return columns.flatMap(([name, replacement, categories, unknown]) => {
    if (!Object.hasOwn(row, name)) throw new Error(`The row has no column ${JSON.stringify(name)}.`);
    const value = row[name], missing = value === null || value === undefined || Number.isNaN(value);
    if (categories) {
      const text = missing ? replacement : asText(value, categories);
      if (categories instanceof Map) return [categories.get(text) ?? categories.get(replacement)];
      return categories.map((category) => Number((categories.includes(text) ? text : unknown) === category));
    }
    const number = missing || String(value).trim() === "" ? replacement : Number(value);
    if (!Number.isFinite(number)) throw new Error(`The value of column ${JSON.stringify(name)} is no number.`);
    return [number];
  });
}
"""
_PROBABILITIES = """
/**
 * The probability of each class: exp(score), as a share of their sum.
 * @param {Record<string, unknown>} row
 * @returns {number[]}
 */
export function predictProba(row) {
  const { scores } = predict(row), top = scores.reduce((a, b) => Math.max(a, b));
  const powers = scores.map((score) => Math.exp(score - top)), total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}
"""
_SCORES = "  const { scores } = predict(row), top"
_WEIGHTED = """\
  // Training weighed the classes, and predict still does. These numbers make the probabilities those of unweighted rows.
  const priors = {priors};
  const scores = predict(row).scores.map((score, k) => score + priors[k]), top"""
_AS_TEXT = """
/**
 * A category as training read it: truth values are True and False.
 * @param {unknown} value
 * @param {string[] | Map<string, number>} categories
 */
function asText(value, categories) {
  const text = String(value), known = categories instanceof Map ? categories.has(text) : categories.includes(text);
  return !known && /^(true|false)$/i.test(text) ? text[0].toUpperCase() + text.slice(1).toLowerCase() : text;
}
"""
_ZERO_ORDER_HEAD = """\
// A readable fuzzy classifier as two functions, predict(row) and predictProba(row). Written by TSK Explorer; it needs no library.
//
//   import { predict, predictProba } from "./rules.js";
//   const { predicted, scores } = predict({ "column": value });  // scores in the order of classes
//   const probabilities = predictProba({ "column": value });  // in the same order
//
// Each rule is its conditions and a score for each class. The predicted scores are the mean of the rules' scores, weighted by
// their firing levels. A sentence gives the range in which a condition's membership is at least one half.
//
// row: an object with a value for each of columns, those that some rule has a condition on; other columns are not used. Numbers
// have no unit, and a date is the number that the name of its column says. A missing value is null, undefined or NaN and is
// replaced as in training. A category is text as in columns ("1", not "1.0"); one that training did not have counts as none of
// them, as "other" where training merged rare categories into that, and where they have an order as missing.

"""
_ZERO_ORDER_BODY = """
/**
 * The class of a row, and the score of each class.
 * @param {Record<string, unknown>} row
 * @returns {{ predicted: string, scores: number[] }}
 */
export function predict(row) {
  const found = rules(row);
  const levels = found.map(([terms]) => {
    const level = terms.reduce((sum, term) => sum + term, 0);
    return {level};
  });
  const top = levels.reduce((a, b) => Math.max(a, b));
  const firing = levels.map((level) => Math.exp(level - top)), total = firing.reduce((sum, share) => sum + share, 0);
  const scores = classes.map((_, k) => found.reduce((sum, [, own], r) => sum + firing[r] * own[k], 0) / total);
  return { predicted: classes[scores.indexOf(scores.reduce((a, b) => Math.max(a, b)))], scores };
}

/** The logarithm of a Gaussian membership. */
const logGauss = (value, centre, sigma) => -0.5 * ((value - centre) / sigma) ** 2;

/** What a category adds to the log firing level: as listed, or as any other one. */
const among = (value, levels, other) => new Map(levels).get(value) ?? other;

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
"""
_LEVEL = "Math.max(level, -1e300)"
_LOG = "-Math.log({epsilon!r} - Math.min(Math.max(level, -1e300), 0))"  # LogTSK: f = 1/(ε − level)
_WORDS = (  # names in the function, and words reserved in JavaScript alone
    "row read among arguments await debugger eval implements instanceof interface let package private protected public super"
    " typeof undefined"
)
_TAKEN = frozenset(_WORDS.split())


def to_javascript(model: Model) -> str:
    """The source of a module that exports ``predict(row)``, ``predictProba(row)``, ``classes`` and ``columns``."""
    if model.zero_order:
        return _zero_order(model)
    rules = [[rule.log_weight, rule.conditions, rule.consequents] for rule in model.rules]
    note = " // the last one is the epsilon of the normalisation" if model.has_epsilon else ""
    return (
        f"{_HEAD}{_names(model, model.features)}"
        f"const rules = [ // log-weight, [column, centre, sigma] of each condition, [constant, ...slopes] of each class\n"
        f"{_lines(rules)}];{note}\n{_BODY.replace('{level}', model.if_log(_LOG) or _LEVEL)}{_probabilities(model)}{_AS_TEXT}"
    )


def _probabilities(model: Model) -> str:
    """The source of ``predictProba``."""
    if not model.log_prior:
        return _PROBABILITIES
    return _PROBABILITIES.replace(_SCORES, _WEIGHTED.replace("{priors}", _json(model.log_prior)))


def _zero_order(model: Model) -> str:
    base = read_zero_order(model)
    names = identifiers((feature.name for feature in base.features), _TAKEN)
    rules = "\n".join(_zero_order_rule(rule, names) for rule in base.rules)
    return (
        f"{_ZERO_ORDER_HEAD}{_names(model, base.features)}\n"
        "/** Of each rule the terms of its log firing level, and its score for each class. */\n"
        f"function rules(row) {{\n  const [{', '.join(names)}] = read(row);\n  return [\n{rules}\n  ];\n}}\n"
        f"{_ZERO_ORDER_BODY.replace('{level}', model.if_log(_LOG) or _LEVEL)}{_probabilities(model)}{_AS_TEXT}"
    )


def _zero_order_rule(rule: ZeroOrderRule, names: list[str]) -> str:
    terms = [_json(rule.log_weight)] if rule.log_weight else []
    for term in rule.terms:
        name = names[term.feature]
        if isinstance(term, OnNumber):
            terms.append(f"logGauss({name}, {_json(term.center)}, {_json(term.sigma)})")
        else:
            terms.append(f"among({name}, {_json(term.levels)}, {_json(term.other)})")
    lines = "".join(f"      {term},\n" for term in terms)
    return f"    // {in_comment(rule.sentence, '<')}\n    [[\n{lines}    ], {_json(rule.scores)}],"


def _names(model: Model, features: Iterable[Feature]) -> str:
    columns = "".join(map(_column, features))
    return (
        f"export const classes = {_json(model.classes)};\n"
        f"export const columns = [ // name, what replaces a missing value, categories\n{columns}];\n"
    )


def _column(feature: Feature) -> str:
    categories = _json(list(feature.categories) or None)
    if feature.kind == "ordinal":
        categories = f"new Map({_json([[name, rank] for rank, name in enumerate(feature.categories)])})"
    unknown = f", {_json(feature.unknown)}" if feature.unknown else ""
    return f"  [{_json(feature.name)}, {_json(feature.impute)}, {categories}{unknown}],\n"


def _lines(values: Iterable[object]) -> str:
    return "".join(f"  {_json(value)},\n" for value in values)


def _json(value: object) -> str:
    """JSON in ASCII that may also stand in a script of an HTML page."""
    return json.dumps(value, allow_nan=False).replace("<", "\\u003c")
