// The hill of one rule: its firing level over two features, and the membership of each feature along the edges.

/** @import { MountOptions, Properties, State, View } from "../core/types.js" */
/** @import { Frame, Scene } from "../model/types.js" */

import { classColours, green, inks, ruleColour } from "../core/colours.js";
import { choice, element } from "../core/elements.js";
import { height, layout } from "../core/layout.js";
import { drawIn } from "../core/plotly.js";
import { plotlyText } from "../core/text.js";
import { columnName } from "../model/columns.js";
import { logMembership, normalise } from "../model/inference.js";
import { frameOf, middles } from "../model/plane_frame.js";
import { sceneOf, watch } from "../model/selection.js";
import { predictedRegion } from "../charts/overlays.js";

/** @typedef {{ level: string, norm: string, hedge: string }} How what is shown of a level, and how it is made */

const CELLS = 60; // along each axis
const MAIN = [0, 0.83], EDGE = [0.87, 1]; // of the figure's width and height: the map, and the memberships
/** @type {[string, string][]} */
const LEVELS = [["normalised", "firing level f̄ (adds up to 1)"], ["raw", "raw firing level f"]];
/** @type {[string, string][]} */
const NORMS = [["product", "AND is the product"], ["minimum", "AND is the minimum"]];
/** @type {[string, string][]} */
const HEDGES = [["1", "near"], ["2", "very near (μ²)"], ["0.5", "somewhat near (√μ)"]];

/** What is drawn; chosen by the learner. */
const shown = { level: "normalised", norm: "product", hedge: "1" };

/**
 * A view. options: { hill: { rule }, data, rows }.
 * @param {Element} parent
 * @param {MountOptions & { hill?: { rule: number } }} options
 * @returns {View}
 */
export function hill(parent, options) {
  const bar = element(parent, "div", "tsk-axes", { role: "group", "aria-label": "What the hill shows" });
  const node = element(parent, "div", "tsk-chart", { role: "img" }), caption = element(parent, "p", "tsk-caption");
  node.style.minHeight = `${height()}px`;
  /** @param {State} state */
  const draw = (state) => {
    const scene = sceneOf(state, options);
    bar.hidden = !scene;
    if (!scene || !node.clientWidth) return;
    const r = Math.min(scene.model.R, options.hill?.rule ?? 1) - 1;
    const again = (/** @type {Partial<typeof shown>} */ change) => {
      Object.assign(shown, change);
      draw(state);
    };
    choice(bar, "tsk-level", "Show", LEVELS, shown.level, (level) => again({ level }));
    choice(bar, "tsk-norm", "t-norm", NORMS, shown.norm, (norm) => again({ norm }));
    choice(bar, "tsk-hedge", "Hedge", HEDGES, shown.hedge, (hedge) => again({ hedge }));
    caption.textContent = captionOf(r);
    drawIn(node, hillFigure(state, scene, r, shown), caption);
  };
  return { node, watch, draw };
}

/** @param {number} r */
function captionOf(r) {
  const what = shown.level === "raw"
    ? `The ${shown.norm} of the memberships at the edges: the raw firing level of rule ${r + 1}.`
    : `The firing level of rule ${r + 1}: its ${shown.norm} of memberships, divided by the sum over all rules.`;
  return `${what} Numbers are the centres of the rules.`;
}

/**
 * @param {State} state
 * @param {Scene} scene
 * @param {number} r from 0
 * @param {How} how
 */
export function hillFigure(state, scene, r, how) {
  const frame = frameOf({ ...scene, plane: "features" }, CELLS), { across: i, up: j } = scene, { columns } = scene.table;
  const [xs, ys] = [frame.x, frame.y].map(({ range }) => [...middles(...range, CELLS)]);
  const row = [...scene.x], hedge = Number(how.hedge);
  const z = ys.map((y) => xs.map((x) => {
    [row[i], row[j]] = [x, y];
    return levelAt(scene, row, r, how);
  }));
  const { dark } = state, colour = ruleColour(r, dark);
  const map = {
    type: "heatmap", x: xs, y: ys, z, zmin: 0, zmax: 1, colorscale: [[0, dark ? "#0e1117" : "#ffffff"], [1, colour]], showscale: false,
    hovertemplate: `rule ${r + 1}: %{z:.3f}<extra></extra>`,
  };
  const edge = (/** @type {number[]} */ values, /** @type {number} */ d) => values.map((value) => membership(scene, value, r, d) ** hedge);
  const hovertemplate = "μ = %{customdata:.3f}<extra></extra>";
  const line = { mode: "lines", line: { color: colour, width: 2.5 }, showlegend: false, hovertemplate };
  const [top, right] = [edge(xs, i), edge(ys, j)];
  const curves = [{ ...line, x: xs, y: top, customdata: top, yaxis: "y2" }, { ...line, x: right, y: ys, customdata: right, xaxis: "x2" }];
  const predicted = predictedRegion(state, columns[i].feature, columns[j].feature);
  const main = { domain: MAIN, showgrid: false };
  const side = { domain: EDGE, range: [0, 1.05], showgrid: false, tickvals: [0, 1], zeroline: false };
  const more = {
    hovermode: "closest", xaxis: { ...main, range: [...frame.x.range] }, yaxis: { ...main, range: [...frame.y.range] },
    xaxis2: side, yaxis2: { ...side },
  };
  const name = `Hill of rule ${r + 1} over ${columnName(columns[i])} and ${columnName(columns[j])}.`;
  const titles = [columns[i], columns[j]].map((column) => plotlyText(columnName(column)));
  const data = [map, ...dots(scene, dark), ...curves, border(scene, r, how, xs, ys), numbers(scene, frame, dark), ...predicted];
  return { data, layout: layout(dark, titles[0], titles[1], more), name };
}

