// The nearest value of one feature that flips the decision; as tsk_core/explain/row/change.py, where the search is explained.

/** @import { Flip, Margins, RowFeature } from "./types.js" */

import { otherStates } from "./features.js";
import { alongColumn, marginOf, shiftOf } from "./margins.js";

const STEPS = 128; // of the grid, on each side, where nothing is known
const LANDMARKS = 30; // rules at most whose centres and flanks the grid has
const WHOLE = 2000; // whole numbers that are looked at one by one, on each side
const ZOOM = 16; // parts into which a stretch is divided
const ROUNDS = 6; // of it

/** @typedef {(at: number) => number} Along the margin at a distance from the row's value */
/** @typedef {{ value: number | null, least: number }} Found */

/**
 * The nearest value of a number that flips the decision, at most `reach` standard deviations away.
 * @param {Margins} around
 * @param {RowFeature} feature
 * @param {number} [reach]
 * @param {number} [steps] of the grid, on each side
 * @returns {Flip}
 */
export function nearestOnLine(around, feature, reach = Infinity, steps = STEPS) {
  const start = around.x[feature.columns[0]];
  /** @type {Flip} */
  let best = { value: null, distance: Infinity, least: Infinity };
  for (const [side, end] of [[-1, feature.low], [1, feature.high]]) {
    const length = Math.min(side * (end - start), Math.min(reach, best.distance) * feature.scale);
    if (!(length > 0)) continue;
    const { value, least } = (feature.whole ? wholeSide : oneSide)(around, feature, side, length, steps);
    const distance = value === null ? Infinity : Math.abs(value - start) / feature.scale;
    best = { ...(distance < best.distance ? { value, distance } : best), least: Math.min(least, best.least) };
  }
  return best;
}

/**
 * The other category that flips the decision most clearly, null for none, and the least margin of all.
 * @param {Margins} around
 * @param {RowFeature} feature
 */
export function nearestState(around, feature) {
  /** @type {{ state: number[] | null, least: number }} */
  let best = { state: null, least: Infinity };
  for (const state of otherStates(feature, around.x)) {
    const least = marginOf(around, shiftOf(around, feature.columns, state));
    if (least < best.least) best = { state, least };
  }
  return best.least < 0 ? best : { ...best, state: null };
}

/**
 * @param {Margins} around
 * @param {RowFeature} feature
 * @param {number} side
 * @param {number} length
 * @param {number} steps
 * @returns {Found}
 */
function oneSide(around, { columns }, side, length, steps) {
  const margin = alongColumn(around, columns[0]), start = around.x[columns[0]], places = placesOf(around, columns[0], side, length, steps);
  /** @type {Along} */
  const along = (at) => margin(start + side * at);
  const found = places.map(along), turned = found.findIndex((one) => one < 0), last = turned < 0 ? places.length - 1 : turned;
  for (let k = 1; k < last; k++) {
    const left = found[k - 1] - found[k], right = found[k + 1] - found[k];
    if (left < 0 || right < 0 || left + right === 0) continue; // a flat stretch has no dip
    const dip = lowest(along, places[k - 1], places[k + 1]);
    if (dip.least < 0) return { value: start + side * first(along, places[k - 1], dip.place), least: dip.least };
  }
  if (turned < 0) return { value: null, least: Math.min(...found) };
  return { value: start + side * first(along, places[Math.max(last - 1, 0)], places[last]), least: found[last] };
}

/**
 * Distances from the row's value: equal steps, and where rules have their centres and flanks.
 * @param {Margins} around
 * @param {number} d
 * @param {number} side
 * @param {number} length
 * @param {number} steps
 */
function placesOf({ model: { R, D, centers, inverse }, x }, d, side, length, steps) {
  const places = Array.from({ length: steps + 1 }, (_, k) => (length * k) / steps);
  for (let r = 0; r < R && R <= LANDMARKS; r++) {
    const k = r * D + d;
    if (!inverse[k]) continue;
    const sigma = 1 / (Math.SQRT2 * inverse[k]);
    for (const flank of [0, -sigma, sigma]) {
      const at = side * (centers[k] + flank - x[d]);
      if (at > 0 && at < length) places.push(at);
    }
  }
  return [...new Set(places)].sort((a, b) => a - b);
}

/**
 * The same where only whole numbers count.
 * @param {Margins} around
 * @param {RowFeature} feature
 * @param {number} side
 * @param {number} length
 * @param {number} steps
 * @returns {Found}
 */
function wholeSide(around, { columns }, side, length, steps) {
  const start = around.x[columns[0]], begin = side > 0 ? Math.floor(start) + 1 : Math.ceil(start) - 1;
  const end = side > 0 ? Math.floor(start + length) : Math.ceil(start - length), count = side * (end - begin) + 1;
  const along = alongColumn(around, columns[0]);
  if (count < 1) return { value: null, least: Infinity };
  const n = Math.min(count, WHOLE), places = count <= WHOLE ? n : steps + 1;
  const values = [...new Set(Array.from({ length: places }, (_, k) => Math.round(begin + ((end - begin) * k) / Math.max(1, places - 1))))];
  const found = values.map(along), k = found.findIndex((one) => one < 0);
  if (k < 0) return { value: null, least: Math.min(...found) };
  let held = k ? values[k - 1] : start, value = values[k];
  while (count > WHOLE && Math.abs(value - held) > 1) {
    const middle = Math.trunc((held + value) / 2);
    if (middle === held || middle === value) break;
    if (along(middle) < 0) value = middle;
    else held = middle;
  }
  return { value, least: found[k] };
}

/**
 * The place of the lowest margin between two places, and that margin, as soon as it is below zero.
 * @param {Along} along
 * @param {number} from
 * @param {number} to
 */
function lowest(along, from, to) {
  let low = from, high = to, place = from, least = Infinity;
  for (let round = 0; round < ROUNDS && !(least < 0); round++) {
    const places = parts(low, high), found = places.map(along), k = found.indexOf(Math.min(...found));
    [place, least] = [places[k], found[k]];
    [low, high] = [places[Math.max(k - 1, 0)], places[Math.min(k + 1, ZOOM)]];
  }
  return { place, least };
}

/**
 * The first place between one that keeps the class and one that turns it.
 * @param {Along} along
 * @param {number} from
 * @param {number} to
 */
function first(along, from, to) {
  let held = from, turned = to;
  for (let round = 0; round < ROUNDS; round++) {
    const places = parts(held, turned), found = places.slice(0, -1).findIndex((at) => along(at) < 0), k = found < 0 ? ZOOM : found;
    [held, turned] = [places[Math.max(k - 1, 0)], places[k]];
    if (k === 0) break;
  }
  return turned;
}

/** @param {number} low @param {number} high */
const parts = (low, high) => Array.from({ length: ZOOM + 1 }, (_, k) => (k === ZOOM ? high : low + ((high - low) * k) / ZOOM));
