// The axes and the cells of a sweep's figures: where values stand, what the vertical axis covers, the baselines across it, the cells by
// their values, and what a cell says where somebody points at it.

/** @import { Marks } from "../core/types.js" */
/** @import { Sweep, SweepAxis, SweepCell } from "./types.js" */

import { GREY, ORANGE, inks } from "../core/colours.js";
import { fontSize, smallSize, straightLine } from "../core/layout.js";
import { fixed, plotlyText } from "../core/text.js";

const DASHES = ["dash", "dot", "longdash"];
const ROOM = 0.08; // of the range, above and below
const FAR = 1; // a level that is farther below the points than their own range, this many times, is named at the lower edge

/**
 * Where the values of an axis stand: by their logarithm where its scale is logarithmic, 0 then apart at the left.
 * @param {SweepAxis} axis
 * @returns {{ at: (value: number) => number, gap: number | null, step: number, range: [number, number] }}
 */
export function scaleOf({ values, log }) {
  const positive = values.filter((value) => value > 0), apart = log && positive.length < values.length;
  const place = log ? Math.log10 : (/** @type {number} */ value) => value;
  const places = (log ? positive : values).map(place), steps = places.slice(1).map((value, k) => value - places[k]);
  const step = steps.length ? Math.min(...steps) : 1;
  const zero = places.length ? places[0] - Math.max(1.4 * step, 0.35 * ((places.at(-1) ?? 0) - places[0]) / Math.max(1, steps.length)) : 0;
  const low = apart ? zero : places[0], high = places.at(-1) ?? 0, margin = 0.5 * step || 0.5;
  return {
    at: (value) => (apart && value === 0 ? zero : place(value)),
    gap: apart && places.length ? (zero + places[0]) / 2 : null, step, range: [low - margin, high + margin],
  };
}

/**
 * Of the longest line of a tick.
 * @param {string} tick
 */
export const letters = (tick) => Math.max(...tick.split("<br>").map((line) => line.length));

/**
 * Ticks at the values, as many as there is room for.
 * @param {SweepAxis} axis
 * @param {number} width pixels
 */
export function ticksOf(axis, width) {
  const scale = scaleOf(axis), [low, high] = scale.range, each = Math.max(1, width - 80) / (high - low);
  const room = 0.62 * fontSize();
  /** @type {number[]} */
  const kept = [];
  for (let k = 0; k < axis.values.length; k++) {
    const before = kept.at(-1), place = scale.at(axis.values[k]);
    const fits = before === undefined
      || (place - scale.at(axis.values[before])) * each > room * (letters(axis.ticks[k]) + letters(axis.ticks[before]) + 2) / 2;
    if (fits) kept.push(k);
  }
  const tickvals = kept.map((k) => scale.at(axis.values[k])), ticktext = kept.map((k) => axis.ticks[k]);
  return { range: scale.range, tickvals, ticktext, tickangle: 0, zeroline: false, showgrid: true };
}

/**
 * A thin line between 0 and the logarithmic part of the axis.
 * @param {Sweep} now
 * @param {boolean} dark
 * @returns {Marks[]}
 */
export function zeroApart({ axes: [axis] }, dark) {
  const { gap } = scaleOf(axis);
  return gap === null ? [] : [straightLine({ x: gap }, inks(dark).grid, { dash: "dot", width: 1, layer: "below" })];
}

/**
 * The range of the vertical axis: of the means, their bands and the trainings that did not diverge, with levels that are near them.
 * @param {Sweep} now
 */
export function rangeOf({ cells, levels, figure, axes }) {
  const values = cells.flatMap(({ mean, low: l, high: h, seeds }) => [
    ...(mean === null ? [] : [mean]), ...(l === null || h === null || axes.length > 2 ? [] : [l, h]),
    ...(axes.length > 1 ? [] : seeds.filter(([, , diverged]) => !diverged).map(([, value]) => value)),
  ]);
  if (!values.length) return figure.share ? { low: 0, high: 1 } : { low: 0, high: 10 };
  let low = values.reduce((a, b) => Math.min(a, b)), high = values.reduce((a, b) => Math.max(a, b));
  const least = figure.share ? 0.02 : 10 ** (1 - figure.digits), span = Math.max(high - low, least);
  const near = levels.filter(({ value }) => low - value <= FAR * span);
  low = near.reduce((a, { value }) => Math.min(a, value), low);
  high = Math.max(levels.reduce((a, { value }) => Math.max(a, value), high), figure.share ? high : low + least);
  const room = ROOM * Math.max(high - low, least);
  const top = figure.share ? Math.min(high + room, Math.max(1.01, high)) : high + room;
  return { low: low >= 0 ? Math.max(low - room, figure.share ? -0.01 : 0) : low - room, high: top };
}

/**
 * Baselines as lines; those far below the points are named at the lower edge.
 * @param {Sweep} now
 * @param {boolean} dark
 * @param {number} low
 * @param {number} high
 * @returns {Marks[]}
 */
export function levelsOf({ levels, figure }, dark, low, high) {
  const colours = [inks(dark).grey, ORANGE, GREY];
  const inside = levels.filter(({ value }) => value >= low && value <= high), below = levels.filter(({ value }) => value < low);
  const text = below.map(({ name, value }) => `${plotlyText(name)} ${figure.short} ${fixed(value, figure.digits)}`).join(", ");
  const note = { text: `↓ ${text}`, showarrow: false, x: 1, xref: "paper", xanchor: "right", y: 0, yref: "paper", yanchor: "bottom" };
  return [
    ...inside.map(({ name, value }) => {
      const style = levels.findIndex((one) => one.name === name);
      const label = `${plotlyText(name)} ${figure.short} ${fixed(value, figure.digits)}`;
      return straightLine({ y: value }, colours[style % colours.length], { text: label, dash: DASHES[style % DASHES.length], layer: "below" });
    }),
    ...(text ? [{ shapes: [], annotations: [{ ...note, font: { size: smallSize(), color: inks(dark).grey } }] }] : []),
  ];
}

/**
 * The cells by their value of an axis, in the order of its values.
 * @param {SweepCell[]} cells
 * @param {number} axis index
 * @param {number[]} values
 */
export const groupsOf = (cells, axis, values) => values.map((value) => cells.filter((cell) => cell.values[axis] === value));

/**
 * The panels of a sweep with more than two axes: along the third, and for each value of the fourth. title: not escaped.
 * @param {Sweep} now
 * @returns {{ title: string, cells: SweepCell[] }[]}
 */
export function panelsOf({ axes, cells }) {
  if (axes.length < 3) return [{ title: "", cells }];
  const [, , third, fourth] = axes;
  const rows = fourth ? groupsOf(cells, 3, fourth.values) : [cells];
  return rows.flatMap((row, j) => groupsOf(row, 2, third.values).map((of, k) => {
    const below = fourth ? `, ${fourth.short} ${fourth.texts[j]}` : "";
    return { title: `${third.short} ${third.texts[k]}${below}`, cells: of };
  }));
}

/**
 * Lines about a cell, for Plotly.
 * @param {SweepCell} cell
 */
export const hoverText = ({ lines }) => lines.map((line) => plotlyText(line, 120)).join("<br>");
