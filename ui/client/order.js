// The choice of how rules are ordered in the charts of firing levels and in the tab Rules.

/** @import { View } from "./types.js" */

import { choice } from "./elements.js";
import { options, setOptions } from "./store.js";

/** @type {[string, string][]} */
const ORDERS = [["active", "most active first"], ["number", "by number"]];

/**
 * A view: the choice.
 * @param {Element} parent
 * @returns {View}
 */
export function order(parent) {
  const node = choice(parent, "tsk-order", "Order of rules", ORDERS, options.order, (value) => setOptions({ order: value }));
  return { draw: (state) => { node.value = state.order; } };
}
