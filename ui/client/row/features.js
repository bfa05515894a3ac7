// What a row can be changed in: numbers with their range, standard deviation and step, and categories. As
// tsk_core/explain/row/features.py, but for ranges and whole numbers, which are those of the rows at hand.

/** @import { Row, Table } from "../model/types.js" */
/** @import { RowFeature } from "./types.js" */

import { finestDate, writtenDate } from "../model/dates.js";

export const SWITCH = 2; // standard deviations that another category counts
const FINEST = 500; // parts of a standard deviation that a change distinguishes, at least

/** @type {WeakMap<Table, RowFeature[]>} */
const kept = new WeakMap();

/**
 * The features of a table, in its order. Without rows, a standard deviation is taken as a quarter of the range that the rules cover.
 * @param {Table} table
 * @param {string[]} locked names of features that have to stay as they are
 * @returns {RowFeature[]}
 */
export function rowFeatures(table, locked) {
  const known = kept.get(table) ?? learnt(table);
  kept.set(table, known);
  return known.map((feature) => ({ ...feature, locked: locked.includes(feature.name) }));
}

/**
 * @param {Table} table
 * @returns {RowFeature[]}
 */
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
