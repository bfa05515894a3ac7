// The nearest change that flips the decision: the smallest standardised move along one feature, and along two; as
// tsk_core/explain/row/change.py, where the distance and the search are explained.

/** @import { Change, Flip, Margins, Model, Row, RowFeature } from "../model/types.js" */

import { SWITCH, alongColumn, distanceOf, marginAt, marginOf, marginsOf, moved, otherStates, shiftOf, snapped } from "./margins.js";

export const PAIRED = 12; // features that come closest to another class alone; changes of two are looked for among these
const REFINED = 6; // pairs
const WORTH = 0.9; // of the distance with one feature, that a change of two may have at most to be worth saying
const STEPS = 128; // of the grid, on each side, where nothing is known
const LANDMARKS = 30; // rules at most whose centres and flanks the grid has
const WHOLE = 2000; // whole numbers that are looked at one by one, on each side
const ZOOM = 16; // parts into which a stretch is divided
const ROUNDS = 6; // of it, and of the refinement of a pair
const GRID = 33; // values of each feature
const AROUND = 9; // values of the first feature in a round of refinement
const PAIR_STEPS = 32; // of the grid of the second feature, on each side

/** @typedef {(at: number) => number} Along the margin at a distance from the row's value */
/** @typedef {{ value: number | null, least: number }} Found */
/** @typedef {{ distance: number, values: [number[], number[]] }} PairTurn new values of the columns of both features */

/**
 * The nearest change of one feature and the nearest of two, the nearest first; fewer where there is none. Each was predicted anew.
 * @param {Model} model
 * @param {Row} x
 * @param {RowFeature[]} features
 * @param {number | null} [wanted] the class to reach; null for any other than the predicted one
 * @returns {Change[]}
 */
export function nearestChanges(model, x, features, wanted = null) {
  const around = marginsOf(model, x, wanted);
  if (marginAt(around, x).margin < 0) return [];
  const free = features.filter(({ locked, columns }) => !locked && uses(model, columns)).map((feature) => reaching(feature, x));
  const { best, ranked } = single(around, free), reach = best ? best.distance * WORTH : Infinity;
  const pair = pairOf(around, ranked.slice(0, PAIRED), reach);
  return [best, pair].filter((one) => one !== null).sort((a, b) => a.distance - b.distance);
}

/**
 * Whether some rule has an antecedent or a slope on one of these columns; the others change nothing.
 * @param {Model} model
 * @param {number[]} columns
 */
function uses({ R, C, D, inverse, slopes }, columns) {
  for (const d of columns) {
    for (let k = d; k < R * D; k += D) if (inverse[k] !== 0) return true;
    for (let k = d; k < R * C * D; k += D) if (slopes[k] !== 0) return true;
  }
  return false;
}

/**
 * The feature with a range that has the row's own value.
 * @param {RowFeature} feature
 * @param {Row} x
 */
function reaching(feature, x) {
  if (feature.categories.length) return feature;
  const value = x[feature.columns[0]];
  return { ...feature, low: Math.min(feature.low, value), high: Math.max(feature.high, value) };
}

/**
 * The nearest change of one feature, and the features by the least margin that they reach.
 * @param {Margins} around
 * @param {RowFeature[]} features
 */
function single(around, features) {
  /** @type {Change | null} */
  let best = null;
  const least = features.map((feature) => {
    const found = feature.categories.length ? nearestState(around, feature) : nearestOnLine(around, feature);
    const values = "state" in found ? found.state : found.value === null ? null : [found.value];
    const change = values && checked(around, [feature], [values]);
    if (change && (!best || change.distance < best.distance)) best = change;
    return found.least;
  });
  const order = features.map((_, k) => k).sort((a, b) => (least[a] < least[b] ? -1 : least[a] > least[b] ? 1 : a - b));
  return { best: /** @type {Change | null} */ (best), ranked: order.filter((k) => Number.isFinite(least[k])).map((k) => features[k]) };
}

/** @param {RowFeature} feature */
const kindOf = ({ categories, whole }) => (categories.length ? 0 : whole ? 1 : 2);

