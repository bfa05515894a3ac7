// The layout of figures: fonts and sizes, axes and their ranges, lines across, and small panels side by side.

/** @import { Marks, Properties } from "./types.js" */

import { inks } from "./colours.js";
import { inLines } from "./text.js";

export const HEIGHT = 340;
const ROOM = 0.06; // of the range, at both ends
const EARLY = 0.05; // of the epochs of a training
const FAR = 1; // a level that is farther from the data than their own range, this many times, is left out
const LEAST = 210; // pixels of a panel
const [LINE, ABOVE, BELOW] = [1.3, 0.4, 3.4]; // a line of a title, and room around a panel, times the font size
const LEFT = 4.6; // of the first panel, times the font size
const LETTER = 0.6; // width of a bold letter, times the font size

/** Font size of small text in figures in pixels, not below the least that the style of the page asks for. */
export function smallSize() {
  return Math.max(0.8 * fontSize(), styled("--tsk-least-letter"));
}

/** Height of charts in pixels; the style of a page may set another. */
export function height() {
  return styled("--tsk-chart-height") || HEIGHT;
}

/** Height of a plane in pixels, likewise. */
export function planeHeight() {
  return styled("--tsk-plane-height") || HEIGHT + 100;
}

/** How many times as thick as usual lines are: on a projector they have to be seen from afar. */
export function lineWidth() {
  return styled("--tsk-line-width") || 1;
}

/**
 * A length that the style of the page sets, in pixels; 0 where it sets none.
 * @param {string} name
 */
function styled(name) {
  return parseFloat(getComputedStyle(document.documentElement).getPropertyValue(name)) || 0;
}

/** Font size of figures in pixels: that of the page's small text, so that they grow with it. */
export function fontSize() {
  return 0.875 * parseFloat(getComputedStyle(document.documentElement).fontSize);
}

/**
 * The layout of a figure; `more` overrides it, and its axes.
 * @param {boolean} dark
 * @param {string} x title of the x-axis
 * @param {string} y title of the y-axis
 * @param {Properties & { xaxis?: Properties, yaxis?: Properties }} [more]
 */
export function layout(dark, x, y, more = {}) {
  const { ink, grid, paper } = inks(dark), size = fontSize();
  /** @param {Properties} [given] */
  const axis = (given = {}) => ({
    gridcolor: grid, zerolinecolor: grid, linecolor: grid, automargin: true,
    uirevision: `${more.uirevision ?? "keep"} ${given.range ? "given" : "found"}`, // else Plotly keeps a range where none is given any more
    ...given,
  });
  return {
    height: height(),
    margin: { l: 8, r: 8, t: 32, b: 8 },
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { color: ink, size },
    hovermode: "x unified",
    separators: ".", // none of thousands: years would be 2,023.4
    hoverlabel: { bgcolor: paper, font: { color: ink, size } },
    legend: { orientation: "h", y: 1.02, yanchor: "bottom", x: 0, font: { size: smallSize() } }, // small, so that one line holds it
    uirevision: "keep", // zoom and hidden lines survive an update
    ...more,
    xaxis: axis({ title: { text: x }, ...more.xaxis }),
    yaxis: axis({ title: { text: y }, ...more.yaxis }),
  };
}

/**
 * A logarithmic axis: ticks at 1, 2 and 5 where it spans few powers of ten; all digits from 1 to 9 would overlap.
 * Each tick is a plain decimal in letters of full size: powers and lone digits would be smaller than a projector needs.
 * @param {number[]} values of its traces
 */
export function logarithmic(values) {
  const [low, high] = values.reduce(([a, b], value) => (value > 0 ? [Math.min(a, value), Math.max(b, value)] : [a, b]), [Infinity, 0]);
  return { type: "log", tickformat: "~g", dtick: high > 0 && high / low < 300 ? "D2" : 1 };
}

