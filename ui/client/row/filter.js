// Which of the rows at hand fulfil some conditions, all of them: on features, classes, the prediction, and the rules.

/** @import { RuleBase } from "../core/messages.js" */
/** @import { Feature, RowFilter, Scene } from "../model/types.js" */

import { joined } from "../core/text.js";
import { numberText } from "../model/columns.js";
import { isTrue } from "../model/conditions.js";
import { explain, largest } from "../model/inference.js";
import { predictedOf } from "../model/selection.js";

/** What a condition can be on besides a feature, whose `what` begins with FEATURE. */
export const KINDS = /** @type {const} */ ([
  ["result", "Prediction"], ["true", "True class"], ["predicted", "Predicted class"], ["part", "Part"], ["strongest", "Strongest rule"],
  ["covered", "True sentence"],
]);
const FEATURE = "feature:";

/** @param {string} name of a feature */
export const featureKey = (name) => FEATURE + name;

/**
 * The feature that a condition is on; undefined where it is on something else.
 * @param {Scene} scene
 * @param {RowFilter} filter
 */
export function featureOf({ table }, { what }) {
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
export function choicesOf(scene, filter) {
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
  const rows = /** @type {import("../core/messages.js").Rows} */ (scene.table.rows), { what, value = 0, low, high } = filter;
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

/**
 * @param {Scene} scene
 * @param {RowFilter} filter
 */
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
