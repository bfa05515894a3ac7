// "What do the numbers mean?": one real row worked through, from its memberships to the class.

/** @import { RuleBase, RuleText } from "../core/messages.js" */
/** @import { State } from "../core/types.js" */
/** @import { Explanation, Scene } from "../model/types.js" */

import { element } from "../core/elements.js";
import { capitalised, fixed, minus, percent } from "../core/text.js";
import { written } from "../core/written.js";
import { featureText } from "../model/columns.js";
import { conditions } from "../model/conditions.js";
import { explain, levelsOf, logLevels, ruleOutputs } from "../model/inference.js";
import { rowName } from "../model/selection.js";
import { ruleScene } from "./context.js";

const MEANING = [
  ["Firing level", "how far a row satisfies all conditions of a rule: the product of its memberships, divided by the sum over all rules, so that the levels of a row add up to 100%. The bar beside a rule is its average over the training rows; the tick is an equal share, 1/R."],
  ["True of", "the test rows (without them, the training rows) for which every printed condition holds, with the numbers as printed; and how many of these have the class that the rule names, with the 95% interval of their share (Wilson; rows of one group count as dependent). A missing value counts as the one that replaces it."],
  ["THEN", "the majority class of the training rows for which all printed conditions hold, so that the test rows check it. A readable rule base names the class with the rule’s highest score."],
  ["Order", "by dominance: average firing level × confidence, both of the training rows. It is the same at every number of conditions."],
  ["Confidence", "under More: the share of the rule’s firing on the training rows that falls on rows of its class. Lift is this share divided by that of the class among all training rows."],
  ["Comes back", "how often a like rule came back when the training was repeated."],
  ["The eye", "takes a rule or a condition out, to see at once what it is worth."],
];

/**
 * @param {HTMLElement} parent
 * @param {RuleBase | null} base
 * @param {State} now
 */
export function workedExample(parent, base, now) {
  const details = element(parent, "details", "tsk-legend");
  element(details, "summary", "tsk-summary").textContent = "What do the numbers mean?";
  details.hidden = !base?.rules.length;
  const draw = () => {
    if (!details.open || !base) return;
    const list = element(details, "dl", "tsk-meanings");
    if (!list.childElementCount) for (const [name, text] of MEANING) list.append(made("dt", name), made("dd", text));
    workedThrough(element(details, "div", "tsk-worked"), base, ruleScene(now));
  };
  details.ontoggle = draw;
  draw();
}

/**
 * @param {keyof HTMLElementTagNameMap} tag
 * @param {string} text
 */
const made = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });

/**
 * The row of the tab Samples, or a typical one, step by step.
 * @param {HTMLElement} parent
 * @param {RuleBase} base
 * @param {Scene | null} scene
 */
function workedThrough(parent, base, scene) {
  const fitting = scene !== null && scene.snapshot.epoch === base.epoch;
  const why = fitting ? explain(scene.model, scene.x) : null, r = why ? [...why.firing].indexOf(Math.max(...why.firing)) : -1;
  const rule = base.rules.find((one) => one.rule === r + 1);
  parent.replaceChildren();
  if (!fitting || !why || !rule || rule.dead) return;
  const c = why.predicted, name = scene.table.classes[c];
  const steps = [
    membershipText(scene, rule),
    firingText(scene, r, why.firing[r]),
    contributionText(scene, why, r, c),
    `All rules together give ${name} the score ${minus(fixed(why.scores[c], 2))}, the highest of all classes, which is a probability of ${percent(why.probabilities[c])}.`,
  ];
  parent.append(made("p", `${capitalised(rowName(scene))}, worked through:`));
  const list = parent.appendChild(document.createElement("ol"));
  for (const text of steps) list.append(made("li", text));
}

/**
 * @param {Scene} scene
 * @param {Explanation} why
 * @param {number} r
 * @param {number} c
 */
function contributionText({ model, table, x }, { weights, contributions }, r, c) {
  const product = (/** @type {number[]} */ [f, y]) => fixed(f * y, 2), result = fixed(contributions[r][c], 2);
  const [level, own] = written([weights[r], ruleOutputs(model, x)[r * model.C + c]], product, result);
  const layer = model.layer ? `Layer normalisation and ReLU make ${level} of this level. ` : "";
  const weight = model.layer ? "this number" : "firing level";
  return `${layer}Its contribution to the score of ${table.classes[c]} is ${weight} × its own score: ${level} × ${own} = ${minus(result)}.`;
}

/**
 * @param {Scene} scene
 * @param {RuleText} rule
 */
function membershipText(scene, rule) {
  const { table, x } = scene, found = conditions(scene, rule);
  if (!found.length) return `Rule ${rule.rule} has no printed condition.`;
  const memberships = found.map(({ membership }) => membership);
  const product = (/** @type {number[]} */ values) => values.reduce((all, value) => all * value, 1).toPrecision(2);
  const result = product(memberships);
  const texts = written(memberships, product, result);
  const parts = found.map(({ feature: name }, k) => {
    const feature = table.features.find((one) => one.name === name);
    return `${name}${feature ? ` (${featureText(table, feature, x)})` : ""} ${texts[k]}`;
  });
  return `Memberships of this row in the conditions of rule ${rule.rule}: ${parts.join(" × ")}${found.length > 1 ? ` = ${result}` : ""}.`;
}

/**
 * From raw to normalised firing levels.
 * @param {Scene} scene
 * @param {number} r
 * @param {number} level
 */
function firingText({ model, x }, r, level) {
  const raw = levelsOf(logLevels(model, x), model).map(Math.exp), all = raw.reduce((sum, f) => sum + f, model.epsilon);
  const before = all > 0 ? `the raw firing level of rule ${r + 1} is ${raw[r].toPrecision(2)}, and that of all rules together ${all.toPrecision(2)}. ` : "";
  return `With the conditions that are not printed and the weight of the rule, ${before}Its share is the firing level: ${percent(level)}, the highest for this row.`;
}
