// Find rows: a builder of conditions, how many rows fulfil them, and steps through these rows.

/** @import { RuleBase } from "../core/messages.js" */
/** @import { Scene, Wanted } from "../model/types.js" */

import { percent, short } from "../core/text.js";
import { written } from "../model/columns.js";
import { button, element } from "../core/elements.js";
import { KINDS, choicesOf, conditionsText, featureKey, featureOf, foundRows, newCondition } from "./find.js";
import { explain } from "../model/inference.js";
import { findRows, predictedOf, selectRow } from "../model/selection.js";

const LISTED = 12; // rows found that the table has

/**
 * The panel in `parent`, a <details>.
 * @param {HTMLElement} parent
 * @param {Scene} scene
 * @param {RuleBase | null} sentences
 */
export function findPanel(parent, scene, sentences) {
  const { rows } = scene.table, { wanted } = scene;
  element(parent, "summary", "tsk-summary").textContent = "Find rows";
  if (wanted.length && parent.dataset.conditions === "0") /** @type {HTMLDetailsElement} */ (parent).open = true; // also by another tab
  parent.dataset.conditions = String(wanted.length);
  const list = element(parent, "div", "tsk-wanted", { role: "group", "aria-label": "Conditions, all of which have to hold" });
  const bar = element(parent, "div", "tsk-find-bar"), add = `Add ${wanted.length ? "another" : "a"} condition`;
  button(bar, "tsk-add", add, add, () => findRows((all) => [...all, newCondition(scene, "result")]));
  button(bar, "tsk-clear", "Clear", "Remove all conditions", () => findRows(() => [])).disabled = !wanted.length;
  lines(list, scene);
  const found = rows && wanted.length ? foundRows(scene, sentences, wanted) : [], here = scene.index ?? -1;
  const steps = element(parent, "div", "tsk-find-steps", { role: "group", "aria-label": "Rows found" });
  steps.hidden = !wanted.length;
  const before = found.findLast((n) => n < here) ?? found.at(-1) ?? null, after = found.find((n) => n > here) ?? found[0] ?? null;
  button(steps, "tsk-found-previous", "◀ previous", "Previous row found", () => selectRow(scene, before)).disabled = !found.length;
  button(steps, "tsk-found-next", "next ▶", "Next row found", () => selectRow(scene, after)).disabled = !found.length;
  element(steps, "span", "tsk-found", { role: "status" }).textContent = countText(scene, found);
  const table = element(parent, "table", "tsk-found-rows");
  table.classList.add("tsk-table");
  foundTable(table, scene, found);
}

/**
 * "Row 2 of 12 found among 150 rows drawn: age 70 to 80 and misclassified."
 * @param {Scene} scene
 * @param {number[]} found
 */
function countText(scene, found) {
  const all = scene.table.rows?.row.length ?? 0, place = found.indexOf(scene.index ?? -1);
  const which = place >= 0 ? `Row ${place + 1} of the ${found.length} found` : `${found.length || "None"} found`;
  return `${which} among ${all} rows drawn: ${conditionsText(scene, scene.wanted)}.`;
}

/**
 * A line for each condition; those that are there are kept, so that the one in use keeps the focus.
 * @param {HTMLElement} list
 * @param {Scene} scene
 */
function lines(list, scene) {
  const { wanted } = scene;
  while (list.children.length > wanted.length) list.lastChild?.remove();
  wanted.forEach((one, k) => {
    const line = element(list, "div", `tsk-wanted-${k}`, { role: "group", "aria-label": `Condition ${k + 1}` }), number = k + 1;
    /** @param {(old: Wanted) => Wanted} change */
    const replace = (change) => findRows((all) => all.map((old, j) => (j === k ? change(old) : old)));
    kindChoice(line, scene, one, number, (what) => replace(() => newCondition(scene, what)));
    valueFields(line, scene, one, number, (change) => replace((old) => ({ ...old, ...change })));
    const remove = button(line, "tsk-remove", "Remove", `Remove condition ${number}`, () => findRows((all) => all.filter((_, j) => j !== k)));
    line.append(remove); // last, also after its fields were replaced
  });
}

