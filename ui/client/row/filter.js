// Find rows: a builder of conditions, how many of the rows at hand fulfil all of them, and steps through these rows.

/** @import { RuleBase } from "../core/types.js" */
/** @import { Feature, RowFilter, Scene } from "../model/types.js" */

import { button, columnHeading, element, keepingFocus } from "../core/elements.js";
import { joined, percent, rowsByPart, truncated, truncatedNames } from "../core/text.js";
import { numberText } from "../model/columns.js";
import { isTrue } from "../model/conditions.js";
import { explain, largest } from "../model/inference.js";
import { changeFilters, predictedOf, selectRow } from "../model/selection.js";

const LISTED = 12; // rows found that the table has

/** What a condition can be on besides a feature, whose `what` begins with FEATURE. */
const KINDS = /** @type {const} */ ([
  ["result", "Prediction"], ["true", "True class"], ["predicted", "Predicted class"], ["part", "Part"], ["strongest", "Strongest rule"],
  ["covered", "True sentence"],
]);
const FEATURE = "feature:";

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
  const found = rows && filters.length ? matchingRows(scene, sentences, filters) : [];
  const steps = element(parent, "div", "tsk-find-steps", { role: "group", "aria-label": "Rows found" });
  steps.hidden = !filters.length;
  const [before, after] = neighbours(found, scene);
  button(steps, "tsk-found-previous", "◀ previous", "Previous row found", () => selectRow(scene, before)).disabled = !found.length;
  button(steps, "tsk-found-next", "next ▶", "Next row found", () => selectRow(scene, after)).disabled = !found.length;
  element(steps, "span", "tsk-found", { role: "status" }).textContent = countText(scene, found);
  const table = element(parent, "table", "tsk-found-rows");
  table.classList.add("tsk-table");
  keepingFocus(table, () => foundTable(table, scene, found));
}

/**
 * The rows before and after the one shown among some, round their ends; null where there are none.
 * @param {number[]} rows by index
 * @param {Scene} scene
 */
