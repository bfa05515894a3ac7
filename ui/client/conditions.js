// A rule's IF in numbers: its most selective conditions, each as the range where the membership is at least one half.

/** @import { Column, Feature, Scene } from "./types.js" */

import { written } from "./columns.js";
import { HALF_WIDTH, inverseWidth, logMembership } from "./membership.js";

const PARTS = 100; // of a column's range that the ends of conditions distinguish
const PLACES = 25; // along a column's range, where no rows are available

/**
 * A condition in words. selectivity: 1 − mean μ over the rows, nearly 0 where the membership is nearly 1 everywhere.
 * @typedef {{ text: string, selectivity: number }} Condition
 */

/**
 * The rule's most selective conditions in words, the most selective first.
 * @param {Scene} scene
 * @param {number} rule by its index
 * @param {number} [most]
 */
export function conditions(scene, rule, most = 3) {
  const found = scene.table.features.flatMap((feature) => (feature.kind === "number" ? numeric : categorical)(scene, rule, feature) ?? []);
  return found.sort((a, b) => b.selectivity - a.selectivity).slice(0, most).map(({ text }) => text);
}

/**
 * @param {Scene} scene
 * @param {number} r
 * @param {Feature} feature
 * @returns {Condition | null}
 */
function numeric({ table, snapshot }, r, { name, columns: [d] }) {
  const center = snapshot.centers[r][d], sigma = snapshot.sigmas[r][d], column = table.columns[d];
  const range = sigma === null ? "" : rangeText(center - HALF_WIDTH * sigma, center + HALF_WIDTH * sigma, center, column);
  if (!range) return null;
  const { low, high } = column, inverse = inverseWidth(sigma);
  const values = table.rows?.x.map((row) => row[d]) ?? Array.from({ length: PLACES }, (_, k) => low + (k / (PLACES - 1)) * (high - low));
  const mean = values.reduce((sum, x) => sum + Math.exp(logMembership(x, center, inverse)), 0) / values.length;
  return { text: `${name} is ${range}`, selectivity: 1 - mean };
}

/**
 * @param {number} from
 * @param {number} to
 * @param {number} center
 * @param {Column} column
 */
function rangeText(from, to, center, column) {
  if ((from <= column.low && to >= column.high) || column.low === column.high) return ""; // true of every row
  if (center >= column.high || to >= column.high) return `≥ ${written(from, column, PARTS)}`;
  if (center <= column.low || from <= column.low) return `≤ ${written(to, column, PARTS)}`;
  return `between ${written(from, column, PARTS)} and ${written(to, column, PARTS)}`;
}

/**
 * "colour is red or blue": the categories whose product of memberships is at least half of the largest.
 * @param {Scene} scene
 * @param {number} r
 * @param {Feature} feature
 * @returns {Condition | null}
 */
function categorical({ table, snapshot }, r, { name, columns }) {
  const levels = columns.map((chosen) => columns.reduce((sum, d) => {
    return sum + logMembership(Number(d === chosen), snapshot.centers[r][d], inverseWidth(snapshot.sigmas[r][d]));
  }, 0));
  const top = Math.max(...levels), scaled = levels.map((level) => Math.exp(level - top));
  const meant = columns.filter((_, k) => scaled[k] >= 0.5).map((d) => table.columns[d].category);
  if (meant.length === columns.length) return null;
  return { text: `${name} is ${meant.join(" or ")}`, selectivity: 1 - scaled.reduce((sum, level) => sum + level, 0) / columns.length };
}