/**
 * @param {HTMLElement} line
 * @param {Scene} scene
 * @param {Wanted} one
 * @param {number} number
 * @param {(what: string) => void} change
 */
function kindChoice(line, { table }, one, number, change) {
  const node = element(line, "select", "tsk-select", { "aria-label": `Condition ${number} is on` });
  if (Number(node.dataset.features) !== table.features.length) {
    node.dataset.features = String(table.features.length);
    const general = KINDS.map(([key, text]) => new Option(text, key));
    const features = document.createElement("optgroup");
    features.label = "Features";
    features.append(...table.ranked.map((k) => table.features[k]).map(({ name }) => new Option(short(name), featureKey(name))));
    node.replaceChildren(...general, features);
  }
  node.value = one.what;
  node.onchange = () => change(node.value);
}

/**
 * A number's range, or the values of anything else.
 * @param {HTMLElement} line
 * @param {Scene} scene
 * @param {Wanted} one
 * @param {number} number
 * @param {(change: Partial<Wanted>) => void} replace
 */
function valueFields(line, scene, one, number, replace) {
  const choices = choicesOf(scene, one), fields = element(line, "span", "tsk-values");
  const key = `${one.what} ${choices?.length}`;
  if (fields.dataset.of !== key) fields.replaceChildren();
  fields.dataset.of = key;
  if (choices) {
    const node = element(fields, "select", "tsk-select", { "aria-label": `Value of condition ${number}` });
    const options = choices.map(([value, text]) => new Option(short(text), String(value)));
    if (node.options.length !== options.length) node.replaceChildren(...options);
    node.value = String(one.value);
    node.onchange = () => replace({ value: Number(node.value) });
    return;
  }
  const column = scene.table.columns[featureOf(scene, one)?.columns[0] ?? 0];
  for (const [end, word] of /** @type {const} */ ([["low", "from"], ["high", "to"]])) {
    element(fields, "label", `tsk-${end}-label`).textContent = word;
    const node = element(fields, "input", `tsk-${end}`, { type: "number", step: "any", "aria-label": `Condition ${number}, ${word}` });
    node.classList.add("tsk-input");
    node.placeholder = written(column[end], column);
    if (document.activeElement !== node) node.value = one[end] == null ? "" : String(one[end]);
    node.oninput = () => { if (!node.validity.badInput) replace({ [end]: node.value === "" ? null : node.valueAsNumber }); };
  }
}

/**
 * The first rows found, from the one shown on; each number is a button that selects its row.
 * @param {HTMLTableElement} node
 * @param {Scene} scene
 * @param {number[]} found
 */
function foundTable(node, scene, found) {
  const { table: { rows, classes }, model } = scene, predicted = predictedOf(scene);
  node.hidden = !found.length;
  if (!rows) return;
  const from = Math.max(0, Math.min(found.indexOf(scene.index ?? -1), found.length - LISTED));
  const head = document.createElement("thead"), body = document.createElement("tbody"), titles = head.insertRow();
  for (const text of ["Row", "True class", "Predicted class", "Probability"]) {
    titles.appendChild(Object.assign(document.createElement("th"), { textContent: text, scope: "col" }));
  }
  for (const n of found.slice(from, from + LISTED)) {
    const line = body.insertRow(), name = `Row ${rows.row[n] + 1}`;
    const go = button(line.insertCell(), "tsk-cell", name, `Select row ${rows.row[n] + 1}`, () => selectRow(scene, n));
    go.setAttribute("aria-pressed", String(n === scene.index));
    const cells = [short(classes[rows.y[n]]), short(classes[predicted[n]]), percent(explain(model, rows.x[n]).probabilities[predicted[n]])];
    for (const text of cells) line.insertCell().textContent = text;
  }
  node.replaceChildren(head, body);
}
