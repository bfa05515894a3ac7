// Figures drawn by Plotly, which is loaded once from this page's own server, never from the internet; and saved as SVG and PNG, in the
// colours of a light page, on white, at a size for a paper, whatever the page looks like.

/** @import { Figure, Properties, State } from "./types.js" */

import { button, element } from "./elements.js";
import { lineWidth } from "./layout.js";
import { state } from "./store.js";

const CONFIG = { displayModeBar: false, responsive: false };
const CARTESIAN = "plotly-cartesian.min.js", WHOLE = "plotly.min.js"; // a third of its size, and a third of its time to start
const VERSION = "4.1.1"; // of both, in their addresses: caches keep them beyond an upgrade
const OTHERS = ["parcoords"]; // kinds of traces that the whole library alone has
/** @type {Record<string, Promise<Plotly>>} */
const loading = {};
/** What the page had before anything was loaded, or was given. @type {Promise<Plotly> | Plotly | null | undefined} */
let given;
export const [WIDTH, LEAST_HEIGHT, LETTERS] = [1000, 600, 16]; // pixels of a file; a PNG has twice as many
const FORMATS = ["svg", "png"];
/** The last drawing of each node, and what it is of. @type {WeakMap<HTMLElement, { done: Promise<Drawn | undefined> }>} */
const drawings = new WeakMap();

/**
 * An element that Plotly drew on.
 * @typedef {HTMLElement & {
 *   data?: Properties[],
 *   layout?: Record<string, { range?: unknown[], autorange?: unknown } | undefined>,
 *   on: (event: string, listener: (event: any) => void) => void,
 *   removeAllListeners: (event: string) => void,
 * }} Drawn
 */

/**
 * What is used of the library.
 * @typedef {{
 *   react: (node: HTMLElement, data: Properties[], layout: Properties, config: Properties) => Promise<Drawn>,
 *   purge: (node: HTMLElement) => void,
 *   downloadImage: (figure: { data: Properties[], layout: Properties }, options: Properties) => Promise<string>,
 *   toImage: (figure: { data: Properties[], layout: Properties }, options: Properties) => Promise<string>,
 * }} Plotly
 */

/**
 * Draw a figure on a node at its width, which Plotly itself asks for only once. Plotly lays a figure out in several steps, and a
 * second one that begins on the same node meanwhile leaves axes without a place: so the figures of a node follow each other, and of
 * those that wait the newest alone is drawn. Resolves to the node; to undefined where a newer figure is drawn instead, and where the
 * library is missing, which `caption` then says.
 * @param {HTMLElement} node
 * @param {Figure} figure
 * @param {HTMLElement} caption
 * @param {Properties} [config] of Plotly, beyond the usual
 */
export function drawIn(node, { data, layout, name }, caption, config) {
  node.setAttribute("aria-label", name);
  const failed = () => {
    caption.textContent = "The charting library could not be loaded. Reload this page.";
    return undefined;
  };
  const drawn = withAxes(data.map(asThick)), sized = { ...layout, width: node.clientWidth || undefined };
  const before = drawings.get(node)?.done.catch(() => undefined);
  /** @type {{ done: Promise<Drawn | undefined> }} */
  const turn = { done: Promise.all([plotly(data), before]).then(([library]) => {
    if (drawings.get(node) === turn) return library.react(node, drawn, sized, { ...CONFIG, ...config });
  }, failed) };
  drawings.set(node, turn);
  return turn.done;
}

/**
 * Set the one listener of an event of a chart, in place of that of the last time it was drawn.
 * @param {Drawn} node
 * @param {"plotly_click" | "plotly_relayout"} event
 * @param {(event: any) => void} [listener] none where nothing is to follow
 */
export function setListener(node, event, listener) {
  node.removeAllListeners(event);
  if (listener) node.on(event, listener);
}

/**
 * Forget what is drawn on a node, before a figure of another kind: what only the old one has would stay.
 * @param {HTMLElement} node
 */
export function forget(node) {
  const { data } = /** @type {Drawn} */ (node);
  if (!node.childElementCount) return;
  const ready = Promise.all([plotly(data), drawings.get(node)?.done]);
  const done = ready.then(([library]) => { library.purge(node); return undefined; }, () => undefined);
  drawings.set(node, { done });
}

/**
 * Traces with one of no visible point where none has any: else Plotly draws the lines of axes before it has laid them out.
 * @param {Properties[]} data
 * @returns {Properties[]}
 */
function withAxes(data) {
  const isEmpty = data.length > 0 && data.every(({ x, y }) => Array.isArray(x) && Array.isArray(y) && x.length + y.length === 0);
  return isEmpty ? [...data, { x: [null], y: [null], mode: "markers", hoverinfo: "skip", showlegend: false }] : data;
}

/**
 * A trace with lines as thick as the page asks for.
 * @param {Properties} trace
 * @returns {Properties}
 */
