// Which rule is marked on all charts of the stage: the one under the pointer or the focus, else the one kept by a click. The charts dim
// the others.

/** @import { State } from "../core/types.js" */

import { options, setOptions } from "../core/store.js";

/**
 * The marked rule, by index from 0: the one pointed at, so that a kept one can be compared with others, else the kept one; null for none,
 * as where an earlier run had more rules.
 * @param {Pick<State, "pointed" | "kept" | "epoch">} state
 */
export function markedRule({ pointed, kept, epoch }) {
  const rules = epoch?.firing.length ?? 0;
  return [pointed, kept].find((rule) => rule !== null && rule < rules) ?? null;
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
