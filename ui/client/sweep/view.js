// The view of a sweep: one figure, drawn in place as its points come, and the same as a table. A click on a cell of either shows the
// cell's runs.

/** @import { Drawn } from "../core/plotly.js" */
/** @import { Figure, MountOptions, Properties, State, View } from "../core/types.js" */
/** @import { Sweep, SweepCell } from "./types.js" */

import { button, element, fillTable, keepingFocus, tableRow } from "../core/elements.js";
import { explaining } from "../core/explaining.js";
import { onValue } from "../core/feed.js";
import { height, layout } from "../core/layout.js";
import { drawIn, forget, saveButtons, setListener } from "../core/plotly.js";
import { counted, fixed, meanText, minus, truncated, written } from "../core/text.js";
import { linesFigure } from "./lines.js";
import { mapsFigure, parallelFigure } from "./maps.js";

const PAPER = 1000; // pixels of a figure that is not on a page
/** @type {Sweep} */
const NOTHING = {
  axes: [], cells: [], levels: [], columns: [], sentence: "", caption: "", band: "", draw: "map", chosen: null,
  figure: { name: "bca", title: "", short: "", digits: 3, share: true },
};
let shown = NOTHING;

onValue("sweep", (value) => { shown = { ...value, chosen: shown.chosen }; }); // see ui/sweep/panel.py
onValue("sweep_chosen", (chosen) => { shown = { ...shown, chosen }; });

/**
 * A view: the figure, and its cells as a table.
 * @param {Element} parent
 * @param {MountOptions} options
 * @returns {View}
 */
export function sweep(parent, options) {
  const choose = (/** @type {number} */ variant) => options.send?.("chosen", variant);
  parent.classList.add("tsk-wide");
  const node = element(parent, "div", "tsk-chart", { role: "img", "aria-label": "Sweep" });
  const below = element(parent, "div", "tsk-below"), caption = element(below, "p", "tsk-caption"), tools = element(below, "div", "tsk-tools");
  const file = () => `sweep-${shown.axes.map((axis) => axis.key).join("-")}-${shown.figure.name}`;
  const save = saveButtons(tools, "sweep", ({ dark }) => sweepFigure(shown, dark, PAPER), node, file);
  const explain = explaining(tools, parent, "sweep", "Sweep", options);
  const details = element(parent, "details", "tsk-tried");
  node.style.minHeight = `${height()}px`; // so that nothing moves when the figure appears
  let kind = "";
  return {
    node,
    /** @param {State} state */
    draw({ dark, prediction }) {
      const now = { ...shown, prediction }, known = now.cells.some((cell) => cell.n > 0);
      caption.textContent = now.caption;
      save.hidden = details.hidden = !known;
      cellTable(details, now, choose);
      explain(() => numbersOf(now));
      if (node.clientWidth === 0) return;
      if (kind !== kindOf(now)) forget(node);
      kind = kindOf(now);
      drawIn(node, sweepFigure(now, dark, node.clientWidth), caption).then((drawn) => drawn && followClicks(drawn, choose));
    },
  };
}

/** @param {Sweep} now */
const kindOf = ({ draw, axes }) => (axes.length > 1 ? `${draw} ${axes.map((axis) => axis.values.length).join()}` : "line");

/**
 * The figure of a sweep: of one axis lines, of more what was chosen.
 * @param {Sweep} now
 * @param {boolean} dark
 * @param {number} width pixels
 * @returns {Figure}
 */
export function sweepFigure(now, dark, width) {
  if (!now.axes.length) {
    const hidden = { visible: false };
    return { data: [], layout: layout(dark, "", "", { xaxis: hidden, yaxis: hidden }), name: "Sweep: nothing to draw yet." };
  }
  if (now.axes.length === 1 || now.draw === "lines") return linesFigure(now, dark, width);
  return now.draw === "parallel" ? parallelFigure(now, dark) : mapsFigure(now, dark, width);
}

/**
 * A click on a cell shows its runs.
 * @param {Drawn} node
 * @param {(variant: number) => void} choose
 */
function followClicks(node, choose) {
  setListener(node, "plotly_click", ({ points }) => {
    const variant = points?.find((/** @type {Properties} */ point) => typeof point.customdata === "number")?.customdata;
    if (variant !== undefined) choose(variant);
  });
}

/**
 * All cells, in their order; folded where there are many, and read out by screen readers.
 * @param {HTMLElement} details
 * @param {Sweep} now
 * @param {(variant: number) => void} choose
 */
function cellTable(details, { cells, columns, chosen }, choose) {
  element(details, "summary", "tsk-summary").textContent = `All cells as a table (${cells.length}); a click on a name shows its runs`;
  const table = element(details, "table", "tsk-cells"), rows = cells.map((cell) => cellRow(cell, cell.variant === chosen, choose));
  table.classList.add("tsk-table");
  keepingFocus(table, () => fillTable(table, columns, rows));
}

/** @param {SweepCell} cell @param {boolean} chosen @param {(variant: number) => void} choose */
function cellRow({ variant, name, row, highest, close }, chosen, choose) {
  const line = tableRow("td", ["", ...row]), node = button(line.cells[0], "tsk-cell", name, `Show the runs of ${name}`, () => choose(variant));
  node.setAttribute("aria-pressed", String(chosen));
  line.classList.toggle("tsk-best", highest);
  line.classList.toggle("tsk-close", close);
  return line;
}

/** @param {Sweep} now */
export function numbersOf({ cells, figure, band }) {
  const known = cells.filter(({ mean }) => mean !== null).sort((a, b) => Number(b.mean) - Number(a.mean)), { digits } = figure;
  if (!known.length) return [];
  const [highest, lowest] = [known[0], known[known.length - 1]], lines = [`Highest, ${cellText(highest, digits, band)}`];
  if (known.length < 2) return lines;
  const less = (/** @type {number[]} */ [a, b]) => fixed(a - b, digits), ends = [highest, lowest].map(({ mean }) => Number(mean));
  return [...lines, `Lowest, ${cellText(lowest, digits, band)}`, `Difference of their means: ${written(ends, less, less(ends)).join(" − ")} = ${less(ends)}.`];
}

/** @param {SweepCell} cell @param {number} digits @param {string} band */
function cellText({ name, mean, low, high, n, seeds }, digits, band) {
  const values = seeds.map(([, value]) => value), text = values.length === n && n ? meanText(values, digits) : `mean of ${counted(n, "training")} ${minus(fixed(Number(mean), digits))}`;
  const ends = low === null || high === null ? "" : `; ${band || "band"} from ${minus(fixed(low, digits))} to ${minus(fixed(high, digits))}`;
  return `${truncated(name, 60)}: ${text}${ends}.`;
}
