// The grid of rules and features: each membership over the data, a line that can be dragged to another value, and what fires then.

/** @import { RuleBase, RuleText } from "../../core/messages.js" */
/** @import { Feature, Scene } from "../../model/types.js" */
/** @import { Update } from "./grid_cell.js" */

import { ruleColour } from "../../core/colours.js";
import { button, columnHeading, element, keepingFocus } from "../../core/elements.js";
import { percent, truncated } from "../../core/text.js";
import { numberText, valueText } from "../../model/columns.js";
import { explain } from "../../model/inference.js";
import { changeRow, rowName, selectRow, undoChanges } from "../../model/selection.js";
import { cell } from "./grid_cell.js";

const [RULES, FEATURES] = [8, 5]; // of a page

/**
 * The grid in `parent`. Returns a function that draws it.
 * @param {HTMLElement} parent
 */
export function ruleGrid(parent) {
  const page = { rules: 0, features: 0 };
  /** @type {{ key: unknown[], update: (scene: Scene) => void } | null} */
  let built = null;
  let again = () => {};
  return function draw(/** @type {Scene} */ scene, /** @type {RuleBase} */ base) {
    const key = [scene.table, scene.snapshot, base, page.rules, page.features, scene.dark];
    again = () => draw(scene, base);
    if (!built || key.some((value, k) => value !== built?.key[k])) {
      keepingFocus(parent, () => { built = { key, update: build(parent, scene, base, page, () => again()) }; });
    }
    built?.update(scene);
  };
}

/**
 * @param {HTMLElement} parent
 * @param {Scene} scene
 * @param {RuleBase} base
 * @param {{ rules: number, features: number }} page which is turned
 * @param {() => void} again draws the grid
 */
function build(parent, scene, base, page, again) {
  const living = base.rules.filter(({ rule, dead }) => !dead && scene.snapshot.log_weight[rule - 1] > -Infinity);
  const features = usedFeatures(scene, living);
  const rules = paged(living, page, "rules", RULES), columns = paged(features, page, "features", FEATURES);
  parent.replaceChildren();
  const bar = element(parent, "div", "tsk-page"), status = element(parent, "p", "tsk-grid-result", { role: "status" });
  pageButtons(bar, page, "rules", living.length, RULES, again);
  pageButtons(bar, page, "features", features.length, FEATURES, again);
  button(bar, "tsk-another", "Another row", "Show another row, drawn at random", () => {
    const rows = scene.table.rows?.row.length ?? 0;
    if (rows) selectRow(scene, Math.floor(Math.random() * rows));
  }).disabled = !scene.table.rows;
  const undo = button(bar, "tsk-grid-undo", "Undo changes", "Undo the changes to the row", undoChanges);
  const frame = element(parent, "div", "tsk-grid-frame"), table = element(frame, "table", "tsk-rule-grid");
  const heads = head(table, scene, columns), lines = rules.map((rule) => body(table, scene, columns, rule));
  return (/** @type {Scene} */ now) => {
    const why = explain(now.model, now.x);
    for (const update of [...heads, ...lines.flatMap(({ updates }) => updates)]) update(now.x);
    for (const line of lines) line.fire(why.firing[line.r]);
    undo.disabled = now.x === now.start;
    status.textContent = resultText(now, why);
  };
}

/**
 * The features that the sentences of some rules have, those of most sentences first.
 * @param {Scene} scene
 * @param {RuleText[]} rules
 */
function usedFeatures({ table }, rules) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const name of rules.flatMap((rule) => rule.features)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return table.features.filter(({ name }) => counts.has(name)).sort((a, b) => Number(counts.get(b.name)) - Number(counts.get(a.name)));
}

/**
 * @template T
 * @param {T[]} all
 * @param {{ rules: number, features: number }} page
 * @param {"rules" | "features"} what
 * @param {number} most
 */
function paged(all, page, what, most) {
  const at = Math.min(page[what], Math.max(0, Math.ceil(all.length / most) - 1));
  return all.slice(at * most, (at + 1) * most);
}

/**
 * @param {HTMLElement} bar
 * @param {{ rules: number, features: number }} page
 * @param {"rules" | "features"} what
 * @param {number} count
 * @param {number} most
 * @param {() => void} again
 */
function pageButtons(bar, page, what, count, most, again) {
  if (count <= most) return;
  const last = Math.ceil(count / most) - 1, group = element(bar, "span", `tsk-page-${what}`);
  const turn = (/** @type {number} */ by) => () => {
    Object.assign(page, { [what]: Math.min(last, Math.max(0, page[what] + by)) });
    again();
  };
  button(group, "tsk-before", "◀", `Previous ${what}`, turn(-1)).disabled = page[what] <= 0;
  const at = Math.min(page[what], last);
  element(group, "span", "tsk-label").textContent = ` ${what} ${at * most + 1} to ${Math.min(count, (at + 1) * most)} of ${count} `;
  button(group, "tsk-after", "▶", `Next ${what}`, turn(1)).disabled = at >= last;
}

