// One rule as a card: its name and firing level, its sentence, of how many rows it is true, and what else was measured.

/** @import { RuleText } from "../core/messages.js" */
/** @import { Writing } from "./sentence.js" */

import { ruleColour } from "../core/colours.js";
import { element, withExplanation } from "../core/elements.js";
import { percent } from "../core/text.js";
import { toggleRule } from "../model/ablation.js";
import { ablationToggle } from "./ablation_toggle.js";
import { countsLine } from "./counts.js";
import { sentence } from "./sentence.js";
import { stabilityLine } from "./stability.js";

const TICK = "The bar is the rule's average firing level over the training rows. The tick marks an equal share, 1/R: a bar beyond it belongs to a rule that fires more than the average rule.";
const NUMBERS = [
  "Score: the rule's score for a class, minus the mean over all classes; it is weighted with the rule's firing level for a row.",
  "Raising a feature: by one standard deviation of the training rows; the features with the largest effects are named.",
  "Average firing level: the rule's share of the firing of a row, averaged over the training rows.",
  "Strongest rule for: the training rows for which no other rule fires more.",
  "Confidence: each training row counts as much as the rule fires for it. Lift: confidence over the share of the class among all training rows.",
].join(" ");

/**
 * How cards are drawn. most: the firing level of the longest bar. rules: how many the base has.
 * @typedef {Writing & { dark: boolean, most: number, rules: number }} CardStyle
 */

/**
 * Rules as the items of a list, which are reused from one drawing to the next.
 * @param {Element} parent
 * @param {RuleText[]} texts
 * @param {CardStyle} style
 */
export function cards(parent, texts, style) {
  while (parent.children.length > texts.length) parent.lastChild?.remove();
  while (parent.children.length < texts.length) parent.appendChild(document.createElement("li")).className = "tsk-card";
  texts.forEach((rule, k) => card(/** @type {HTMLElement} */ (parent.children[k]), rule, style));
}

/**
 * @param {HTMLElement} item
 * @param {RuleText} rule
 * @param {CardStyle} style
 */
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
