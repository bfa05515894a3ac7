// Whether the conditions of a rule's sentence hold for a row. The server writes the sentence (ui/live/rule_texts.py); what is
// computed here is as in tsk_core/explain/truth.py.

/** @import { RuleText, Scene } from "./types.js" */

import { inverseWidth, logMembership } from "./membership.js";

const HOLDS = 0.5; // least membership

/**
 * A condition and its membership for a row, in [0, 1]; a category's is scaled to 1 at the likeliest category.
 * @typedef {{ text: string, membership: number, holds: boolean }} Condition
 */

/**
 * The conditions of a rule's sentence, for the row of the scene.
 * @param {Scene} scene
 * @param {RuleText} rule
 * @returns {Condition[]}
 */
export function conditions(scene, { rule, if: texts, features }) {
  return texts.map((text, k) => {
    const membership = membershipOf(scene, rule - 1, features[k]);
    return { text, membership, holds: membership >= HOLDS };
  });
}

/**
 * @param {Scene} scene
 * @param {number} r
 * @param {string} name of the feature
 */
function membershipOf({ table, snapshot, x }, r, name) {
  const columns = table.features.find((feature) => feature.name === name)?.columns ?? [];
  /** @param {(d: number) => number} value */
  const level = (value) => columns.reduce((sum, d) => {
    return sum + logMembership(value(d), snapshot.centers[r][d], inverseWidth(snapshot.sigmas[r][d]));
  }, 0);
  const here = level((d) => x[d]);
  if (table.columns[columns[0]]?.kind === "number") return Math.exp(here);
  const top = Math.max(...columns.map((chosen) => level((d) => Number(d === chosen))));
  return Math.exp(Math.min(0, here - top));
}
