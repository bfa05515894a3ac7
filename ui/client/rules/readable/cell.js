// What stands above the text of a cell: a membership function, categories as squares, and rows as a bar.

/** @import { ListedColumn, ListedCondition } from "../../core/messages.js" */
/** @import { Mark } from "./drawing.js" */
/** @import { Row } from "./grid.js" */

import { HALF, inverseWidth, logMembership } from "../../model/membership.js";
import { path } from "../pictures/path.js";

export const CURVE = 20; // pixels that a membership function is high, with what parts it from the text
const [STEPS, MOST_CATEGORIES] = [40, 14];

/**
 * How many rows the sentence is true of, as a bar, and how many of these have its class, filled.
 * @param {Row["item"]} item
 * @param {{ x: number, y: number, width: number }} place
 * @param {number} most rows of a sentence
 * @param {string} colour
 * @param {string} grid
 * @returns {Mark[]}
 */
export function supportBar({ true: count, right }, { x, y, width }, most, colour, grid) {
  const scale = width / most, frame = { x, y, height: 6 };
  return [
    { tag: "rect", attributes: { ...frame, width: round(count * scale), fill: "none", stroke: grid } },
    { tag: "rect", attributes: { ...frame, width: round((right ?? 0) * scale), fill: colour } },
  ];
}

/**
 * The membership function over the feature's range, filled more where it is at least a half; of categories a square each.
 * @param {ListedColumn} over
 * @param {ListedCondition} condition
 * @param {{ x: number, y: number, width: number }} place
 * @param {string} colour
 * @param {string} grid
 * @returns {Mark[]}
 */
export function picture(over, { center, sigma, levels }, place, colour, grid) {
  const base = place.y + CURVE - 4;
  if (over.categories) return levels && levels.length <= MOST_CATEGORIES ? squares(levels, over.categories, place, colour, grid) : [];
  if (center === undefined || sigma === undefined) return [];
  const { low, high } = over, span = high - low || 1, inverse = inverseWidth(sigma), half = HALF * Math.abs(sigma);
  const area = (/** @type {number} */ from, /** @type {number} */ to) => {
    const at = Array.from({ length: STEPS + 1 }, (_, k) => from + ((to - from) * k) / STEPS);
    const points = at.map((value) => /** @type {[number, number]} */ ([
      place.x + (place.width * (value - low)) / span, base - (CURVE - 6) * Math.exp(logMembership(value, center, inverse)),
    ]));
    return `${path([[points[0][0], base], ...points, [points[STEPS][0], base]])}Z`;
  };
  const from = clamped(center - half, low, high), to = clamped(center + half, low, high);
  return [
    { tag: "path", attributes: { d: area(low, high), fill: colour, "fill-opacity": 0.25 } },
    ...(to > from ? [{ tag: "path", attributes: { d: area(from, to), fill: colour, "fill-opacity": 0.85 } }] : []),
    { tag: "path", attributes: { d: path([[place.x, base], [place.x + place.width, base]]), stroke: grid, fill: "none" } },
  ];
}

/**
 * @param {number[]} levels
 * @param {string[]} names
 * @param {{ x: number, y: number, width: number }} place
 * @param {string} colour
 * @param {string} grid
 * @returns {Mark[]}
 */
function squares(levels, names, { x, y, width }, colour, grid) {
  const step = Math.min(14, width / levels.length), side = Math.max(1, step - 2);
  return levels.map((level, k) => ({
    tag: "rect", title: names[k],
    attributes: {
      x: round(x + k * step), y: y + 3, width: round(side), height: 10, fill: colour, "fill-opacity": level >= 0.5 ? 0.85 : 0.08, stroke: grid,
    },
  }));
}

/** @param {number} value @param {number} low @param {number} high */
export const clamped = (value, low, high) => Math.min(high, Math.max(low, value));

/** @param {number} value */
export const round = (value) => Math.round(value * 100) / 100;
