// The choice of how rules are ordered in the figures of firing.

import { choice } from "./elements.js";
import { choose, view } from "./store.js";

const ORDERS = [["active", "most active first"], ["number", "by number"]];

/** A view: the choice. */
export function order(parent) {
  const node = choice(parent, "tsk-order", "Order of rules", ORDERS, view.order, (value) => choose({ order: value }));
  return { draw: (state) => { node.value = state.order; } };
}
