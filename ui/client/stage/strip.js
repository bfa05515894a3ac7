// Loss and scores by epoch in one slim strip, on which a press or a drag selects the epoch.

/** @import { Epoch, State, View } from "../core/types.js" */
/** @import { Line } from "../charts/training_curves.js" */
/** @import { Place } from "./panel.js" */

import { inks } from "../core/colours.js";
import { dataRange, scoreRange } from "../core/layout.js";
import { onDrag, svg } from "../core/svg.js";
import { comparisonLabel, fixed } from "../core/text.js";
import { training } from "../charts/epoch_slider.js";
import { accuracyLines, axisEnd, steady } from "../charts/training_curves.js";
import { panel, part, put, ticksOf } from "./panel.js";

const [LETTER, VALUE, BEFORE] = [0.56, 6, 2]; // width of one, times the font size; letters of a value; width before a name
const APART = 6; // two numbers of the axis, times the font size
/** @type {Record<string, [string, string]>} */
const NAMES = { // and short
  "RCA test": ["Accuracy", "Accuracy"], "BCA test": ["Balanced accuracy", "Balanced"], "BCA validation": ["Validation accuracy", "Validation"],
};

/**
 * A line in pixels. d: of the run shown. other: of the comparison. end: where the run's line ends, null where it has no value.
 * @typedef {{
 *   name: string, colour: string, width: number, of: (epoch: Epoch) => number | null, d: string, other: string, end: number | null,
 * }} Drawn
 * A strip in pixels. x: of an epoch's number. ends: of the axis of the loss, at the bottom and at the top.
 * @typedef {{
 *   lines: Drawn[], x: (epoch: number) => number, last: number, left: number, right: number, bottom: number, ends: number[],
 * }} Strip
 */

/** @param {Element} parent @returns {View} */
export function strip(parent) {
  return panel(parent, () => {
    let asked = /** @type {unknown[]} */ ([]), known = /** @type {Strip | null} */ (null);
    return (place, now) => {
      const { shown, comparison, logLoss, dark, epoch } = now, { width, height, size } = place;
      const runs = [shown, comparison].flatMap(({ run, epochs, about }) => [run, epochs.length, epochs[0], epochs.at(-1), about]);
      const asks = [...runs, logLoss, dark, epoch?.stage, width, height, size];
      if (!known || asks.some((one, k) => one !== asked[k])) [asked, known] = [asks, stripOf(place, now)];
      drawStrip(place, now, known);
    };
  });
}

/**
 * The lines of a strip of this size, which stay while another epoch is selected.
 * @param {Pick<Place, "width" | "height" | "size">} place
 * @param {State} now
 * @returns {Strip}
 */
export function stripOf({ width, height, size }, now) {
  const { shown, comparison, dark, epoch } = now, narrow = width < 40 * size;
  const scores = accuracyLines(dark, epoch?.stage === "hold-out").filter(({ group }) => !group);
  const longest = Math.max(...scores.map(({ name }) => NAMES[name][Number(narrow)].length)) + VALUE;
  const left = 3 * size, right = width - (LETTER * longest + BEFORE) * size, bottom = height - 1.3 * size, last = axisEnd({ ...now, across: "epochs" });
  const x = (/** @type {number} */ number) => left + (number / last) * (right - left);
  const points = scores.flatMap(({ of }) => [...shown.epochs, ...comparison.epochs].map((e) => ({ epoch: e.epoch, value: of(e) })));
  const { range } = scoreRange(points, Boolean(shown.about.ended)), loss = lossScale(now);
  /** @param {Line} line @param {string} name @param {[number, number]} ends @param {(value: number) => number} [of] */
  const drawn = (line, name, [low, high], of = (value) => value) => {
    const y = (/** @type {number} */ value) => Math.min(bottom, bottom - ((of(value) - low) / (high - low || 1)) * (bottom - 0.4 * size));
    const own = steady(line, shown), valued = shown.epochs.findLast((e) => isNumber(line.of(e)));
    const end = valued ? y(/** @type {number} */ (own.of(valued))) : null;
    const compared = line.compared === false ? "" : linePath(comparison.epochs, steady(line, comparison).of, x, y);
    const { colour, width: thick = 2, of: value } = line;
    return { name, colour, width: thick, of: value, d: linePath(shown.epochs, own.of, x, y), other: compared, end };
  };
  const lines = [drawn({ name: "Loss", of: ({ ce }) => ce, colour: inks(dark).ink }, "Loss", loss.range, loss.of)];
  lines.push(...scores.map((line) => drawn(line, NAMES[line.name][Number(narrow)], range)));
  return { lines, x, last, left, right, bottom, ends: loss.range.map(loss.back) };
}

