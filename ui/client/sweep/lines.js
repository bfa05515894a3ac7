// Figures of a sweep as lines: along the first axis; of two axes a line for each value of the second; of more, panels.

/** @import { Figure, Marks, Properties } from "../core/types.js" */
/** @import { Sweep, SweepAxis, SweepCell } from "./types.js" */

import { ORANGE, blue, classColours, green, inks, withAlpha } from "../core/colours.js";
import { fontSize, height, layout, mergeMarks, panelAxes, panelLayout, smallSize } from "../core/layout.js";
import { fixed, plotlyText } from "../core/text.js";
import { predictedCurve, withPrediction } from "../charts/overlays.js";
import { groupsOf, hoverText, levelsOf, panelsOf, rangeOf, scaleOf, ticksOf, zeroApart } from "./axes.js";

const JITTER = 0.14; // of the distance between two values, to each side
const NARROW = 500; // pixels; on a phone the legend leaves out what the caption or the eye tells
const EXPLAINED = ["a training", "mean", "not separated from the highest", "highest"];
const TALL = 230; // pixels of a panel

/**
 * @param {Sweep} now
 * @param {boolean} dark
 * @param {number} width pixels
 * @returns {Figure}
 */
export function linesFigure(now, dark, width) {
  return now.axes.length > 2 ? panels(now, dark, width) : single(now, dark, width);
}

/**
 * @param {Sweep} now
 * @param {boolean} dark
 * @param {number} width
 * @returns {Figure}
 */
function single(now, dark, width) {
  const lone = now.axes.length === 1, { low, high } = rangeOf(now);
  const { data, clipped } = lone ? oneLine(now, dark, low) : { data: severalLines(now, now.cells, dark), clipped: [] };
  const marks = mergeMarks(...levelsOf(now, dark, low, high), ...zeroApart(now, dark), ...clipped);
  const yaxis = { range: [low, high], tickformat: now.figure.share ? ".2f" : "~g" };
  const narrow = width < NARROW;
  const lacking = data.map((trace) => (narrow && EXPLAINED.includes(String(trace.name)) ? { ...trace, showlegend: false } : trace));
  const { prediction } = now, predicted = lone && prediction?.kind === "curve" && prediction.measure.endsWith("_over")
    ? predictedCurve(prediction, prediction.labels.map((label) => scaleOf(now.axes[0]).at(Number(label))), dark) : [];
  const more = { ...marks, hovermode: "closest", xaxis: ticksOf(now.axes[0], width), yaxis, ...(narrow ? { height: height() + 60 } : {}) };
  const titles = [now.axes[0].title, now.figure.title].map((title) => plotlyText(title, 60));
  return withPrediction({ data: lacking, layout: layout(dark, titles[0], titles[1], more), name: now.sentence }, predicted);
}

/**
 * The line of a single axis: band, a dot for each training, mean, and marks; diverged trainings at the lower edge where they are
 * below it.
 * @param {Sweep} now
 * @param {boolean} dark
 * @param {number} low
 */
function oneLine(now, dark, low) {
  const { cells, axes: [axis], figure, band } = now, scale = scaleOf(axis), colour = blue(dark), { paper } = inks(dark);
  const known = cells.filter((cell) => cell.mean !== null), at = (/** @type {SweepCell} */ cell) => scale.at(cell.values[0]);
  const dots = cells.flatMap((cell) => cell.seeds.map(([seed, value, diverged], k) => ({
    x: at(cell) + JITTER * scale.step * spreadOut(k, cell.of), y: Math.max(low, value), cell, diverged,
    text: `${plotlyText(cell.name)}<br>seed ${seed}: ${figure.short} ${fixed(value, figure.digits)}${diverged ? ", diverged" : ""}`,
  })));
  const lined = lineOf(known, axis);
  const data = [
    ...bandOf(lined, band, withAlpha(colour, 0.22), true),
    seedDots(dots.filter((dot) => !dot.diverged), "a training", { size: 5, color: withAlpha(colour, 0.55) }),
    seedDots(dots.filter((dot) => dot.diverged), "diverged", { size: 9, symbol: "triangle-down", color: ORANGE }),
    meanLine(lined, "mean", colour, { line: { color: colour, width: 2.5 } }),
    dotsOf(known.filter((cell) => !cell.highest && !cell.close), axis, "", { size: 9, color: colour, line: { color: paper, width: 1 } }),
    dotsOf(known.filter((cell) => cell.close), axis, "not separated from the highest", ringOf(dark)),
    dotsOf(known.filter((cell) => cell.highest), axis, "highest", { size: 17, symbol: "star", color: green(dark), line: { color: paper, width: 1 } }),
  ];
  const clipped = cells.filter((cell) => cell.diverged).map((cell) => count(cell, at(cell), low));
  return { data, clipped };
}