/**
 * A straight line across the whole figure. Vertical at x, `text` stands above its end; horizontal at y, `text` is in the legend.
 * @param {{ x?: number, y?: number }} at
 * @param {string} colour
 * @param {{ text?: string, dash?: string, side?: string, width?: number, layer?: string }} [style]
 * @returns {Marks}
 */
export function straightLine({ x, y }, colour, { text = "", dash = "dash", side = "right", width = 1.5, layer = "above" } = {}) {
  const line = { type: "line", layer, line: { color: colour, dash, width } };
  if (x === undefined) {
    const legend = { name: text, showlegend: text !== "", legendrank: 3000 };
    return { shapes: [{ ...line, x0: 0, x1: 1, xref: "paper", y0: y, y1: y, ...legend }], annotations: [] };
  }
  const note = { text, showarrow: false, font: { color: colour }, x, xanchor: side, y: 1, yref: "paper", yanchor: "bottom" };
  return { shapes: [{ ...line, x0: x, x1: x, y0: 0, y1: 1, yref: "paper" }], annotations: text ? [note] : [] };
}

/**
 * Several of `straightLine` as one part of a layout.
 * @param {Marks[]} lines
 * @returns {Marks}
 */
export function mergeMarks(...lines) {
  return { shapes: lines.flatMap((line) => line.shapes), annotations: lines.flatMap((line) => line.annotations) };
}

/**
 * The range of an axis that lies where the data are; undefined where there are none. near: levels that are taken in where they are near
 * the data. always: levels that are taken in. least: the shortest range, so that noise does not fill a figure. within: what no value can
 * leave.
 * @param {(number | null | undefined)[]} values
 * @param {{ near?: number[], always?: number[], least?: number, within?: [number, number] }} [levels]
 * @returns {[number, number] | undefined}
 */
export function dataRange(values, { near = [], always = [], least = 0, within = [-Infinity, Infinity] } = {}) {
  const known = /** @type {number[]} */ (values.filter((value) => value !== null && value !== undefined && Number.isFinite(value)));
  if (!known.length) return undefined;
  const [low, high] = ends(known), span = Math.max(high - low, least, Number.EPSILON);
  const close = near.filter((level) => level >= low - FAR * span && level <= high + FAR * span);
  const [from, to] = ends([low, high, ...close, ...always]), missing = Math.max(0, least - (to - from)) / 2;
  const room = ROOM * Math.max(to - from, least) || ROOM;
  return [Math.max(from - missing, within[0]) - room, Math.min(to + missing, within[1]) + room];
}

/**
 * An axis of this range, which Plotly chooses for it: a range that is set would undo the zoom of a reader whenever it changes.
 * Where nothing is drawn yet, Plotly would choose −1 to 4, so that the range is set.
 * @param {[number, number] | undefined} range
 * @param {boolean} [drawn] whether anything is
 */
export function axisOf(range, drawn = true) {
  if (range && !drawn) return { autorange: false, range };
  return { autorange: true, autorangeoptions: range ? { minallowed: range[0], maxallowed: range[1] } : {} };
}

/**
 * The range of scores by epoch. At the end of a training, whose first epochs often lie far below all others, it is that of the epochs
 * after the first twentieth where these need less than half of the height; which epochs it leaves out is then to be said.
 * @param {{ epoch: number, value: number | null }[]} points
 * @param {boolean} ended
 * @param {number[]} [near] levels that are taken in where they are near
 * @returns {{ range: [number, number], below: string }}
 */
