// The rules in words at the selected epoch. The server writes the sentences (ui/live/rule_texts.py).

/** @import { MountOptions, RuleBase, RuleText, Run, State, View } from "./types.js" */

import { otherSide } from "./beside.js";
import { comparisonName, percent, ruleColour } from "./colours.js";
import { element, withExplanation } from "./elements.js";
import { atEpoch } from "./store.js";

const TICK = "The bar is the rule's average firing level over the training rows. The tick marks an equal share, 1/R: a bar beyond it belongs to a rule that fires more than the average rule.";
const NUMBERS = [
  "Score: what the rule says for a class, less the mean over all classes; its firing level for a row multiplies it.",
  "Raising a feature: by one standard deviation of the training rows; those with the largest effects are named.",
  "Average firing level: the rule's share of the firing of a row, averaged over the training rows.",
  "Strongest rule for: the training rows for which no other rule fires more.",
  "Weighted by its firing level: each row counts as much as the rule fires for it.",
].join(" ");
const AT_FIRST = 10; // rules; the others are folded away

/**
 * A view: the rules. options: { note } of ui/rules_panel.py.
 * @param {Element} parent
 * @param {MountOptions} options
 * @returns {View}
 */
export function rules(parent, { note = "" }) {
  const when = element(parent, "p", "tsk-when", { role: "status" });
  const place = element(parent, "div", "tsk-place"), side = element(place, "div", "tsk-own");
  const own = element(side, "p", "tsk-side-name"), draw = ruleList(side);
  /** @type {{ side: Element, draw: (base: RuleBase | null, style: Style) => void } | null} */
  let other = null;
  return {
    draw(now) {
      const base = atEpoch(now.shown.ruleBases, now), { order, dark } = now, most = highestFiring(now.shown);
      when.textContent = [base ? epochText(base, now, note) : waitingText(now, note), now.shown.error].filter(Boolean).join(" ");
      when.hidden = !when.textContent;
      const beside = (now.beside && now.comparison.ruleBases.find(({ end }) => end)) || null;
      const scale = beside ? Math.max(most, ...beside.rules.map(({ support }) => support)) : most; // equal on both sides
      draw(base, { order, dark, most: scale });
      own.textContent = beside ? "This run" : "";
      const left = otherSide(place, beside && `${comparisonName(now)}, at its end`);
      if (other?.side !== left) other = left && { side: left, draw: ruleList(left) };
      other?.draw(beside, { order, dark, most: scale });
    },
  };
}

/**
 * How rules are drawn. most: the firing level of the longest bar.
 * @typedef {{ order: string, dark: boolean, most: number }} Style
 */

/**
 * The rules of one run. Returns a function that draws them.
 * @param {Element} parent
 */
function ruleList(parent) {
  const summary = element(parent, "p", "tsk-summary-of-rules");
  const first = element(parent, "ol", "tsk-cards");
  const more = element(parent, "details", "tsk-more");
  const fold = element(more, "summary", "tsk-summary");
  const others = element(more, "ol", "tsk-cards");
  /** @type {unknown[]} */
  let drawn = [];
  return (/** @type {RuleBase | null} */ base, /** @type {Style} */ { order, dark, most }) => {
    const all = [base, order, most, dark];
    if (all.every((value, k) => value === drawn[k])) return;
    drawn = all;
    summary.textContent = base?.summary.join("\n") ?? "";
    const sorted = base ? [...base.rules] : []; // the most active first
    if (order === "number") sorted.sort((a, b) => a.rule - b.rule);
    const style = { most, equal: 1 / sorted.length / most, dark }, rest = sorted.length - AT_FIRST;
    list(first, sorted.slice(0, AT_FIRST), style);
    list(others, sorted.slice(AT_FIRST), style);
    more.hidden = rest <= 0;
    fold.textContent = `${rest} more ${order === "number" ? "" : "and less active "}${rest === 1 ? "rule" : "rules"}`;
  };
}