/**
 * Between −1 and 1: the place of the k-th training of a cell.
 * @param {number} k
 * @param {number} of
 */
const spreadOut = (k, of) => (of > 1 ? (2 * k) / (of - 1) - 1 : 0);

/** @param {boolean} dark */
const ringOf = (dark) => ({ size: 12, symbol: "circle", color: inks(dark).paper, line: { color: green(dark), width: 3 } });

/**
 * How many of a cell's trainings diverged, at the lower edge.
 * @param {SweepCell} cell
 * @param {number} x
 * @param {number} low
 * @returns {Marks}
 */
function count({ diverged, n }, x, low) {
  const font = { color: ORANGE, size: smallSize() };
  return { shapes: [], annotations: [{ x, y: low, text: `${diverged} of ${n}<br>diverged`, showarrow: false, yanchor: "bottom", yshift: 10, font }] };
}

/**
 * The places of cells on a line, with a break where 0 stands apart.
 * @param {SweepCell[]} cells with a mean, by the value of the axis
 * @param {SweepAxis} axis
 */
function lineOf(cells, axis) {
  const scale = scaleOf(axis);
  /** @type {{ x: number | null, cell: SweepCell | null }[]} */
  const places = cells.map((cell) => ({ x: scale.at(cell.values[0]), cell }));
  if (scale.gap !== null && cells[0]?.values[0] === 0) places.splice(1, 0, { x: null, cell: null });
  return places;
}

/** @typedef {ReturnType<typeof lineOf>} Places */

/**
 * The band of a line. Each part of the line has its own, since a filled area would go across the break; a lone place has a bar.
 * @param {Places} places
 * @param {string} name
 * @param {string} colour
 * @param {boolean} showlegend
 * @returns {Properties[]}
 */
function bandOf(places, name, colour, showlegend) {
  const known = places.filter(({ cell }) => cell === null || cell.low !== null), gap = known.findIndex(({ cell }) => cell === null);
  const parts = gap < 0 ? [known] : [known.slice(0, gap), known.slice(gap + 1)];
  const common = { mode: "lines", line: { color: colour, width: 0 }, hoverinfo: "skip", legendgroup: name };
  return parts.filter((part) => part.length).flatMap((part, k) => {
    const x = part.map((one) => one.x), entry = { name, showlegend: showlegend && k === 0 };
    if (part.length === 1) return [barOf(part[0], colour), { ...common, x, y: [null], fill: "tonexty", fillcolor: colour, ...entry }];
    return [
      { ...common, x, y: part.map(({ cell }) => cell?.low), showlegend: false },
      { ...common, x, y: part.map(({ cell }) => cell?.high), fill: "tonexty", fillcolor: colour, ...entry },
    ];
  });
}

/** @param {Places[number]} place @param {string} colour @returns {Properties} */
function barOf({ x, cell }, colour) {
  const mean = Number(cell?.mean), [array, arrayminus] = [[Number(cell?.high) - mean], [mean - Number(cell?.low)]];
  return {
    x: [x], y: [mean], mode: "markers", showlegend: false, hoverinfo: "skip", marker: { size: 1, color: colour },
    error_y: { type: "data", symmetric: false, color: colour, thickness: 10, width: 0, array, arrayminus },
  };
}

/**
 * @param {Places} places
 * @param {string} name
 * @param {string} colour
 * @param {Properties} style
 * @returns {Properties}
 */
function meanLine(places, name, colour, style) {
  return {
    x: places.map(({ x }) => x), y: places.map(({ cell }) => cell && cell.mean), customdata: places.map(({ cell }) => cell && cell.variant),
    text: places.map(({ cell }) => cell && hoverText(cell)), hovertemplate: "%{text}<extra></extra>", name, mode: "lines+markers",
    connectgaps: false, showlegend: places.length > 0, marker: { size: 6, color: colour }, ...style,
  };
}

/**
 * @param {{ x: number, y: number, cell: SweepCell, text: string }[]} dots
 * @param {string} name
 * @param {Properties} marker
 * @returns {Properties}
 */
function seedDots(dots, name, marker) {
  return {
    x: dots.map(({ x }) => x), y: dots.map(({ y }) => y), customdata: dots.map(({ cell }) => cell.variant), mode: "markers", name, marker,
    text: dots.map(({ text }) => text), hovertemplate: "%{text}<extra></extra>", showlegend: dots.length > 0, cliponaxis: false,
  };
}

/**
 * @param {SweepCell[]} cells
 * @param {SweepAxis} axis
 * @param {string} name "" for none in the legend
 * @param {Properties} marker
 * @returns {Properties}
 */
