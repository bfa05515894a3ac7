// Rules and conditions that are taken out of the run shown, to see what they are worth: which ones, with undo, and the model that is left.
// Kept by the number of the rule and the name of the feature, so that they stay out at every epoch of the run.

/** @import { Base, Snapshot } from "../core/messages.js" */
/** @import { Ablation, Options, State } from "../core/types.js" */

import { options, setOptions } from "../core/store.js";
import { joined } from "../core/text.js";

/** @type {Ablation} */
const NOTHING = { rules: [], conditions: [] };
/** @type {WeakMap<Snapshot, { out: Ablation, left: Snapshot }>} */
const reduced = new WeakMap();

/**
 * What is taken out of a run at present.
 * @param {Pick<Options, "ablation">} now
 * @param {string | null} run
 */
export const ablationOf = (now, run) => (now.ablation.run === run ? now.ablation.steps.at(-1) ?? NOTHING : NOTHING);

/** @param {Ablation} out */
export const isEmpty = ({ rules, conditions }) => !rules.length && !conditions.length;

/**
 * Take a rule out, or put it back.
 * @param {string | null} run
 * @param {number} r
 */
export function toggleRule(run, r) {
  const now = ablationOf(options, run), rules = now.rules.includes(r) ? now.rules.filter((one) => one !== r) : [...now.rules, r];
  step(run, { ...now, rules });
}

/**
 * Take a condition out of a rule, or put it back.
 * @param {string | null} run
 * @param {number} r
 * @param {string} feature
 */
export function toggleCondition(run, r, feature) {
  const now = ablationOf(options, run), others = now.conditions.filter((one) => !(one[0] === r && one[1] === feature));
  step(run, { ...now, conditions: others.length < now.conditions.length ? others : [...now.conditions, [r, feature]] });
}

/** Take the last step back. */
export function undoAblation() {
  const { run, steps } = options.ablation;
  setOptions({ ablation: { run, steps: steps.slice(0, -1) } });
}

/**
 * Put all rules and conditions back, which can be undone, too.
 * @param {string | null} run
 */
export const clearAblation = (run) => step(run, NOTHING);

/**
 * @param {string | null} run
 * @param {Ablation} out
 */
function step(run, out) {
  const before = options.ablation.run === run ? options.ablation.steps : [];
  setOptions({ ablation: { run, steps: [...before, out] } });
}

/**
 * The snapshot without what is taken out of the run shown: the same object where that is nothing. A rule that is out keeps its place
 * and its number, with a weight of 0 (`log_weight` is −∞); a condition that is out has no sigmas.
 * @param {Snapshot | null} snapshot
 * @param {State} now
 */
export function ablatedSnapshot(snapshot, now) {
  const out = ablationOf(now, now.shown.run);
  if (!snapshot || !now.shown.base || isEmpty(out)) return snapshot;
  const known = reduced.get(snapshot);
  if (known?.out === out) return known.left;
  const left = ablated(snapshot, now.shown.base, out);
  reduced.set(snapshot, { out, left });
  return left;
}

/**
 * @param {Snapshot} snapshot
 * @param {Base} base
 * @param {Ablation} out
 * @returns {Snapshot}
 */
export function ablated(snapshot, { columns }, { rules, conditions }) {
  const log_weight = snapshot.log_weight.map((weight, r) => (rules.includes(r) ? -Infinity : weight));
  const sigmas = [...snapshot.sigmas];
  for (const [r, feature] of conditions) sigmas[r] = sigmas[r]?.map((sigma, d) => (columns[d].feature === feature ? null : sigma));
  return { ...snapshot, log_weight, sigmas };
}

/**
 * "rules 3 and 5, and size in rule 2"; empty where nothing is out.
 * @param {Ablation} out
 */
export function ablationText({ rules, conditions }) {
  const numbers = [...rules].sort((a, b) => a - b).map((r) => r + 1), parts = [];
  if (numbers.length) parts.push(`${numbers.length > 1 ? "rules" : "rule"} ${joined(numbers)}`);
  if (conditions.length) parts.push(joined(conditions.map(([r, feature]) => `${feature} in rule ${r + 1}`), 6));
  return parts.join(", and ");
}
