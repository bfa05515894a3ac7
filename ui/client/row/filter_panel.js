// Find rows: a builder of conditions, how many rows fulfil them, and steps through these rows.

/** @import { RuleBase } from "../core/messages.js" */
/** @import { RowFilter, Scene } from "../model/types.js" */

import { button, columnHeading, element, keepingFocus } from "../core/elements.js";
import { percent, rowsByPart, truncated, truncatedNames } from "../core/text.js";
import { numberText } from "../model/columns.js";
import { explain } from "../model/inference.js";
import { changeFilters, predictedOf, selectRow } from "../model/selection.js";
import { KINDS, choicesOf, conditionsText, featureKey, featureOf, matchingRows, newCondition } from "./filter.js";

const LISTED = 12; // rows found that the table has

/**
 * The panel in `parent`, a <details>.
 * @param {HTMLElement} parent
 * @param {Scene} scene
 * @param {RuleBase | null} sentences
 */
export function filterPanel(parent, scene, sentences) {
  const { rows } = scene.table, { filters } = scene;
  element(parent, "summary", "tsk-summary").textContent = "Find rows";
  if (filters.length && parent.dataset.conditions === "0") /** @type {HTMLDetailsElement} */ (parent).open = true; // also by another tab
  parent.dataset.conditions = String(filters.length);
  const list = element(parent, "div", "tsk-wanted", { role: "group", "aria-label": "Conditions, all of which have to hold" });
  const bar = element(parent, "div", "tsk-find-bar"), add = `Add ${filters.length ? "another" : "a"} condition`;
  button(bar, "tsk-add", add, add, () => changeFilters((all) => [...all, newCondition(scene, "result")]));
  button(bar, "tsk-clear", "Clear", "Remove all conditions", () => changeFilters(() => [])).disabled = !filters.length;
  lines(list, scene);
  const found = rows && filters.length ? matchingRows(scene, sentences, filters) : [], here = scene.index ?? -1;
  const steps = element(parent, "div", "tsk-find-steps", { role: "group", "aria-label": "Rows found" });
  steps.hidden = !filters.length;
  const before = found.findLast((n) => n < here) ?? found.at(-1) ?? null, after = found.find((n) => n > here) ?? found[0] ?? null;
  button(steps, "tsk-found-previous", "◀ previous", "Previous row found", () => selectRow(scene, before)).disabled = !found.length;
  button(steps, "tsk-found-next", "next ▶", "Next row found", () => selectRow(scene, after)).disabled = !found.length;
  element(steps, "span", "tsk-found", { role: "status" }).textContent = countText(scene, found);
  const table = element(parent, "table", "tsk-found-rows");
  table.classList.add("tsk-table");
  keepingFocus(table, () => foundTable(table, scene, found));
}

/**
 * "Row 2 of the 12 found (4 test rows and 8 training rows) among 150 rows drawn: age 70 to 80 and misclassified."
 * @param {Scene} scene
 * @param {number[]} found
 */
function countText(scene, found) {
  const all = scene.table.rows?.row.length ?? 0, place = found.indexOf(scene.index ?? -1);
  const which = place >= 0 ? `Row ${place + 1} of the ${found.length} found` : `${found.length || "None"} found`;
  const parts = found.length ? ` (${rowsByPart(scene.table.rows?.part ?? [], found)})` : "";
  return `${which}${parts} among ${all} rows drawn: ${conditionsText(scene, scene.filters)}.`;
}

/**
 * A line for each condition; those that are there are kept, so that the one in use keeps the focus.
 * @param {HTMLElement} list
 * @param {Scene} scene
 */
function lines(list, scene) {
  const { filters } = scene;
  while (list.children.length > filters.length) list.lastChild?.remove();
  filters.forEach((one, k) => {
    const line = element(list, "div", `tsk-wanted-${k}`, { role: "group", "aria-label": `Condition ${k + 1}` }), number = k + 1;
    /** @param {(old: RowFilter) => RowFilter} change */
    const replace = (change) => changeFilters((all) => all.map((old, j) => (j === k ? change(old) : old)));
    kindChoice(line, scene, one, number, (what) => replace(() => newCondition(scene, what)));
    valueFields(line, scene, one, number, (change) => replace((old) => ({ ...old, ...change })));
    const remove = button(line, "tsk-remove", "Remove", `Remove condition ${number}`, () => changeFilters((all) => all.filter((_, j) => j !== k)));
    line.append(remove); // last, also after its fields were replaced
  });
}

/**
 * @param {HTMLElement} line
 * @param {Scene} scene
 * @param {RowFilter} one
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
    features.append(...table.ranked.map((k) => table.features[k]).map(({ name }) => new Option(truncated(name), featureKey(name))));
    node.replaceChildren(...general, features);
  }
  node.value = one.what;
  node.onchange = () => change(node.value);
}

/**
 * A number's range, or the values of anything else.
 * @param {HTMLElement} line
 * @param {Scene} scene
 * @param {RowFilter} one
 * @param {number} number
 * @param {(change: Partial<RowFilter>) => void} replace
 */
function valueFields(line, scene, one, number, replace) {
  const choices = choicesOf(scene, one), fields = element(line, "span", "tsk-values");
  const key = `${one.what} ${choices?.length}`;
  if (fields.dataset.of !== key) fields.replaceChildren();
  fields.dataset.of = key;
  if (choices) {
    const node = element(fields, "select", "tsk-select", { "aria-label": `Value of condition ${number}` });
    const options = choices.map(([value, text]) => new Option(truncated(text), String(value)));
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
    node.placeholder = numberText(column[end], column);
    if (document.activeElement !== node) node.value = one[end] == null ? "" : String(one[end]);
    node.oninput = () => { if (!node.validity.badInput) replace({ [end]: node.value === "" ? null : node.valueAsNumber }); };
  }
}

/**
 * The first rows found, from the one shown on; each number is a button that selects its row. Lines that are there are kept, so that a
 * press that lasts until the next draw is a press.
 * @param {HTMLTableElement} node
 * @param {Scene} scene
 * @param {number[]} found
 */
function foundTable(node, scene, found) {
  const { table: { rows, classes }, model } = scene, predicted = predictedOf(scene);
  node.hidden = !found.length;
  if (!rows) return;
  const from = Math.max(0, Math.min(found.indexOf(scene.index ?? -1), found.length - LISTED));
  const listed = found.slice(from, from + LISTED), titles = ["Row", "True class", "Predicted class", "Probability"];
  if (!node.tHead) node.createTHead().insertRow().append(...titles.map(columnHeading));
  const body = node.tBodies[0] ?? node.createTBody(), names = truncatedNames(classes, 40);
  while (body.rows.length > listed.length) body.deleteRow(-1);
  listed.forEach((n, k) => {
    const line = body.rows[k] ?? body.insertRow(), name = `Row ${rows.row[n] + 1}`;
    while (line.cells.length < titles.length) line.insertCell();
    const go = button(line.cells[0], "tsk-cell", name, `Select row ${rows.row[n] + 1}`, () => selectRow(scene, n));
    go.setAttribute("aria-pressed", String(n === scene.index));
    const probability = explain(model, rows.x[n]).probabilities[predicted[n]];
    [names[rows.y[n]], names[predicted[n]], percent(probability)].forEach((text, at) => { line.cells[at + 1].textContent = text; });
  });
}
