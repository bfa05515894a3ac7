// Plotly, loaded once from this page's own server, never from the internet.

/** @import { Figure, Properties } from "./types.js" */

/**
 * An element that Plotly drew on.
 * @typedef {HTMLElement & {
 *   data?: Properties[],
 *   layout?: Record<string, { range?: unknown[], autorange?: unknown } | undefined>,
 *   on: (event: string, listener: (event: { points: { data: Properties, pointIndex: number }[] }) => void) => void,
 *   removeAllListeners: (event: string) => void,
 * }} Drawn
 */

/**
 * What is used of the library.
 * @typedef {{
 *   react: (node: HTMLElement, data: Properties[], layout: Properties, config: Properties) => Promise<Drawn>,
 *   downloadImage: (figure: { data: Properties[], layout: Properties }, options: Properties) => Promise<string>,
 * }} Plotly
 */

const CONFIG = { displayModeBar: false, responsive: false };
/** @type {Promise<Plotly> | null} */
let loading = null;

/**
 * Draw a figure on a node at its width, which Plotly itself asks for only once. Resolves to the node; to undefined where the library
 * is missing, and `caption` then says so.
 * @param {HTMLElement} node
 * @param {Figure} figure
 * @param {HTMLElement} caption
 */
export function drawIn(node, { data, layout, name }, caption) {
  node.setAttribute("aria-label", name);
  const failed = () => { caption.textContent = "The charting library could not be loaded. Reload this page."; };
  return plotly().then((library) => library.react(node, data, { ...layout, width: node.clientWidth || undefined }, CONFIG), failed);
}

/** The library. A page that already has it (an exported report) brings its own. */
export function plotly() {
  const page = /** @type {{ Plotly?: Plotly }} */ (/** @type {unknown} */ (window));
  if (page.Plotly) return Promise.resolve(page.Plotly);
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = String(new URL("../plotly.min.js", import.meta.url));
    script.onload = () => (page.Plotly ? resolve(page.Plotly) : reject(new Error("plotly.min.js is damaged")));
    script.onerror = () => reject(new Error("plotly.min.js is missing"));
    document.head.appendChild(script);
  });
  return loading;
}
