// Which rules a plane draws strongly on the stage, where twenty outlines alike would be a tangle: the marked one alone, else those that
// fire where the pointer is, else those that fire most on average. And which rule's outline the pointer is on.

/** @import { Point } from "../core/types.js" */
/** @import { Frame, Scene } from "../model/types.js" */
/** @import { Box, Emphasis, RuleStyle } from "./types.js" */

import { firingOf } from "../model/inference.js";
import { scaleOf } from "./axes.js";

const LEAST = 0.5; // of an equal share, of a rule that is drawn strongly
const MOST = 8; // rules that are drawn strongly where the pointer is nowhere
const ON = 5; // pixels from an outline within which the pointer is on it
const [BOLD, THIN] = [1.6, 0.5]; // times the usual width
const [FAINT, LOWEST] = [0.14, 0.45]; // opacity of a faint rule, and of the least active one of the strong

/**
 * The firing levels at a place of the picture; of a row that stands there, its own.
 * @param {Scene} scene
 * @param {Frame} frame
 * @param {Box} plot
 * @param {{ at: Point, row?: number }} place
 */
export function levelsAt({ model, table: { rows } }, frame, plot, { at: [left, top], row }) {
  if (row !== undefined && rows) return firingOf(model, rows.x[row]);
  const { x, y, origin, across, up } = frame, [low, high] = x.range, [bottom, above] = y.range;
  const [a, b] = [low + ((left - plot.left) / plot.width) * (high - low), above - ((top - plot.top) / plot.height) * (above - bottom)];
  const [u, v] = frame.steps(a, b);
  return firingOf(model, Array.from(origin, (value, d) => value + u * across[d] + v * up[d]));
}

/**
 * How strongly each rule is drawn.
 * @param {Scene} scene
 * @param {number | null} marked
 * @param {ArrayLike<number> | null} here firing levels where the pointer is
 * @returns {Emphasis}
 */
export function emphasisOf({ model, firing, index, x }, marked, here) {
  const { R } = model, levels = here ?? (index === null ? (firing?.length === R ? firing : null) : firingOf(model, x));
  const active = Array.from({ length: R }, (_, r) => r).filter((r) => !levels || levels[r] * R >= LEAST);
  if (levels) active.sort((a, b) => levels[b] - levels[a]);
  const strong = marked === null ? active.slice(0, here ? R : MOST) : [marked];
  return { marked, strong, levels };
}

/**
 * The style of each rule by index.
 * @param {Emphasis} emphasis
 * @param {number} width
 * @returns {(r: number) => RuleStyle}
 */
export function styles({ marked, strong, levels }, width) {
  const top = levels && strong.length ? Math.max(...strong.map((r) => levels[r])) : 0;
  return (r) => {
    if (r === marked) return { opacity: 1, letters: 1, width: BOLD * width, tinted: true };
    if (!strong.includes(r)) return { opacity: FAINT, letters: LOWEST, width: THIN * width, tinted: false };
    return { opacity: levels && top > 0 ? LOWEST + (1 - LOWEST) * (levels[r] / top) : 1, letters: 1, width, tinted: false };
  };
}

/**
 * The rule on whose outline a place is, of several the nearest; null for none.
 * @param {Frame} frame
 * @param {Box} plot
 * @param {number[]} rules by index
 * @param {Point} place
 */
export function outlineAt(frame, plot, rules, [left, top]) {
  const to = scaleOf(frame, plot);
  let best = ON, found = /** @type {number | null} */ (null);
  for (const r of rules) {
    const outline = frame.outline(r);
    if (!outline) continue;
    const away = "polygon" in outline
      ? fromPolygon(outline.polygon.map(([x, y]) => [to.x(x), to.y(y)]), [left, top])
      : Math.min(...[outline.from, outline.to].map((end) => Math.abs(to[outline.band](end) - (outline.band === "x" ? left : top))));
    if (away < best) [best, found] = [away, r];
  }
  return found;
}

/** The distance of a place from a closed line. @param {Point[]} corners @param {Point} place */
function fromPolygon(corners, [x, y]) {
  return corners.reduce((least, [ax, ay], k) => {
    const [bx, by] = corners[(k + 1) % corners.length], [dx, dy] = [bx - ax, by - ay], length = dx * dx + dy * dy;
    const share = length ? Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / length)) : 0;
    return Math.min(least, Math.hypot(ax + share * dx - x, ay + share * dy - y));
  }, Infinity);
}
