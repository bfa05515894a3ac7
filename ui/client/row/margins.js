// How far a row is from another class where one or two of its features change; as tsk_core/explain/row/features.py.
//
// The margin is the score of the predicted class minus the largest other score, and negative where the class changes; where a class is
// wanted, the largest other score minus that of the wanted class. Of equal scores the first class is predicted. Under kind "paper" all
// scores are multiplied with one factor, which turns no class and is left out; not before layer normalisation, which takes the firing
// levels as they are.

/** @import { Model, Row } from "../model/types.js" */
/** @import { Margins, Shift } from "./types.js" */

import { largest, levelsOf, normalise, weightsOf } from "../model/inference.js";
import { scaledDistance } from "../model/membership.js";

const TIE = 2 ** -1022; // how far below 0 a margin is where equal scores change the class
const FARTHEST = 1e140; // (x − centre)/(√2 σ) beyond it is taken as this, so that nothing overflows
const LOWEST = -Number.MAX_VALUE / 4;
const FAINTEST = -45; // log of a firing level below which, beside the largest, it changes no digit of a score

/**
 * @param {Model} model
 * @param {Row} row
 * @param {number | null} [wanted] the class to reach; null for any other than the predicted one
 * @returns {Margins}
 */
export function marginsOf(model, row, wanted = null) {
  const x = Float64Array.from(row), { R, D, C, slopes } = model, z = Float64Array.from(model.logWeight);
  const outputs = Float64Array.from(model.constants);
  for (let r = 0; r < R; r++) for (let d = 0; d < D; d++) z[r] -= term(model, r, d, x[d]);
  for (let k = 0; k < R * C; k++) for (let d = 0; d < D; d++) outputs[k] += slopes[k * D + d] * x[d];
  return { model, x, z, outputs, predicted: largest(scoresOf(model, z.slice(), outputs)), wanted };
}

/**
 * −log μ_rd(value).
 * @param {Model} model
 * @param {number} r
 * @param {number} d
 * @param {number} value
 */
function term({ D, centers, inverse }, r, d, value) {
  const distance = Math.min(Math.abs(scaledDistance(value, centers[r * D + d], inverse[r * D + d])), FARTHEST);
  return distance * distance;
}

/**
 * The scores [C] from log firing levels [R], which it may change, and the rules' scores [R·C]; the next call overwrites the scores.
 * @param {Model} model
 * @param {Float64Array} z
 * @param {Float64Array} outputs
 */
function scoresOf(model, z, outputs) {
  const { R, C } = model;
  if (kept.scores.length !== C) kept.scores = new Float64Array(C);
  const { scores } = kept;
  let top = LOWEST, sum = 0;
  scores.fill(0);
  if (model.layer) {
    const weights = weightsOf(normalise(z, model), model);
    for (let r = 0; r < R; r++) for (let c = 0, j = r * C; c < C; c++, j++) scores[c] += weights[r] * outputs[j];
    return scores;
  }
  levelsOf(z, model);
  for (let r = 0; r < R; r++) if (z[r] > top) top = z[r];
  for (let r = 0; r < R; r++) {
    const below = Math.max(z[r], LOWEST) - top;
    if (below < FAINTEST) continue;
    const share = Math.exp(below);
    sum += share;
    for (let c = 0, j = r * C; c < C; c++, j++) scores[c] += share * outputs[j];
  }
  for (let c = 0; c < C; c++) scores[c] /= sum;
  return scores;
}

/**
 * What these values of some columns change.
 * @param {Margins} around
 * @param {number[]} columns
 * @param {number[]} values
 * @returns {Shift}
 */
export function shiftOf({ model, x }, columns, values) {
  const { R, D, C, slopes } = model, z = new Float64Array(R), y = new Float64Array(R * C);
  columns.forEach((d, k) => {
    for (let r = 0; r < R; r++) z[r] += term(model, r, d, x[d]) - term(model, r, d, values[k]);
    for (let j = 0; j < R * C; j++) y[j] += slopes[j * D + d] * (values[k] - x[d]);
  });
  return { z, y };
}

/**
 * The margin with one shift, or with two.
 * @param {Margins} around
 * @param {Shift} first
 * @param {Shift} [second]
 */
export function marginOf(around, first, second = NOTHING) {
  const { model: { R, C }, z, outputs } = around, more = second !== NOTHING;
  const { levels, sums } = scratch(R, R * C);
  for (let r = 0; r < R; r++) levels[r] = z[r] + first.z[r] + (more ? second.z[r] : 0);
  for (let k = 0; k < R * C; k++) sums[k] = outputs[k] + first.y[k] + (more ? second.y[k] : 0);
  return margin(around, scoresOf(around.model, levels, sums));
}

/**
 * The margin by the value of one column: what a search along it asks for many times, so nothing is allocated there.
 * @param {Margins} around
 * @param {number} d
 * @returns {(value: number) => number}
 */
export function alongColumn(around, d) {
  const { model, x, z, outputs } = around, { R, D, C, slopes } = model;
  const rest = z.map((v, r) => v + term(model, r, d, x[d])), slope = outputs.map((_, k) => slopes[k * D + d]);
  return (value) => {
    const { levels, sums } = scratch(R, R * C), moving = value - x[d];
    for (let r = 0; r < R; r++) levels[r] = rest[r] - term(model, r, d, value);
    for (let k = 0; k < R * C; k++) sums[k] = outputs[k] + slope[k] * moving;
    return margin(around, scoresOf(model, levels, sums));
  };
}

/**
 * @param {Margins} around
 * @param {Float64Array} scores
 */
function margin({ predicted, wanted, model }, scores) {
  const own = wanted ?? predicted;
  let at = own === 0 ? 1 : 0; // of the other classes, the first one with the largest score
  for (let c = at + 1; c < model.C; c++) if (c !== own && scores[c] > scores[at]) at = c;
  if (scores[own] === scores[at] && (wanted === null ? at < own : own < at)) return -TIE;
  return wanted === null ? scores[own] - scores[at] : scores[at] - scores[own];
}

/** @type {Shift} */
const NOTHING = { z: new Float64Array(), y: new Float64Array() };
const kept = { levels: new Float64Array(), sums: new Float64Array(), scores: new Float64Array() };

/**
 * Arrays to compute in, which the next call overwrites.
 * @param {number} levels
 * @param {number} sums
 */
function scratch(levels, sums) {
  if (kept.levels.length !== levels) kept.levels = new Float64Array(levels);
  if (kept.sums.length !== sums) kept.sums = new Float64Array(sums);
  return kept;
}

/**
 * The margins around the row with these values; what is predicted and wanted stays.
 * @param {Margins} around
 * @param {number[]} columns
 * @param {number[]} values
 * @returns {Margins}
 */
export function moved(around, columns, values) {
  const shift = shiftOf(around, columns, values), x = Float64Array.from(around.x);
  columns.forEach((d, k) => { x[d] = values[k]; });
  return { ...around, x, z: around.z.map((v, r) => v + shift.z[r]), outputs: around.outputs.map((v, k) => v + shift.y[k]) };
}

/**
 * The margin of another row, and the class of that row: computed anew, and so without the rounding of a difference.
 * @param {Margins} around
 * @param {Row} x
 */
export function marginAt(around, x) {
  const there = marginsOf(around.model, x);
  const scores = scoresOf(around.model, there.z, there.outputs);
  return { margin: margin(around, scores), predicted: there.predicted };
}
