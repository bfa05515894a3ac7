// What stands above the rules: of which epoch they are, how well the printed text describes the model, and the rows it says nothing of.

/** @import { RuleBase, TextFidelity } from "../core/messages.js" */
/** @import { State } from "../core/types.js" */

import { element, withExplanation } from "../core/elements.js";
import { recordedEpoch } from "../core/store.js";
import { percent } from "../core/text.js";
import { uncoveredRows } from "./context.js";
import { rowList } from "./row_list.js";

/**
 * @param {RuleBase | null} base
 * @param {State} now
 * @param {string} note
 */
export function epochText(base, now, note) {
  return base ? shownText(base, now, note) : waitingText(now, note);
}

/**
 * @param {RuleBase} base
 * @param {State} now
 * @param {string} note
 */
function shownText(base, now, note) {
  const { newest, shown } = now;
  if (newest && shown.about.ended) return `After epoch ${base.epoch}: the kept model.`;
  return `After ${recordedEpoch(base, now)}.${shown.ruleBases.length > 1 || !note ? "" : ` ${note}`}`;
}

/**
 * @param {State} state
 * @param {string} note
 */
function waitingText({ shown }, note) {
  if (shown.about.ended) return "";
  return note || "The rules appear after the first epochs.";
}

/**
 * The summary of a rule base, with a bar for each way to predict by its printed text: its fidelity.
 * @param {HTMLElement} parent
 * @param {RuleBase | null} base
 * @param {boolean} own whether it is of the run shown: the page has its readings as a table where its rules are readable
 */
export function summary(parent, base, own) {
  element(parent, "p", "tsk-summary-of-rules").textContent = base?.summary.join("\n") ?? "";
  const list = element(parent, "ul", "tsk-inferences", { "aria-label": "How well the printed rules describe the model" }), ways = (own && base?.list ? null : base?.printed) ?? [];
  list.hidden = !ways.length;
  while (list.children.length > ways.length) list.lastChild?.remove();
  while (list.children.length < ways.length) list.appendChild(document.createElement("li"));
  ways.forEach((way, k) => fidelityLine(list.children[k], way));
}

/** @type {Record<string, string>} */
const WAYS = { // by their names in tsk_core; what each means stands in its text
  linear: "with the rules' linear functions", strongest: "one class per rule, strongest decides", vote: "one class per rule, rules vote",
  constant: "constant scores per rule", model: "the scores, which are the model", sentences: "the sentences alone",
};

/**
 * @param {Element} item
 * @param {TextFidelity} way
 */
function fidelityLine(item, { name, fidelity, accuracy, text }) {
  const label = element(item, "span", "tsk-inference");
  label.textContent = WAYS[name] ?? name;
  withExplanation(label, text);
  const bar = element(item, "span", "tsk-share", { "aria-hidden": "true" });
  element(bar, "i", "tsk-part").style.width = `${100 * fidelity}%`;
  const right = accuracy == null ? "" : `, accuracy ${percent(accuracy)}`;
  element(item, "span", "tsk-figure").textContent = `agrees with the model on ${percent(fidelity)}${right}`;
}

/**
 * Of how many rows no sentence is true, and on request which of those at hand.
 * @param {HTMLElement} parent
 * @param {RuleBase | null} base
 * @param {State} now
 */
export function uncovered(parent, base, now) {
  const found = base?.uncovered, part = element(parent, "div", "tsk-uncovered");
  part.hidden = !found;
  if (!base || !found) return;
  element(part, "p", "tsk-uncovered-text").textContent = found.text;
  const details = element(part, "details", "tsk-uncovered-rows");
  element(details, "summary", "tsk-summary").textContent = "List the rows for which no sentence is true";
  const list = () => {
    if (!details.open) return;
    const rows = uncoveredRows(now, base);
    rowList(details, now, rows?.map((index) => ({ index })) ?? null);
  };
  details.hidden = !found.rows;
  details.ontoggle = list;
  list();
}
