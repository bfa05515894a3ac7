// The RCA of a logistic regression in the figure of the accuracy: a grey line that the caption names, since the legend has one line.

/** @import { FigureInput, Marks } from "../core/types.js" */

import { inks } from "../core/colours.js";
import { straightLine } from "../core/layout.js";
import { threeDecimals } from "../core/text.js";

/**
 * The line, which an axis of this range may leave out, and the sentence; both empty where there is no baseline.
 * @param {FigureInput} now
 * @param {[number, number]} range
 * @returns {{ lines: Marks[], text: string }}
 */
export function baselineMark({ shown: { about: { baseline } }, dark }, [low, high]) {
  if (baseline == null) return { lines: [], text: "" };
  const said = `a logistic regression has test RCA ${threeDecimals(baseline)}`;
  if (baseline < low || baseline > high) return { lines: [], text: `Outside this axis, ${said}.` };
  return { lines: [straightLine({ y: baseline }, inks(dark).grey, { dash: "solid", layer: "below" })], text: `Grey line: ${said}.` };
}
