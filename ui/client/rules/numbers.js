// The numbers of a run in the formulas of its rules and their pictures (see core/explaining.js), and one real row worked through, from
// its memberships to the class.

/** @import { RuleBase, RuleList, RuleText, State } from "../core/types.js" */
/** @import { Explanation, Feature, Scene } from "../model/types.js" */
/** @import { Edge } from "./pictures/network.js" */
/** @import { Shown } from "./pictures/view.js" */

import { element } from "../core/elements.js";
import { capitalised, counted, few, fixed, subscript, minus, percent, roundedPercent, truncated, written } from "../core/text.js";
import { featureText } from "../model/columns.js";
import { conditionsOf } from "../model/conditions.js";
import { HALF, explain, firingOf, largest, levelsOf, logLevels, logMembership, ruleOutputs } from "../model/inference.js";
import { rowName } from "../model/selection.js";
import { rowStep } from "./pictures/network.js";
import { termLines } from "./pictures/terms.js";
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
const NAME = 24; // characters of a class or feature
const RULES = 4; // that are written
const FACTORS = 5; // of a product that are written

/**
 * "What do the numbers mean?", with the row of the tab Samples worked through; folded.
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

/** @param {keyof HTMLElementTagNameMap} tag @param {string} text */
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

/** @param {Scene} scene @param {RuleText} rule */
function membershipText(scene, rule) {
  const { table, x } = scene, found = conditionsOf(scene, rule);
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

/**
 * What the cards of the first rules count.
 * @param {RuleBase} base
 */
export function cardLines({ rules }) {
  const known = rules.filter(({ dead, headline }) => !dead && headline);
  const lines = known.slice(0, RULES).map(({ rule, headline }) => `Rule ${rule}. ${headline}`);
  return withRest(lines, known.length);
}

/**
 * Of the first rules of a list, the share of rows with their class among those that they are true of.
 * @param {RuleList} list
 */
export function listLines({ items, of, rows }) {
  const known = items.filter(({ rule, right }) => rule !== null && right !== null);
  const lines = known.slice(0, RULES).map(({ rule, right, true: holds, class: name }) => {
    const share = holds ? ` ${right}/${holds} = ${roundedPercent(Number(right) / holds)}.` : "";
    return `Rule ${rule}: true of ${holds} of ${rows} ${of}, ${right} of class ${truncated(name, NAME)}.${share}`;
  });
  return withRest(lines, known.length);
}

/**
 * @param {string[]} lines
 * @param {number} rules of which these lines are
 */
function withRest(lines, rules) {
  const rest = rules - lines.length;
  return rest > 0 ? [...lines, `And ${counted(rest, "further rule")}.`] : lines;
}

/**
 * How many conditions there are, and the strongest of them.
 * @param {string[]} features
 * @param {ArrayLike<number>[]} levels [R][F], colour of each condition
 */
export function strengthLines(features, levels) {
  const all = levels.flatMap((own, r) => Array.from(own, (level, f) => ({ r, f, level }))), held = all.filter(({ level }) => level > 0);
  const count = `${held.length} conditions / ${levels.length} rules = ${(held.length / Math.max(1, levels.length)).toFixed(1)} a rule, of ${features.length} features.`;
  if (!held.length) return [count];
  const top = held.reduce((best, one) => (one.level > best.level ? one : best)), name = truncated(features[top.f], NAME);
  if (top.level >= 1) return [count, `Strongest: rule ${top.r + 1} on ${name}, with the full colour.`];
  const share = (/** @type {number[]} */ [value]) => (value / (1 + value)).toFixed(2), result = top.level.toFixed(2);
  const s = written([top.level / (1 - top.level)], share, result)[0];
  return [count, `Strongest: rule ${top.r + 1} on ${name}: s / (1 + s) = ${s} / (1 + ${s}) = ${result}.`];
}

/**
 * The memberships of the row at hand in its strongest rule, whose product is its raw firing level.
 * @param {Scene} scene
 */
export function productLines({ model, x, table }) {
  const { D, centers, inverse, logWeight } = model, firing = firingOf(model, x), r = largest(firing);
  const own = table.columns.map((column, d) => {
    const mu = Math.exp(logMembership(x[d], centers[r * D + d], inverse[r * D + d]));
    return { name: column.feature, mu };
  });
  const ranked = own.filter((_, d) => inverse[r * D + d] !== 0).sort((a, b) => a.mu - b.mu);
  const rest = ranked.slice(FACTORS).reduce((all, { mu }) => all * mu, 1);
  const factors = [...ranked.slice(0, FACTORS).map(({ mu }) => mu), ...(ranked.length > FACTORS ? [rest] : [])];
  const product = (/** @type {number[]} */ values) => values.reduce((all, mu) => all * mu, 1).toPrecision(2), result = product(factors);
  const last = ranked.length > FACTORS ? `; the last factor stands for the other ${ranked.length - FACTORS} columns` : "";
  const weight = logWeight[r] ? ` Its weight exp(${minus(fixed(logWeight[r], 2))}) multiplies that.` : "";
  const lowest = ranked.length ? ` The lowest is that of ${truncated(ranked[0].name, NAME)}.` : "";
  return [
    `Strongest rule for this row: f̄${subscript(r + 1)} = ${firing[r].toFixed(3)}.`,
    `f${subscript(r + 1)} = ${written(factors, product, result).join(" · ") || "1"} = ${result}, the lowest memberships first${last}.${lowest}${weight}`,
  ];
}

/**
 * Where the memberships of the first rules are at least a half; nothing for a category without an order.
 * @param {Scene} scene
 * @param {Feature} feature
 * @param {RuleBase["rules"]} rules
 */
export function conditionLines(scene, feature, rules) {
  const terms = termLines(scene, feature, rules) ?? [];
  return terms.slice(0, RULES).map(([rule, centre, width, half]) => `R${rule.slice(1)}: ${centre} ± ${fixed(HALF, 3)} · ${width}, that is ${half}.`);
}

/**
 * The co-firing of the two rules with the highest one, summed over the rows at hand.
 * @param {Scene} scene
 * @param {Edge | undefined} edge
 */
export function coFiringLines(scene, edge) {
  const rows = scene.table.rows;
  if (!edge || !rows) return [];
  const step = rowStep(scene), levels = rows.x.filter((_, n) => n % step === 0).map((x) => firingOf(scene.model, x));
  const over = (/** @type {(...values: number[]) => number} */ of) => levels.reduce((all, f) => all + of(f[edge.a], f[edge.b]), 0);
  const ratio = (/** @type {number[]} */ [a, b]) => (b > 0 ? a / b : 0).toFixed(2), sums = [over(Math.min), over(Math.max)];
  const [least, most] = written(sums, ratio, edge.level.toFixed(2));
  return [`Highest: rules ${edge.a + 1} and ${edge.b + 1}, Σ min / Σ max = ${least} / ${most} = ${edge.level.toFixed(2)} over ${levels.length} rows: ${edge.kind}.`];
}

/**
 * The confidences of the first rules.
 * @param {Pick<Shown, "rules" | "base">} shown
 */
export function confidenceLines({ rules, base: { classes = [] } }) {
  return rules.filter(({ confidence }) => confidence).slice(0, RULES).map(({ rule, confidence }) => {
    const shares = /** @type {number[]} */ (confidence), best = largest(shares), texts = shares.map((share) => roundedPercent(share));
    return `Rule ${rule}: most of ${truncated(classes[best], NAME)}, ${texts[best]}; ${few(texts).join(" + ")} = 100% but for rounding.`;
  });
}