/**
 * The nearest change of two of the features that is less than `reach` away.
 * @param {Margins} around
 * @param {RowFeature[]} features
 * @param {number} reach
 */
function pairOf(around, features, reach) {
  /** @param {RowFeature} one @param {RowFeature} other */
  const sorted = (one, other) => (kindOf(one) <= kindOf(other) ? [one, other] : [other, one]);
  const pairs = features.flatMap((one, k) => features.slice(k + 1).map((other) => sorted(one, other)));
  const found = pairs.flatMap(([one, other]) => {
    const coarse = coarseDistance(around, one, other, reach);
    return coarse ? [{ one, other, ...coarse }] : [];
  });
  /** @type {Change | null} */
  let best = null;
  for (const { one, other, at } of found.sort((a, b) => a.distance - b.distance).slice(0, REFINED)) {
    const turn = refined(around, one, other, best?.distance ?? reach, at), change = turn && checked(around, [one, other], turn.values);
    if (change && change.distance < (best?.distance ?? reach)) best = change;
  }
  return best;
}

/**
 * The change with readable numbers: the nearest multiples of their steps that flip the decision, else the values themselves; of dates
 * none but those.
 * @param {Margins} around
 * @param {RowFeature[]} features
 * @param {number[][]} values of each feature's columns
 * @returns {Change | null}
 */
function checked(around, features, values) {
  const [one, ...others] = features.map((feature, k) => optionsOf(around, feature, values[k]));
  const chosen = others.length ? one.flatMap((a) => others[0].map((b) => [a, b])) : one.map((a) => [a]);
  const turning = chosen.map((some) => changeOf(around, features, some)).filter((change) => change !== null);
  const dated = features.some(({ date }) => date); // whose text would be another date
  if (!turning.length) return dated ? null : changeOf(around, features, values);
  return turning.reduce((best, change) => (change.distance < best.distance ? change : best));
}

/** @param {Margins} around @param {RowFeature} feature @param {number[]} values */
function optionsOf({ x }, feature, values) {
  if (feature.categories.length || feature.whole) return [values];
  const start = x[feature.columns[0]], side = values[0] > start ? 1 : -1, near = snapped(feature, values[0], side);
  const places = new Set([near, snapped(feature, near + side * feature.step), snapped(feature, near - side * feature.step)]);
  return [...places].filter((place) => side * (place - start) > 0).sort((a, b) => a - b).map((place) => [place]);
}

/**
 * @param {Margins} around
 * @param {RowFeature[]} features
 * @param {number[][]} values
 * @returns {Change | null}
 */
function changeOf(around, features, values) {
  const x = Array.from(around.x);
  features.forEach(({ columns }, k) => columns.forEach((d, j) => { x[d] = values[k][j]; }));
  const { margin, predicted } = marginAt(around, x);
  return margin < 0 ? { features, x, distance: distanceOf(features, around.x, x), predicted } : null;
}

/**
 * The nearest value of a number that flips the decision, at most `reach` standard deviations away.
 * @param {Margins} around
 * @param {RowFeature} feature
 * @param {number} [reach]
 * @param {number} [steps] of the grid, on each side
 * @returns {Flip}
 */
function nearestOnLine(around, feature, reach = Infinity, steps = STEPS) {
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
function nearestState(around, feature) {
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

/**
 * The distance of the grid's nearest place that flips the decision, and the first feature's values there; null for none.
 * @param {Margins} around
 * @param {RowFeature} one
 * @param {RowFeature} other
 * @param {number} reach
 */
function coarseDistance(around, one, other, reach) {
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
function refined(around, one, other, reach, at) {
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

/** @param {PairTurn | null} found @param {PairTurn | null} best */
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
  const { value, distance } = nearestOnLine(there, other, left, PAIR_STEPS);
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

/** @param {RowFeature} feature @param {number} start @param {number} reach */
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

/** @param {Margins} around @param {RowFeature} feature @param {number[]} values */
function farOf({ x }, { columns, categories, scale }, values) {
  return categories.length ? SWITCH : Math.abs(values[0] - x[columns[0]]) / scale;
}
