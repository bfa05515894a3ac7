// The numbers of a run in the formulas of its rules' pictures; see core/explaining.js.

/** @import { RuleBase, RuleList } from "../core/messages.js" */
/** @import { Feature, Scene } from "../model/types.js" */
/** @import { Shown } from "./pictures/view.js" */
/** @import { Edge } from "./pictures/network.js" */

import { counted, fixed, minus, roundedPercent, truncated } from "../core/text.js";
import { few, index, written } from "../core/written.js";
import { firingOf, largest } from "../model/inference.js";
import { HALF, logMembership } from "../model/membership.js";
import { rowStep } from "./pictures/network.js";
import { termLines } from "./pictures/terms.js";

const NAME = 24; // characters of a class or feature
const RULES = 4; // that are written
const FACTORS = 5; // of a product that are written

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
    `Strongest rule for this row: f̄${index(r + 1)} = ${firing[r].toFixed(3)}.`,
    `f${index(r + 1)} = ${written(factors, product, result).join(" · ") || "1"} = ${result}, the lowest memberships first${last}.${lowest}${weight}`,
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
