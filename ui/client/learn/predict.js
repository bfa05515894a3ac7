// A prediction: bars or a curve to drag, cells to paint, options to choose, drawn until it is locked; and what came out of several
// trainings, with the prediction. What was drawn is kept by the question's id: the server may draw the page again at any moment.

/** @import { MountOptions, State, View } from "../core/types.js" */
/** @import { Drawing, Editor, Question } from "./types.js" */

import { blue } from "../core/colours.js";
import { button, element } from "../core/elements.js";
import { height, layout } from "../core/layout.js";
import { drawIn } from "../core/plotly.js";
import { plotlyText } from "../core/text.js";
import { predictedBars, predictedCurve } from "../charts/overlays.js";
import { heights } from "./heights.js";
import { region } from "./region.js";

/** @type {Record<Question["kind"], Editor>} */
const EDITORS = { choice: choices, bars: heights, curve: heights, region };
const HINTS = {
  choice: "Choose one.",
  bars: "Drag each bar to the height you expect; or choose a bar with Tab, and change it with the arrow keys.",
  curve: "Draw the curve with one stroke, or drag its points; or choose a point with Tab, and change it with the arrow keys.",
  region: "Paint cells; start on a painted cell to erase. With the keyboard: arrow keys move, Space paints.",
};
/** @type {Map<string, Drawing>} */
const drawings = new Map();

/**
 * What a lesson shows of several trainings: a value for each label.
 * @typedef {{ name: string, values: (number | null)[] }} Series
 * @typedef {{ labels: string[], x: string, y: string, low?: number, high?: number, series: Series[] }} Across
 */

/**
 * A view: the question, and the button that locks the answer. options: { prediction, send }.
 * @param {Element} parent
 * @param {MountOptions & { prediction?: Question }} options
 * @returns {View}
 */
export function predict(parent, options) {
  const question = /** @type {Question} */ (options.prediction), key = keyOf(question);
  const frame = element(parent, "div", "tsk-predict"), place = element(frame, "div", "tsk-predict-place");
  element(frame, "p", "tsk-predict-hint").textContent = question.locked ? "" : HINTS[question.kind];
  const bar = element(frame, "div", "tsk-predict-bar");
  if (question.locked) drawings.delete(key);
  const drawing = question.locked ? { values: question.value ?? [], touched: true } : drawings.get(key) ?? beginning(question);
  if (!question.locked) drawings.set(key, drawing);
  let dark = false;
  const lock = button(bar, "tsk-lock", "Lock my prediction", "Lock my prediction", () => options.send?.("lock", { value: drawing.values }));
  const redraw = () => {
    lock.hidden = question.locked;
    lock.disabled = !drawing.touched;
    EDITORS[question.kind](place, question, drawing, change, dark);
  };
  /** @param {number[]} values */
  const change = (values) => {
    Object.assign(drawing, { values, touched: true });
    redraw();
  };
  frame.classList.toggle("tsk-locked", question.locked);
  return {
    node: place,
    /** @param {State} state */
    draw(state) {
      dark = state.dark;
      redraw();
    },
  };
}

/** @param {Question} question */
const keyOf = ({ id, kind, labels, options }) => id ?? JSON.stringify([kind, labels, options]);

/** @param {Question} question @returns {Drawing} */
function beginning({ kind, labels, grid, low, high, start, value }) {
  if (value) return { values: [...value], touched: true };
  if (kind === "choice") return { values: [], touched: false };
  if (kind === "region") return { values: Array.from({ length: grid * grid }, () => 0), touched: false };
  return { values: start ? [...start] : labels.map(() => (low + high) / 2), touched: false };
}

/** Radio buttons. @type {Editor} */
function choices(parent, question, drawing, change) {
  const group = element(parent, "div", "tsk-choices", { role: "radiogroup", "aria-label": "Your prediction" });
  question.options.forEach((text, k) => {
    const line = element(group, "label", `tsk-choice-${k}`), chosen = drawing.values[0] === k;
    line.classList.add("tsk-choice");
    line.classList.toggle("tsk-chosen", chosen);
    const radio = element(line, "input", "tsk-radio", { type: "radio", name: `tsk-choice-${question.id ?? ""}` });
    radio.checked = chosen;
    radio.disabled = question.locked;
    radio.onchange = () => change([k]);
    element(line, "span", "tsk-choice-text").textContent = text;
  });
}

/**
 * A view: points over the labels, or bars where bars were predicted. options: { across }.
 * @param {Element} parent
 * @param {MountOptions & { across?: Across }} options
 * @returns {View}
 */
export function across(parent, options) {
  const node = element(parent, "div", "tsk-chart", { role: "img" }), caption = element(parent, "p", "tsk-caption");
  node.style.minHeight = `${height()}px`;
  return {
    node,
    draw(state) {
      if (node.clientWidth && options.across) drawIn(node, acrossFigure(state, options.across), caption);
    },
  };
}

/** @param {State} state @param {Across} given */
export function acrossFigure(state, { labels, x, y, low, high, series }) {
  const { prediction, dark } = state, bars = prediction?.kind === "bars";
  const places = labels.map((label, k) => (bars ? k + 1 : plotlyText(label)));
  const values = series[0]?.values ?? [], known = values.filter((value) => value !== null);
  const colour = blue(dark), look = bars
    ? { type: "bar", width: 0.6, marker: { color: colour }, textposition: "outside" }
    : { mode: "lines+markers+text", marker: { size: 10, color: colour }, line: { color: colour, width: 2.5 }, textposition: "top center" };
  const data = series.map((one) => ({
    x: places, y: one.values, name: "what came out", ...look, hovertemplate: "%{y:.3g}<extra></extra>", cliponaxis: false,
    text: one.values.map((value) => (value === null ? "" : value.toPrecision(3))),
  }));
  const curve = prediction?.kind === "curve" ? predictedCurve(prediction, places, dark) : [];
  const predicted = bars ? predictedBars(state, Math.max(0, ...known)) : curve;
  const xaxis = bars ? { tickvals: places, ticktext: labels.map((label) => plotlyText(label)), range: [0.4, labels.length + 0.6] } : { type: "category" };
  const yaxis = low === undefined || high === undefined ? { rangemode: "tozero" } : { range: [low, high + 0.08 * (high - low)] };
  const text = known.length ? labels.map((label, k) => `${label}: ${values[k]?.toPrecision(3) ?? "–"}`).join("; ") : "no values yet";
  return { data: [...data, ...predicted], layout: layout(dark, x, y, { xaxis, yaxis }), name: `${y} by ${x}. ${text}.` };
}
