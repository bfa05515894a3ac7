// The largest firing level by epoch: whether a rule takes over.

/** @import { Epoch } from "../core/messages.js" */
/** @import { Figure, FigureInput, Run } from "../core/types.js" */

import { blue, green, inks } from "../core/colours.js";
import { layout, mergeMarks, straightLine } from "../core/layout.js";
import { comparisonName, percent } from "../core/text.js";
import { predictedByEpoch } from "./prediction.js";

/**
 * The firing level of the rule that fires most, by epoch and before training, with the line 1/R.
 * @param {FigureInput} now
 * @returns {Figure}
 */
export function shares(now) {
  const { shown, comparison, epoch, dark, title } = now, label = comparisonName(now);
  const past = now.index < 0 ? [] : shown.epochs.slice(0, now.index + 1);
  /** @param {string} text @param {Record<string, unknown>} line */
  const look = (text, line) => ({ name: text, mode: "lines", line, hovertemplate: `${text}: %{y:.3f}<extra></extra>` });
  const own = { ...points(past, shown), ...look("largest f̄", { color: blue(dark), width: 2.5 }) };
  const other = { ...points(comparison.epochs, comparison), ...look(label, { color: inks(dark).grey, dash: "dash", width: 2 }) };
  const R = shown.epochs[0]?.firing.length, equal = R ? [straightLine({ y: 1 / R }, green(dark), { text: "1/R: equal shares" })] : [];
  const data = [...(comparison.epochs.length ? [other] : []), own, ...predictedByEpoch(now, ["largest_share"])];
  const most = epoch ? Math.max(...epoch.firing) : null;
  const name = most === null ? `${title}; no epoch yet.` : `${title}: ${percent(most)} in epoch ${epoch?.epoch}.`;
  const xaxis = { range: [0, 1.02 * (shown.about.epochs ?? shown.epochs.at(-1)?.epoch ?? 1)] };
  const caption = R ? `The average firing level of the most active of ${R} rules. Epoch 0 is before training.` : "";
  const more = { xaxis, yaxis: { rangemode: "tozero" }, ...mergeMarks(...equal) };
  return { data, layout: layout(dark, "Epoch", "Largest firing level", more), name, caption };
}

/**
 * @param {Epoch[]} epochs
 * @param {Run} run
 */
function points(epochs, run) {
  const initial = run.epochs[0]?.initialFiring, start = epochs.length && initial ? [{ epoch: 0, firing: initial }] : [];
  const all = [...start, ...epochs];
  return { x: all.map((e) => e.epoch), y: all.map((e) => Math.max(...e.firing)) };
}
