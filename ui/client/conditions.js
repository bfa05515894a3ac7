// A rule's IF in numbers: the few conditions that say most, each as the range where its membership is at least one half.

import { written } from "./columns.js";

const HALF = Math.sqrt(2 * Math.log(2)); // μ ≥ 0.5 ⇔ centre ± 1.177 σ
const PARTS = 100; // of a column's range that ends of conditions are told apart by
const PLACES = 25; // along a column's range, where no rows are at hand

/** The rule's `most` most telling conditions as texts, the most telling first; empty where none says anything. */
export function conditions(at, rule, most = 3) {
  const found = at.table.features.map((feature) => (feature.kind === "number" ? numeric : categorical)(at, rule, feature)).filter(Boolean);
  return found.sort((a, b) => b.told - a.told).slice(0, most).map((one) => one.text);
}

const membership = (x, center, sigma) => Math.exp(-0.5 * ((x - center) / sigma) ** 2);

/** { text, told }, `told` being 1 − mean μ over the rows: nearly 0 where the membership is nearly 1 everywhere. */
function numeric({ table, snapshot }, r, { name, columns: [d] }) {
  const center = snapshot.centers[r][d], sigma = snapshot.sigmas[r][d], column = table.columns[d];
  const range = sigma === null ? "" : ranged(center - HALF * sigma, center + HALF * sigma, center, column);
  if (!range) return null;
  const { low, high } = column;
  const values = table.rows ? table.rows.x.map((row) => row[d]) : Array.from({ length: PLACES }, (_, k) => low + (k / (PLACES - 1)) * (high - low));
  const mean = values.reduce((sum, x) => sum + membership(x, center, sigma), 0) / values.length;
  return { text: `${name} is ${range}`, told: 1 - mean };
}

function ranged(from, to, center, column) {
  if ((from <= column.low && to >= column.high) || column.low === column.high) return ""; // true of every row
  if (center >= column.high || to >= column.high) return `≥ ${written(from, column, PARTS)}`;
  if (center <= column.low || from <= column.low) return `≤ ${written(to, column, PARTS)}`;
  return `between ${written(from, column, PARTS)} and ${written(to, column, PARTS)}`;
}

/** "colour is red or blue": the categories whose product over the block is at least half of the largest. */
function categorical({ table, snapshot }, r, { name, columns }) {
  const levels = columns.map((chosen) => columns.reduce((product, d) => {
    const sigma = snapshot.sigmas[r][d];
    return sigma === null ? product : product - 0.5 * ((Number(d === chosen) - snapshot.centers[r][d]) / sigma) ** 2;
  }, 0));
  const top = Math.max(...levels), scaled = levels.map((level) => Math.exp(level - top));
  const meant = columns.filter((_, k) => scaled[k] >= 0.5).map((d) => table.columns[d].category);
  if (meant.length === columns.length) return null;
  return { text: `${name} is ${meant.join(" or ")}`, told: 1 - scaled.reduce((sum, level) => sum + level, 0) / columns.length };
}