/** @param {number | null} value @returns {value is number} */
const isNumber = (value) => value !== null && Number.isFinite(value);

/**
 * The scale of the loss: the range of what `of` makes of it, and `back` to the loss.
 * @param {State} now
 */
function lossScale({ shown, comparison, logLoss }) {
  const values = [...shown.epochs, ...comparison.epochs].map(({ ce }) => ce);
  if (logLoss) {
    const range = dataRange(values.filter((value) => value > 0).map(Math.log10));
    return { range: range ?? /** @type {[number, number]} */ ([-1, 0]), of: Math.log10, back: (/** @type {number} */ log) => 10 ** log };
  }
  const [low, high] = dataRange(values, { near: [0], within: [0, Infinity] }) ?? [0, 1], same = (/** @type {number} */ value) => value;
  return { range: /** @type {[number, number]} */ ([Math.max(0, low), high]), of: same, back: same };
}

/**
 * The values of epochs as the attribute d of a path, with a gap where there is none, as where training diverged.
 * @param {Epoch[]} epochs
 * @param {(epoch: Epoch) => number | null} of
 * @param {(epoch: number) => number} x
 * @param {(value: number) => number} y
 */
export function linePath(epochs, of, x, y) {
  let d = "", gap = true;
  epochs.forEach((epoch) => {
    const value = of(epoch), up = isNumber(value) ? y(value) : NaN;
    if (Number.isFinite(up)) d += `${gap ? "M" : "L"}${x(epoch.epoch).toFixed(1)},${up.toFixed(1)}`;
    gap = !Number.isFinite(up);
  });
  return d && !d.includes("L") ? `${d}h0.01` : d; // a dot
}

/**
 * @param {Place} place
 * @param {State} now
 * @param {Strip} drawn
 */
function drawStrip({ say, node, size, height }, now, { lines, x, last, left, right, bottom, ends }) {
  const { epoch, shown, future } = now, at = epoch ? x(Math.max(0, epoch.epoch)) : left;
  say("", "");
  put(node, { role: "img", "aria-label": stripText(now, lines) });
  const axis = part(node, "g", "tsk-stage-axis", {});
  part(axis, "path", "tsk-stage-grid", { d: `M${left},${bottom}H${right}` });
  const digits = ends[1] < 10 ? 2 : 0, texts = ends.map((end) => fixed(end, digits));
  part(axis, "text", "tsk-stage-most", { x: left - 5, y: 0.9 * size, "text-anchor": "end" }, texts[1]);
  part(axis, "text", "tsk-stage-least", { x: left - 5, y: bottom, "text-anchor": "end" }, texts[0]);
  const whole = ticksOf(last).filter((tick) => tick > 0 && Number.isInteger(tick)), end = x(whole.at(-1) ?? 0);
  const ticks = whole.filter((tick) => x(tick) === end || x(tick) < end - APART * size), labels = part(axis, "g", "tsk-stage-ticks", {});
  while (labels.children.length > ticks.length) labels.lastElementChild?.remove();
  ticks.forEach((tick, k) => {
    const label = labels.children[k] ?? svg(labels, "text", {});
    put(label, { x: x(tick).toFixed(1), y: height - 2, "text-anchor": tick === last ? "end" : "middle" });
    label.textContent = k === ticks.length - 1 ? `epoch ${tick}` : String(tick);
  });
  const past = `tsk-past-${shown.run}`, clip = part(node, "clipPath", "tsk-stage-clip", { id: past });
  part(clip, "rect", "tsk-stage-seen", { x: left, y: 0, width: Math.max(0, at - left + 1.5).toFixed(1), height });
  const groups = ["tsk-stage-others", "tsk-stage-ahead", "tsk-stage-past"].map((name) => part(node, "g", name, {}));
  groups[1].style.display = future ? "" : "none";
  put(groups[2], { "clip-path": `url(#${past})` });
  for (const [k, group] of groups.entries()) {
    lines.forEach((line, n) => {
      const { d, stroke, width } = k ? { ...line, stroke: line.colour } : { d: line.other, stroke: inks(now.dark).comparison, width: 1.25 };
      part(group, "path", `tsk-line-${n}`, { d, stroke, "stroke-width": width });
    });
    while (group.children.length > lines.length) group.lastElementChild?.remove();
  }
  part(node, "path", "tsk-stage-cursor", { d: epoch ? `M${at.toFixed(1)},0V${bottom}` : "" });
  nameLines(node, now, lines, { left: right + 0.5 * size, size, bottom });
  onDrag(node, shown.epochs.length > 1 ? (spot) => training.goTo(nearest(shown.epochs, ((spot.x - left) / (right - left)) * last)) : null);
}