export function neighbours(rows, { index }) {
  const here = index ?? -1;
  return [rows.findLast((n) => n < here) ?? rows.at(-1) ?? null, rows.find((n) => n > here) ?? rows[0] ?? null];
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

/** @param {string} name of a feature */
const featureKey = (name) => FEATURE + name;

/**
 * The feature that a condition is on; undefined where it is on something else.
 * @param {Scene} scene
 * @param {RowFilter} filter
 */
function featureOf({ table }, { what }) {
  return what.startsWith(FEATURE) ? table.features.find(({ name }) => name === what.slice(FEATURE.length)) : undefined;
}

/**
 * The names of ordered categories, lowest first; undefined for any other feature.
 * @param {Scene} scene
 * @param {Feature | undefined} feature
 */
const levelsOf = ({ table }, feature) => (feature ? table.columns[feature.columns[0]].levels : undefined);

/**
 * The values that a condition without a range can have, as texts with the value of each; null for a number's range.
 * @param {Scene} scene
 * @param {RowFilter} filter
 * @returns {[number, string][] | null}
 */
function choicesOf(scene, filter) {
  const { table, model } = scene, feature = featureOf(scene, filter);
  const levels = levelsOf(scene, feature);
  if (levels) return levels.map((name, rank) => [rank, name]);
  if (feature) return feature.kind === "number" ? null : feature.columns.map((d) => [d, String(table.columns[d].category)]);
  switch (filter.what) {
    case "result": return [[1, "misclassified"], [0, "correct"]];
    case "part": return [[1, "test rows"], [0, "training rows"]];
    case "covered": return [[0, "no rule's conditions all hold"], [1, "all conditions of some rule hold"]];
    case "strongest": return Array.from({ length: model.R }, (_, r) => [r, `rule ${r + 1}`]);
    default: return table.classes.map((name, c) => [c, name]);
  }
}

/**
 * A condition of this kind, with its first value.
 * @param {Scene} scene
 * @param {string} what
 * @returns {RowFilter}
 */
export function newCondition(scene, what) {
  const choices = choicesOf(scene, { what });
  return choices ? { what, value: choices[0]?.[0] ?? 0 } : { what, low: null, high: null };
}

/**
 * The indices of the rows that fulfil all conditions.
 * @param {Scene} scene
 * @param {RuleBase | null} sentences of the rules
 * @param {RowFilter[]} filters
 */
export function matchingRows(scene, sentences, filters) {
  const { table: { rows }, model } = scene, asked = [rows, model, sentences, filters];
  if (!rows) return [];
  if (asked.some((one, k) => one !== last.asked[k])) {
    const tests = filters.map((one) => testOf(scene, sentences, one));
    last = { asked, found: rows.row.map((_, n) => n).filter((n) => tests.every((test) => test(n))) };
  }
  return last.found;
}

/** @type {{ asked: unknown[], found: number[] }} */
let last = { asked: [], found: [] }; // kept, since moving a slider draws the panel again

/**
 * @param {Scene} scene
 * @param {RuleBase | null} sentences
 * @param {RowFilter} filter
 * @returns {(n: number) => boolean}
 */
function testOf(scene, sentences, filter) {
  const rows = /** @type {import("../core/types.js").Rows} */ (scene.table.rows), { what, value = 0, low, high } = filter;
  const feature = featureOf(scene, filter), predicted = predictedOf(scene);
  if (feature && levelsOf(scene, feature)) return (n) => rows.x[n][feature.columns[0]] === value;
  if (feature?.kind === "number") {
    const [d] = feature.columns;
    return (n) => rows.x[n][d] >= (low ?? -Infinity) && rows.x[n][d] <= (high ?? Infinity);
  }
  if (feature) return (n) => rows.x[n][value] > 0.5;
  switch (what) {
    case "result": return (n) => Number(predicted[n] !== rows.y[n]) === value;
    case "true": return (n) => rows.y[n] === value;
    case "predicted": return (n) => predicted[n] === value;
    case "part": return (n) => rows.part[n] === value;
    case "strongest": return (n) => largest(explain(scene.model, rows.x[n]).firing) === value;
    case "covered": return (n) => Number(isCovered(scene, sentences, rows.x[n])) === value;
    default: return () => true; // of a table with other features
  }
}

/**
 * Whether some rule's sentence is true of a row; true where there are no rules in words.
 * @param {Scene} scene
 * @param {RuleBase | null} sentences
 * @param {number[]} x
 */
function isCovered(scene, sentences, x) {
  const living = sentences?.rules.filter(({ dead }) => !dead) ?? [];
  return !living.length || living.some((rule) => isTrue({ ...scene, x }, rule));
}

/**
 * "age 70 to 80 and misclassified"; "all rows" without conditions.
 * @param {Scene} scene
 * @param {RowFilter[]} filters
 */
export function conditionsText(scene, filters) {
  const parts = filters.map((one) => conditionText(scene, one)).filter(Boolean);
  return parts.length ? joined(parts, parts.length) : "all rows";
}

/** @param {Scene} scene @param {RowFilter} filter */
function conditionText(scene, filter) {
  const feature = featureOf(scene, filter), { what, low, high, value } = filter;
  if (feature?.kind === "number" && !levelsOf(scene, feature)) {
    const text = (/** @type {number} */ end) => numberText(end, scene.table.columns[feature.columns[0]], 1e5);
    if (low != null && high != null) return `${feature.name} ${text(low)} to ${text(high)}`;
    return low != null ? `${feature.name} at least ${text(low)}` : high != null ? `${feature.name} at most ${text(high)}` : "";
  }
  const chosen = choicesOf(scene, filter)?.find(([key]) => key === value)?.[1] ?? "";
  if (feature) return `${feature.name} is ${chosen}`;
  const head = { true: "true class ", predicted: "predicted class ", strongest: "strongest rule: " }[what] ?? "";
  return head + chosen;
}
