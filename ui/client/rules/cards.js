// One rule as a card: its name and firing level, its sentence in words, in numbers or as formulas, of how many rows it is true, and what
// else was measured.

/** @import { Ablation, Base, BaseColumn, Notation, RuleText, Snapshot } from "../core/types.js" */

import { ruleColour } from "../core/colours.js";
import { childrenOf, element, withExplanation } from "../core/elements.js";
import { minus, percent } from "../core/text.js";
import { columnName } from "../model/columns.js";
import { toggleCondition, toggleRule } from "../model/conditions.js";
import { logOfStates } from "../model/inference.js";
import { ablationToggle } from "./ablation.js";

const TICK = "The bar is the rule's average firing level over the training rows. The tick marks an equal share, 1/R: a bar beyond it belongs to a rule that fires more than the average rule.";
const NUMBERS = [
  "Score: the rule's score for a class, minus the mean over all classes; it is weighted with the rule's firing level for a row.",
  "Raising a feature: by one standard deviation of the training rows; the features with the largest effects are named.",
  "Average firing level: the rule's share of the firing of a row, averaged over the training rows.",
  "Strongest rule for: the training rows for which no other rule fires more.",
  "Confidence: each training row counts as much as the rule fires for it. Lift: confidence over the share of the class among all training rows.",
].join(" ");
const COUNTED = "The rows for which every printed condition holds, with the numbers as printed. The bar is the share of these that have the class, the band its 95% interval (Wilson; rows of one group count as dependent). A missing value counts as the one that replaces it.";
const STABILITY = "A rule comes back where the training with another seed has a rule with the same class and similar conditions (Dice coefficient of their terms at least 0.5; rules matched one to one). By chance: the same count after the conditions of that training were shuffled among its rules, feature by feature.";
const TERMS = 12; // of a score that are written out: those with the largest effect
const CATEGORIES = 6; // of a condition that are written out

/**
 * How cards are drawn. most: the firing level of the longest bar. rules: how many the base has.
 * @typedef {Writing & { dark: boolean, most: number, rules: number }} CardStyle
 */

/**
 * What a sentence is written with. model: of the run; null where the browser has none. run: where rules can be taken out, else null.
 * @typedef {{
 *   notation: Notation, out: Ablation, run: string | null, model: { snapshot: Snapshot, base: Base, spreads: number[] } | null,
 * }} Writing
 */

/**
 * Rules as the items of a list, which are reused from one drawing to the next.
 * @param {Element} parent
 * @param {RuleText[]} texts
 * @param {CardStyle} style
 */
export function cards(parent, texts, style) {
  const items = childrenOf(parent, "li", texts.length);
  for (const [k, item] of items.entries()) {
    item.classList.add("tsk-card");
    card(item, texts[k], style);
  }
}

/** @param {HTMLElement} item @param {RuleText} rule @param {CardStyle} style */
function card(item, rule, style) {
  const out = style.out.rules.includes(rule.rule - 1), same = item.dataset.rule === String(rule.rule);
  item.dataset.rule = String(rule.rule);
  item.classList.toggle("tsk-out", out);
  heading(item, rule, style, out);
  const text = element(item, "p", "tsk-sentence");
  text.hidden = rule.dead;
  if (rule.dead) text.replaceChildren();
  else sentence(text, rule, style);
  countsLine(item, rule);
  stabilityLine(item, rule);
  const more = element(item, "details", "tsk-about");
  element(more, "summary", "tsk-summary").textContent = "More about this rule";
  more.hidden = rule.dead;
  if (!same) more.open = false;
  (rule.dead ? more : item).querySelector(":scope > .tsk-measured")?.remove();
  const numbers = element(rule.dead ? item : more, "p", "tsk-measured");
  numbers.textContent = rule.measured.join("\n");
  if (!rule.dead) withExplanation(numbers, NUMBERS);
}

/**
 * @param {HTMLElement} item
 * @param {RuleText} rule
 * @param {CardStyle} style
 * @param {boolean} out
 */
