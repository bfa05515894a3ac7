// Whether the conditions of a rule's sentence hold for a row. The server writes the sentence (tsk_core/live/messages.py); what is
// computed here is as in tsk_core/explain/counting.py.

/** @import { RuleText } from "../core/messages.js" */
/** @import { Scene } from "./types.js" */

import { featureMembership } from "./membership.js";

const HOLDS = 0.5; // least membership of a category, ordered or not, that a sentence lists

/**
 * A condition and its membership for a row, in [0, 1]; a category's is scaled to 1 at the likeliest category. holds: as printed.
 * @typedef {{ text: string, feature: string, membership: number, holds: boolean }} Condition
 */

/**
 * The conditions of a rule's sentence, for the row of the scene; without those that are taken out (ablation.js).
 * @param {Scene} scene
 * @param {RuleText} rule
 * @returns {Condition[]}
 */
export function conditions(scene, { rule, if: texts, features, ranges }) {
  return texts.flatMap((text, k) => {
    const columns = columnsOf(scene, features[k]), range = ranges?.[k];
    if (!columns.some((d) => scene.snapshot.sigmas[rule - 1][d] !== null)) return [];
    const membership = membershipOf(scene, rule - 1, features[k]), x = scene.x[columns[0]];
    const inRange = () => x >= (range?.[0] ?? -Infinity) && x <= (range?.[1] ?? Infinity);
    const holds = range ? inRange() : isUnknown(scene, columns) ? namesOthers(scene, text, features[k], columns) : membership >= HOLDS;
    return [{ text, feature: features[k], membership, holds }];
  });
}

/**
 * Whether a rule's sentence is true of the row of the scene: each of its printed conditions holds.
 * @param {Scene} scene
 * @param {RuleText} rule
 */
export const isTrue = (scene, rule) => conditions(scene, rule).every(({ holds }) => holds);

/**
 * Whether the row has none of the categories that the model knows: it has a column of 0 and 1 for each.
 * @param {Scene} scene
 * @param {number[]} columns of the feature
 */
const isUnknown = ({ x }, columns) => columns.length > 1 && !columns.some((d) => x[d] === 1);

/**
 * Whether a text names the categories that are left out, as "colour is not red", which an unknown one satisfies. A category may
 * itself begin with "not".
 * @param {Scene} scene
 * @param {string} text
 * @param {string} feature
 * @param {number[]} columns of the feature
 */
function namesOthers({ table }, text, feature, columns) {
  const isNamed = (/** @type {number} */ d) => {
    const { category } = table.columns[d];
    return String(category).startsWith("not ") && text.startsWith(`${feature} is ${category}`);
  };
  return text.startsWith(`${feature} is not `) && !columns.some(isNamed);
}

/**
 * @param {Scene} scene
 * @param {string} name of a feature
 */
const columnsOf = ({ table }, name) => table.features.find((feature) => feature.name === name)?.columns ?? [];

/**
 * @param {Scene} scene
 * @param {number} r
 * @param {string} name of the feature
 */
function membershipOf(scene, r, name) {
  const { table, snapshot, x } = scene, columns = columnsOf(scene, name);
  return featureMembership(snapshot, r, columns, table.columns[columns[0]] ?? {}, x);
}