/**
 * The border of the places where rule r has the highest firing level: there its log level equals that of the next one.
 * @param {Scene} scene
 * @param {number} r
 * @param {How} how
 * @param {number[]} xs
 * @param {number[]} ys
 * @returns {Properties}
 */
function border(scene, r, how, xs, ys) {
  const { model, x, across, up, dark } = scene, row = [...x], colour = inks(dark).ink;
  const z = ys.map((b) => xs.map((a) => {
    [row[across], row[up]] = [a, b];
    const logs = hedgedLogs(scene, row, r, how);
    return logs[r] - Math.max(...logs.filter((_, k) => k !== r));
  }));
  return {
    type: "contour", x: xs, y: ys, z, contours: { start: 0, end: 0, size: 1, coloring: "none" }, line: { color: colour, width: 2 }, showscale: false,
    name: `where rule ${r + 1} is the strongest`, showlegend: model.R > 1, visible: model.R > 1, hoverinfo: "skip",
  };
}

/**
 * Each rule's number at its centre.
 * @param {Scene} scene
 * @param {Frame} frame
 * @param {boolean} dark
 */
function numbers({ model: { R } }, frame, dark) {
  const { paper, ink } = inks(dark), rules = Array.from({ length: R }, (_, r) => r), centres = rules.map((r) => frame.center(r));
  const marker = { size: 20, color: paper, line: { width: 2, color: rules.map((r) => ruleColour(r, dark)) } };
  return {
    x: centres.map((at) => at?.[0] ?? null), y: centres.map((at) => at?.[1] ?? null), mode: "markers+text", text: rules.map((r) => `${r + 1}`),
    textfont: { color: ink }, marker, showlegend: false, hoverinfo: "skip",
  };
}

/**
 * The training rows, pale.
 * @param {Scene} scene
 * @param {boolean} dark
 * @returns {Properties[]}
 */
function dots({ table: { rows, classes }, across, up }, dark) {
  if (!rows) return [];
  const palette = classColours(classes, dark), train = rows.row.map((_, n) => n).filter((n) => rows.part[n] === 0);
  const marker = { size: 5, opacity: 0.45, color: train.map((n) => palette[rows.y[n]] ?? green(dark)) };
  const [x, y] = [across, up].map((d) => train.map((n) => rows.x[n][d]));
  return [{ x, y, mode: "markers", marker, showlegend: false, hoverinfo: "skip" }];
}

/**
 * @param {Scene} scene
 * @param {number} value
 * @param {number} r
 * @param {number} d
 */
function membership({ model: { D, centers, inverse } }, value, r, d) {
  return Math.exp(logMembership(value, centers[r * D + d], inverse[r * D + d]));
}

/**
 * The logarithms of the raw firing levels at a row, weighted; only the conditions of rule r are hedged.
 * @param {Scene} scene
 * @param {ArrayLike<number>} row
 * @param {number} r
 * @param {How} how
 */
function hedgedLogs({ model: { R, D, centers, inverse, logWeight } }, row, r, { norm, hedge }) {
  const logs = new Float64Array(R);
  for (let k = 0; k < R; k++) {
    let total = 0, least = 0;
    for (let d = 0; d < D; d++) {
      const own = logMembership(row[d], centers[k * D + d], inverse[k * D + d]) * (k === r ? Number(hedge) : 1);
      total += own;
      least = Math.min(least, own);
    }
    logs[k] = logWeight[k] + (norm === "product" ? total : least);
  }
  return logs;
}

/**
 * The level of rule r at a row.
 * @param {Scene} scene
 * @param {ArrayLike<number>} row
 * @param {number} r
 * @param {How} how
 */
function levelAt(scene, row, r, how) {
  const logs = hedgedLogs(scene, row, r, how);
  return how.level === "raw" ? Math.exp(logs[r] - scene.model.logWeight[r]) : normalise(logs, scene.model)[r];
}
