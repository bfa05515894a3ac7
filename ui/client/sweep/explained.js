// The numbers of a sweep in its formulas: the highest cell and the lowest one; see core/explaining.js.

/** @import { Sweep, SweepCell } from "./types.js" */

import { counted, fixed, minus, truncated } from "../core/text.js";
import { meanText, written } from "../core/written.js";

/** @param {Sweep} now */
export function numbersOf({ cells, figure, band }) {
  const known = cells.filter(({ mean }) => mean !== null).sort((a, b) => Number(b.mean) - Number(a.mean)), { digits } = figure;
  if (!known.length) return [];
  const [highest, lowest] = [known[0], known[known.length - 1]], lines = [`Highest, ${cellText(highest, digits, band)}`];
  if (known.length < 2) return lines;
  const less = (/** @type {number[]} */ [a, b]) => fixed(a - b, digits), ends = [highest, lowest].map(({ mean }) => Number(mean));
  return [...lines, `Lowest, ${cellText(lowest, digits, band)}`, `Difference of their means: ${written(ends, less, less(ends)).join(" − ")} = ${less(ends)}.`];
}

/**
 * @param {SweepCell} cell
 * @param {number} digits
 * @param {string} band
 */
function cellText({ name, mean, low, high, n, seeds }, digits, band) {
  const values = seeds.map(([, value]) => value), text = values.length === n && n ? meanText(values, digits) : `mean of ${counted(n, "training")} ${minus(fixed(Number(mean), digits))}`;
  const ends = low === null || high === null ? "" : `; ${band || "band"} from ${minus(fixed(low, digits))} to ${minus(fixed(high, digits))}`;
  return `${truncated(name, 60)}: ${text}${ends}.`;
}