export function scoreRange(points, ended, near = []) {
  const options = { near, least: 0.1, within: /** @type {[number, number]} */ ([0, 1]) }, epochs = points.map(({ epoch }) => epoch);
  const [first, last] = ends(epochs), from = first + EARLY * (last - first + 1);
  /** @param {typeof points} some */
  const rangeOf = (some) => dataRange(some.map(({ value }) => value), options);
  const whole = rangeOf(points) ?? [0, 1], settled = (ended && rangeOf(points.filter(({ epoch }) => epoch >= from))) || whole;
  const extent = whole[1] - whole[0], above = points.some(({ value }) => value !== null && value > settled[1]);
  if (above || 2 * (settled[1] - settled[0]) >= extent) return { range: whole, below: "" };
  const out = points.filter(({ value }) => value !== null && value < settled[0]).map(({ epoch }) => epoch), [, to] = ends(out);
  return { range: settled, below: `Scores of ${first === to ? `epoch ${first}` : `epochs ${first} to ${to}`} lie below this axis.` };
}

/** @param {number[]} values @returns {[number, number]} */
const ends = (values) => values.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [Infinity, -Infinity]);

/**
 * The places of so many panels in a figure of this width.
 * @param {number} count
 * @param {number} width pixels
 * @param {number} [wanted] columns, where they have room
 */
export function panelGrid(count, width, wanted) {
  const fit = Math.floor(width / LEAST), usual = Math.min(count, fit, count > 4 ? 4 : count);
  const columns = Math.max(1, wanted && wanted <= fit ? wanted : usual);
  return { columns, rows: Math.max(1, Math.ceil(count / columns)) };
}

/**
 * The layout of panels with equal axes and a title above each. Each has the axes `xaxis${k}` and `yaxis${k}` (1 is written without a
 * number).
 * @param {boolean} dark
 * @param {string[]} titles escaped
 * @param {number} width pixels
 * @param {number} tall pixels of a panel, without what stands around it
 * @param {{ x: Properties, y: Properties, xTitle: string, yTitle: string }} axes
 * @param {number} [wanted] columns, where they have room
 */
export function panelLayout(dark, titles, width, tall, { x, y, xTitle, yTitle }, wanted) {
  const { columns, rows } = panelGrid(titles.length, width, wanted), size = fontSize(), { grid } = inks(dark);
  const gap = Math.min(0.06, 14 / width), share = (1 - gap * (columns - 1)) / columns;
  const whole = titles.map((text) => inLines(text, Math.floor((share * (width - LEFT * size)) / (LETTER * size)))); // never cut off
  const above = (ABOVE + LINE * Math.max(1, ...whole.map((lines) => lines.length))) * size, below = BELOW * size;
  const each = above + tall + below, total = rows * each;
  /** @type {Properties} */
  const all = {};
  const annotations = whole.map((lines, k) => {
    const column = k % columns, row = Math.floor(k / columns), left = column * (share + gap);
    const top = 1 - (row * each + above) / total, bottom = top - tall / total;
    const axis = { gridcolor: grid, zerolinecolor: grid, linecolor: grid, automargin: false };
    all[`xaxis${suffix(k)}`] = {
      ...axis, domain: [left, left + share], anchor: `y${suffix(k)}`, title: { text: xTitle, standoff: 6 }, ...x,
    };
    all[`yaxis${suffix(k)}`] = {
      ...axis, domain: [bottom, top], anchor: `x${suffix(k)}`, showticklabels: column === 0, title: { text: column === 0 ? yTitle : "" },
      ...y,
    };
    return { text: `<b>${lines.join("<br>")}</b>`, showarrow: false, x: left + share / 2, y: top, xref: "paper", yref: "paper", xanchor: "center", yanchor: "bottom" };
  });
  const margin = { l: LEFT * size, r: 8, t: 0, b: 0 };
  const common = layout(dark, "", "", { hovermode: "closest", showlegend: false, height: Math.max(1, total), margin });
  return /** @type {Properties} */ ({ ...common, ...all, annotations });
}

/**
 * The references of the axes of a panel, for a trace.
 * @param {number} k
 */
export const panelAxes = (k) => ({ xaxis: `x${suffix(k)}`, yaxis: `y${suffix(k)}` });

/** @param {number} k */
const suffix = (k) => (k ? String(k + 1) : "");
