// The axes of a plane's picture and its legend: their ticks, where they stand, and what they leave for the plot.

/** @import { Point } from "../core/types.js" */
/** @import { Axis, Frame } from "../model/types.js" */
/** @import { Box, Key, Mark, Paper } from "./types.js" */

import { minus, truncated, truncatedNames } from "../core/text.js";

const [EDGE, GAP, APART] = [8, 6, 14]; // pixels around all, beside a tick, between entries of the legend
const [ACROSS, UP] = [5.5, 2.8]; // room of a tick, times the size of its letters
const [TITLE, LINE] = [1.2, 1.35]; // letters of a title, and a line of text, times the size
const LARGE = 1e5; // from here on with K, M and B
const FINE = 5; // most digits after the point

/** @typedef {{ value: number, text: string }} Tick */

/**
 * Round numbers in a range, at most about so many.
 * @param {Point} range
 * @param {number} most
 * @returns {Tick[]}
 */
export function roundTicks([low, high], most) {
  const rough = (high - low) / Math.max(1, most), power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((k) => k * power >= rough * (1 - 1e-9)) ?? 10), first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1, write = writer(step, Math.max(Math.abs(low), Math.abs(high)));
  if (!(step > 0 && count > 0)) return [];
  return Array.from({ length: count }, (_, k) => ({ value: (first + k) * step, text: write((first + k) * step || 0) }));
}

/**
 * How numbers are written that are a step apart.
 * @param {number} step
 * @param {number} largest
 * @returns {(value: number) => string}
 */
function writer(step, largest) {
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9)), known = Math.ceil(Math.log10(largest / step) + 1e-9) + 1;
  if (digits > FINE) return (value) => Number(value.toPrecision(Math.min(20, known))).toExponential().replaceAll("-", "−");
  if (largest < LARGE) return (value) => minus(value.toFixed(digits));
  const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: Math.min(21, Math.max(1, known)) });
  return (value) => minus(compact.format(value));
}

/**
 * The ticks of an axis: its categories by name, else round numbers.
 * @param {Axis} axis
 * @param {number} most
 */
function ticksOf({ range, column }, most) {
  const names = column?.levels ? truncatedNames(column.levels, 18) : column && column.kind !== "number" ? ["no", "yes"] : null;
  if (!names) return roundTicks(range, most);
  return names.map((text, value) => ({ value, text })).filter(({ value }) => value >= range[0] && value <= range[1]);
}

/**
 * The plot, with the ticks, titles and legend around it.
 * @param {Frame} frame
 * @param {Key[]} keys
 * @param {Paper} paper
 * @param {string} ink
 * @returns {{ plot: Box, marks: Mark[] }}
 */
export function layOut({ x, y, single }, keys, { width, height, size, small, measure, above = 0 }, ink) {
  const up = single ? [] : ticksOf(y, (height - above - 4 * LINE * size) / (UP * size)), line = LINE * size, large = TITLE * size;
  const widest = up.reduce((most, { text }) => Math.max(most, measure(text, size)), 0);
  const left = single ? EDGE : Math.ceil(line * TITLE + widest + 2 * GAP), across = ticksOf(x, (width - left) / (ACROSS * size));
  const room = width - left - EDGE, legend = linesOf(keys, room, small, measure), foot = (1 + TITLE) * line + GAP;
  const top = EDGE + above + (legend.length ? legend.length * LINE * small + GAP : 0);
  const plot = { left, top, width: Math.max(1, room), height: Math.max(1, height - top - foot) }, scale = scaleOf({ x, y }, plot);
  const bottom = top + plot.height, style = { fill: ink, size };
  const title = (/** @type {string} */ text, /** @type {number} */ most) => (
    { fill: ink, size: large, text: fitted(text, most, large, measure), align: /** @type {const} */ ("middle") });
  /** @type {Mark[]} */
  const marks = [
    ...apart(across, scale.x, size, measure).map(/** @returns {Mark} */ ({ text, place }) => (
      { ...style, text, align: "middle", at: [place, bottom + GAP + size / 2] })),
    ...up.map(/** @returns {Mark} */ ({ value, text }) => ({ ...style, text, align: "end", at: [left - GAP, scale.y(value)] })),
    { ...title(x.title, plot.width), at: [left + plot.width / 2, height - large * 0.75] },
  ];
  if (!single) marks.push({ ...title(y.title, plot.height), turned: true, at: [large * 0.6, top + plot.height / 2] });
  legend.forEach((entries, k) => {
    const at = EDGE + above + (k + 0.5) * LINE * small;
    for (const { key, place } of entries) {
      marks.push(...key.marks.map((mark) => ({ ...mark, at: /** @type {Point} */ ([left + place + small * 0.7, at]) })));
      marks.push({ fill: ink, size: small, text: key.name, align: "start", at: [left + place + small * 1.9, at] });
    }
  });
  return { plot, marks };
}

/**
 * Places in pixels of the coordinates on the axes.
 * @param {Pick<Frame, "x" | "y">} frame
 * @param {Box} plot
 */
export function scaleOf({ x: { range: [left, right] }, y: { range: [low, high] } }, plot) {
  return {
    x: (/** @type {number} */ value) => plot.left + ((value - left) / (right - left)) * plot.width,
    y: (/** @type {number} */ value) => plot.top + ((high - value) / (high - low)) * plot.height,
  };
}

/**
 * The ticks along a line with their places, without those whose texts would touch the one before.
 * @param {Tick[]} ticks
 * @param {(value: number) => number} scale
 * @param {number} size
 * @param {Paper["measure"]} measure
 */
function apart(ticks, scale, size, measure) {
  let end = -Infinity;
  return ticks.map(({ value, text }) => ({ text, place: scale(value), half: measure(text, size) / 2 })).filter(({ place, half }) => {
    const free = place - half > end;
    if (free) end = place + half + size / 2;
    return free;
  });
}

/**
 * The entries of the legend in lines, each with its place in it.
 * @param {Key[]} keys
 * @param {number} room
 * @param {number} size
 * @param {Paper["measure"]} measure
 */
function linesOf(keys, room, size, measure) {
  /** @type {{ key: Key, place: number }[][]} */
  const lines = [];
  let place = Infinity;
  for (const key of keys) {
    const width = size * 1.9 + measure(key.name, size);
    if (place + width > room) {
      lines.push([]);
      place = 0;
    }
    lines[lines.length - 1].push({ key, place });
    place += width + APART;
  }
  return lines;
}

/**
 * As much of a text as there is room for.
 * @param {string} text
 * @param {number} room
 * @param {number} size
 * @param {Paper["measure"]} measure
 */
export function fitted(text, room, size, measure) {
  let shown = truncated(text);
  for (let most = shown.length - 1; most > 1 && measure(shown, size) > room; most -= 1) shown = truncated(text, most);
  return shown;
}
