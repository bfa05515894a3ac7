// How far a row is from another class where one or two of its features change, and what it can be changed in; as
// tsk_core/explain/row/features.py, but for ranges and whole numbers, which are those of the rows at hand.
//
// The margin is the score of the predicted class minus the largest other score, and negative where the class changes; where a class is
// wanted, the largest other score minus that of the wanted class. Of equal scores the first class is predicted. Under kind "paper" all
// scores are multiplied with one factor, which turns no class and is left out; not before layer normalisation, which takes the firing
// levels as they are.

/** @import { Margins, Model, Row, RowFeature, Shift, Table } from "../model/types.js" */

import { finestDate, writtenDate } from "../model/columns.js";
import { LOWEST, largest, levelsOf, normalise, scaledDistance, weightsOf } from "../model/inference.js";

const TIE = 2 ** -1022; // how far below 0 a margin is where equal scores change the class
const FARTHEST = 1e140; // (x − centre)/(√2 σ) beyond it is taken as this, so that nothing overflows
const FAINTEST = -45; // log of a firing level below which, beside the largest, it changes no digit of a score
export const SWITCH = 2; // standard deviations that another category counts
const FINEST = 500; // parts of a standard deviation that a change distinguishes, at least
/** @type {WeakMap<Table, RowFeature[]>} */
const knownFeatures = new WeakMap();

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

/** @param {Margins} around @param {Float64Array} scores */
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

/**
 * The features of a table, in its order. Without rows, a standard deviation is taken as a quarter of the range that the rules cover.
 * @param {Table} table
 * @param {string[]} locked names of features that have to stay as they are
 * @returns {RowFeature[]}
 */
export function rowFeatures(table, locked) {
  const known = knownFeatures.get(table) ?? learnt(table);
  knownFeatures.set(table, known);
  return known.map((feature) => ({ ...feature, locked: locked.includes(feature.name) }));
}

/** @param {Table} table @returns {RowFeature[]} */
function learnt({ features, columns, rows, view }) {
  return features.map(({ name, kind, columns: of }) => {
    const [d] = of, { low, high } = columns[d];
    if (kind !== "number") {
      const categories = of.map((k) => String(columns[k].category));
      return { name, columns: of, categories, low: 0, high: 1, whole: false, scale: 1, step: 1, date: undefined, locked: false };
    }
    const values = rows ? rows.x.map((row) => row[d]) : [], ranks = Boolean(columns[d].levels), { date } = columns[d];
    const whole = !date && (ranks || (rows !== null && [low, high, ...values].every(Number.isInteger)));
    const scale = view?.scale[d] || (high - low) / 4 || 1;
    const step = date ? finestDate(date) : whole ? 1 : 10 ** Math.floor(Math.log10(scale / FINEST));
    return { name, columns: of, categories: [], low, high, whole, scale, step, date, locked: false };
  });
}

/**
 * The other categories that a row can have, as 0/1 values of the feature's columns.
 * @param {RowFeature} feature
 * @param {Row} x
 */
export function otherStates({ columns }, x) {
  const every = columns.map((_, k) => columns.map((__, j) => Number(j === k)));
  return every.filter((state) => state.some((value, k) => value !== x[columns[k]]));
}

/**
 * The multiple of the feature's step at the value: the nearest one (side 0), or the next one up (1) or down (−1); within the range.
 * @param {RowFeature} feature
 * @param {number} value
 * @param {number} [side]
 */
export function snapped({ step, low, high, date }, value, side = 0) {
  if (date) {
    const at = writtenDate(date, value, side);
    return at > high ? writtenDate(date, high, -1) : at < low ? writtenDate(date, low, 1) : at;
  }
  const place = value / step, digits = Math.max(0, Math.round(-Math.log10(step)));
  const chosen = side > 0 ? Math.ceil(place - 1e-9) : side < 0 ? Math.floor(place + 1e-9) : Math.round(place);
  const near = chosen * step, rounded = digits < 100 ? Number(near.toFixed(digits)) : near;
  return Math.min(Math.max(rounded, low), high);
}

/**
 * How far two rows are apart, in standard deviations of each feature; another category counts `SWITCH`.
 * @param {RowFeature[]} features
 * @param {Row} x
 * @param {Row} other
 */
export function distanceOf(features, x, other) {
  return Math.hypot(...features.map(({ columns, categories, scale }) => {
    if (categories.length) return columns.some((d) => x[d] !== other[d]) ? SWITCH : 0;
    return (other[columns[0]] - x[columns[0]]) / scale;
  }));
}
