// Figures to take away, as SVG and PNG: on white in the colours of a light page, at a size for a paper, whatever the page looks like.

import { button, element } from "./elements.js";
import { plotly } from "./plotly.js";
import { state } from "./store.js";

const [WIDTH, LEAST_HEIGHT] = [1000, 600]; // pixels; a PNG has twice as many
const FORMATS = ["svg", "png"];

/** Two small buttons that save what `figureOf` makes of the state. node: where it is drawn. */
export function saving(parent, figureOf, node) {
  const group = element(parent, "div", "tsk-save", { role: "group", "aria-label": "Save this figure" });
  for (const format of FORMATS) {
    const sign = format.toUpperCase();
    button(group, `tsk-${format}`, sign, `Save this figure as ${sign}`, () => save(figureOf, node, format));
  }
  return group;
}

async function save(figureOf, node, format) {
  const figure = onPaper(figureOf, node), library = await plotly();
  const { width, height } = figure.layout;
  await library.downloadImage(figure, { format, width, height, scale: format === "png" ? 2 : 1, filename: fileName(figureOf.name) });
}

/** The figure of the state as it goes into a paper, with the part and the lines that the reader chose to see. */
export function onPaper(figureOf, node) {
  const { data, layout } = figureOf({ ...state(), dark: false });
  for (const axis of ["xaxis", "yaxis"]) {
    const { range, autorange } = node.layout?.[axis] ?? {};
    if (range) Object.assign(layout[axis], { range: [...range], autorange });
  }
  data.forEach((trace, k) => { if (node.data?.[k]?.visible === "legendonly") trace.visible = "legendonly"; });
  const size = { width: WIDTH, height: Math.max(LEAST_HEIGHT, layout.height), margin: { ...layout.margin, l: 16, r: 24, b: 16 } };
  return { data, layout: { ...layout, ...size, font: { ...layout.font, size: 16 }, paper_bgcolor: "#FFFFFF", plot_bgcolor: "#FFFFFF" } };
}

/** As in "run-1a2b3c4d-firing", with the epoch where it is not the newest. */
function fileName(chart) {
  const { shown, epoch, newest } = state();
  return `run-${String(shown.run).slice(0, 8)}-${chart}${newest || !epoch ? "" : `-epoch-${epoch.epoch}`}`;
}
