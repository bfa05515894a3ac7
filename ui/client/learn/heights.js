// A height for each label: bars to drag, or a curve to draw through points.

/** @import { Drawing, Editor, Question } from "./types.js" */

import { blue, green, inks } from "../core/colours.js";
import { canvas, onDrag, svg } from "../core/svg.js";

const MARGIN = { left: 58, right: 14, top: 32, bottom: 46 }; // pixels
const HEIGHT = 320, LEAST = 280;
const STEP = 0.01; // of the range, of an arrow key; Page keys move ten times as far

/**
 * Where things are drawn, in pixels; `value` is the inverse of `y`. slot: of one label.
 * @typedef {{
 *   width: number, height: number, slot: number, x: (k: number) => number, y: (value: number) => number, value: (y: number) => number,
 * }} Scale
 */

/** @type {Editor} */
export function heights(parent, question, drawing, change, dark) {
  const width = Math.max(LEAST, parent.clientWidth), node = canvas(parent, width, HEIGHT, "tsk-heights");
  const scale = scaleOf(question, width), focused = node.contains(document.activeElement) ? indexOf(document.activeElement) : null;
  node.replaceChildren();
  axes(node, question, scale, dark);
  if (question.kind === "curve") curve(node, drawing.values, scale, dark);
  drawing.values.forEach((value, k) => handle(node, question, value, k, scale, dark, (next) => change(replaced(drawing.values, k, next))));
  drag(node, question, drawing, scale, change);
  if (focused !== null && !question.locked) /** @type {SVGElement | null} */ (node.querySelector(`[data-index="${focused}"]`))?.focus();
}

/** @param {Element | null} node */
function indexOf(node) {
  const text = node?.getAttribute("data-index");
  return text ? Number(text) : null;
}

/** @param {Question} question @param {number} width @returns {Scale} */
function scaleOf({ labels, low, high }, width) {
  const slot = (width - MARGIN.left - MARGIN.right) / labels.length, tall = HEIGHT - MARGIN.top - MARGIN.bottom;
  return {
    width, height: HEIGHT, slot,
    x: (k) => MARGIN.left + (k + 0.5) * slot,
    y: (value) => MARGIN.top + ((high - value) / (high - low)) * tall,
    value: (y) => Math.min(high, Math.max(low, high - ((y - MARGIN.top) / tall) * (high - low))),
  };
}

/**
 * Change the value under the pointer, and those between it and where the pointer was before: one stroke draws a curve.
 * @param {SVGSVGElement} node
 * @param {Question} question
 * @param {Drawing} drawing
 * @param {Scale} scale
 * @param {(values: number[]) => void} change
 */
function drag(node, { labels, locked }, drawing, scale, change) {
  const slotAt = (/** @type {number} */ x) => Math.min(labels.length - 1, Math.max(0, Math.floor((x - MARGIN.left) / scale.slot)));
  onDrag(node, locked ? null : (place, { last }) => {
    const k = slotAt(place.x), value = scale.value(place.y), values = [...drawing.values];
    const from = last ? { k: slotAt(last.x), value: scale.value(last.y) } : { k, value };
    for (let at = Math.min(from.k, k); at <= Math.max(from.k, k); at++) {
      const share = from.k === k ? 1 : (at - from.k) / (k - from.k);
      values[at] = from.value + share * (value - from.value);
    }
    change(values);
  });
}

/**
 * Round numbers over a range, four to six or so.
 * @param {number} low
 * @param {number} high
 */
function ticksOf(low, high) {
  const least = (high - low) / 5, power = 10 ** Math.floor(Math.log10(least));
  const step = ([1, 2, 2.5, 5].find((k) => k * power >= least * (1 - 1e-9)) ?? 10) * power, first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, k) => (first + k) * step);
}

/**
 * The vertical axis with its ticks, the labels, the titles, and the line across.
 * @param {SVGSVGElement} node
 * @param {Question} question
 * @param {Scale} scale
 * @param {boolean} dark
 */
