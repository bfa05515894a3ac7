// Saving figures as SVG and PNG: in the colours of a light page, on white, at a size for a paper, whatever the page looks like.

/** @import { Drawn } from "./plotly.js" */
/** @import { Figure, Properties, State } from "./types.js" */

import { button, element } from "./elements.js";
import { plotly } from "./plotly.js";
import { state } from "./store.js";

const [WIDTH, LEAST_HEIGHT] = [1000, 600]; // pixels; a PNG has twice as many
const FORMATS = ["svg", "png"];

/**
 * Two small buttons that save the figure which `figureOf` makes of the state.
 * @param {Element} parent
 * @param {string} name of the chart, for the file
 * @param {(state: State) => Figure} figureOf
 * @param {HTMLElement} node where the figure is drawn
 * @param {(name: string) => string} [nameOf] the file, without its ending
 */
export function saveButtons(parent, name, figureOf, node, nameOf = fileName) {
  const group = element(parent, "div", "tsk-save", { role: "group", "aria-label": "Save this figure" });
  for (const format of FORMATS) {
    const text = format.toUpperCase();
    button(group, `tsk-${format}`, text, `Save this figure as ${text}`, () => { save(nameOf(name), figureOf, node, format); });
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
  font: { .../** @type {Properties} */ (layout.font), size: 16 }, paper_bgcolor: "#FFFFFF", plot_bgcolor: "#FFFFFF",
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
function fileName(chart) {
  const { shown, epoch, newest } = state();
  return `run-${String(shown.run).slice(0, 8)}-${chart}${newest || !epoch ? "" : `-epoch-${epoch.epoch}`}`;
}