/**
 * The name and the value of each line at its end.
 * @param {Element} node
 * @param {State} now
 * @param {Drawn[]} lines
 * @param {{ left: number, size: number, bottom: number }} box
 */
function nameLines(node, { epoch }, lines, { left, size, bottom }) {
  const group = part(node, "g", "tsk-stage-names", {}), ends = lines.map(({ end }) => end ?? bottom);
  const places = spread(ends, 1.15 * size, 0.5 * size, bottom + 0.4 * size);
  lines.forEach((line, k) => {
    const label = part(group, "g", `tsk-name-${k}`, { transform: `translate(${left.toFixed(1)},${places[k].toFixed(1)})` });
    part(label, "path", "tsk-stage-swatch", { d: `M0,0h${size.toFixed(1)}`, stroke: line.colour });
    const value = epoch && epoch.epoch > 0 ? line.of(epoch) : null;
    part(label, "text", "tsk-stage-value", { x: 1.4 * size, y: 0.35 * size }, isNumber(value) ? `${line.name} ${fixed(value, 3)}` : line.name);
  });
  while (group.children.length > lines.length) group.lastElementChild?.remove();
}

/**
 * Places as near to the wanted ones as labels allow that are to stand `gap` apart between two ends.
 * @param {number[]} wanted
 * @param {number} gap
 * @param {number} low
 * @param {number} high
 */
export function spread(wanted, gap, low, high) {
  const order = wanted.map((_, k) => k).sort((a, b) => wanted[a] - wanted[b] || a - b), places = [...wanted];
  let next = low;
  for (const k of order) next = (places[k] = Math.max(next, wanted[k])) + gap;
  let most = high;
  for (const k of order.reverse()) most = (places[k] = Math.min(most, places[k])) - gap;
  return places;
}

/**
 * The index of the epoch whose number is nearest.
 * @param {Epoch[]} epochs
 * @param {number} number
 */
export function nearest(epochs, number) {
  let best = 0;
  epochs.forEach(({ epoch }, k) => { if (Math.abs(epoch - number) < Math.abs(epochs[best].epoch - number)) best = k; });
  return best;
}

/** @param {State} now @param {Drawn[]} lines */
function stripText(now, lines) {
  const { epoch, comparison } = now;
  if (!epoch) return "Loss and accuracy by epoch; no epoch yet.";
  const values = lines.map(({ name, of }) => [name, of(epoch)]).filter(([, value]) => isNumber(/** @type {number | null} */ (value)));
  const texts = values.map(([name, value]) => `${name} ${fixed(Number(value), 3)}`);
  return `Loss and accuracy by epoch; in epoch ${epoch.epoch}: ${texts.join(", ")}.${comparison.epochs.length ? ` Dashed: ${comparisonLabel(now)}.` : ""}`;
}