function dotsOf(cells, axis, name, marker) {
  const scale = scaleOf(axis);
  return {
    x: cells.map((cell) => scale.at(cell.values[0])), y: cells.map(({ mean }) => mean), customdata: cells.map(({ variant }) => variant),
    text: cells.map(hoverText), hovertemplate: "%{text}<extra></extra>", mode: "markers", name, marker, cliponaxis: false,
    showlegend: name !== "" && cells.length > 0,
  };
}

/**
 * A line with a band for each value of the second axis.
 * @param {Sweep} now
 * @param {SweepCell[]} cells
 * @param {boolean} dark
 * @param {Properties} [panel] the axes of its panel
 * @param {boolean} [first] whether the legend has its lines
 * @returns {Properties[]}
 */
function severalLines({ axes, band }, cells, dark, panel = {}, first = true) {
  const [axis, second] = axes, colours = classColours(second.texts, dark);
  const lines = groupsOf(cells, 1, second.values).flatMap((of, k) => {
    const known = of.filter((cell) => cell.mean !== null), places = lineOf(known, axis);
    const name = plotlyText(`${second.short} ${second.texts[k]}`, 28), colour = colours[k];
    const faint = bandOf(places, band, colour.replace("rgb(", "rgba(").replace(")", ",0.13)"), false);
    const line = meanLine(places, name, colour, { line: { color: colour, width: 2 }, legendgroup: name });
    return [...faint.map((trace) => ({ ...trace, legendgroup: name })), { ...line, showlegend: first && known.length > 0 }];
  });
  const close = cells.filter((cell) => cell.close && cell.mean !== null);
  const highest = cells.filter((cell) => cell.highest && cell.mean !== null);
  const marks = [
    dotsOf(close, axis, "not separated from the highest", { ...ringOf(dark), symbol: "circle-open", color: green(dark) }),
    dotsOf(highest, axis, "highest", { size: 16, symbol: "star", color: green(dark), line: { color: inks(dark).ink, width: 1 } }),
    bandEntry(band, first && cells.some((cell) => cell.low !== null), dark),
    { ...dotsOf(cells.filter((cell) => cell.diverged && cell.mean !== null), axis, "", {}), ...daggers(cells, dark) },
  ].map((trace) => ({ ...trace, legendgroup: trace.name, showlegend: trace.showlegend === true && first }));
  return [...lines, ...marks].map((trace) => ({ ...trace, ...panel }));
}

/**
 * What the bands are, in the legend.
 * @param {string} name
 * @param {boolean} showlegend
 * @param {boolean} dark
 * @returns {Properties}
 */
const bandEntry = (name, showlegend, dark) => ({
  x: [null], y: [null], mode: "markers", name, showlegend, hoverinfo: "skip", marker: { symbol: "square", size: 14, color: inks(dark).grid },
});

/**
 * How many trainings of each cell diverged, as text.
 * @param {SweepCell[]} cells
 * @param {boolean} dark
 * @returns {Properties}
 */
const daggers = (cells, dark) => ({
  mode: "text", text: cells.filter((cell) => cell.diverged && cell.mean !== null).map(({ diverged }) => `†${diverged}`), hoverinfo: "skip",
  hovertemplate: null, textposition: "top center", textfont: { color: inks(dark).ink, size: smallSize() },
});

/**
 * @param {Sweep} now
 * @param {boolean} dark
 * @param {number} width
 * @returns {Figure}
 */
function panels(now, dark, width) {
  const { low, high } = rangeOf(now), all = panelsOf(now), [axis] = now.axes, shown = all.map(({ cells }) => cells);
  const withLegend = Math.max(0, shown.findIndex((cells) => cells.some((cell) => cell.mean !== null)));
  const data = shown.flatMap((cells, k) => severalLines(now, cells, dark, panelAxes(k), k === withLegend));
  const each = width / Math.max(1, Math.min(all.length, 4));
  const axes = {
    x: ticksOf(axis, each), y: { range: [low, high], tickformat: now.figure.share ? ".2f" : "~g" },
    xTitle: plotlyText(axis.title, 40), yTitle: plotlyText(now.figure.short, 40),
  };
  const whole = panelLayout(dark, all.map(({ title }) => plotlyText(title, 40)), width, TALL, axes, now.axes[2].values.length);
  const legend = { orientation: "h", y: 1, yref: "container", yanchor: "top", x: 0 };
  const margin = { .../** @type {Properties} */ (whole.margin), t: 3.4 * fontSize() };
  const tall = /** @type {number} */ (whole.height) + 3.4 * fontSize();
  return { data, layout: { ...whole, showlegend: true, legend, margin, height: tall }, name: now.sentence };
}