/**
 * The names of the features, each with a slider or a select that does what dragging does.
 * @param {HTMLTableElement} table
 * @param {Scene} scene
 * @param {Feature[]} features
 * @returns {Update[]}
 */
function head(table, scene, features) {
  const line = table.createTHead().insertRow();
  line.append(columnHeading("Rule"));
  const updates = features.map((feature) => {
    const place = columnHeading(truncated(feature.name, 32)), value = element(place, "span", "tsk-value");
    place.title = feature.name;
    line.append(place);
    if (scene.table.columns[feature.columns[0]].levels) return levelSelect(place, scene, feature);
    return feature.kind === "number" ? slider(place, value, scene, feature) : select(place, scene, feature);
  });
  line.append(columnHeading("Firing level"), columnHeading("THEN"));
  return updates;
}

/**
 * @param {HTMLElement} place
 * @param {HTMLElement} value
 * @param {Scene} scene
 * @param {Feature} feature
 * @returns {Update}
 */
function slider(place, value, { table }, { name, columns: [d] }) {
  const column = table.columns[d];
  const node = element(place, "input", "tsk-slider", { type: "range", min: column.low, max: column.high, step: "any", "aria-label": name });
  node.disabled = column.low === column.high;
  node.oninput = () => changeRow({ [d]: Number(numberText(Number(node.value), column, 200)) });
  return (x) => {
    node.value = String(x[d]);
    value.textContent = valueText(x[d], column);
    node.setAttribute("aria-valuetext", value.textContent);
  };
}

/**
 * @param {HTMLElement} place
 * @param {Scene} scene
 * @param {Feature} feature
 * @returns {Update}
 */
function select(place, { table }, { name, columns }) {
  const node = element(place, "select", "tsk-select", { "aria-label": name });
  node.replaceChildren(new Option("none of these", ""), ...columns.map((d) => new Option(String(table.columns[d].category), String(d))));
  node.onchange = () => changeRow(Object.fromEntries(columns.map((d) => [d, Number(String(d) === node.value)])));
  return (x) => { node.value = String(columns.find((d) => x[d] > 0.5) ?? ""); };
}

/**
 * @param {HTMLElement} place
 * @param {Scene} scene
 * @param {Feature} feature
 * @returns {Update}
 */
function levelSelect(place, { table }, { name, columns: [d] }) {
  const node = element(place, "select", "tsk-select", { "aria-label": name });
  node.replaceChildren(...(table.columns[d].levels ?? []).map((text, rank) => new Option(text, String(rank))));
  node.onchange = () => changeRow({ [d]: Number(node.value) });
  return (x) => { node.value = String(x[d]); };
}

/**
 * A rule: its memberships, its firing level, and its class.
 * @param {HTMLTableElement} table
 * @param {Scene} scene
 * @param {Feature[]} features
 * @param {RuleText} rule
 */
function body(table, scene, features, rule) {
  const line = (table.tBodies[0] ?? table.createTBody()).insertRow(), r = rule.rule - 1, colour = ruleColour(r, scene.dark);
  const { columns } = scene.table;
  line.append(Object.assign(document.createElement("th"), { textContent: `Rule ${rule.rule}`, scope: "row" }));
  const move = (/** @type {number} */ d, /** @type {number} */ value) => changeRow({ [d]: Number(numberText(value, columns[d], 200)) });
  const updates = features.map((feature) => {
    return cell(line.insertCell(), scene, feature, r, { colour, printed: rule.features.includes(feature.name), move });
  });
  const place = line.insertCell(), bar = element(place, "div", "tsk-bar", { "aria-hidden": "true" });
  const part = bar.appendChild(document.createElement("i")), text = element(place, "span", "tsk-value");
  part.style.background = colour;
  line.insertCell().textContent = truncated(rule.then, 24);
  const fire = (/** @type {number} */ level) => {
    part.style.width = `${100 * level}%`;
    text.textContent = percent(level);
  };
  return { r, updates, fire };
}

/**
 * @param {Scene} scene
 * @param {ReturnType<typeof explain>} why
 */
function resultText(scene, why) {
  const { table, index, x, start } = scene;
  const truth = index === null || !table.rows || x !== start ? "" : ` (true class ${table.classes[table.rows.y[index]]})`;
  return `The lines mark ${rowName(scene)}${truth}. The model predicts ${table.classes[why.predicted]} with probability ${percent(why.probabilities[why.predicted])}.`;
}
