// The numbers of the row at hand in the formulas of the response curves; see core/explaining.js.

/** @import { Feature, Scene } from "../model/types.js" */
/** @import { Curves } from "./response_curve_figure.js" */

import { fixed, minus, percent, truncated } from "../core/text.js";
import { featureText } from "../model/columns.js";
import { rowLines } from "../model/explained.js";

const NAME = 24; // characters of a class

/**
 * @param {Scene} scene
 * @param {Feature} feature
 * @param {Curves} curves
 */
export function curveLines(scene, feature, { lines, band }) {
  const { table, x, curve } = scene, values = lines[band], name = truncated(table.classes[band], NAME);
  const [low, high] = [Math.min(...values), Math.max(...values)], [scores, softmax] = rowLines(scene);
  const from = curve.scale === "probability" ? percent(low) : minus(fixed(low, 2));
  const to = curve.scale === "probability" ? percent(high) : minus(fixed(high, 2));
  const what = curve.scale === "probability" ? "probability" : "score, less its mean over the classes,";
  return [
    scores, `At its own ${featureText(table, feature, x)}: ${softmax}`,
    `Along the axis, the ${what} of ${name} is ${from} at least and ${to} at most.`,
  ];
}
