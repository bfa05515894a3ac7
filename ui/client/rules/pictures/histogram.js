// How the rows at hand are spread over a column.

/** @import { Rows } from "../../core/messages.js" */

const BINS = 20;
/** @type {WeakMap<Rows, Map<number, number[]>>} */
const known = new WeakMap();

/**
 * The counts of rows in 20 equal bins from the column's lowest to its highest value; of ordered categories, of each.
 * @param {Rows} rows
 * @param {number} d the column
 * @param {string[]} [levels] its ordered categories
 */
export function histogram(rows, d, levels) {
  const ofRows = known.get(rows) ?? new Map();
  known.set(rows, ofRows);
  if (!ofRows.has(d)) {
    const bins = levels?.length ?? BINS, { low, high } = levels ? { low: -0.5, high: bins - 0.5 } : rows.columns[d];
    const counts = new Array(bins).fill(0), width = (high - low) / bins;
    for (const row of rows.x) counts[width > 0 ? Math.min(bins - 1, Math.max(0, Math.floor((row[d] - low) / width))) : 0] += 1;
    ofRows.set(d, counts);
  }
  return /** @type {number[]} */ (ofRows.get(d));
}

/**
 * The share of rows that have each of these categories, [columns].
 * @param {Rows} rows
 * @param {number[]} columns
 */
export const shares = (rows, columns) => columns.map((d) => rows.x.reduce((sum, row) => sum + Number(row[d] > 0.5), 0) / rows.x.length);
