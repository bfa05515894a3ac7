// The reasons for one row's prediction: the rules that fire for it, what each contributes to every class, changes, and similar rows.

/** @import { MountOptions, Rows, State, View } from "../core/types.js" */
/** @import { Explanation, Model, Scene } from "../model/types.js" */

import { classColours } from "../core/colours.js";
import { button, element, keepingFocus, withExplanation, withSwatch } from "../core/elements.js";
import { explaining } from "../core/explaining.js";
import { recordedEpoch } from "../core/store.js";
import { joined, percent, truncatedNames } from "../core/text.js";
import { changedFeatures, featureText } from "../model/columns.js";
import { ablationOf, ablationText } from "../model/conditions.js";
import { explain } from "../model/inference.js";
import { predictedOf, rowLines, sceneOf, selectRow, watch } from "../model/selection.js";
import { filterPanel, neighbours } from "./filter.js";
import { distanceOf, rowFeatures } from "./margins.js";
import { classTable, ruleTable } from "./reason_tables.js";
import { scoreSums } from "./score_sums.js";
import { flipPanel, whatIf } from "./what_if.js";

const CHANGES = 3; // that are named
const MOST = 5; // similar rows that are listed
/** @type {WeakMap<Model, { rows: Rows, firing: Map<number, Float64Array> }>} */
const kept = new WeakMap();

/**
 * @typedef {{ n: number, distance: number, overlap: number }} Alike index of the row; overlap: Σ min(f̄, f̄'), 1 where the same rules fire
 */

/**
 * A view: the reasons for the selected row, and fields to change it. options: { data, rows, note } of ui/explore/rules_tab.py.
 * @param {Element} parent
 * @param {MountOptions} options
 * @returns {View}
 */
export function reasons(parent, options) {
  const note = element(parent, "p", "tsk-caption");
  const bar = element(parent, "div", "tsk-select-row", { role: "group", "aria-label": "Select a row" });
  const find = element(parent, "details", "tsk-find");
  const head = element(parent, "p", "tsk-head", { role: "status" }), changed = element(parent, "p", "tsk-changed", { role: "status" });
  const rules = element(parent, "section", "tsk-rules"), classes = element(parent, "section", "tsk-classes");
  const sums = element(parent, "section", "tsk-score-parts");
  const tools = element(parent, "div", "tsk-tools"), explained = element(parent, "section", "tsk-explained-reasons");
  const explainReasons = explaining(tools, explained, "reasons", "Reasons for a prediction", options);
  const flip = flipPanel(element(parent, "section", "tsk-turning"));
  const fields = whatIf(element(parent, "section", "tsk-whatif")), near = element(parent, "section", "tsk-near");
  let drawn = /** @type {unknown[]} */ ([]); // what the rest was made of
  return {
    watch,
    draw(now) {
      const scene = sceneOf(now, options), out = ablationText(ablationOf(now, now.shown.run));
      note.textContent = [out && `Without ${out}, which the tab Rules took out.`, options.note, now.shown.error].filter(Boolean).join(" ");
      note.hidden = !note.textContent;
      for (const node of [head, changed, rules, classes, sums, tools, explained, near]) node.hidden = !scene;
      bar.hidden = find.hidden = !scene?.table.rows;
      fields.draw(scene);
      flip.draw(scene);
      if (!scene) return;
      const why = explain(scene.model, scene.x), before = scene.x === scene.start ? why : explain(scene.model, scene.start);
      head.textContent = predictionText(scene, why, recordedEpoch(scene.snapshot, now));
      explainReasons(() => rowLines(scene));
      const sentences = sentencesOf(now, scene), { model, table, x, index, dark, scoreClass, filters } = scene;
      const of = [model, table, x, index, dark, scoreClass, filters, sentences];
      if (of.every((one, k) => one === drawn[k])) return; // another epoch, and the same rules
      drawn = of;
      rowChoice(bar, scene);
      changed.textContent = changesText(scene, before, why);
      filterPanel(find, scene, sentences ?? null);
      ruleTable(rules, scene, why, sentences);
      classTable(classes, scene, why);
      scoreSums(sums, scene, why);
      similarRowsPanel(near, scene, why);
    },
  };
}

