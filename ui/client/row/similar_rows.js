// The training rows most like the row shown, each a button that selects it.

/** @import { Rows } from "../core/messages.js" */
/** @import { Explanation, Model, Scene } from "../model/types.js" */

import { classColours } from "../core/colours.js";
import { button, element, keepingFocus, withSwatch } from "../core/elements.js";
import { percent, truncatedNames } from "../core/text.js";
import { explain } from "../model/inference.js";
import { predictedOf, selectRow } from "../model/selection.js";
import { distanceOf, rowFeatures } from "./features.js";

const MOST = 5;
/** @type {WeakMap<Model, { rows: Rows, firing: Map<number, Float64Array> }>} */
const kept = new WeakMap();

/**
 * @typedef {{ n: number, distance: number, overlap: number }} Alike index of the row; overlap: Σ min(f̄, f̄'), 1 where the same rules fire
 */

/**
 * The training rows nearest to the row, without itself, the nearest first.
 * @param {Scene} scene
 * @param {Explanation} why
 * @param {number} [most]
 * @returns {Alike[]}
 */
export function similarRows(scene, why, most = MOST) {
  const { table: { rows }, index, x, model } = scene, features = rowFeatures(scene.table, []);
  if (!rows) return [];
  const others = rows.x.map((_, n) => n).filter((n) => rows.part[n] === 0 && n !== index);
  const found = others.map((n) => ({ n, distance: distanceOf(features, x, rows.x[n]) })).sort((a, b) => a.distance - b.distance);
  return found.slice(0, most).map((one) => {
    const firing = firingOf(model, rows, one.n);
    return { ...one, overlap: why.firing.reduce((sum, f, r) => sum + Math.min(f, firing[r]), 0) };
  });
}

/**
 * @param {Model} model
 * @param {Rows} rows
 * @param {number} n
 */
function firingOf(model, rows, n) {
  const known = kept.get(model)?.rows === rows ? kept.get(model) : undefined, { firing } = known ?? { firing: new Map() };
  if (!known) kept.set(model, { rows, firing });
  if (!firing.has(n)) firing.set(n, explain(model, rows.x[n]).firing);
  return /** @type {Float64Array} */ (firing.get(n));
}

/**
 * @param {HTMLElement} parent
 * @param {Scene} scene
 * @param {Explanation} why
 */
export function similarRowsPanel(parent, scene, why) {
  const found = similarRows(scene, why), { table: { rows, classes }, dark } = scene, predicted = predictedOf(scene);
  element(parent, "h4", "tsk-title").textContent = "Similar rows";
  const list = element(parent, "ul", "tsk-alike"), caption = element(parent, "p", "tsk-caption");
  parent.hidden = !rows || !found.length;
  if (!rows) return;
  const colours = classColours(classes, dark), names = truncatedNames(classes, 40);
  while (list.children.length > found.length) list.lastChild?.remove();
  keepingFocus(list, () => found.forEach(({ n, distance, overlap }, k) => {
    const line = element(list, "li", `tsk-alike-${k}`), c = rows.y[n];
    const go = button(line, "tsk-row-button", `Row ${rows.row[n] + 1}`, `Select row ${rows.row[n] + 1}`, () => selectRow(scene, n));
    go.removeAttribute("title");
    const wrong = predicted[n] === c ? "" : `, misclassified as ${names[predicted[n]]}`, text = element(line, "span", "tsk-alike-text");
    const swatch = withSwatch(colours[c], "tsk-class", [names[c]]);
    text.replaceChildren(" ", swatch, `${wrong}; ${distance.toFixed(2)} away, firing levels overlap by ${percent(overlap, 0)}`);
  }));
  const same = found.filter(({ n }) => rows.y[n] === why.predicted).length;
  const shown = rows.part.filter((part) => part === 0).length;
  caption.textContent = `${same} of these ${found.length} have the predicted class. They are the nearest of ${shown} training rows drawn. Distances are in `
    + "standard deviations over all features; a different category counts as 2.";
}
