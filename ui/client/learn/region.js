// Cells to paint over two features, on the training rows.

/** @import { Drawing, Editor, Question } from "./types.js" */

import { blue, classColours, inks, withAlpha } from "../core/colours.js";
import { button, element } from "../core/elements.js";
import { canvas, onDrag, svg } from "../core/svg.js";
import { border } from "../charts/overlays.js";

const MARGIN = { left: 40, right: 8, top: 8, bottom: 36 }, MOST = 420, LEAST = 240; // pixels

/** @type {Editor} */
export function region(parent, question, drawing, change, dark) {
  const size = Math.max(LEAST, Math.min(MOST, parent.clientWidth - MARGIN.left - MARGIN.right));
  const node = canvas(parent, size + MARGIN.left + MARGIN.right, size + MARGIN.top + MARGIN.bottom, "tsk-region");
  const { grid, locked } = question, cell = size / grid, focus = node.contains(document.activeElement);
  node.replaceChildren();
  points(node, question, size, dark);
  frame(node, question, size, dark);
  const all = cells(node, question, drawing, cell, dark);
  if (locked) outline(node, question, drawing, size, dark);
  node.setAttribute("role", "grid");
  node.setAttribute("aria-multiselectable", "true");
  node.setAttribute("aria-readonly", String(locked));
  node.setAttribute("aria-label", labelOf(question, drawing));
  paint(node, question, drawing, cell, change);
  keyboard(node, question, drawing, all, change);
  if (focus && !locked) all[cursorOf(node, grid)]?.focus();
  const bar = element(parent, "div", "tsk-region-bar");
  const clear = button(bar, "tsk-toggle", "Clear", "Clear all cells", () => change(drawing.values.map(() => 0)));
  clear.disabled = !drawing.values.some(Boolean);
  bar.hidden = locked;
}

/** @param {Question} question @param {Drawing} drawing */
function labelOf({ features, grid }, { values }) {
  return `${features[0]} across, ${features[1]} up, ${grid} by ${grid} cells; ${values.filter(Boolean).length} are painted.`;
}

/**
 * The border of what is painted, dashed as on charts.
 * @param {SVGSVGElement} node
 * @param {Question} question
 * @param {Drawing} drawing
 * @param {number} size
 * @param {boolean} dark
 */
function outline(node, { grid }, { values }, size, dark) {
  const { x, y } = border(values, grid, [[0, size], [size, 0]]), { left, top } = MARGIN;
  const path = x.map((at, k) => (at === null ? "" : `${k % 3 ? "L" : "M"}${left + at},${top + Number(y[k])}`)).join("");
  svg(node, "path", { d: path, fill: "none", stroke: inks(dark).ink, "stroke-width": 2.5, "stroke-dasharray": "6 4", class: "tsk-outline" });
}

/**
 * The index of a cell, row by row from the bottom.
 * @param {{ x: number, y: number }} place
 * @param {number} grid
 * @param {number} cell pixels
 */
function cellAt({ x, y }, grid, cell) {
  const within = (/** @type {number} */ k) => Math.min(grid - 1, Math.max(0, k));
  return within(grid - 1 - Math.floor((y - MARGIN.top) / cell)) * grid + within(Math.floor((x - MARGIN.left) / cell));
}

/**
 * Paint the cells under the pointer, and those that it crossed since: events come less often than a fast hand crosses cells.
 * @param {SVGSVGElement} node
 * @param {Question} question
 * @param {Drawing} drawing
 * @param {number} cell pixels
 * @param {(values: number[]) => void} change
 */
function paint(node, { grid, locked }, drawing, cell, change) {
  onDrag(node, locked ? null : (place, stroke) => {
    const { last } = stroke, from = last ?? place;
    if (!last) stroke.erases = Boolean(drawing.values[cellAt(place, grid, cell)]);
    const values = [...drawing.values], steps = Math.max(1, Math.ceil((2 * Math.hypot(place.x - from.x, place.y - from.y)) / cell));
    for (let k = 0; k <= steps; k++) {
      const at = { x: from.x + (k / steps) * (place.x - from.x), y: from.y + (k / steps) * (place.y - from.y) };
      values[cellAt(at, grid, cell)] = stroke.erases ? 0 : 1;
    }
    if (values.some((value, k) => value !== drawing.values[k])) change(values);
  });
}

/**
 * The cell that Tab leads to: the one last reached with the keyboard, at first that in the middle.
 * @param {SVGSVGElement} node
 * @param {number} grid
 */
const cursorOf = (node, grid) => Number(node.dataset.cursor ?? Math.floor(grid / 2) * (grid + 1));

/**
 * @param {SVGSVGElement} node
 * @param {Question} question
 * @param {Drawing} drawing
 * @param {SVGElement[]} all cells
 * @param {(values: number[]) => void} change
 */
