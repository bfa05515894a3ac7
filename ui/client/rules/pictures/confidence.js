// Rule × class: which share of each rule's firing falls on training rows of each class.

/** @import { RuleText } from "../../core/messages.js" */
/** @import { Figure } from "../../core/types.js" */

import { fontSize, layout, smallSize } from "../../core/layout.js";
import { percent, plotlyNames, plotlyText } from "../../core/text.js";

const TEXTS = 12; // classes up to which each cell says its share

/**
 * @param {RuleText[]} rules
 * @param {string[]} classes
 * @param {boolean} dark
 * @returns {Figure}
 */
export function confidenceFigure(rules, classes, dark) {
  const z = rules.map(({ confidence }) => confidence ?? classes.map(() => null)), places = classes.map((_, c) => c);
  const texts = z.map((row) => row.map((share) => (share === null ? "–" : percent(share, 0))));
  const map = {
    type: "heatmap", x: places, y: rules.map((_, k) => k), z, zmin: 0, zmax: 1, colorscale: "Cividis", text: texts, xgap: 2, ygap: 2,
    ...(classes.length <= TEXTS ? { texttemplate: "%{text}", textfont: { size: smallSize() } } : {}),
    customdata: rules.map(({ rule, then }) => classes.map((name) => `rule ${rule} (THEN ${plotlyText(then)}), ${plotlyText(name)}`)),
    hovertemplate: "%{customdata}: %{text}<extra></extra>", colorbar: { title: { text: "confidence", side: "right" }, thickness: 12, outlinewidth: 0, tickformat: ".0%" },
  };
  const xaxis = { tickvals: places, ticktext: plotlyNames(classes, 18), showgrid: false, side: "top" };
  const yaxis = { tickvals: rules.map((_, k) => k), ticktext: rules.map(({ rule }) => `rule ${rule}`), autorange: "reversed", showgrid: false };
  const height = 90 + Math.max(80, rules.length * 1.7 * fontSize());
  return {
    data: [map], layout: layout(dark, "", "", { height, hovermode: "closest", xaxis, yaxis, margin: { l: 8, r: 8, t: 60, b: 8 } }),
    name: `Confidence of ${rules.length} rules in ${classes.length} classes: the share of a rule's firing on training rows of the class.`,
  };
}
