// Whether the conditions of a rule's sentence hold for a row. The server writes the sentence (ui/live/rule_texts.py); what is
// computed here is as in tsk_core/explain/truth.py.

/** @import { RuleText } from "../core/messages.js" */
/** @import { Scene } from "./types.js" */

import { inverseWidth, logMembership } from "./membership.js";

const HOLDS = 0.5; // least membership

/**
 * A condition and its membership for a row, in [0, 1]; a category's is scaled to 1 at the likeliest category.
 * @typedef {{ text: string, feature: string, membership: number, holds: boolean }} Condition
 */

/**
 * The conditions of a rule's sentence, for the row of the scene; without those that are taken out (ablation.js).
 * @param {Scene} scene
 * @param {RuleText} rule
 * @returns {Condition[]}
 */
export function conditions(scene, { rule, if: texts, features }) {
  return texts.flatMap((text, k) => {
    if (!columnsOf(scene, features[k]).some((d) => scene.snapshot.sigmas[rule - 1][d] !== null)) return [];
    const membership = membershipOf(scene, rule - 1, features[k]);
    return [{ text, feature: features[k], membership, holds: membership >= HOLDS }];
  });
}

/**
 * Whether a rule covers the row of the scene: the geometric mean of the memberships in its printed conditions is at least 0.5. Of the
 * raw memberships, since normalised firing levels add up to 1 for every row and cannot show that no rule applies.
 * @param {Scene} scene
 * @param {RuleText} rule
 */
export function covers(scene, rule) {
  const logs = conditions(scene, rule).map(({ membership }) => Math.log(membership));
  return Math.exp(logs.reduce((sum, log) => sum + log, 0) / Math.max(1, logs.length)) >= HOLDS;
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
  /** @param {(d: number) => number} value */
  const level = (value) => columns.reduce((sum, d) => {
    return sum + logMembership(value(d), snapshot.centers[r][d], inverseWidth(snapshot.sigmas[r][d]));
  }, 0);
  const here = level((d) => x[d]);
  if (table.columns[columns[0]]?.kind === "number") return Math.exp(here);
  const top = Math.max(...columns.map((chosen) => level((d) => Number(d === chosen))));
  return Math.exp(Math.min(0, here - top));
}
