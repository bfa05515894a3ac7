// One rule as a sentence: the marked one, else the one that fires most.

/** @import { MountOptions, Notation, RuleText, State, View } from "../core/types.js" */

import { classColours, ruleColour } from "../core/colours.js";
import { element, withSwatch } from "../core/elements.js";
import { atEpoch } from "../core/store.js";
import { truncated } from "../core/text.js";
import { numberText } from "../model/columns.js";
import { largest, ruleOutputs } from "../model/inference.js";
import { sceneOf } from "../model/selection.js";
import { keep, markedRule, point } from "./marking.js";

const STAYS = 0.9; // of the highest level: a rule that fires so much stays the one that is shown, so that a replay can be read
const CONDITIONS = 2; // of a rule that has no text yet

/**
 * A rule to be read: conditions, and a conclusion that names these classes.
 * @typedef {{ conditions: string[], then: string, named: string[] }} Sentence
 */

/** @param {Element} parent @param {MountOptions} options @returns {View} */
export function sentence(parent, options) {
  const line = element(parent, "button", "tsk-stage-line", { type: "button" });
  let rule = /** @type {number | null} */ (null), shown = "";
  line.onpointerenter = () => point(rule);
  line.onpointerleave = () => point(null);
  line.onclick = () => keep(rule);
  return {
    draw(now) {
      const marked = markedRule(now);
      rule = marked ?? mostActive(now, rule);
      const found = rule === null ? null : sentenceOf(now, options, rule), head = marked === null ? "Most active rule" : "Rule";
      const key = JSON.stringify([rule, head, found, now.dark, now.shown.classes]);
      line.setAttribute("aria-pressed", String(rule !== null && now.kept === rule));
      if (key === shown) return;
      shown = key;
      line.disabled = rule === null;
      if (rule === null || !found) line.textContent = "The sentence appears with the first rules.";
      else write(line, found, { rule, head, dark: now.dark, classes: classesOf(now) });
      line.title = line.textContent ?? "";
    },
  };
}

/** @param {State} now */
const classesOf = ({ shown }) => shown.base?.classes ?? shown.about.classes ?? [];

/**
 * The rule with the highest average firing level, or the one before while it fires nearly as much.
 * @param {Pick<State, "epoch">} now
 * @param {number | null} before
 */
export function mostActive({ epoch }, before) {
  if (!epoch?.firing.length) return null;
  const best = largest(epoch.firing);
  return before !== null && epoch.firing[before] >= STAYS * epoch.firing[best] ? before : best;
}

/**
 * The rules in words at the selected epoch; none where the page has those of the model kept alone, and this is another epoch.
 * @param {State} now
 * @returns {RuleText[]}
 */
export function textsOf(now) {
  const base = atEpoch(now.shown.ruleBases, now);
  return base && (now.newest || base.epoch <= (now.epoch?.epoch ?? 0)) ? base.rules : [];
}

/**
 * The text of a rule there, null where there is none.
 * @param {State} now
 * @param {number} rule
 */
export const textOf = (now, rule) => textsOf(now).find((one) => one.rule === rule + 1) ?? null;

/**
 * A rule as the server writes it, else by its narrowest conditions; null before the first snapshot.
 * @param {State} now
 * @param {MountOptions} options
 * @param {number} rule
 * @returns {Sentence | null}
 */
export function sentenceOf(now, options, rule) {
  const text = textOf(now, rule);
  return text ? writtenSentence(text, now.notation) : narrowSentence(now, options, rule);
}

/** @param {RuleText} text @param {Notation} notation @returns {Sentence} */
function writtenSentence({ if: words, numbers, then, mostly, dead }, notation) {
  if (dead) return { conditions: [], then: "never fires", named: [] };
  return { conditions: notation === "words" ? words : numbers ?? words, then, named: mostly?.length ? mostly : [then] };
}

/**
 * The conditions with the smallest σ, as parts of their columns' ranges, and the class with the highest score at the centre.
 * @param {State} now
 * @param {MountOptions} options
 * @param {number} rule
 * @returns {Sentence | null}
 */
function narrowSentence(now, options, rule) {
  const scene = sceneOf(now, options);
  if (!scene || rule >= scene.model.R) return null;
  const { table: { columns, classes }, snapshot, model } = scene, center = snapshot.centers[rule];
  const width = (/** @type {number} */ d) => (snapshot.sigmas[rule][d] ?? Infinity) / (columns[d].high - columns[d].low);
  const numbers = columns.map((_, d) => d).filter((d) => columns[d].kind === "number" && !columns[d].levels && Number.isFinite(width(d)));
  const narrow = numbers.sort((a, b) => width(a) - width(b)).slice(0, CONDITIONS);
  const own = ruleOutputs(model, center).slice(rule * model.C, (rule + 1) * model.C), then = classes[largest(own)];
  return { conditions: narrow.map((d) => `${columns[d].feature} is near ${numberText(center[d], columns[d])}`), then, named: [then] };
}

/**
 * @param {HTMLElement} line
 * @param {Sentence} found
 * @param {{ rule: number, head: string, dark: boolean, classes: string[] }} look
 */
function write(line, { conditions, then, named }, { rule, head, dark, classes }) {
  const badge = Object.assign(document.createElement("b"), { className: "tsk-stage-badge", textContent: rule + 1 });
  badge.style.borderColor = ruleColour(rule, dark);
  const name = span("tsk-stage-rule", `${head} `, badge), colours = classColours(classes, dark);
  if (!named.length) return line.replaceChildren(name, span("tsk-stage-if", ` ${then}`));
  const texts = conditions.flatMap((text, k) => (k ? [" ", bold("AND"), ` ${text}`] : [` ${text}`]));
  const known = named.map((one) => classes.indexOf(one)).filter((c) => c >= 0);
  const swatches = known.map((c) => withSwatch(colours[c], "tsk-class", [named.length > 1 ? "" : truncated(then)]));
  const conclusion = named.length === 1 && known.length ? swatches : [...swatches, truncated(then, 60)];
  return line.replaceChildren(
    name, span("tsk-stage-if", " ", bold("IF"), ...(texts.length ? texts : [" anything"])), span("tsk-stage-then", " ", bold("THEN"), " ", ...conclusion),
  );
}

/** @param {string} className @param {(Node | string)[]} words */
function span(className, ...words) {
  const node = document.createElement("span");
  node.className = className;
  node.append(...words);
  return node;
}

/** @param {string} text */
const bold = (text) => Object.assign(document.createElement("b"), { textContent: text });

/**
 * A rule in one text.
 * @param {Sentence} found
 * @param {number} rule
 */
export function ruleSentence({ conditions, then, named }, rule) {
  return named.length ? `Rule ${rule + 1}: IF ${conditions.join(" AND ") || "anything"} THEN ${then}` : `Rule ${rule + 1} ${then}`;
}
