// Colours, layout and number formats that all figures share. The colours are Okabe and Ito's, which colour-blind people can tell apart,
// in two more shades where there are more rules than colours. A rule keeps its colour everywhere, and its number always stands by it.

/** @import { Marks, Properties } from "./types.js" */

export const [BLUE, ORANGE, GREEN, SKY, GREY] = ["#0072B2", "#D55E00", "#009E73", "#56B4E9", "#8C8C8C"];
export const HEIGHT = 340;
const RULES = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#B8A800", "#7F6BB3"];
const SHADES = { light: [0, 0.45, -0.4], dark: [0, 0.35, 0.7] }; // towards white, or below 0 towards black; on a light or a dark page
const CLASSES = [BLUE, ORANGE, GREEN, "#CC79A7", "#E69F00", SKY, "#B8A800", GREY];

/**
 * The colour of a rule, by its index from 0.
 * @param {number} rule
 * @param {boolean} dark
 */
export const ruleColour = (rule, dark) => `rgb(${shade(RULES, rule, dark).join(",")})`;

/**
 * The colour of a class, by its index from 0.
 * @param {number} index
 * @param {boolean} dark
 */
export const classColour = (index, dark) => `rgb(${classParts(index, dark).join(",")})`;

/**
 * The same as its red, green and blue, 0 to 255.
 * @param {number} index
 * @param {boolean} dark
 */
export const classParts = (index, dark) => shade(CLASSES, index, dark);

/** @param {boolean} dark */
export const blue = (dark) => (dark ? SKY : BLUE);

/**
 * For text too, which needs more contrast than a bar.
 * @param {boolean} dark
 */
export const green = (dark) => (dark ? GREEN : "#00785A");

/**
 * Colours of text and lines on a light or a dark page.
 * @param {boolean} dark
 */
export function inks(dark) {
  return dark
    ? { ink: "#E6E6E6", grid: "rgba(255,255,255,0.15)", paper: "#262730", grey: "#A8A8A8", comparison: "#9A9A9A" }
    : { ink: "#262730", grid: "rgba(0,0,0,0.12)", paper: "#FFFFFF", grey: "#6B6B6B", comparison: "#757575" };
}

/**
 * One of the colours, in another shade each time they are used up.
 * @param {string[]} colours
 * @param {number} index
 * @param {boolean} dark
 */
function shade(colours, index, dark) {
  const shades = dark ? SHADES.dark : SHADES.light;
  const colour = colours[index % colours.length], towards = shades[Math.floor(index / colours.length) % shades.length];
  const parts = [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16)), goal = towards > 0 ? 255 : 0;
  return parts.map((part) => Math.round(part + (goal - part) * Math.abs(towards)));
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
  const axis = { gridcolor: grid, zerolinecolor: grid, linecolor: grid, automargin: true };
  return {
    height: HEIGHT,
    margin: { l: 8, r: 8, t: 48, b: 8 },
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { color: ink, size },
    hovermode: "x unified",
    hoverlabel: { bgcolor: paper, font: { color: ink, size } },
    legend: { orientation: "h", y: 1.02, yanchor: "bottom", x: 0 },
    uirevision: "keep", // zoom and hidden lines survive an update
    ...more,
    xaxis: { ...axis, title: { text: x }, ...more.xaxis },
    yaxis: { ...axis, title: { text: y }, ...more.yaxis },
  };
}

/**
 * A straight line across the whole figure. Vertical at x, `text` stands above its end; horizontal at y, `text` is in the legend.
 * @param {{ x?: number, y?: number }} at
 * @param {string} colour
 * @param {{ text?: string, dash?: string, side?: string, width?: number, layer?: string }} [style]
 * @returns {Marks}
 */
export function straight({ x, y }, colour, { text = "", dash = "dash", side = "right", width = 1.5, layer = "above" } = {}) {
  const line = { type: "line", layer, line: { color: colour, dash, width } };
  if (x === undefined) {
    const legend = { name: text, showlegend: text !== "", legendrank: 3000 };
    return { shapes: [{ ...line, x0: 0, x1: 1, xref: "paper", y0: y, y1: y, ...legend }], annotations: [] };
  }
  const note = { text, showarrow: false, font: { color: colour }, x, xanchor: side, y: 1, yref: "paper", yanchor: "bottom" };
  return { shapes: [{ ...line, x0: x, x1: x, y0: 0, y1: 1, yref: "paper" }], annotations: text ? [note] : [] };
}

/**
 * Heights over equal bins from one edge to another as one outline in the colour of text, on a halo that separates it from bars of any
 * colour. Hovering a bin's middle shows its height.
 * @param {number[]} heights
 * @param {number} from
 * @param {number} to
 * @param {boolean} dark
 * @param {{ name: string, dash?: string, hover: string }} style
 */
export function outline(heights, from, to, dark, { name, dash = "solid", hover }) {
  const { ink, paper } = inks(dark), n = heights.length, width = (to - from) / n;
  const middles = heights.map((_, k) => from + (k + 0.5) * width);
  const all = n ? [heights[0], ...heights, heights[n - 1]] : [];
  const x = n ? [from, from, ...middles, to, to] : [], y = n ? [0, ...all, 0] : [];
  const customdata = n ? [all[0], ...all, all[n + 1]] : [];
  /** @param {Properties} style */
  const trace = (style) => ({ x, y, mode: "lines", name, legendgroup: name, visible: n > 0, ...style });
  return [
    trace({ line: { color: paper, shape: "hvh", width: 4.5 }, showlegend: false, hoverinfo: "skip" }),
    trace({ line: { color: ink, shape: "hvh", width: 1.75, dash }, customdata, hovertemplate: `${hover}<extra></extra>` }),
  ];
}

/**
 * Several of `straight` as one part of a layout.
 * @param {Marks[]} lines
 * @returns {Marks}
 */
export function together(...lines) {
  return { shapes: lines.flatMap((line) => line.shapes), annotations: lines.flatMap((line) => line.annotations) };
}

/**
 * Text on one line, of at most so many characters.
 * @param {unknown} text
 * @param {number} [most]
 */
export function short(text, most = 40) {
  const characters = [...String(text).replace(/\s+/g, " ")];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : characters.join("");
}

/**
 * The same, escaped for Plotly, whose text is a kind of HTML.
 * @param {unknown} text
 * @param {number} [most]
 */
export function plain(text, most = 40) {
  return short(text, most).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/** @param {number | null | undefined} value */
export const three = (value) => (value == null ? "–" : value.toFixed(3));

/**
 * @param {number} value
 * @param {number} [digits]
 */
export const percent = (value, digits = 1) => `${(100 * value).toFixed(digits)}%`;

/**
 * "1 and 2", "1, 2 and 3"; at most so many of them.
 * @param {(string | number)[]} values
 * @param {number} [most]
 */
export function listed(values, most = 12) {
  const words = values.slice(0, most).map(String);
  if (values.length > most) return `${words.join(", ")} and ${values.length - most} more`;
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
