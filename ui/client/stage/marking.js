// Which rule is marked on all charts of the stage: the one kept by a click, else the one under the pointer or the focus. The charts dim
// the others.

/** @import { State } from "../core/types.js" */

import { options, setOptions } from "../core/store.js";

/**
 * The marked rule, by index from 0; null for none. A rule that the run shown does not have is none.
 * @param {Pick<State, "pointed" | "kept" | "epoch">} state
 */
export function markedRule({ pointed, kept, epoch }) {
  const rules = epoch?.firing.length ?? 0;
  return [kept, pointed].find((rule) => rule !== null && rule < rules) ?? null;
}

/**
 * Mark the rule under the pointer or the focus; null ends that.
 * @param {number | null} rule
 */
export function point(rule) {
  if (options.pointed !== rule) setOptions({ pointed: rule });
}

/**
 * Keep a rule marked, or let go of it where it is the kept one; null lets go of any.
 * @param {number | null} rule
 */
export function keep(rule) {
  const kept = options.kept === rule ? null : rule;
  if (options.kept !== kept) setOptions({ kept });
}

/**
 * Let Escape, pressed anywhere in an element, let go of the kept rule and end the pointing.
 * @param {HTMLElement} node
 */
export function letGoOnEscape(node) {
  node.onkeydown = ({ key }) => {
    if (key === "Escape") setOptions({ pointed: null, kept: null });
  };
}
