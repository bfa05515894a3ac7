// Colours, layout and number formats that all figures share. Classes and lines have the colours of Okabe and Ito, which colour-blind
// people can tell apart. Rules have others, so that no rule looks like a class, in more shades where there are more rules than colours.
// A rule keeps its colour everywhere, and its number always stands by it.

/** @import { Marks, Properties, State } from "./types.js" */

export const [BLUE, ORANGE, GREEN, SKY, GREY, PINK] = ["#0072B2", "#D55E00", "#009E73", "#56B4E9", "#8C8C8C", "#CC79A7"];
export const HEIGHT = 340;
const RULES = ["#6A5BD0", "#66A61E", "#C2185B", "#00A3A8", "#A0662B", "#AA4499", "#CC6677", "#88803A"];
const SHADES = { light: [0, 0.45, -0.4], dark: [0, 0.35, 0.7] }; // towards white, or below 0 towards black; on a light or a dark page
const CLASSES = [BLUE, ORANGE, GREEN, PINK, "#E69F00", SKY, "#B8A800", GREY];
const VARIANTS_ON_DARK = [SKY, ORANGE, GREEN, PINK, "#E69F00", "#F0E442", "#B8A800", GREY];
/** @type {Record<string, string>} */
const NAMED = { // classes that are called so look like it; black and white each differ from a page of their own colour
  black: "#3D3D3D", white: "#E4E4E4", grey: GREY, gray: GREY, red: "#CC2222", orange: "#E69F00", yellow: "#D8C400", green: GREEN,
  blue: BLUE, purple: "#7B3F98", violet: "#7B3F98", brown: "#8C564B", pink: PINK,
};
const NEAR = 90; // of two colours as points in red, green and blue; nearer ones are not given to two classes of one run

/**
 * The colour of a rule, by its index from 0.
 * @param {number} rule
 * @param {boolean} dark
 */
export const ruleColour = (rule, dark) => `rgb(${shade(RULES, rule, dark).join(",")})`;

/**
 * The colours of all classes as red, green and blue, 0 to 255 [C][3]: of classes whose names are colours those, of the others the
 * usual ones in their order, without those that look like the first.
 * @param {string[]} names
 * @param {boolean} dark
 */
export function classParts(names, dark) {
  const wanted = names.map((name) => NAMED[String(name).trim().toLowerCase()]);
  const own = wanted.map((colour, c) => (colour && wanted.indexOf(colour) === c ? parts(colour) : null));
  const taken = own.filter((colour) => colour !== null);
  const usual = CLASSES.filter((colour) => taken.every((other) => distance(parts(colour), other) > NEAR));
  let next = 0;
  return own.map((colour) => colour ?? shade(usual, next++, dark));
}

/**
 * The same for a figure.
 * @param {string[]} names
 * @param {boolean} dark
 */
export const classColours = (names, dark) => classParts(names, dark).map((colour) => `rgb(${colour.join(",")})`);

/**
 * The colour of a variant of a comparison, as "#RRGGBB"; on a dark page, two that are hard to see there are replaced.
 * @param {number} index
 * @param {boolean} dark
 */
export const variantColour = (index, dark) => (dark ? VARIANTS_ON_DARK : CLASSES)[index % CLASSES.length];

/**
 * A colour "#RRGGBB" that lets so much of the page through.
 * @param {string} colour
 * @param {number} alpha
 */
export const withAlpha = (colour, alpha) => `rgba(${parts(colour).join(",")},${alpha})`;

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
  const goal = towards > 0 ? 255 : 0;
  return parts(colour).map((part) => Math.round(part + (goal - part) * Math.abs(towards)));
}

/**
 * Red, green and blue of "#RRGGBB".
 * @param {string} colour
 */
const parts = (colour) => [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16));

/** @param {number[]} a @param {number[]} b */
const distance = (a, b) => Math.hypot(...a.map((part, k) => part - b[k]));

/** Font size of small text in figures in pixels, not below the least that the style of the page asks for. */
export function smallSize() {
  return Math.max(0.8 * fontSize(), parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--tsk-least-letter")) || 0);
}

/** Height of charts in pixels; the style of a page may set another. */
export function height() {
  return parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--tsk-chart-height")) || HEIGHT;
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
    height: height(),
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
 * A logarithmic axis: ticks at 1, 2 and 5 where it spans few powers of ten; all digits from 1 to 9 would overlap.
 * Each tick is a whole number in letters of full size: powers and lone digits would be smaller than a projector needs.
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

/**
 * What the figures call the comparison, such as "λ 0".
 * @param {State} state
 */
export const comparisonName = ({ comparison }) => plain(comparison.about.label ?? "comparison", 28);

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
