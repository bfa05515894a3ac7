// What would flip the decision: the nearest change of one feature and of two, in words, each with a button that applies it.

/** @import { Feature, Row, Scene, Table } from "../model/types.js" */
/** @import { Change } from "./types.js" */

import { button, choice, element } from "../core/elements.js";
import { joined, truncated } from "../core/text.js";
import { featureText, numberText } from "../model/columns.js";
import { dateText, finestDate } from "../model/dates.js";
import { predict } from "../model/inference.js";
import { changeRow, chooseWantedClass } from "../model/selection.js";
import { PAIRED, nearestChanges } from "./change.js";
import { SWITCH, rowFeatures } from "./features.js";

const WAIT = 250; // milliseconds after the last change of the row before the search begins
const DIGITS = 5000; // parts of a range that a suggested value distinguishes
const MUCH = 20_000; // numbers of a model with more of which the search takes seconds, and begins when it is asked for

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
      classChoice(parent, scene);
      if (asked.every((one, k) => one === shown[k])) return;
      shown = asked;
      clearTimeout(waiting);
      const done = predict(model, x) === wantedClass;
      const search = () => show(parent, scene, done ? [] : nearestChanges(model, x, rowFeatures(table, locked), wantedClass));
      const much = model.R * model.D * model.C > MUCH;
      const place = element(parent, "div", "tsk-turn");
      if (much) say(parent, [button(document.createElement("p"), "tsk-look", "Look for it", "Look for the nearest change", search)]);
      else if (!place.childNodes.length) say(parent, ["Looking for it …"]);
      place.classList.toggle("tsk-stale", !much); // what is said stays until it is replaced, so that nothing jumps
      if (!much) waiting = setTimeout(search, WAIT);
    },
  };
}

/**
 * @param {HTMLElement} parent
 * @param {Scene} scene
 */
function classChoice(parent, { table: { classes }, wantedClass }) {
  element(parent, "h4", "tsk-title").textContent = "What would flip the decision?";
  const options = classes.map((name, c) => /** @type {[string, string]} */ ([String(c), truncated(name)]));
  const any = /** @type {[string, string]} */ (["", "any other class"]);
  const node = choice(parent, "tsk-goal", "Flip it to", [any, ...options], wantedClass ?? "", (value) => chooseWantedClass(value === "" ? null : Number(value)));
  if (node.parentElement) node.parentElement.hidden = classes.length < 3;
}

/**
 * @param {HTMLElement} parent
 * @param {Scene} scene
 * @param {Change[]} changes
 */
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
