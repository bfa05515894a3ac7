// The scales of the sliders below the settings in sight: each has a few stops, close together where small changes tell.

/**
 * A setting in sight, as ui/settings/controls.py describes it. control: the key of its control on the page. options: where it is one of
 * these names, for which texts stand; else it is a number from low to high, a multiple of step.
 * @typedef {{
 *   key: string, control: string, label: string, value: number | string, low?: number, high?: number, step?: number,
 *   options?: string[], texts?: string[],
 * }} Knob
 */

const IN_DECADE = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8];
const LEAST = 0.1; // above 0, where a scale has both

/**
 * The values that a slider stops at, from its lower to its upper end: the names of options; powers of two; else numbers with one or two
 * digits, after 0 where the scale begins there.
 * @param {Knob} knob
 * @returns {(number | string)[]}
 */
export function stopsOf({ key, options, low = 0, high = 0, step = 1 }) {
  if (options) return options;
  if (key === "batch") return within(Array.from({ length: 31 }, (_, k) => 2 ** k), low, high);
  const tens = Array.from({ length: 8 }, (_, k) => 10 ** (k - 1));
  const decades = tens.flatMap((ten) => IN_DECADE.map((n) => Math.round(n * ten * 100) / 100));
  if (low === 0) return [0, ...within(decades.filter((value) => value >= LEAST), LEAST, high)];
  const whole = decades.filter(Number.isInteger), few = Array.from({ length: 10 }, (_, k) => low + k);
  const stops = step > 1 ? whole.map((value) => Math.max(2, Math.round(value / step)) * step) : [...few, ...whole];
  return within([...new Set([...stops, Math.floor(high / step) * step])].sort((a, b) => a - b), low, high);
}

/** @param {number[]} values @param {number} low @param {number} high */
const within = (values, low, high) => values.filter((value) => value >= low && value <= high);

/**
 * The stop that is nearest to a value by their ratio.
 * @param {(number | string)[]} stops
 * @param {number | string} value
 */
export function nearestStop(stops, value) {
  if (typeof value === "string") return Math.max(0, stops.indexOf(value));
  const ratio = (/** @type {number | string} */ stop) => Math.abs(Math.log((Number(stop) || LEAST / 2) / (value || LEAST / 2)));
  return stops.reduce((/** @type {number} */ best, stop, k) => (ratio(stop) < ratio(stops[best]) ? k : best), 0);
}
