// The scores of one row as sums over rules and over features; as tsk_core/explain/row/decomposition.py, where the sums are explained.

/** @import { Explanation, Scene } from "../model/types.js" */

import { explain } from "../model/inference.js";

/**
 * One part of a score, with the class's own value less the mean over the classes, which changes no probability.
 * @typedef {{ name: string, value: number, rule?: number }} Part
 */

/**
 * What adds up to the score of class c, by rule and by feature; each list's sum is the score less the mean over the classes.
 * @param {Scene} scene
 * @param {Explanation} why of the row
 * @param {number} c
 * @returns {{ rules: Part[], constants: Part[], features: Part[], score: number }}
 */
export function decompose({ model, table, x }, why, c) {
  const typical = explain(model, table.typical), { R, D, C, slopes } = model;
  /** @param {ArrayLike<number>} values of all classes */
  const centred = (values) => values[c] - Array.from(values).reduce((sum, v) => sum + v, 0) / C;
  const rules = why.contributions.map((values, r) => ({ name: `rule ${r + 1}`, value: centred(values), rule: r }));
  const byColumn = table.columns.map((_, d) => centred(Array.from({ length: C }, (__, k) => {
    let slope = 0;
    for (let r = 0; r < R; r++) slope += why.weights[r] * slopes[(r * C + k) * D + d];
    return slope * (x[d] - table.typical[d]);
  })));
  const features = table.features.map(({ name, columns }) => ({ name, value: columns.reduce((sum, d) => sum + byColumn[d], 0) }));
  const score = centred(why.scores), before = centred(typical.scores);
  const rest = score - before - features.reduce((sum, { value }) => sum + value, 0);
  return { rules, constants: [{ name: TYPICAL, value: before }, { name: FIRING, value: rest }], features, score };
}

export const TYPICAL = "a typical row", FIRING = "different rules fire";

/**
 * The values rounded to so many digits so that they add up to the rounded sum: the last digits go to the largest remainders.
 * @param {number[]} values
 * @param {number} [digits]
 */
export function roundedToSum(values, digits = 2) {
  const unit = 10 ** digits, scaled = values.map((v) => v * unit), down = scaled.map(Math.floor);
  const total = Math.round(scaled.reduce((a, b) => a + b, 0)), missing = total - down.reduce((a, b) => a + b, 0);
  const order = scaled.map((_, k) => k).sort((a, b) => (scaled[b] - down[b]) - (scaled[a] - down[a]) || a - b);
  for (const k of order.slice(0, missing)) down[k] += 1;
  return down.map((v) => v / unit);
}

/**
 * The largest parts, and all others as one.
 * @param {Part[]} parts
 * @param {number} most
 * @param {string} noun
 * @returns {Part[]}
 */
export function largestParts(parts, most, noun) {
  const order = [...parts].sort((a, b) => Math.abs(b.value) - Math.abs(a.value)), rest = order.slice(most);
  if (rest.length < 2) return order;
  return [...order.slice(0, most), { name: `${rest.length} other ${noun}s`, value: rest.reduce((sum, { value }) => sum + value, 0) }];
}
