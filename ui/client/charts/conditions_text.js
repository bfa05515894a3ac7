// How many conditions the rules have left, in a sentence below the charts.

/** @import { State } from "../core/types.js" */

/**
 * Empty where no condition has gone up to the selected epoch.
 * @param {State} now
 */
export function conditionsText({ shown, epoch, index }) {
  const first = shown.epochs[0]?.conditions, left = epoch?.conditions;
  if (first == null || left == null || left >= first) return "";
  const since = shown.epochs.slice(0, index + 1).find(({ conditions }) => conditions === left)?.epoch;
  const all = first.toLocaleString("en"), them = left.toLocaleString("en");
  return `The rules had ${all} conditions in epoch ${shown.epochs[0].epoch}; ${them} ${left === 1 ? "is" : "are"} left since epoch ${since}.`;
}
