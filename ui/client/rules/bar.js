// The choices of the tab Rules: the order of the rules, how conditions are written, and where the comparison is drawn.

/** @import { Notation, View } from "../core/types.js" */

import { choice, element } from "../core/elements.js";
import { sideBySideButton } from "../core/side_by_side.js";
import { options, setOptions } from "../core/store.js";

/** @type {[string, string][]} */
const ORDERS = [["dominance", "by dominance"], ["active", "most active first"], ["number", "by number"]];
/** @type {[Notation, string][]} */
const NOTATIONS = [["words", "words"], ["numbers", "numbers"], ["formula", "formula"]];

/**
 * A view: the choices.
 * @param {Element} parent
 * @returns {View}
 */
export function ruleBar(parent) {
  const bar = element(parent, "div", "tsk-order-bar");
  const order = choice(bar, "tsk-order", "Order of rules", ORDERS, options.ruleOrder, (ruleOrder) => setOptions({ ruleOrder }));
  const notation = choice(bar, "tsk-notation", "Rules in", NOTATIONS, options.notation, (value) => {
    setOptions({ notation: /** @type {Notation} */ (value) });
  });
  const showBeside = sideBySideButton(bar);
  return {
    draw(state) {
      order.value = state.ruleOrder;
      notation.value = state.notation;
      showBeside(state);
    },
  };
}