/**
 * @param {RuleBase} base
 * @param {State} state
 * @param {string} note
 */
function epochText(base, { newest, shown, epoch }, note) {
  if (newest && shown.about.ended) return `After epoch ${base.epoch}: the model kept.`;
  const selected = newest || !epoch ? base.epoch : epoch.epoch;
  const other = base.epoch > selected ? " (the first one recorded)" : base.epoch < selected ? ` (the last one recorded up to epoch ${selected})` : "";
  return `After epoch ${base.epoch}${other}.${shown.ruleBases.length > 1 || !note ? "" : ` ${note}`}`;
}

/**
 * @param {State} state
 * @param {string} note
 */
function waitingText({ shown }, note) {
  if (shown.about.ended) return "";
  return note || "The rules appear after the first epochs.";
}

/** @type {{ run: string | null, epochs: number, level: number }} */
let highest = { run: null, epochs: 0, level: 0 };

/**
 * The highest average firing level that a rule had at any epoch: the scale of the bars, so that they compare across epochs.
 * @param {Run} shown
 */
function highestFiring({ run, epochs }) {
  if (highest.run !== run || highest.epochs > epochs.length) highest = { run, epochs: 0, level: 1e-9 };
  for (const { firing } of epochs.slice(highest.epochs)) highest.level = Math.max(highest.level, ...firing);
  highest.epochs = epochs.length;
  return highest.level;
}

/**
 * Rules as the items of a list, which are reused from one drawing to the next.
 * @param {Element} parent
 * @param {RuleText[]} texts
 * @param {{ most: number, equal: number, dark: boolean }} style equal: where the line of 1/R stands, as a share of the bar
 */
function list(parent, texts, style) {
  while (parent.children.length > texts.length) parent.lastChild?.remove();
  while (parent.children.length < texts.length) parent.appendChild(document.createElement("li")).className = "tsk-card";
  texts.forEach((rule, k) => card(parent.children[k], rule, style));
}

/**
 * @param {Element} item
 * @param {RuleText} rule
 * @param {{ most: number, equal: number, dark: boolean }} style
 */
function card(item, { rule, if: conditions, then, dead, support, measured }, { most, equal, dark }) {
  const name = element(item, "span", "tsk-rule-name"), dot = element(name, "i", "tsk-swatch", { "aria-hidden": "true" });
  dot.classList.add("tsk-rule");
  dot.style.background = ruleColour(rule - 1, dark);
  element(name, "b", "tsk-name").textContent = `Rule ${rule}`;
  const share = element(item, "span", "tsk-share", { role: "img", "aria-label": `Average firing level ${percent(support)}` });
  withExplanation(share, TICK);
  const part = element(share, "i", "tsk-part");
  Object.assign(part.style, { width: `${100 * Math.min(1, support / most)}%`, background: ruleColour(rule - 1, dark) });
  element(share, "i", "tsk-equal").style.left = `${100 * equal}%`;
  const sentence = element(item, "p", "tsk-sentence");
  sentence.hidden = dead;
  sentence.replaceChildren(...(dead ? [] : sentenceOf(conditions, then)));
  const numbers = element(item, "p", "tsk-measured");
  numbers.textContent = measured.join("\n");
  if (!dead) withExplanation(numbers, NUMBERS);
}

/**
 * "IF … AND … THEN …", with the words of logic in bold.
 * @param {string[]} conditions
 * @param {string} then
 */
function sentenceOf(conditions, then) {
  const texts = conditions.length ? conditions : ["anything"];
  const parts = texts.flatMap((text, k) => (k ? [" ", bold("AND"), " ", text] : [text]));
  return [bold("IF"), " ", ...parts, " ", bold("THEN"), " ", bold(then)];
}

/** @param {string} text */
const bold = (text) => Object.assign(document.createElement("b"), { textContent: text });
