// A prediction: bars or a curve to drag, cells to paint, options to choose. It is drawn until it is locked, then it stands still.
// What was drawn is kept by the question's id: the server may draw the page again at any moment.

/** @import { MountOptions, State, View } from "../core/types.js" */
/** @import { Drawing, Editor, Question } from "./types.js" */

import { button, element } from "../core/elements.js";
import { choices } from "./choices.js";
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

/**
 * @param {Question} question
 * @returns {Drawing}
 */
function beginning({ kind, labels, grid, low, high, start, value }) {
  if (value) return { values: [...value], touched: true };
  if (kind === "choice") return { values: [], touched: false };
  if (kind === "region") return { values: Array.from({ length: grid * grid }, () => 0), touched: false };
  return { values: start ? [...start] : labels.map(() => (low + high) / 2), touched: false };
}