function heading(item, { rule, support }, { dark, most, rules, run, out: { rules: away } }, out) {
  const name = element(item, "span", "tsk-rule-name"), dot = element(name, "i", "tsk-swatch", { "aria-hidden": "true" });
  dot.classList.add("tsk-rule");
  dot.style.background = ruleColour(rule - 1, dark);
  element(name, "b", "tsk-name").textContent = `Rule ${rule}`;
  const share = element(item, "span", "tsk-share", { role: "img", "aria-label": `Average firing level ${percent(support)}` });
  withExplanation(share, TICK);
  const part = element(share, "i", "tsk-part");
  Object.assign(part.style, { width: `${100 * Math.min(1, support / most)}%`, background: ruleColour(rule - 1, dark) });
  element(share, "i", "tsk-equal").style.left = `${100 / rules / most}%`;
  const button = ablationToggle(element(item, "span", "tsk-eye-place"), `rule ${rule}`, out, () => toggleRule(run, rule - 1));
  button.hidden = run === null;
  button.disabled = !out && away.length + 1 >= rules; // a base without rules says nothing
}

/**
 * The headline of a card, and what has to be read with it; hidden for a rule that never fires.
 * @param {Element} item
 * @param {RuleText} rule
 */
function countsLine(item, { dead, headline, remarks, right, interval }) {
  const line = element(item, "div", "tsk-recount"), more = element(item, "p", "tsk-recount-remarks");
  line.hidden = dead || !headline;
  more.textContent = (remarks ?? []).join(" ");
  more.hidden = dead || !more.textContent;
  if (line.hidden) return;
  const share = element(line, "span", "tsk-recount-bar", { "aria-hidden": "true" }), [low, high] = interval ?? [0, 0];
  share.hidden = right == null;
  element(share, "i", "tsk-part").style.width = `${100 * (right ?? 0)}%`;
  const band = element(share, "i", "tsk-band");
  band.hidden = !interval;
  Object.assign(band.style, { left: `${100 * low}%`, width: `${100 * (high - low)}%` });
  const text = element(line, "span", "tsk-recount-text");
  text.textContent = headline ?? "";
  withExplanation(text, COUNTED);
}

/**
 * A line of the card; hidden where the stability of the rules was not checked.
 * @param {Element} item
 * @param {RuleText} rule
 */
function stabilityLine(item, { dead, stability }) {
  const line = element(item, "p", "tsk-stable");
  line.hidden = !stability || dead;
  if (!stability || dead) return;
  const { times, of, chance, compared } = stability, length = compared ? `, compared by its ${compared} strongest conditions` : "";
  line.textContent = `Comes back in ${times} of ${of} seeds (by chance: ${chance.toFixed(1)} of ${of})${length}`;
  line.classList.toggle("tsk-weak", times <= chance);
  withExplanation(line, STABILITY);
}

/**
 * "IF … AND … THEN …", with an eye at each condition.
 * @param {Element} parent
 * @param {RuleText} rule
 * @param {Writing} writing
 */
function sentence(parent, rule, { notation, out, run, model }) {
  const texts = textsOf(rule, notation, model), r = rule.rule - 1;
  const parts = texts.flatMap((text, k) => {
    const node = document.createElement("span"), feature = rule.features?.[k];
    node.className = "tsk-condition";
    node.append(text);
    if (run !== null && feature !== undefined) {
      const away = out.conditions.some(([one, name]) => one === r && name === feature);
      node.classList.toggle("tsk-out", away);
      ablationToggle(node, `the condition on ${feature} ${away ? "of" : "in"} rule ${rule.rule}`, away, () => toggleCondition(run, r, feature));
    }
    return k ? [" ", bold("AND"), " ", node] : [node];
  });
  const conditions = parts.length ? parts : ["anything"], { focused, restore } = focusIn(parent);
  parent.replaceChildren(bold("IF"), " ", ...conditions, " ", bold("THEN"), " ", ...conclusion(rule, notation, model));
  if (focused) restore();
}

/**
 * Keeps the keyboard where it was when the buttons of a sentence are made anew.
 * @param {Element} parent
 */
function focusIn(parent) {
  const buttons = () => [...parent.querySelectorAll("button")], at = buttons().indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
  return { focused: at >= 0, restore: () => buttons()[at]?.focus() };
}

/** @param {RuleText} rule @param {Notation} notation @param {Writing["model"]} model */
function textsOf(rule, notation, model) {
  if (notation === "formula" && model) return rule.features.map((feature) => membershipFormula(model.snapshot, model.base, rule.rule - 1, feature));
  return notation === "words" ? rule.if : rule.numbers ?? rule.if;
}

