// The numbers of a search for good settings in its formulas; see core/explaining.js.

/** @import { Search } from "./types.js" */

import { counted, threeDecimals, truncated } from "../core/text.js";
import { written } from "../core/written.js";

/**
 * The best combination, and what its mean rests on.
 * @param {Search} search
 */
export function numbersOf({ trials: [best, ...others] }) {
  if (!best) return [];
  const { number, score, sd, validations: K, settings } = best;
  const lines = [`Best of ${others.length + 1}: number ${number}, ${truncated(settings, 60)}: v̄ = ${threeDecimals(score)} over ${counted(K, "fold")}.`];
  if (sd !== null) {
    const error = (/** @type {number[]} */ [s]) => (s / Math.sqrt(K)).toFixed(3), result = error([sd]);
    lines.push(`SE = ${written([sd], error, result)[0]} / √${K} = ${result}.`);
  }
  const close = others.filter((one) => sd !== null && one.score > score - sd / Math.sqrt(K)).length;
  if (sd !== null) lines.push(`Within one SE of it: ${close} of the ${others.length} others.`);
  return lines;
}
