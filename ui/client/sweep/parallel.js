// A sweep with more than one axis as parallel coordinates: an upright line for each axis and one for the figure, a line for each cell.

/** @import { Figure, Properties } from "../core/types.js" */
/** @import { Sweep } from "./types.js" */

import { inks } from "../core/colours.js";
import { fontSize, height, layout } from "../core/layout.js";
import { plotlyText } from "../core/text.js";

/**
 * @param {Sweep} now
 * @param {boolean} dark
 * @returns {Figure}
 */
export function parallelFigure(now, dark) {
  const { axes, figure } = now, cells = now.cells.filter((cell) => cell.mean !== null), { ink } = inks(dark), size = fontSize();
  const means = cells.map(({ mean }) => Number(mean)), low = Math.min(...means), high = Math.max(...means);
  const room = Math.max(high - low, 1e-3) * 0.02, hidden = { visible: false };
  const dimensions = axes.map((axis, k) => ({
    label: plotlyText(axis.title, 24), values: cells.map((cell) => axis.values.indexOf(cell.values[k])),
    tickvals: axis.values.map((_, at) => at), ticktext: axis.texts, range: [-0.2, axis.values.length - 0.8],
  }));
  const last = { label: plotlyText(figure.short, 24), values: means, range: [low - room, high + room], tickformat: figure.share ? ".2f" : "~g" };
  /** @type {Properties} */
  const trace = {
    type: "parcoords", dimensions: [...dimensions, last], line: { color: means, colorscale: "Cividis", cmin: low, cmax: high, reversescale: !dark },
    labelfont: { color: ink, size }, tickfont: { color: ink, size: 0.9 * size }, rangefont: { color: ink, size: 1 },
    unselected: { line: { opacity: 0.08 } },
  };
  const more = { height: Math.max(380, height()), margin: { l: 70, r: 50, t: 60, b: 24 }, xaxis: hidden, yaxis: hidden };
  return { data: cells.length ? [trace] : [], layout: layout(dark, "", "", more), name: now.sentence };
}
