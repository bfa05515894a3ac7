// The rules in words at the selected epoch. The server writes the sentences (ui/live/rule_texts.py).

/** @import { MountOptions, RuleBase, RuleText, Run, State, View } from "./types.js" */

import { ruleColour } from "./colours.js";
import { element } from "./elements.js";
import { atEpoch } from "./store.js";

const AT_FIRST = 10; // rules; the others are folded away

/**
 * A view: the rules. options: { note } of ui/rules_panel.py.
 * @param {Element} parent
 * @param {MountOptions} options
 * @returns {View}
 */
export function rules(parent, { note = "" }) {
  const when = element(parent, "p", "tsk-when", { role: "status" });
  const summary = element(parent, "p", "tsk-summary-of-rules");
  const first = element(parent, "ol", "tsk-cards");
  const more = element(parent, "details", "tsk-more");
  const fold = element(more, "summary", "tsk-summary");
  const others = element(more, "ol", "tsk-cards");
  /** @type {unknown[]} */
  let drawn = [];
  return {
    draw(now) {
      const base = atEpoch(now.shown.ruleBases, now), { order, dark } = now;
      when.textContent = [base ? epochText(base, now, note) : waitingText(now, note), now.shown.error].filter(Boolean).join(" ");
      when.hidden = !when.textContent;
      const most = highestFiring(now.shown), all = [base, order, most, dark];
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
    },
  };
}

/**
 * @param {RuleBase} base
 * @param {State} state
 * @param {string} note
 */
function epochText(base, { newest, shown, epoch }, note) {
  if (newest && shown.about.ended) return "";
  const earliest = epoch && base.epoch > epoch.epoch ? " (the first one recorded)" : "";
  return `After epoch ${base.epoch}${earliest}.${shown.ruleBases.length > 1 || !note ? "" : ` ${note}`}`;
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
  const title = "Average firing level; the line marks an equal share (1/R)";
  const share = element(item, "span", "tsk-share", { "aria-hidden": "true", title });
  const part = element(share, "i", "tsk-part");
  Object.assign(part.style, { width: `${100 * Math.min(1, support / most)}%`, background: ruleColour(rule - 1, dark) });
  element(share, "i", "tsk-equal").style.left = `${100 * equal}%`;
  const sentence = element(item, "p", "tsk-sentence");
  sentence.hidden = dead;
  sentence.replaceChildren(...(dead ? [] : sentenceOf(conditions, then)));
  element(item, "p", "tsk-measured").textContent = measured.join("\n");
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
