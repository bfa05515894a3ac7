// The choices of the charts of firing levels: how rules are ordered, and where the comparison is drawn.

/** @import { View } from "../core/types.js" */

import { choice, element } from "../core/elements.js";
import { sideBySideButton } from "../core/side_by_side.js";
import { options, setOptions } from "../core/store.js";

/** @type {[string, string][]} */
const ORDERS = [["active", "most active first"], ["first", "kept as in the first epoch"], ["number", "by number"]];

/**
 * A view: the choices.
 * @param {Element} parent
 * @returns {View}
 */
export function order(parent) {
  const bar = element(parent, "div", "tsk-order-bar");
  const node = choice(bar, "tsk-order", "Order of rules", ORDERS, options.order, (value) => setOptions({ order: value }));
  const showBeside = sideBySideButton(bar);
  return {
    draw(state) {
      node.value = state.order;
      showBeside(state);
    },
  };
}
