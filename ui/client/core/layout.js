// The layout of figures: its fonts and sizes, axes, and lines across it.

/** @import { Marks, Properties } from "./types.js" */

import { inks } from "./colours.js";

export const HEIGHT = 340;

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
 * Several of `straight` as one part of a layout.
 * @param {Marks[]} lines
 * @returns {Marks}
 */
export function mergeMarks(...lines) {
  return { shapes: lines.flatMap((line) => line.shapes), annotations: lines.flatMap((line) => line.annotations) };
}