/**
 * The rules in words at the epoch of the scene, null where the server has not written them, undefined before it sent any.
 * @param {State} now
 * @param {Scene} scene
 */
function sentencesOf({ shown }, { snapshot }) {
  if (!shown.ruleBases.length) return undefined;
  const written = shown.ruleBases.filter(({ epoch }) => epoch === snapshot.epoch);
  return written.find(({ end }) => end) ?? written[0] ?? null;
}

/**
 * Select a row by its number, or step through the misclassified test rows.
 * @param {Element} bar
 * @param {Scene} scene
 */
function rowChoice(bar, scene) {
  const { table: { rows }, index } = scene, predicted = predictedOf(scene);
  if (!rows) return;
  const wrong = rows.row.map((_, n) => n).filter((n) => rows.part[n] === 1 && predicted[n] !== rows.y[n]);
  const frame = element(bar, "label", "tsk-number");
  element(frame, "span", "tsk-label").textContent = "Row";
  frame.title = "Number of the row in the table: 1 is the first below the names";
  const last = Number(rows.row.at(-1)) + 1;
  const input = element(frame, "input", "tsk-input", { type: "number", min: 1, max: last, step: 1, "aria-label": "Row" });
  if (document.activeElement !== input) input.value = index === null ? "" : String(rows.row[index] + 1);
  input.onchange = () => {
    if (input.value === "") return;
    const near = nearest(rows.row, Number(input.value) - 1);
    input.value = String(rows.row[near] + 1); // the focus may stay in the field
    selectRow(scene, near);
  };
  const [before, after] = neighbours(wrong, scene);
  const previous = button(bar, "tsk-wrong-previous", "◀ misclassified", "Previous misclassified test row", () => selectRow(scene, before));
  const next = button(bar, "tsk-wrong-next", "misclassified ▶", "Next misclassified test row", () => selectRow(scene, after));
  previous.disabled = next.disabled = !wrong.length;
  rowCount(element(bar, "span", "tsk-label"), wrong.length, rows);
}

/**
 * How many of the test rows that are drawn are misclassified, and that these are not all test rows.
 * @param {HTMLElement} node
 * @param {number} wrong
 * @param {Rows} rows
 */
function rowCount(node, wrong, { part, tests }) {
  const drawn = part.filter(Boolean).length, all = tests ?? drawn;
  const which = drawn < all ? `${drawn} of ${all.toLocaleString("en")} test rows drawn` : `${drawn} test rows`;
  node.textContent = `${which}, ${wrong || "none"} of them misclassified`;
  withExplanation(node, drawn < all
    ? "The page draws at most 1,000 rows, a quarter of them in equal numbers from each class, so rare classes have more than their share. Test RCA counts all test rows."
    : "All test rows are drawn.");
}

/**
 * The index of the available row whose number is nearest.
 * @param {number[]} numbers
 * @param {number} wanted
 */
function nearest(numbers, wanted) {
  const distances = numbers.map((n) => Math.abs(n - wanted));
  return distances.indexOf(Math.min(...distances));
}

/** @param {Scene} scene @param {Explanation} why @param {string} when */
function predictionText({ table: { rows, classes }, index, x, start }, why, when) {
  const prediction = `${classes[why.predicted]} with probability ${percent(why.probabilities[why.predicted])} after ${when}`;
  if (index === null || !rows) {
    const none = `No row is selected${rows ? ": click one in the plane" : ""}.`;
    return `${none} For a typical row (training medians and most frequent values), the model predicts ${prediction}.`;
  }
  const row = `Row ${rows.row[index] + 1} (${rows.part[index] ? "test" : "training"}): true class ${classes[rows.y[index]]}`;
  if (x !== start) return `${row}; with your changes, the model predicts ${prediction}.`;
  return `${row}; the model predicts ${prediction} (${why.predicted === rows.y[index] ? "correct" : "misclassified"}).`;
}

