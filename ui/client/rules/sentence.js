// The sentence of a rule, "IF … AND … THEN …", in words, in numbers, or as formulas; with an eye at each condition.

/** @import { Base, RuleText, Snapshot } from "../core/messages.js" */
/** @import { Ablation, Notation } from "../core/types.js" */

import { toggleCondition } from "../model/ablation.js";
import { ablationToggle } from "./ablation_toggle.js";
import { membershipFormula, scoreFormulas } from "./formula.js";

/**
 * What a sentence is written with. model: of the run; null where the browser has none. run: where rules can be taken out, else null.
 * @typedef {{
 *   notation: Notation, out: Ablation, run: string | null, model: { snapshot: Snapshot, base: Base, spreads: number[] } | null,
 * }} Writing
 */

/**
 * @param {Element} parent
 * @param {RuleText} rule
 * @param {Writing} writing
 */
export function sentence(parent, rule, { notation, out, run, model }) {
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

/**
 * @param {RuleText} rule
 * @param {Notation} notation
 * @param {Writing["model"]} model
 */
function textsOf(rule, notation, model) {
  if (notation === "formula" && model) return rule.features.map((feature) => membershipFormula(model.snapshot, model.base, rule.rule - 1, feature));
  return notation === "words" ? rule.if : rule.numbers ?? rule.if;
}

/**
 * @param {RuleText} rule
 * @param {Notation} notation
 * @param {Writing["model"]} model
 */
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