function asThick(trace) {
  const times = lineWidth();
  const line = /** @type {{ width?: number } | undefined} */ (trace.line);
  return line?.width && times !== 1 ? { ...trace, line: { ...line, width: times * line.width } } : trace;
}

/**
 * Take the library from here, whatever the page has: a notebook may hold another version of it.
 * @param {Promise<Plotly>} library
 */
export function providePlotly(library) {
  given = library;
}

/**
 * The library for these traces, beside the folder of these modules. A page that already has it (an exported report) brings its own.
 * @param {Properties[]} [data]
 */
function plotly(data = []) {
  const page = /** @type {{ Plotly?: Plotly }} */ (/** @type {unknown} */ (window));
  if (given === undefined) given = page.Plotly ?? null;
  if (given) return Promise.resolve(given);
  const file = data.some(({ type }) => OTHERS.includes(String(type))) ? WHOLE : CARTESIAN;
  loading[file] ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = String(new URL(`../../${file}?${VERSION}`, import.meta.url));
    script.onload = () => (page.Plotly ? resolve(page.Plotly) : reject(new Error(`${file} is damaged`)));
    script.onerror = () => reject(new Error(`${file} is missing`));
    document.head.appendChild(script);
  });
  return loading[file];
}

/**
 * Two small buttons that save the figure which `figureOf` makes of the state.
 * @param {Element} parent
 * @param {string} name of the chart, for the file
 * @param {(state: State) => Figure} figureOf
 * @param {HTMLElement} node where the figure is drawn
 * @param {(name: string) => string} [nameOf] the file, without its ending
 */
export function saveButtons(parent, name, figureOf, node, nameOf = fileName) {
  return formatButtons(parent, (format) => { save(nameOf(name), figureOf, node, format); });
}

/**
 * Two small buttons that save a figure.
 * @param {Element} parent
 * @param {(format: string) => void} press
 */
export function formatButtons(parent, press) {
  const group = element(parent, "div", "tsk-save", { role: "group", "aria-label": "Save this figure" });
  for (const format of FORMATS) {
    const text = format.toUpperCase();
    button(group, `tsk-${format}`, text, `Save this figure as ${text}`, () => press(format));
  }
  return group;
}

/**
 * @param {string} filename
 * @param {(state: State) => Figure} figureOf
 * @param {HTMLElement} node
 * @param {string} format
 */
async function save(filename, figureOf, node, format) {
  const figure = forPaper(figureOf, /** @type {Drawn} */ (node)), library = await plotly(figure.data);
  const { width, height } = figure.layout;
  await library.downloadImage(figure, { format, width, height, scale: format === "png" ? 2 : 1, filename });
}

/**
 * The figure for a paper, with the range and the lines that the reader chose.
 * @param {(state: State) => Figure} figureOf
 * @param {Drawn} node
 */
function forPaper(figureOf, node) {
  const figure = figureOf({ ...state(), dark: false });
  const data = figure.data.map((trace, k) => (node.data?.[k]?.visible === "legendonly" ? { ...trace, visible: "legendonly" } : trace));
  const layout = /** @type {Record<string, Properties> & { height: number }} */ (figure.layout);
  const axes = Object.fromEntries(["xaxis", "yaxis"].map((axis) => {
    const { range, autorange } = node.layout?.[axis] ?? {};
    return [axis, range ? { ...layout[axis], range: [...range], autorange } : layout[axis]];
  }));
  return { data, layout: { ...layout, ...axes, ...onWhite(layout, WIDTH, Math.max(LEAST_HEIGHT, layout.height)) } };
}

/**
 * The size, the margins and the colours of a figure in a file.
 * @param {Properties} layout
 * @param {number} width
 * @param {number} height
 */
const onWhite = (layout, width, height) => ({
  width, height, margin: { .../** @type {Properties} */ (layout.margin), l: 16, r: 24, b: 16 },
  font: { .../** @type {Properties} */ (layout.font), size: LETTERS }, paper_bgcolor: "#FFFFFF", plot_bgcolor: "#FFFFFF",
});

/**
 * A figure as a PNG image, as an address that holds it. It is made in the colours of a light page.
 * @param {Figure} figure
 * @param {number} width
 * @param {number} height
 */
export async function asImage({ data, layout }, width, height) {
  const library = await plotly();
  return library.toImage({ data, layout: { ...layout, ...onWhite(layout, width, height) } }, { format: "png", width, height });
}

/**
 * Such as "run-1a2b3c4d-firing", with the epoch where it is not the newest.
 * @param {string} chart
 */
export function fileName(chart) {
  const { shown, epoch, newest } = state();
  return `run-${String(shown.run).slice(0, 8)}-${chart}${newest || !epoch ? "" : `-epoch-${epoch.epoch}`}`;
}
