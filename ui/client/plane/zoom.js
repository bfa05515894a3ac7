// Zooming and panning the plane: visible buttons, the wheel, dragging, and a double click that goes back to what was seen first.

/** @import { Drawn } from "../core/plotly.js" */
/** @import { Point } from "../core/types.js" */
/** @import { Frame, PlaneView } from "../model/types.js" */

import { button, element } from "../core/elements.js";
import { setListener } from "../core/plotly.js";
import { selectView } from "../model/selection.js";

const ZOOM = 1.6; // by a press
const PAN = 0.25; // of what is seen, by a press

/** Of Plotly, for the plane: the wheel zooms, and what a double click does is ours. */
export const CONFIG = { scrollZoom: true, doubleClick: false };

/** @type {[string, string, string, (range: Point, vertical: boolean) => Point][]} class, text, name, effect on each range */
const BUTTONS = [
  ["tsk-zoom-in", "+", "Zoom in", (range) => scaled(range, 1 / ZOOM)],
  ["tsk-zoom-out", "−", "Zoom out", (range) => scaled(range, ZOOM)],
  ["tsk-pan-left", "←", "Move left", (range, vertical) => moved(range, vertical ? 0 : -PAN)],
  ["tsk-pan-right", "→", "Move right", (range, vertical) => moved(range, vertical ? 0 : PAN)],
  ["tsk-pan-up", "↑", "Move up", (range, vertical) => moved(range, vertical ? PAN : 0)],
  ["tsk-pan-down", "↓", "Move down", (range, vertical) => moved(range, vertical ? -PAN : 0)],
];

/**
 * @param {Point} range
 * @param {number} factor
 * @returns {Point}
 */
function scaled([low, high], factor) {
  const middle = (low + high) / 2, half = ((high - low) / 2) * factor;
  return [middle - half, middle + half];
}

/**
 * @param {Point} range
 * @param {number} share
 * @returns {Point}
 */
const moved = ([low, high], share) => [low + share * (high - low), high + share * (high - low)];

/**
 * The buttons above the plane. view: what is selected now.
 * @param {Element} parent
 * @param {Frame} frame
 * @param {PlaneView} view
 */
export function viewButtons(parent, frame, view) {
  const bar = element(parent, "div", "tsk-zoom", { role: "group", "aria-label": "Zoom and move" });
  for (const [kind, text, name, effect] of BUTTONS) {
    const x = effect(frame.x.range, false), y = frame.single ? frame.y.range : effect(frame.y.range, true);
    const node = button(bar, kind, text, name, () => selectView({ x, y }));
    node.disabled = frame.single && /up|down/.test(kind);
  }
  const all = button(bar, "tsk-zoom-all", "All rows", "Show all rows", () => selectView("all"));
  all.disabled = [frame.x, frame.y].every(({ range, whole }) => range.every((end, k) => end === whole[k]));
  button(bar, "tsk-zoom-reset", "Reset", "Back to the first view", () => selectView(null)).disabled = view === null;
}

/**
 * Keep what the wheel and dragging show, so that the surface is computed for it.
 * @param {Drawn} node
 * @param {Frame} frame as drawn
 */
export function followView(node, frame) {
  setListener(node, "plotly_relayout", (/** @type {Record<string, number>} */ event) => {
    /** @param {"x" | "y"} side @returns {Point} */
    const range = (side) => {
      const [low, high] = frame[side].range;
      return [event[`${side}axis.range[0]`] ?? low, event[`${side}axis.range[1]`] ?? high];
    };
    const view = { x: range("x"), y: range("y") };
    if (String([view.x, view.y]) !== String([frame.x.range, frame.y.range])) selectView(view);
  });
  setListener(node, "plotly_doubleclick", () => selectView(null));
}

/**
 * How many rows lie outside what is seen.
 * @param {Frame} frame
 * @param {number[][]} rows
 */
export function outside({ x, y, coordinates }, rows) {
  return rows.filter((row, n) => {
    const [a, b] = coordinates(row, n);
    return a < x.range[0] || a > x.range[1] || b < y.range[0] || b > y.range[1];
  }).length;
}
