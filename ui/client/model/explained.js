// The numbers of the row at hand in the formulas of Explain: its scores, its probability, its strongest rule; see core/explaining.js.

/** @import { Explanation, Scene } from "./types.js" */

import { capitalised, fixed, minus, roundedPercent, truncated } from "../core/text.js";
import { index, namedValues, written } from "../core/written.js";
import { explain, largest } from "./inference.js";
import { rowName } from "./selection.js";

const NAME = 24; // characters of a class
const SHOWN = 3; // classes besides the predicted one whose terms are written

/**
 * The row's scores, the probability that softmax makes of them, and what its strongest rule adds.
 * @param {Scene} scene
 */
export function rowLines(scene) {
  const found = explain(scene.model, scene.x), { predicted, scores } = found;
  const names = scene.table.classes.map((name) => truncated(name, NAME));
  const others = names.map((_, c) => c).filter((c) => c !== predicted).sort((a, b) => scores[b] - scores[a]);
  const some = [predicted, ...others.slice(0, SHOWN)];
  const more = others.length > SHOWN ? `, and ${others.length - SHOWN} lower ones` : "";
  const texts = some.map((c) => minus(fixed(scores[c], 2)));
  return [
    `${capitalised(rowName(scene))}: scores ${namedValues(some.map((c) => names[c]), texts)}${more}.`,
    softmaxLine(found, scene.model.logPrior, names[predicted], others), ruleLine(found, scene.model.layer ? "f̃" : "f̄"),
  ];
}

/**
 * p = 1/(1 + Σ exp(y^k − y^c)) over the other classes k, which is the softmax divided by exp y^c; with class weights y + a in place of y,
 * a being the logPrior.
 * @param {Explanation} found
 * @param {Float64Array} logPrior
 * @param {string} name
 * @param {number[]} others the highest first
 */
function softmaxLine({ scores, predicted, probabilities }, logPrior, name, others) {
  const terms = others.map((c) => Math.exp(scores[c] + logPrior[c] - scores[predicted] - logPrior[predicted]));
  const shown = terms.length > SHOWN + 1 ? [...terms.slice(0, SHOWN), terms.slice(SHOWN).reduce((all, term) => all + term, 0)] : terms;
  const result = roundedPercent(probabilities[predicted]);
  const texts = written(shown, (values) => roundedPercent(1 / values.reduce((all, term) => all + term, 1)), result);
  const rest = terms.length > SHOWN + 1 ? ` (the last term: ${terms.length - SHOWN} classes)` : "";
  const exponent = logPrior.some(Boolean) ? "yᵏ + aᵏ − y − a" : "yᵏ − y";
  return `p(${name}) = 1 / (1 + Σ exp(${exponent})) = 1 / (${["1", ...texts].join(" + ")}) = ${result}${rest}.`;
}

/**
 * @param {Explanation} found
 * @param {string} letter of a rule's weight
 */
function ruleLine({ firing, weights, contributions, scores, predicted }, letter) {
  const r = largest(firing), level = weights[r], own = level > 0 ? contributions[r][predicted] / level : 0;
  const product = (/** @type {number[]} */ [f, y]) => fixed(f * y, 2), result = product([level, own]);
  const [f, y] = written([level, own], product, result);
  const added = minus(result), whole = minus(fixed(scores[predicted], 2));
  return `Strongest rule: ${letter}${index(r + 1)} · y${index(r + 1)} = ${f} · ${y.startsWith("−") ? `(${y})` : y} = ${added} of the score ${whole}.`;
}

/**
 * How many of the rows that are drawn the model misclassifies.
 * @param {Scene} scene
 * @param {number[]} predicted the class of each row
 */
export function rowsLine({ table: { rows } }, predicted) {
  if (!rows?.y.length) return [];
  const wrong = predicted.filter((c, n) => c !== rows.y[n]).length, all = rows.y.length;
  return [`Misclassified: ${wrong} of the ${all} training and test rows drawn, ${wrong}/${all} = ${roundedPercent(wrong / all)}.`];
}
