// What if: the features of a row as sliders, numbers and selects. A change shows at once, without training.

/** @import { Column, Feature, Scene, Table } from "./types.js" */

import { written } from "./columns.js";
import { button, element } from "./elements.js";
import { changeRow, undoChanges } from "./samples.js";

const STEPS = 200; // that a slider's values distinguish
const FIRST = 12; // features that are shown at once; the others unfold

/** @typedef {(scene: Scene) => void} Field brings a field up to date */
/** @typedef {() => Scene | null} Latest the scene as last drawn */

/**
 * The fields in `parent`.
 * @param {HTMLElement} parent
 */
export function whatIf(parent) {
  /** @type {{ table: Table, undo: HTMLButtonElement, fields: Field[] } | null} */
  let built = null;
  /** @type {Scene | null} */
  let last = null;
  return {
    /** @param {Scene | null} scene */
    draw(scene) {
      parent.hidden = !scene;
      last = scene;
      if (!scene) return;
      if (built?.table !== scene.table) built = { table: scene.table, ...build(parent, scene.table, () => last) };
      built.undo.disabled = scene.x === scene.start;
      for (const field of built.fields) field(scene);
    },
  };
}

/**
 * @param {HTMLElement} parent
 * @param {Table} table
 * @param {Latest} latest
 */
function build(parent, table, latest) {
  const order = table.ranked.map((k) => table.features[k]).filter(changeable), rest = order.slice(FIRST);
  parent.replaceChildren();
  element(parent, "h4", "tsk-title").textContent = "What if?";
  const undo = button(parent, "tsk-undo", "Undo changes", "Undo changes", undoChanges);
  const grid = element(parent, "div", "tsk-fields"), fields = order.slice(0, FIRST).map((feature) => fieldOf(grid, table, feature, latest));
  if (!rest.length) return { undo, fields };
  const more = element(parent, "details", "tsk-more");
  element(more, "summary", "tsk-summary").textContent = `${rest.length} more ${rest.length > 1 ? "features, which separate" : "feature, which separates"} the classes less`;
  more.ontoggle = () => { // built when it is first opened
    if (!more.open || more.querySelector(".tsk-fields")) return;
    const inner = element(more, "div", "tsk-fields"), scene = latest();
    const added = rest.map((feature) => fieldOf(inner, table, feature, latest));
    if (scene) for (const field of added) field(scene);
    fields.push(...added);
  };
  return { undo, fields };
}

/**
 * A category with one value cannot be changed.
 * @param {Feature} feature
 */
const changeable = ({ kind, columns }) => kind === "number" || columns.length > 1;

/**
 * @param {Element} grid
 * @param {Table} table
 * @param {Feature} feature
 * @param {Latest} latest
 */
function fieldOf(grid, table, feature, latest) {
  const frame = grid.appendChild(document.createElement("div"));
  frame.className = "tsk-field";
  const label = element(frame, "span", "tsk-name");
  label.textContent = label.title = feature.name;
  return feature.kind === "number" ? numberField(frame, table, feature, latest) : categoryField(frame, table, feature);
}

/**
 * @param {Element} frame
 * @param {Table} table
 * @param {Feature} feature
 * @param {Latest} latest
 * @returns {Field}
 */
function numberField(frame, table, { name, columns: [d] }, latest) {
  const column = table.columns[d];
  const slider = element(frame, "input", "tsk-slider", { type: "range", min: column.low, max: column.high, step: "any", "aria-label": name });
  const number = element(frame, "input", "tsk-input", { type: "number", step: "any", "aria-label": `${name}, as a number` });
  slider.disabled = column.low === column.high;
  slider.oninput = () => changeRow({ [d]: rounded(Number(slider.value), latest()?.start[d], column) });
  number.oninput = () => { if (number.value !== "" && Number.isFinite(number.valueAsNumber)) changeRow({ [d]: number.valueAsNumber }); };
  return ({ x }) => {
    if (Number(slider.value) !== x[d]) slider.value = String(x[d]);
    const text = written(x[d], column);
    slider.setAttribute("aria-valuetext", text);
    if (document.activeElement !== number) number.value = text;
  };
}

/**
 * A slider's value with the digits that matter; the row's own value where it has the same digits.
 * @param {number} value
 * @param {number | undefined} start
 * @param {Column} column
 */
function rounded(value, start, column) {
  const text = written(value, column, STEPS);
  return start !== undefined && written(start, column, STEPS) === text ? start : Number(text);
}

/**
 * @param {Element} frame
 * @param {Table} table
 * @param {Feature} feature
 * @returns {Field}
 */
function categoryField(frame, table, { name, columns }) {
  const node = element(frame, "select", "tsk-select", { "aria-label": name });
  const options = columns.map((d) => new Option(String(table.columns[d].category), String(d)));
  node.replaceChildren(new Option("none of these", ""), ...options);
  node.onchange = () => changeRow(Object.fromEntries(columns.map((d) => [d, Number(String(d) === node.value)])));
  return ({ x }) => { node.value = String(columns.find((d) => x[d] > 0.5) ?? ""); };
}
