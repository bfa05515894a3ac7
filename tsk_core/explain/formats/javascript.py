"""The rules as a JavaScript module with one function; it runs in browsers and in Node."""

import json
from collections.abc import Iterable

from tsk_core.explain.formats.model import Model

__all__ = ["to_javascript"]

_HEAD = """\
// A fuzzy classifier as one function, predict(row). Written by TSK Explorer; it needs no library.
//
//   import { predict } from "./rules.js";
//   const { predicted, scores } = predict({ "column": value });  // scores in the order of classes
//
// row: an object with a value for each of columns. Numbers have no unit, and a date is the number that the name of its column
// says. A missing value is null, undefined or NaN and is replaced as in training. A category is text as in columns ("1", not
// "1.0"); one that training did not have counts as none of them.

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
    return Math.max(level, -1e300);
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
 * The numbers that the rules take: a number as it is, a category as one 0 or 1 for each category.
 * @param {Record<string, unknown>} row
 */
function encode(row) {
  return columns.flatMap(([name, replacement, categories]) => {
    if (!Object.hasOwn(row, name)) throw new Error(`The row has no column ${JSON.stringify(name)}.`);
    const value = row[name], missing = value === null || value === undefined || Number.isNaN(value);
    if (categories) return categories.map((category) => Number((missing ? replacement : asText(value)) === category));
    const number = missing || value === "" ? replacement : Number(value);
    if (!Number.isFinite(number)) throw new Error(`The value of column ${JSON.stringify(name)} is no number.`);
    return [number];
  });
}

/**
 * A category as training read it: booleans begin with a capital letter.
 * @param {unknown} value
 */
const asText = (value) => (typeof value === "boolean" ? (value ? "True" : "False") : String(value));
"""


def to_javascript(model: Model) -> str:
    """The source of a module that exports ``predict(row)`` → {predicted, scores}, ``classes`` and ``columns``."""
    columns = [[one.name, one.impute, list(one.categories) or None] for one in model.features]
    rules = [[rule.log_weight, rule.conditions, rule.consequents] for rule in model.rules]
    note = " // the last one is the epsilon of the normalisation" if model.has_epsilon else ""
    return (
        f"{_HEAD}export const classes = {_json(model.classes)};\n"
        f"export const columns = [ // name, what replaces a missing value, categories\n{_lines(columns)}];\n"
        f"const rules = [ // log-weight, [column, centre, sigma] of each condition, [constant, ...slopes] of each class\n"
        f"{_lines(rules)}];{note}\n{_BODY}"
    )


def _lines(values: Iterable[object]) -> str:
    return "".join(f"  {_json(value)},\n" for value in values)


def _json(value: object) -> str:
    """JSON in ASCII that may also stand in a script of an HTML page."""
    return json.dumps(value, allow_nan=False).replace("<", "\\u003c")
