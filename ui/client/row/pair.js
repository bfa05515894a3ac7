// The nearest change of two features together that flips the decision; as tsk_core/explain/row/change.py, where the search is explained.

/** @import { Margins, RowFeature } from "./types.js" */

import { SWITCH, otherStates } from "./features.js";
import { nearestOnLine, nearestState } from "./line.js";
import { marginOf, moved, shiftOf } from "./margins.js";

const GRID = 33; // values of each feature
const AROUND = 9; // values of the first feature in a round of refinement
const ROUNDS = 6;
const STEPS = 32; // of the grid of the second feature, on each side

/** @typedef {{ distance: number, values: [number[], number[]] }} PairTurn new values of the columns of both features */

/**
 * The distance of the grid's nearest place that flips the decision, and the first feature's values there; null for none.
 * @param {Margins} around
 * @param {RowFeature} one
 * @param {RowFeature} other
 * @param {number} reach
 */
export function coarseDistance(around, one, other, reach) {
  const [a, b] = [one, other].map((feature) => valuesOf(around, feature, reach).map((values) => (
    { values, shift: shiftOf(around, feature.columns, values), far: farOf(around, feature, values) })));
  /** @type {number[] | null} */
  let at = null;
  let least = reach * reach;
  for (const left of a) {
    for (const right of b) {
      const square = left.far * left.far + right.far * right.far;
      if (square >= least || !(marginOf(around, left.shift, right.shift) < 0)) continue;
      [least, at] = [square, left.values];
    }
  }
  return at && { distance: Math.sqrt(least), at };
}

/**
 * The nearest change of both. A category should come first.
 * @param {Margins} around
 * @param {RowFeature} one
 * @param {RowFeature} other
 * @param {number} reach
 * @param {number[]} at the first feature's values, from `coarseDistance`
 * @returns {PairTurn | null}
 */
export function refined(around, one, other, reach, at) {
  /** @type {PairTurn | null} */
  let best = null;
  if (one.categories.length) {
    for (const values of valuesOf(around, one, reach)) best = nearer(withFirst(around, one, other, values, reach), best);
    return best;
  }
  const start = around.x[one.columns[0]], [low, high] = rangeOf(one, start, reach);
  let width = (high - low) / (GRID - 1), centre = at[0];
  for (let round = 0; round < ROUNDS; round++) {
    for (const value of spread(one, Math.max(low, centre - width), Math.min(high, centre + width), AROUND)) {
      if (value === start) continue;
      const found = nearer(withFirst(around, one, other, [value], best?.distance ?? reach), best);
      if (found !== best) [best, centre] = [found, value];
    }
    width /= 3;
    if (one.whole && width < 0.5) break;
  }
  return best;
}

/**
 * @param {PairTurn | null} found
 * @param {PairTurn | null} best
 */
const nearer = (found, best) => (found && (!best || found.distance < best.distance) ? found : best);

/**
 * The nearest change of the second feature where the first one has these values.
 * @param {Margins} around
 * @param {RowFeature} one
 * @param {RowFeature} other
 * @param {number[]} values
 * @param {number} reach
 * @returns {PairTurn | null}
 */
function withFirst(around, one, other, values, reach) {
  const far = farOf(around, one, values), left = Number.isFinite(reach) ? Math.sqrt(Math.max(0, reach * reach - far * far)) : Infinity;
  if (!(left > 0)) return null;
  const there = moved(around, one.columns, values);
  if (other.categories.length) {
    const { state } = nearestState(there, other);
    return state && left > SWITCH ? { distance: Math.hypot(far, SWITCH), values: [values, state] } : null;
  }
  const { value, distance } = nearestOnLine(there, other, left, STEPS);
  return value === null ? null : { distance: Math.hypot(far, distance), values: [values, [value]] };
}

/**
 * Other values that the feature can have within reach.
 * @param {Margins} around
 * @param {RowFeature} feature
 * @param {number} reach
 */
function valuesOf({ x }, feature, reach) {
  if (feature.categories.length) return reach > SWITCH ? otherStates(feature, x) : [];
  const start = x[feature.columns[0]], [low, high] = rangeOf(feature, start, reach);
  if (!(high > low)) return [];
  return spread(feature, low, high, GRID).filter((value) => value !== start && value >= low && value <= high).map((value) => [value]);
}

/**
 * @param {RowFeature} feature
 * @param {number} start
 * @param {number} reach
 */
const rangeOf = ({ low, high, scale }, start, reach) => [Math.max(low, start - reach * scale), Math.min(high, start + reach * scale)];

/**
 * So many equal steps; whole numbers where the feature has only these.
 * @param {RowFeature} feature
 * @param {number} low
 * @param {number} high
 * @param {number} n
 */
function spread({ whole }, low, high, n) {
  const values = Array.from({ length: n }, (_, k) => (k === n - 1 ? high : low + ((high - low) * k) / (n - 1)));
  return whole ? [...new Set(values.map(Math.round))] : values;
}

/**
 * @param {Margins} around
 * @param {RowFeature} feature
 * @param {number[]} values
 */
function farOf({ x }, { columns, categories, scale }, values) {
  return categories.length ? SWITCH : Math.abs(values[0] - x[columns[0]]) / scale;
}
