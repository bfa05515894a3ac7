// What if: the features of a row as sliders, numbers and selects, whose changes show at once, without training; and what would flip the
// decision, in words, each change with a button that applies it.

/** @import { Change, Column, Feature, Row, Scene, Table } from "../model/types.js" */

import { inBackground } from "../core/background.js";
import { button, classChoice, element, hideChoice, toggle } from "../core/elements.js";
import { joined } from "../core/text.js";
import { dateText, featureText, finestDate, numberText, valueText } from "../model/columns.js";
import { predict } from "../model/inference.js";
import { changeRow, chooseWantedClass, toggleLock, undoChanges } from "../model/selection.js";
import { SWITCH, rowFeatures } from "./margins.js";
import { PAIRED, nearestChanges } from "./nearest_change.js";

const STEPS = 200; // that a slider's values distinguish
const FIRST = 12; // features that are shown at once; the others unfold
const WAIT = 250; // milliseconds after the last change of the row before the search begins
const DIGITS = 5000; // parts of a range that a suggested value distinguishes
const MUCH = 20_000; // numbers of a model with more of which the search takes seconds, and begins when it is asked for

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

/** @param {HTMLElement} parent @param {Table} table @param {Latest} latest */
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
export const changeable = ({ kind, columns }) => kind === "number" || columns.length > 1;

/**
 * A field with the feature's name, and a lock.
 * @param {Element} grid
 * @param {Table} table
 * @param {Feature} feature
 * @param {Latest} latest
 * @returns {Field}
 */
function fieldOf(grid, table, feature, latest) {
  const { name } = feature, frame = frameOf(grid, name), says = `Lock ${name}: no suggested change may touch it`;
  const lock = toggle(frame, "tsk-lock", "lock", says, (/** @type {Scene} */ { locked }) => locked.includes(name), () => toggleLock(name));
  const field = inputOf(frame, table, feature, latest, name);
  return (scene) => {
    lock(scene).textContent = scene.locked.includes(name) ? "locked" : "lock";
    field(scene);
  };
}

/**
 * A field alone, which screen readers call by another name than that among all fields.
 * @param {Element} grid
 * @param {Table} table
 * @param {Feature} feature
 * @param {Latest} latest
 * @param {string} says
 * @returns {Field}
 */
export const plainField = (grid, table, feature, latest, says) => inputOf(frameOf(grid, feature.name), table, feature, latest, says);

/** @param {Element} grid @param {string} name */
function frameOf(grid, name) {
  const frame = grid.appendChild(document.createElement("div"));
  frame.className = "tsk-field";
  const label = element(frame, "span", "tsk-name");
  label.textContent = label.title = name;
  return frame;
}

/**
 * @param {Element} frame
 * @param {Table} table
 * @param {Feature} feature
 * @param {Latest} latest
 * @param {string} says
 * @returns {Field}
 */
function inputOf(frame, table, feature, latest, says) {
  const [d] = feature.columns, { levels } = table.columns[d];
  if (levels) return levelField(frame, d, levels, says);
  return feature.kind === "number" ? numberField(frame, table, feature, latest, says) : categoryField(frame, table, feature, says);
}

/**
 * @param {Element} frame
 * @param {Table} table
 * @param {Feature} feature
 * @param {Latest} latest
 * @param {string} name
 * @returns {Field}
 */
