// How often a rule comes back when its run is trained again, where that was checked, on the card of the rule.

/** @import { RuleText } from "../core/messages.js" */

import { element, withExplanation } from "../core/elements.js";

const MEANING = "A rule comes back where the training with another seed has a rule with the same class and similar conditions (Dice coefficient of their terms at least 0.5; rules matched one to one). By chance: the same count after the conditions of that training were shuffled among its rules, feature by feature.";

/**
 * A line of the card; hidden where the stability of the rules was not checked.
 * @param {Element} item
 * @param {RuleText} rule
 */
export function stabilityLine(item, { dead, stability }) {
  const line = element(item, "p", "tsk-stable");
  line.hidden = !stability || dead;
  if (!stability || dead) return;
  const { times, of, chance, compared } = stability, length = compared ? `, compared by its ${compared} strongest conditions` : "";
  line.textContent = `Comes back in ${times} of ${of} seeds (by chance: ${chance.toFixed(1)} of ${of})${length}`;
  line.classList.toggle("tsk-weak", times <= chance);
  withExplanation(line, MEANING);
}
