// The cross-entropy that a preset speaks of: a line in the figure of the loss, and the first epoch below it, of both runs.

/** @import { FigureInput, Marks, Run } from "../core/types.js" */

import { inks } from "../core/colours.js";
import { straightLine } from "../core/layout.js";
import { comparisonLabel } from "../core/text.js";
import { axisPosition, axisUnit } from "./epoch_axis.js";

/**
 * The line; nothing for runs without a goal.
 * @param {FigureInput} now
 * @returns {Marks[]}
 */
export function targetLossLine({ shown, dark }) {
  const { goal } = shown.about;
  return goal ? [straightLine({ y: goal.below }, inks(dark).ink, { text: String(goal.below), dash: "dashdot", width: 1.5 })] : [];
}

/**
 * Such as "Below 0.1 at epoch 14 (with BN) / 21 (without BN)", from the cross-entropy of both runs; empty for runs without a goal.
 * @param {FigureInput} now
 */
export function targetLossText(now) {
  const { shown, comparison, index, future } = now, { goal } = shown.about, unit = axisUnit(now);
  if (!goal || !shown.epochs.length) return "";
  const epochs = future ? shown.epochs : shown.epochs.slice(0, index + 1), whole = epochs.length === shown.epochs.length;
  const sides = [{ run: { ...shown, epochs }, label: goal.label, ended: shown.about.ended && whole }];
  const other = comparison.about.goal?.label ?? comparisonLabel(now);
  if (comparison.epochs.length) sides.push({ run: comparison, label: other, ended: comparison.about.ended });
  const found = sides.map(({ run, label, ended }) => ({ place: firstBelow(now, run, goal.below), label, ended }));
  const texts = found.map(({ place, label, ended }, k) => {
    const at = place === null ? (ended ? "never" : "not yet") : found[0].place !== null && k ? unit.at(place) : unit.named(place);
    return `${at} (${label})`;
  });
  return `Below ${goal.below}${found[0].place === null ? ":" : " at"} ${texts.join(" / ")}`;
}

/**
 * @param {FigureInput} now
 * @param {Run} run
 * @param {number} level
 */
function firstBelow(now, run, level) {
  const first = run.epochs.find((e) => e.ce < level);
  return first ? axisPosition(now, run.about)(first) : null;
}
