// Small panels side by side in one figure, with equal axes: the grid, its axes, and a title above each.

/** @import { Properties } from "./types.js" */

import { inks } from "./colours.js";
import { fontSize, layout } from "./layout.js";
import { inLines } from "./text.js";

const LEAST = 210; // pixels of a panel
const [LINE, ABOVE, BELOW] = [1.3, 0.4, 3.4]; // a line of a title, and room around a panel, times the font size
const LEFT = 4.6; // of the first panel, times the font size
const LETTER = 0.6; // width of a bold letter, times the font size

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
 * The layout of panels. Each has the axes `xaxis${k}` and `yaxis${k}` (1 is written without a number), see `axisName`.
 * @param {boolean} dark
 * @param {string[]} titles escaped
 * @param {number} width pixels
 * @param {number} tall pixels of a panel, without what stands around it
 * @param {{ x: Properties, y: Properties, xTitle: string, yTitle: string, square?: boolean }} axes
 * @param {number} [wanted] columns, where they have room
 */
export function panelLayout(dark, titles, width, tall, { x, y, xTitle, yTitle, square }, wanted) {
  const { columns, rows } = panelGrid(titles.length, width, wanted), size = fontSize(), { grid } = inks(dark);
  const gap = Math.min(0.06, 14 / width), share = (1 - gap * (columns - 1)) / columns;
  const whole = titles.map((text) => inLines(text, Math.floor((share * (width - LEFT * size)) / (LETTER * size)))); // never cut off
  const above = (ABOVE + LINE * Math.max(1, ...whole.map((lines) => lines.length))) * size, below = BELOW * size;
  const each = above + tall + below, height = rows * each;
  /** @type {Properties} */
  const all = {};
  const annotations = whole.map((lines, k) => {
    const column = k % columns, row = Math.floor(k / columns), left = column * (share + gap);
    const top = 1 - (row * each + above) / height, bottom = top - tall / height;
    const axis = { gridcolor: grid, zerolinecolor: grid, linecolor: grid, automargin: false };
    all[`xaxis${suffix(k)}`] = {
      ...axis, domain: [left, left + share], anchor: `y${suffix(k)}`, title: { text: xTitle, standoff: 6 }, ...x,
    };
    all[`yaxis${suffix(k)}`] = {
      ...axis, domain: [bottom, top], anchor: `x${suffix(k)}`, showticklabels: column === 0, title: { text: column === 0 ? yTitle : "" },
      ...y, ...(square ? { scaleanchor: `x${suffix(k)}` } : {}),
    };
    return { text: `<b>${lines.join("<br>")}</b>`, showarrow: false, x: left + share / 2, y: top, xref: "paper", yref: "paper", xanchor: "center", yanchor: "bottom" };
  });
  const margin = { l: LEFT * size, r: 8, t: 0, b: 0 };
  const common = layout(dark, "", "", { hovermode: "closest", showlegend: false, height: Math.max(1, height), margin });
  return /** @type {Properties} */ ({ ...common, ...all, annotations });
}

/**
 * The references of the axes of a panel, for a trace.
 * @param {number} k
 */
export const panelAxes = (k) => ({ xaxis: `x${suffix(k)}`, yaxis: `y${suffix(k)}` });

/** @param {number} k */
const suffix = (k) => (k ? String(k + 1) : "");
