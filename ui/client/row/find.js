// Which of the rows at hand fulfil some conditions, all of them: on features, classes, the prediction, and the rules.

/** @import { RuleBase } from "../core/messages.js" */
/** @import { Scene, Wanted } from "../model/types.js" */

import { listed } from "../core/text.js";
import { written } from "../model/columns.js";
import { conditions } from "../model/conditions.js";
import { explain, largest } from "../model/inference.js";
import { predictedOf } from "../model/selection.js";

const HOLDS = 0.5; // least typical membership where a rule covers a row

/** What a condition can be on besides a feature, whose `what` begins with FEATURE. */
export const KINDS = /** @type {const} */ ([
  ["result", "Prediction"], ["true", "True class"], ["predicted", "Predicted class"], ["part", "Part"], ["strongest", "Strongest rule"],
  ["covered", "Covered by a rule"],
]);
const FEATURE = "feature:";

/** @param {string} name of a feature */
export const featureKey = (name) => FEATURE + name;

/**
 * The feature that a condition is on; undefined where it is on something else.
 * @param {Scene} scene
 * @param {Wanted} wanted
 */
export function featureOf({ table }, { what }) {
  return what.startsWith(FEATURE) ? table.features.find(({ name }) => name === what.slice(FEATURE.length)) : undefined;
}

/**
 * The values that a condition without a range can have, as texts with the value of each; null for a number's range.
 * @param {Scene} scene
 * @param {Wanted} wanted
 * @returns {[number, string][] | null}
 */
export function choicesOf(scene, wanted) {
  const { table, model } = scene, feature = featureOf(scene, wanted);
  if (feature) return feature.kind === "number" ? null : feature.columns.map((d) => [d, String(table.columns[d].category)]);
  switch (wanted.what) {
    case "result": return [[1, "misclassified"], [0, "correct"]];
    case "part": return [[1, "test rows"], [0, "training rows"]];
    case "covered": return [[0, "no rule covers it"], [1, "some rule covers it"]];
    case "strongest": return Array.from({ length: model.R }, (_, r) => [r, `rule ${r + 1}`]);
    default: return table.classes.map((name, c) => [c, name]);
  }
}

/**
 * A condition of this kind, with its first value.
 * @param {Scene} scene
 * @param {string} what
 * @returns {Wanted}
 */
export function newCondition(scene, what) {
  const choices = choicesOf(scene, { what });
  return choices ? { what, value: choices[0]?.[0] ?? 0 } : { what, low: null, high: null };
}

/**
 * The indices of the rows that fulfil all conditions.
 * @param {Scene} scene
 * @param {RuleBase | null} sentences of the rules
 * @param {Wanted[]} wanted
 */
export function foundRows(scene, sentences, wanted) {
  const { table: { rows }, model } = scene, asked = [rows, model, sentences, wanted];
  if (!rows) return [];
  if (asked.some((one, k) => one !== last.asked[k])) {
    const tests = wanted.map((one) => testOf(scene, sentences, one));
    last = { asked, found: rows.row.map((_, n) => n).filter((n) => tests.every((test) => test(n))) };
  }
  return last.found;
}

/** @type {{ asked: unknown[], found: number[] }} */
let last = { asked: [], found: [] }; // kept, since moving a slider draws the panel again

/**
 * @param {Scene} scene
 * @param {RuleBase | null} sentences
 * @param {Wanted} wanted
 * @returns {(n: number) => boolean}
 */
function testOf(scene, sentences, wanted) {
  const rows = /** @type {import("../core/messages.js").Rows} */ (scene.table.rows), { what, value = 0, low, high } = wanted;
  const feature = featureOf(scene, wanted), predicted = predictedOf(scene);
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
    case "covered": return (n) => Number(covered(scene, sentences, rows.x[n])) === value;
    default: return () => true; // of a table with other features
  }
}

/**
 * Whether some rule covers a row: the geometric mean of the row's memberships in its printed conditions, f^(1/D), is at least 0.5. On
 * the raw memberships, since normalised firing levels add up to 1 for every row and cannot show that no rule applies.
 * @param {Scene} scene
 * @param {RuleBase | null} sentences
 * @param {number[]} x
 */
export function covered(scene, sentences, x) {
  const texts = sentences?.rules.filter(({ dead }) => !dead) ?? [];
  return !texts.length || texts.some((rule) => {
    const levels = conditions({ ...scene, x }, rule).map(({ membership }) => Math.log(membership));
    return !levels.length || Math.exp(levels.reduce((a, b) => a + b, 0) / levels.length) >= HOLDS;
  });
}

/**
 * "age 70 to 80 and misclassified"; "all rows" without conditions.
 * @param {Scene} scene
 * @param {Wanted[]} wanted
 */
export function conditionsText(scene, wanted) {
  const parts = wanted.map((one) => conditionText(scene, one)).filter(Boolean);
  return parts.length ? listed(parts, parts.length) : "all rows";
}

/**
 * @param {Scene} scene
 * @param {Wanted} wanted
 */
function conditionText(scene, wanted) {
  const feature = featureOf(scene, wanted), { what, low, high, value } = wanted;
  if (feature?.kind === "number") {
    const text = (/** @type {number} */ end) => written(end, scene.table.columns[feature.columns[0]], 1e5);
    if (low != null && high != null) return `${feature.name} ${text(low)} to ${text(high)}`;
    return low != null ? `${feature.name} at least ${text(low)}` : high != null ? `${feature.name} at most ${text(high)}` : "";
  }
  const chosen = choicesOf(scene, wanted)?.find(([key]) => key === value)?.[1] ?? "";
  if (feature) return `${feature.name} is ${chosen}`;
  const head = { true: "true class ", predicted: "predicted class ", strongest: "strongest rule: " }[what] ?? "";
  return head + chosen;
}