function axes(node, { labels, low, high, x, y, line }, scale, dark) {
  const { ink, grid } = inks(dark), right = scale.width - MARGIN.right, foot = scale.y(low);
  for (const value of ticksOf(low, high)) {
    const at = scale.y(value);
    svg(node, "line", { x1: MARGIN.left, x2: right, y1: at, y2: at, stroke: grid });
    svg(node, "text", { x: MARGIN.left - 8, y: at + 4, "text-anchor": "end", fill: ink, class: "tsk-tick" }, numberText(value, high - low));
  }
  const every = Math.max(1, Math.ceil((labels.length * 30) / (right - MARGIN.left)));
  const most = Math.max(4, Math.floor(scale.slot * every / 7));
  labels.forEach((label, k) => {
    if (k % every) return;
    const text = label.length > most ? `${label.slice(0, most - 1)}…` : label;
    svg(node, "text", { x: scale.x(k), y: foot + 18, "text-anchor": "middle", fill: ink, class: "tsk-tick" }, text);
  });
  svg(node, "text", { x: (MARGIN.left + right) / 2, y: scale.height - 6, "text-anchor": "middle", fill: ink, class: "tsk-axis-title" }, x);
  svg(node, "text", { x: 4, y: 13, fill: ink, class: "tsk-axis-title" }, y);
  if (!line) return;
  const at = scale.y(line.at), colour = green(dark);
  svg(node, "line", { x1: MARGIN.left, x2: right, y1: at, y2: at, stroke: colour, "stroke-width": 2, "stroke-dasharray": "7 4" });
  svg(node, "text", { x: right, y: at - 5, "text-anchor": "end", fill: colour, class: "tsk-tick" }, line.text);
}

/**
 * @param {SVGSVGElement} node
 * @param {number[]} values
 * @param {Scale} scale
 * @param {boolean} dark
 */
function curve(node, values, scale, dark) {
  const points = values.map((value, k) => `${scale.x(k)},${scale.y(value)}`).join(" ");
  svg(node, "polyline", { points, fill: "none", stroke: blue(dark), "stroke-width": 2.5, "stroke-linejoin": "round" });
}

/**
 * One bar, or one point: a slider for the keyboard and for screen readers.
 * @param {SVGSVGElement} node
 * @param {Question} question
 * @param {number} value
 * @param {number} k
 * @param {Scale} scale
 * @param {boolean} dark
 * @param {(value: number) => void} set
 */
function handle(node, { labels, kind, low, high, locked, y }, value, k, scale, dark, set) {
  const at = scale.y(value), x = scale.x(k), text = numberText(value, high - low), wide = Math.min(0.8 * scale.slot, 90);
  const group = svg(node, "g", {
    class: "tsk-handle", "data-index": k, role: "slider", tabindex: locked ? -1 : 0, "aria-label": `${labels[k]}: ${y}`, "aria-valuemin": low,
    "aria-valuemax": high, "aria-valuenow": Number(value.toPrecision(4)), "aria-valuetext": text, "aria-disabled": String(locked),
  });
  if (kind === "bars") {
    /** @type {Record<string, string | number>} */
    const look = locked ? { fill: "none", "stroke-dasharray": "5 3" } : { fill: blue(dark), "fill-opacity": 0.75 };
    svg(group, "rect", { x: x - wide / 2, y: at, width: wide, height: Math.max(0, scale.y(low) - at), stroke: blue(dark), ...look });
    svg(group, "line", { x1: x - wide / 2, x2: x + wide / 2, y1: at, y2: at, stroke: blue(dark), "stroke-width": 4, "stroke-linecap": "round" });
  } else {
    svg(group, "circle", { cx: x, cy: at, r: 7, fill: locked ? "none" : blue(dark), stroke: blue(dark), "stroke-width": 2 });
  }
  svg(group, "text", { x, y: at - 10, "text-anchor": "middle", fill: inks(dark).ink, class: `tsk-tick tsk-height ${scale.slot > 26 ? "" : "tsk-narrow"}` }, text);
  const step = STEP * (high - low), moves = /** @type {Record<string, number>} */ ({
    ArrowUp: value + step, ArrowRight: value + step, ArrowDown: value - step, ArrowLeft: value - step, PageUp: value + 10 * step,
    PageDown: value - 10 * step, Home: low, End: high,
  });
  group.addEventListener("keydown", (event) => {
    if (locked || !(event.key in moves)) return;
    event.preventDefault();
    event.stopPropagation(); // the page's own keys
    set(Math.min(high, Math.max(low, moves[event.key])));
  });
}

/** @param {number[]} values @param {number} k @param {number} value */
const replaced = (values, k, value) => values.map((old, at) => (at === k ? value : old));

/**
 * A number with the digits that its range needs.
 * @param {number} value
 * @param {number} range
 */
const numberText = (value, range) => value.toFixed(range <= 1.5 ? 2 : range <= 15 ? 1 : 0);
