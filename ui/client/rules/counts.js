// What a reader can recount of a rule, beside its sentence: of how many rows it is true, and how many of these have its class.

/** @import { RuleText } from "../core/messages.js" */

import { element, withExplanation } from "../core/elements.js";

const MEANING = "The rows for which every printed condition holds, with the numbers as printed. The bar is the share of these that have the class, the band its 95% interval (Wilson; rows of one group count as dependent). A missing value counts as the one that replaces it.";

/**
 * The headline of a card, and what has to be read with it; hidden for a rule that never fires.
 * @param {Element} item
 * @param {RuleText} rule
 */
export function countsLine(item, { dead, headline, remarks, right, interval }) {
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
  withExplanation(text, MEANING);
}