/**
 * "With petal length 4.9 instead of 5.1, the prediction changes from virginica to versicolor."; empty where nothing is changed.
 * @param {Scene} scene
 * @param {Explanation} before
 * @param {Explanation} after
 */
function changesText({ table, x, start }, before, after) {
  const features = changedFeatures(table, x, start);
  if (!features.length) return "";
  const changes = features.map((feature) => `${feature.name} ${featureText(table, feature, x)} instead of ${featureText(table, feature, start)}`);
  const names = table.classes, [now, then] = [after, before].map((why) => percent(why.probabilities[before.predicted]));
  const end = before.predicted === after.predicted
    ? `the prediction stays ${names[before.predicted]}, with probability ${now} instead of ${then}`
    : `the prediction changes from ${names[before.predicted]} to ${names[after.predicted]}`;
  return `With ${joined(changes, CHANGES)}, ${end}.`;
}

/**
 * The training rows nearest to the row, without itself, the nearest first.
 * @param {Scene} scene
 * @param {Explanation} why
 * @param {number} [most]
 * @returns {Alike[]}
 */
export function similarRows(scene, why, most = MOST) {
  const { table: { rows }, index, x, model } = scene, features = rowFeatures(scene.table, []);
  if (!rows) return [];
  const others = rows.x.map((_, n) => n).filter((n) => rows.part[n] === 0 && n !== index);
  const found = others.map((n) => ({ n, distance: distanceOf(features, x, rows.x[n]) })).sort((a, b) => a.distance - b.distance);
  return found.slice(0, most).map((one) => {
    const firing = firingOf(model, rows, one.n);
    return { ...one, overlap: why.firing.reduce((sum, f, r) => sum + Math.min(f, firing[r]), 0) };
  });
}

/** @param {Model} model @param {Rows} rows @param {number} n */
function firingOf(model, rows, n) {
  const known = kept.get(model)?.rows === rows ? kept.get(model) : undefined, { firing } = known ?? { firing: new Map() };
  if (!known) kept.set(model, { rows, firing });
  if (!firing.has(n)) firing.set(n, explain(model, rows.x[n]).firing);
  return /** @type {Float64Array} */ (firing.get(n));
}

/**
 * The training rows most like the row shown, each a button that selects it.
 * @param {HTMLElement} parent
 * @param {Scene} scene
 * @param {Explanation} why
 */
function similarRowsPanel(parent, scene, why) {
  const found = similarRows(scene, why), { table: { rows, classes }, dark } = scene, predicted = predictedOf(scene);
  element(parent, "h4", "tsk-title").textContent = "Similar rows";
  const list = element(parent, "ul", "tsk-alike"), caption = element(parent, "p", "tsk-caption");
  parent.hidden = !rows || !found.length;
  if (!rows) return;
  const colours = classColours(classes, dark), names = truncatedNames(classes, 40);
  while (list.children.length > found.length) list.lastChild?.remove();
  keepingFocus(list, () => found.forEach(({ n, distance, overlap }, k) => {
    const line = element(list, "li", `tsk-alike-${k}`), c = rows.y[n];
    const go = button(line, "tsk-row-button", `Row ${rows.row[n] + 1}`, `Select row ${rows.row[n] + 1}`, () => selectRow(scene, n));
    go.removeAttribute("title");
    const wrong = predicted[n] === c ? "" : `, misclassified as ${names[predicted[n]]}`, text = element(line, "span", "tsk-alike-text");
    const swatch = withSwatch(colours[c], "tsk-class", [names[c]]);
    text.replaceChildren(" ", swatch, `${wrong}; ${distance.toFixed(2)} away, firing levels overlap by ${percent(overlap, 0)}`);
  }));
  const same = found.filter(({ n }) => rows.y[n] === why.predicted).length;
  const shown = rows.part.filter((part) => part === 0).length;
  caption.textContent = `${same} of these ${found.length} have the predicted class. They are the nearest of ${shown} training rows drawn. Distances are in `
    + "standard deviations over all features; a different category counts as 2.";
}
