// Figures of a sweep with more axes than one: as heat maps, with a panel for each value of the third and fourth, and as parallel
// coordinates, an upright line for each axis and one for the figure, a line for each cell.

/** @import { Figure, Properties } from "../core/types.js" */
/** @import { Sweep, SweepCell } from "./types.js" */

import { inks } from "../core/colours.js";
import { fontSize, height, layout, panelAxes, panelGrid, panelLayout, smallSize } from "../core/layout.js";
import { fixed, plotlyText } from "../core/text.js";
import { hoverText, letters, panelsOf } from "./axes.js";

const LETTER = 0.62; // width of a digit, times the font size
const LEAST_ROW = 26; // pixels of a row of cells
const BESIDE = 150; // pixels of ticks, titles and the colour bar
const INSET = 3; // pixels between the edge of a cell and its outline

/**
 * @param {Sweep} now
 * @param {boolean} dark
 * @param {number} width pixels
 * @returns {Figure}
 */
export function mapsFigure(now, dark, width) {
  const panels = panelsOf(now), [across, up, third] = now.axes, { figure } = now;
  const wanted = third?.values.length, { columns } = panelGrid(panels.length, width, wanted);
  const rows = up.values.length, tall = panels.length > 1
    ? Math.max(130, Math.min(240, rows * 34)) : Math.max(height() - 95, Math.min(560, rows * LEAST_ROW));
  const cell = { width: (width - BESIDE) / columns / across.values.length, height: tall / rows };
  const size = panels.length > 1 ? smallSize() : fontSize(), data = panels.map(({ cells }, k) => map(now, cells, cell, size, k));
  const axes = {
    x: { ...categories(across.ticks, cell.width), title: { text: plotlyText(across.title, 40), standoff: 6 } },
    y: categories(up.ticks), xTitle: "", yTitle: plotlyText(panels.length > 1 ? up.short : up.title, 40),
  };
  const whole = panelLayout(dark, panels.map(({ title }) => plotlyText(title, 40)), width, tall, axes, wanted);
  const known = now.cells.flatMap(({ mean }) => (mean === null ? [] : [mean])), [low, high] = [Math.min(...known), Math.max(...known)];
  const coloraxis = {
    colorscale: "Cividis", showscale: high > low, ...(known.length ? { cmin: low, cmax: Math.max(high, low + 1e-3) } : {}),
    colorbar: { title: { text: plotlyText(figure.short, 30), side: "right" }, thickness: 12, outlinewidth: 0, tickformat: figure.share ? ".3f" : "~g" },
  };
  const margin = { .../** @type {Properties} */ (whole.margin), t: panels.length > 1 ? 0 : 4, l: 8 + longest(up.ticks) + 1.8 * fontSize() };
  const shapes = panels.flatMap(({ cells }, k) => outlines(now, cells, k, cell));
  return { data, layout: { ...whole, coloraxis, shapes, margin }, name: now.sentence };
}

/** @param {string[]} texts */
const longest = (texts) => LETTER * fontSize() * Math.max(...texts.map(letters)) + 8;

/**
 * An axis with a place for each value.
 * @param {string[]} texts
 * @param {number} [room] pixels of a place; without it all have their text
 */
function categories(texts, room = Infinity) {
  const step = Math.max(1, Math.ceil((longest(texts) + 2) / room)), kept = texts.map((_, k) => k).filter((k) => k % step === 0);
  const common = { range: [-0.5, texts.length - 0.5], showgrid: false, zeroline: false, tickangle: 0, fixedrange: true };
  return { ...common, tickvals: kept, ticktext: kept.map((k) => texts[k]) };
}

/**
 * One heat map.
 * @param {Sweep} now
 * @param {SweepCell[]} cells
 * @param {{ width: number, height: number }} room pixels of a cell
 * @param {number} size of letters
 * @param {number} k panel
 * @returns {Properties}
 */
function map({ axes: [across, up], figure }, cells, room, size, k) {
  const grid = up.values.map((y) => across.values.map((x) => cells.find(({ values }) => values[0] === x && values[1] === y)));
  /** @template T @param {(cell: SweepCell) => T} of @param {T} none */
  const each = (of, none) => grid.map((row) => row.map((cell) => (cell && cell.mean !== null ? of(cell) : none)));
  const digits = digitsThatFit(cells, figure.digits, room.width, size), fits = digits !== null && room.height > 1.15 * size;
  return {
    type: "heatmap", x: across.values.map((_, at) => at), y: up.values.map((_, at) => at), z: each((cell) => cell.mean, null),
    coloraxis: "coloraxis", xgap: 1, ygap: 1, hoverongaps: false, showscale: false, ...panelAxes(k),
    customdata: each((cell) => cell.variant, -1), hovertext: each(hoverText, ""), hovertemplate: "%{hovertext}<extra></extra>",
    text: each((cell) => textOf(cell, digits ?? 0, room, size), ""), texttemplate: fits ? "%{text}" : "", textfont: { size },
  };
}

/**
 * The number in a cell, and how many of its trainings diverged.
 * @param {SweepCell} cell
 * @param {number} digits
 * @param {{ width: number, height: number }} room
 * @param {number} size
 */
function textOf({ mean, diverged, highest }, digits, room, size) {
  const number = fixed(Number(mean), digits), text = highest ? `<b>${number}</b>` : number;
  return diverged && room.width > LETTER * size * (number.length + 3) ? `${text} †${diverged}` : text;
}

/**
 * The decimals that the numbers in the cells can have; null where no number fits.
 * @param {SweepCell[]} cells
 * @param {number} most
 * @param {number} width pixels of a cell
 * @param {number} size of letters
 */
function digitsThatFit(cells, most, width, size) {
  const whole = Math.max(1, ...cells.map(({ mean }) => Math.trunc(Math.abs(mean ?? 0)).toString().length));
  const room = Math.floor((width - 4) / (LETTER * size));
  if (room >= whole + 1 + most) return most;
  const least = most >= 2 ? 2 : 0; // 0.8 says nothing of accuracies
  return room >= whole + (least ? 1 + least : 0) ? least : null;
}

/**
 * The highest cell has a solid outline, those not separated from it a dashed one; light on dark, so that both are seen on any colour.
 * @param {Sweep} now
 * @param {SweepCell[]} cells
 * @param {number} k panel
 * @param {{ width: number, height: number }} room pixels of a cell
 * @returns {Properties[]}
 */
function outlines({ axes: [across, up] }, cells, k, room) {
  const { xaxis: xref, yaxis: yref } = panelAxes(k), [dark, light] = [inks(false).ink, "#FFFFFF"];
  return cells.filter(({ highest, close, mean }) => (highest || close) && mean !== null).flatMap(({ values, highest }) => {
    const x = across.values.indexOf(values[0]), y = up.values.indexOf(values[1]);
    const wide = 0.5 - INSET / room.width, tall = 0.5 - INSET / room.height;
    const box = { type: "rect", xref, yref, x0: x - wide, x1: x + wide, y0: y - tall, y1: y + tall };
    const [outer, inner] = highest ? [6, 3] : [2.5, 1.25];
    return [
      { ...box, line: { color: dark, width: outer } },
      { ...box, line: { color: light, width: inner, dash: highest ? "solid" : "dash" } },
    ];
  });
}

/** @param {Sweep} now @param {boolean} dark @returns {Figure} */
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
