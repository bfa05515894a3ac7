// What taking rules and conditions out changes: the predictions for the rows at hand, their scores, and how many stay the same.

/** @import { Rows } from "../core/messages.js" */
/** @import { Ablation } from "../core/types.js" */
/** @import { Model } from "../model/types.js" */

import { classOf, logLevel, logLevels, ruleOutputs } from "../model/inference.js";

/**
 * Log firing levels [R] and the rules' scores [R·C] of each row, by the whole model: what rules say does not depend on other rules.
 * @typedef {{ rows: Rows, levels: Float64Array[], outputs: Float64Array[], predicted: number[] }} Known
 */
const SLICE = 12; // milliseconds of computing ahead at a time
/** @type {WeakMap<Model, Known>} */
const known = new WeakMap();

/**
 * Scores of the test rows at hand: shares of them, and of each class's. n: rows. null where there are none.
 * @typedef {{ n: number, rca: number, bca: number }} Scores
 */

/**
 * What changed: scores before and after, the share of test rows with the same prediction, and each row with another one, by index.
 * @typedef {{ index: number, before: number, after: number }} Changed
 * @typedef {{ before: Scores | null, after: Scores | null, same: number, changed: Changed[] }} Effect
 */

/**
 * @param {Model} whole
 * @param {Model} left the same without what is taken out
 * @param {Ablation} out
 * @param {Rows} rows
 * @returns {Effect}
 */
export function ablationEffect(whole, left, out, rows) {
  const { levels, outputs, predicted } = knownOf(whole, rows), touched = new Set([...out.rules, ...out.conditions.map(([r]) => r)]);
  const now = rows.x.map((x, n) => {
    const z = Float64Array.from(levels[n]);
    for (const r of touched) z[r] = logLevel(left, x, r);
    return classOf(left, z, outputs[n]);
  });
  const changed = now.flatMap((after, index) => (after === predicted[index] ? [] : [{ index, before: predicted[index], after }]));
  const tests = rows.part.filter(Boolean).length, moved = changed.filter(({ index }) => rows.part[index] === 1).length;
  return { before: scoresOf(rows, predicted), after: scoresOf(rows, now), same: tests ? 1 - moved / tests : 1, changed };
}

/**
 * Compute ahead, a little at a time, what `ablationEffect` will need of the whole model: with hundreds of rules and columns it takes a
 * while.
 * @param {Model} model
 * @param {Rows} rows
 */
export function precompute(model, rows) {
  if (known.get(model)?.rows === rows) return;
  const begun = beginning(model, rows);
  const more = () => {
    if (known.get(model) === begun && !extended(model, begun, performance.now() + SLICE)) setTimeout(more, 2 * SLICE);
  };
  setTimeout(more, 2 * SLICE);
}

/**
 * @param {Model} model
 * @param {Rows} rows
 */
function knownOf(model, rows) {
  const kept = known.get(model), found = kept?.rows === rows ? kept : beginning(model, rows);
  extended(model, found, Infinity);
  return found;
}

/**
 * @param {Model} model
 * @param {Rows} rows
 */
function beginning(model, rows) {
  /** @type {Known} */
  const begun = { rows, levels: [], outputs: [], predicted: [] };
  known.set(model, begun);
  return begun;
}

/**
 * Add row after row until a moment. Returns whether all are there.
 * @param {Model} model
 * @param {Known} begun
 * @param {number} until as of `performance.now`
 */
function extended(model, { rows: { x }, levels, outputs, predicted }, until) {
  while (levels.length < x.length && (until === Infinity || performance.now() < until)) {
    const row = x[levels.length], z = logLevels(model, row), own = ruleOutputs(model, row);
    levels.push(z);
    outputs.push(own);
    predicted.push(classOf(model, Float64Array.from(z), own));
  }
  return levels.length === x.length;
}

/**
 * Accuracy (RCA) and its mean over the classes that the test rows have (BCA).
 * @param {Rows} rows
 * @param {number[]} predicted the class of each row
 * @returns {Scores | null}
 */
function scoresOf({ part, y }, predicted) {
  /** @type {Map<number, [number, number]>} */
  const counts = new Map(); // class -> right, all
  part.forEach((test, n) => {
    if (test !== 1) return;
    const [right, all] = counts.get(y[n]) ?? [0, 0];
    counts.set(y[n], [right + Number(predicted[n] === y[n]), all + 1]);
  });
  if (!counts.size) return null;
  const each = [...counts.values()], n = each.reduce((sum, [, all]) => sum + all, 0);
  const rca = each.reduce((sum, [right]) => sum + right, 0) / n, bca = each.reduce((sum, [right, all]) => sum + right / all, 0);
  return { n, rca, bca: bca / each.length };
}
