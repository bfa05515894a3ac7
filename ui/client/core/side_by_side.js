// Side by side: the comparison in a figure of its own beside that of the run shown, on equal scales, rather than drawn over it.

/** @import { Run, State } from "./types.js" */

import { element, toggle } from "./elements.js";
import { emptyRun, setOptions } from "./store.js";

/**
 * The button that puts the comparison beside the run shown; hidden where there is nothing of it to draw.
 * @param {Element} parent
 * @param {(comparison: Run) => number} [count] of what is drawn
 */
export function sideBySideButton(parent, count = ({ epochs }) => epochs.length) {
  const name = "Draw the comparison beside the run, on equal scales";
  const show = toggle(parent, "tsk-beside-button", "Side by side", name, ({ beside }) => beside, (beside) => setOptions({ beside }));
  return (/** @type {State} */ state) => { show(state).hidden = !count(state.comparison); };
}

/**
 * The place of the comparison, to the left of all others in `place`, with its name; null, and nothing there, where there is none.
 * @param {Element} place
 * @param {string | null} text
 */
export function comparisonSide(place, text) {
  const side = element(place, "div", "tsk-other");
  if (text === null) {
    side.remove();
    return null;
  }
  if (place.firstChild !== side) place.prepend(side);
  element(side, "p", "tsk-side-name").textContent = `Comparison: ${text}`;
  return side;
}

/**
 * The states of both sides, the comparison first; each names the run beside it, for equal scales. null where they are not side by side.
 * @param {State} state
 * @returns {[State & { other: Run }, State & { other: Run }] | null}
 */
export function bothSides(state) {
  const { shown, comparison, epoch, newest } = state, last = comparison.epochs.length - 1;
  if (!state.beside || last < 0 || !shown.epochs.length) return null;
  const reached = newest || !epoch ? last : comparison.epochs.findLastIndex((e) => e.epoch <= epoch.epoch), index = Math.max(0, reached);
  const selected = { index, epoch: comparison.epochs[index], newest: index === last }, none = emptyRun(null);
  return [{ ...state, ...selected, shown: comparison, comparison: none, other: shown }, { ...state, comparison: none, other: comparison }];
}
