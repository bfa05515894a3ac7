// What a rule claims, beside its sentence: the confidence with its interval, and in one line what else a reader asks first; the rest
// unfolds.

/** @import { Claims, RuleText } from "../core/messages.js" */

import { element, withExplanation } from "../core/elements.js";
import { percent } from "../core/text.js";

const MEANINGS = {
  confidence: "Confidence: the share of the rule's firing that falls on training rows of its class. The band is its 95% interval (bootstrap); the tick is the share of the class among all training rows.",
  lift: "Lift: how many times as frequent the class is where the rule fires as it is among all training rows.",
  coverage: "Coverage: the share of training rows for which the conditions hold, on average (geometric mean of the memberships), to at least a half.",
  literal: "Literal truth: whether the whole system, with all its rules, says this rule's class at the rule's own centre.",
  stability: "Stability: in how many of the trainings with other seeds or samples a like rule came back (Dice, the overlap of conditions, on average).",
};

/**
 * The figures of a rule: a line to read first.
 * @param {Element} item
 * @param {RuleText} rule
 */
export function claimsLine(item, rule) {
  const line = element(item, "div", "tsk-claims"), { claims } = rule;
  line.hidden = !claims || rule.dead;
  if (!claims || rule.dead) return;
  confidenceBar(element(line, "span", "tsk-confidence"), claims);
  say(line, "tsk-sure", confidenceText(rule, claims), MEANINGS.confidence);
  say(line, "tsk-lift", `lift ${claims.lift.toFixed(1)}`, MEANINGS.lift);
  say(line, "tsk-coverage", claims.coverage == null ? "" : `covers ${share(claims.coverage)} of the rows`, MEANINGS.coverage);
  say(line, "tsk-literal", literalText(rule, claims), MEANINGS.literal);
  const { stability } = claims;
  say(line, "tsk-stable", stability ? `comes back in ${stability.times} of ${stability.of}` : "", MEANINGS.stability);
  line.querySelector(".tsk-stable")?.classList.toggle("tsk-weak", Boolean(stability && stability.times < stability.of / 2));
  line.querySelector(".tsk-literal")?.classList.toggle("tsk-weak", claims.literal === false);
}

/**
 * @param {Element} line
 * @param {string} kind
 * @param {string} text empty: nothing is shown
 * @param {string} meaning
 */
function say(line, kind, text, meaning) {
  const node = element(line, "span", kind);
  node.classList.add("tsk-claim");
  node.hidden = !text;
  node.textContent = text;
  withExplanation(node, meaning);
}

/**
 * The confidence as a bar, its interval as a band, and the prior as a tick. The text beside it says the same.
 * @param {HTMLElement} node
 * @param {Claims} claims
 */
function confidenceBar(node, { confidence, interval, prior }) {
  node.setAttribute("aria-hidden", "true");
  element(node, "i", "tsk-part").style.width = `${100 * confidence}%`;
  const band = element(node, "i", "tsk-band"), [low, high] = interval ?? [0, 0];
  band.hidden = !interval;
  Object.assign(band.style, { left: `${100 * low}%`, width: `${100 * (high - low)}%` });
  element(node, "i", "tsk-equal").style.left = `${100 * prior}%`;
}

/**
 * @param {RuleText} rule
 * @param {Claims} claims
 */
function confidenceText({ then }, { confidence, interval, prior, mostly }) {
  const band = interval ? ` (${share(interval[0])} to ${share(interval[1])})` : "";
  const named = mostly?.length ? mostly[0] : then;
  return `${share(confidence)}${band} ${named}; all rows: ${share(prior)}`;
}

/**
 * @param {RuleText} rule
 * @param {Claims} claims
 */
function literalText({ then }, { literal, centreClass }) {
  if (literal == null) return "";
  return literal ? "✓ true at its centre" : `✗ at its centre the system says ${centreClass ?? `not ${then}`}`;
}

/**
 * What unfolds below the line.
 * @param {Element} parent
 * @param {RuleText} rule
 */
export function moreClaims(parent, { claims, measured }) {
  const node = element(parent, "p", "tsk-measured");
  node.textContent = [...(claims ? [certaintyText(claims)] : []), ...measured].join("\n");
  return node;
}

/**
 * What the line leaves out, and the server's sentences as well.
 * @param {Claims} claims
 */
function certaintyText({ certainty, dominance }) {
  const sure = certainty.toFixed(2).replace("-", "−");
  return `Certainty ${sure} (2 · confidence − 1); dominance ${dominance.toFixed(3)} (average firing level × confidence).`;
}

/** @param {number} value */
const share = (value) => percent(value, value > 0 && value < 0.01 ? 1 : 0);
