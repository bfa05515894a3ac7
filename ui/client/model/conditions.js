// The conditions of rules: whether those of a sentence hold for a row, and which ones are taken out of the run shown, with the model
// that is left. They are kept by the number of the rule and the name of the feature, so that they stay out at every epoch of the run.

/** @import { Ablation, Base, Options, RuleText, Snapshot, State } from "../core/types.js" */
/** @import { Scene } from "./types.js" */

import { options, setOptions } from "../core/store.js";
import { joined } from "../core/text.js";
import { featureMembership } from "./inference.js";

/** @type {Ablation} */
const NOTHING = { rules: [], conditions: [] };
/** @type {WeakMap<Snapshot, { out: Ablation, left: Snapshot }>} */
const reduced = new WeakMap();
const HOLDS = 0.5; // least membership of a category, ordered or not, that a sentence lists

/**
 * A condition and its membership for a row, in [0, 1]; a category's is scaled to 1 at the likeliest category. holds: as printed.
 * @typedef {{ text: string, feature: string, membership: number, holds: boolean }} Condition
 */

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

/** @param {string | null} run @param {Ablation} out */
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

/**
 * The conditions of a rule's sentence, which the server writes (tsk_core/live/messages.py), for the row of the scene, as in
 * tsk_core/explain/counting.py; without those that are taken out.
 * @param {Scene} scene
 * @param {RuleText} rule
 * @returns {Condition[]}
 */
export function conditionsOf(scene, { rule, if: texts, features, ranges }) {
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
export const isTrue = (scene, rule) => conditionsOf(scene, rule).every(({ holds }) => holds);

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