function numberField(frame, table, { columns: [d] }, latest, name) {
  const column = table.columns[d];
  const slider = element(frame, "input", "tsk-slider", { type: "range", min: column.low, max: column.high, step: "any", "aria-label": name });
  const number = element(frame, "input", "tsk-input", { type: "number", step: "any", "aria-label": `${name}, as a number` });
  slider.disabled = column.low === column.high;
  slider.oninput = () => changeRow({ [d]: rounded(Number(slider.value), latest()?.start[d], column) });
  number.oninput = () => { if (number.value !== "" && Number.isFinite(number.valueAsNumber)) changeRow({ [d]: number.valueAsNumber }); };
  return ({ x }) => {
    if (Number(slider.value) !== x[d]) slider.value = String(x[d]);
    const text = numberText(x[d], column);
    slider.setAttribute("aria-valuetext", valueText(x[d], column));
    slider.title = valueText(x[d], column);
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
  const text = numberText(value, column, STEPS);
  return start !== undefined && numberText(start, column, STEPS) === text ? start : Number(text);
}

/**
 * @param {Element} frame
 * @param {number} d
 * @param {string[]} levels
 * @param {string} name
 * @returns {Field}
 */
function levelField(frame, d, levels, name) {
  const node = element(frame, "select", "tsk-select", { "aria-label": name });
  node.replaceChildren(...levels.map((text, rank) => new Option(text, String(rank))));
  node.onchange = () => changeRow({ [d]: Number(node.value) });
  return ({ x }) => { node.value = String(x[d]); };
}

/**
 * @param {Element} frame
 * @param {Table} table
 * @param {Feature} feature
 * @param {string} name
 * @returns {Field}
 */
function categoryField(frame, table, { columns }, name) {
  const node = element(frame, "select", "tsk-select", { "aria-label": name });
  const options = columns.map((d) => new Option(String(table.columns[d].category), String(d)));
  node.replaceChildren(new Option("none of these", ""), ...options);
  node.onchange = () => changeRow(Object.fromEntries(columns.map((d) => [d, Number(String(d) === node.value)])));
  return ({ x }) => { node.value = String(columns.find((d) => x[d] > 0.5) ?? ""); };
}

/**
 * The nearest changes in `parent`, found again when the row, the model, the locks or the wanted class change.
 * @param {HTMLElement} parent
 */
export function flipPanel(parent) {
  /** @type {unknown[]} */
  let shown = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  return {
    /** @param {Scene | null} scene */
    draw(scene) {
      parent.hidden = !scene;
      if (!scene) return;
      const { model, x, locked, wantedClass, table } = scene, asked = [model, table, String(x), String(locked), wantedClass];
      element(parent, "h4", "tsk-title").textContent = "What would flip the decision?";
      hideChoice(classChoice(parent, "tsk-goal", "Flip it to", "any other class", table.classes, wantedClass, chooseWantedClass), table.classes.length < 3);
      if (asked.every((one, k) => one === shown[k])) return;
      shown = asked;
      clearTimeout(waiting);
      const done = predict(model, x) === wantedClass;
      const given = /** @type {const} */ ([model, x, rowFeatures(table, locked), wantedClass]);
      const search = async () => {
        const found = done ? [] : await inBackground("nearestChanges", [...given], () => nearestChanges(...given));
        if (shown === asked) show(parent, scene, found);
      };
      const much = model.R * model.D * model.C > MUCH;
      const place = element(parent, "div", "tsk-turn");
      if (much) say(parent, [button(document.createElement("p"), "tsk-look", "Look for it", "Look for the nearest change", search)]);
      else if (!place.childNodes.length) say(parent, ["Looking for it …"]);
      place.classList.toggle("tsk-stale", !much); // what is said stays until it is replaced, so that nothing jumps
      if (!much) waiting = setTimeout(search, WAIT);
    },
  };
}

/** @param {HTMLElement} parent @param {Scene} scene @param {Change[]} changes */
function show(parent, scene, changes) {
  if (!changes.length) {
    say(parent, [noneText(scene)]);
    return;
  }
  const lines = changes.map((change) => {
    const line = document.createElement("li"), columns = change.features.flatMap((feature) => feature.columns);
    line.append(`${changeText(scene, change)} `);
    const apply = button(line, "tsk-apply", "Apply", `Apply this change: ${named(change)}`, () => (
      changeRow(Object.fromEntries(columns.map((d) => [d, change.x[d]])))));
    apply.title = "Apply this change to the row";
    return line;
  });
  const list = document.createElement("ul");
  list.className = "tsk-changes";
  list.append(...lines);
  say(parent, [list]);
}

/** @param {Change} change */
const named = ({ features }) => joined(features.map(({ name }) => name));

/**
 * Replaces what is said, and nothing else.
 * @param {HTMLElement} parent
 * @param {(Node | string)[]} words
 */
function say(parent, words) {
  const place = element(parent, "div", "tsk-turn", { role: "status" });
  place.classList.remove("tsk-stale");
  place.replaceChildren(...words);
}

/**
 * "With petal width 1.62 instead of 1.9 (0.37 standard deviations), the model predicts versicolor."
 * @param {Scene} scene
 * @param {Change} change
 */
export function changeText({ table, x }, { features, x: changed, distance, predicted }) {
  const parts = features.map(({ name }) => {
    const feature = table.features.find((one) => one.name === name);
    return feature ? `${name} ${exact(table, feature, changed)} instead of ${exact(table, feature, x)}` : name;
  });
  const size = Number(distance.toPrecision(2)), counted = features.some(({ categories }) => categories.length) ? `; a change of category counts as ${SWITCH}` : "";
  return `With ${joined(parts)} (${size} standard ${size === 1 ? "deviation" : "deviations"}${counted}), the model predicts ${table.classes[predicted]}.`;
}

/**
 * A value with the digits of a change, which are more than a slider's; a date to its day or minute.
 * @param {Table} table
 * @param {Feature} feature
 * @param {Row} x
 */
function exact(table, feature, x) {
  const [d] = feature.columns, column = table.columns[d], { date, levels } = column;
  if (date) return dateText(column, x[d], finestDate(date)) ?? featureText(table, feature, x);
  return feature.kind === "number" && !levels ? numberText(x[d], column, DIGITS) : featureText(table, feature, x);
}

/** @param {Scene} scene */
function noneText({ table, model, x, wantedClass, locked }) {
  if (wantedClass !== null && predict(model, x) === wantedClass) return `The model already predicts ${table.classes[wantedClass]}.`;
  const held = locked.length ? `, with ${joined(locked, 3)} locked` : "";
  const which = table.features.length - locked.length > PAIRED ? `one feature, or of two of the ${PAIRED} that come closest,` : "one or two features";
  return `No change of ${which} within the range of the data flips the decision${wantedClass === null ? "" : ` to ${table.classes[wantedClass]}`}${held}.`;
}