function keyboard(node, { grid, locked }, drawing, all, change) {
  /** @param {number} next */
  const go = (next) => {
    all[cursorOf(node, grid)].setAttribute("tabindex", "-1");
    node.dataset.cursor = String(next);
    all[next].setAttribute("tabindex", "0");
    all[next].focus();
  };
  node.onkeydown = locked ? null : (event) => {
    const now = cursorOf(node, grid), x = now % grid, y = Math.floor(now / grid);
    const moves = /** @type {Record<string, number>} */ ({
      ArrowLeft: x > 0 ? now - 1 : now, ArrowRight: x < grid - 1 ? now + 1 : now, ArrowDown: y > 0 ? now - grid : now,
      ArrowUp: y < grid - 1 ? now + grid : now, Home: now - x, End: now - x + grid - 1, PageDown: x, PageUp: x + grid * (grid - 1),
    });
    if (!(event.key in moves) && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation(); // the page's own keys
    if (event.key === " ") change(drawing.values.map((value, k) => (k === now ? 1 - value : value)));
    else go(moves[event.key]);
  };
}

/**
 * @param {SVGSVGElement} node
 * @param {Question} question
 * @param {number} size
 * @param {boolean} dark
 */
function points(node, { points: rows, ranges, classes }, size, dark) {
  if (!ranges) return;
  const [[left, right], [low, high]] = ranges, colours = classColours(classes ?? [], dark);
  for (const { x, y, c } of rows ?? []) {
    const cx = MARGIN.left + ((x - left) / (right - left)) * size, cy = MARGIN.top + ((high - y) / (high - low)) * size;
    svg(node, "circle", { cx, cy, r: 3, fill: colours[c] ?? inks(dark).ink, "fill-opacity": 0.7 });
  }
}

/**
 * The cells, by their index. For screen readers they stand in rows, the highest first.
 * @param {SVGSVGElement} node
 * @param {Question} question
 * @param {Drawing} drawing
 * @param {number} cell pixels
 * @param {boolean} dark
 */
function cells(node, { grid, locked }, { values }, cell, dark) {
  const cursor = locked ? -1 : cursorOf(node, grid);
  /** @type {SVGElement[]} */
  const all = [];
  for (let row = grid - 1; row >= 0; row--) {
    const line = svg(node, "g", { role: "row" });
    for (let column = 0; column < grid; column++) {
      const k = row * grid + column, place = { x: MARGIN.left + column * cell, y: MARGIN.top + (grid - 1 - row) * cell };
      const fill = values[k] ? withAlpha(blue(dark), locked ? 0.15 : 0.45) : "none", stroke = values[k] && !locked ? blue(dark) : "none";
      all[k] = svg(line, "rect", {
        ...place, width: cell, height: cell, fill, stroke, class: values[k] ? "tsk-cell tsk-painted" : "tsk-cell", role: "gridcell",
        tabindex: k === cursor ? 0 : -1, "aria-selected": String(Boolean(values[k])), "aria-label": `column ${column + 1}, row ${row + 1} from below`,
      });
    }
  }
  return all;
}

/**
 * @param {SVGSVGElement} node
 * @param {Question} question
 * @param {number} size
 * @param {boolean} dark
 */
function frame(node, { grid, features, ranges }, size, dark) {
  const { ink, grid: line } = inks(dark), [left, top] = [MARGIN.left, MARGIN.top];
  for (let k = 0; k <= grid; k++) {
    const at = (k / grid) * size;
    svg(node, "line", { x1: left + at, x2: left + at, y1: top, y2: top + size, stroke: line, "stroke-width": 0.5 });
    svg(node, "line", { x1: left, x2: left + size, y1: top + at, y2: top + at, stroke: line, "stroke-width": 0.5 });
  }
  const ends = (ranges ?? []).map((range) => range.map((value) => value.toPrecision(3)));
  svg(node, "text", { x: left + size / 2, y: top + size + 28, "text-anchor": "middle", fill: ink, class: "tsk-axis-title" }, features[0]);
  const middle = top + size / 2, turned = { x: 12, y: middle, transform: `rotate(-90 12 ${middle})` };
  svg(node, "text", { ...turned, "text-anchor": "middle", fill: ink, class: "tsk-axis-title" }, features[1]);
  if (!ends.length) return;
  for (const [x, anchor, text] of /** @type {const} */ ([[left, "start", ends[0][0]], [left + size, "end", ends[0][1]]])) {
    svg(node, "text", { x, y: top + size + 14, "text-anchor": anchor, fill: ink, class: "tsk-tick" }, text);
  }
  for (const [y, text] of /** @type {const} */ ([[top + size, ends[1][0]], [top + 10, ends[1][1]]])) {
    svg(node, "text", { x: left - 4, y, "text-anchor": "end", fill: ink, class: "tsk-tick" }, text);
  }
}