/** @param {RuleText} rule @param {Notation} notation @param {Writing["model"]} model */
function conclusion(rule, notation, model) {
  if (notation !== "formula" || !model) return [bold(rule.then)];
  return scoreFormulas(model.snapshot, model.base, rule.rule - 1, model.spreads).flatMap((text) => {
    const line = document.createElement("span");
    line.className = "tsk-score";
    line.textContent = text;
    return [line];
  });
}

/** @param {string} text */
const bold = (text) => Object.assign(document.createElement("b"), { textContent: text });

/**
 * A number with so many digits as distinguish thirtieths of `scale`.
 * @param {number} value
 * @param {number} scale
 */
function digits(value, scale) {
  const step = Math.abs(scale) / 30 || Math.abs(value) / 1000 || 1, size = Math.max(Math.abs(value), step);
  const places = Math.ceil(-Math.log10(step));
  if (!Number.isFinite(value) || size >= 1e7 || places > 6) return minus(Number(value).toExponential(3));
  return minus(String(Number(value.toFixed(Math.min(12, Math.max(0, places))))));
}

/**
 * The membership function of a rule's condition on a feature: "size: exp(−(x − 5.1)² / (2 · 0.4²))"; of a category, its memberships,
 * scaled to 1 at the likeliest one.
 * @param {Snapshot} snapshot
 * @param {Base} base
 * @param {number} r
 * @param {string} feature
 */
export function membershipFormula({ centers, sigmas }, { columns }, r, feature) {
  const own = columns.map((_, d) => d).filter((d) => columns[d].feature === feature), [first] = own;
  const levels = columns[first]?.levels;
  if (first !== undefined && columns[first].kind === "number" && !levels) {
    const center = centers[r][first], sigma = sigmas[r][first];
    if (sigma === null) return `${feature}: 1, whatever its value`;
    const sign = center < 0 ? "+" : "−";
    return `${feature}: exp(−(x ${sign} ${digits(Math.abs(center), sigma)})² / (2 · ${digits(Math.abs(sigma), sigma)}²))`;
  }
  const logs = logOfStates({ centers, sigmas }, r, own, levels);
  const top = Math.max(...logs), order = logs.map((_, k) => k), rest = order.length - CATEGORIES;
  order.sort((a, b) => logs[b] - logs[a]);
  const texts = order.slice(0, CATEGORIES).map((k) => `${levels?.[k] ?? stateOf(columns[own[k]])} ${Math.exp(logs[k] - top).toFixed(2)}`);
  return `${feature}: ${texts.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** @param {BaseColumn} column */
const stateOf = ({ kind, category }) => (kind === "category" ? String(category) : kind === "missing" ? "missing" : "another value");

/**
 * The scores of a rule as linear functions: for each class "score of cat = 1.2 + 0.5 · size − …", with the terms that matter most.
 * spreads: how far each column spreads; 1 for categories.
 * @param {Snapshot} snapshot
 * @param {Base} base
 * @param {number} r
 * @param {number[]} spreads
 */
export function scoreFormulas({ consequents }, { columns, classes }, r, spreads) {
  return classes.map((name, c) => {
    const [constant, ...slopes] = consequents[r][c], effect = slopes.map((slope, d) => Math.abs(slope) * spreads[d]);
    const order = slopes.map((_, d) => d).filter((d) => slopes[d] !== 0).sort((a, b) => effect[b] - effect[a]);
    const written = order.slice(0, TERMS).map((d) => {
      const text = columns[d].levels ? `[rank of ${columns[d].feature}]` : columns[d].kind === "number" ? columns[d].feature : `[${columnName(columns[d])}]`;
      return `${slopes[d] < 0 ? "−" : "+"} ${three(Math.abs(slopes[d]))} · ${text}`;
    });
    const rest = order.length - written.length;
    return [`score of ${name} = ${three(constant)}`, ...written, ...(rest > 0 ? [`+ ${rest} smaller ${rest > 1 ? "terms" : "term"}`] : [])].join(" ");
  });
}

/**
 * Three significant digits.
 * @param {number} value
 */
function three(value) {
  const size = Math.abs(value);
  return minus(size && (size >= 1e5 || size < 1e-3) ? value.toExponential(2) : String(Number(value.toPrecision(3))));
}
