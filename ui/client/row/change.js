// The nearest change that flips the decision: the smallest standardised move along one feature, and along two; as
// tsk_core/explain/row/change.py, where the distance is explained.

/** @import { Model, Row } from "../model/types.js" */
/** @import { Change, Margins, RowFeature } from "./types.js" */

import { distanceOf, snapped } from "./features.js";
import { nearestOnLine, nearestState } from "./line.js";
import { marginAt, marginsOf } from "./margins.js";
import { coarseDistance, refined } from "./pair.js";

export const PAIRED = 12; // features that come closest to another class alone; changes of two are looked for among these
const REFINED = 6; // pairs
const WORTH = 0.9; // of the distance with one feature, that a change of two may have at most to be worth saying

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
  const [first, ...rest] = features.map((feature, k) => optionsOf(around, feature, values[k]));
  const chosen = rest.length ? first.flatMap((a) => rest[0].map((b) => [a, b])) : first.map((a) => [a]);
  const turning = chosen.map((some) => changeOf(around, features, some)).filter((one) => one !== null);
  const dated = features.some(({ date }) => date); // whose text would be another date
  if (!turning.length) return dated ? null : changeOf(around, features, values);
  return turning.reduce((best, one) => (one.distance < best.distance ? one : best));
}

/**
 * @param {Margins} around
 * @param {RowFeature} feature
 * @param {number[]} values
 */
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
