// The score of one class as two tables, by rule and by feature, whose numbers add up on the screen to their last line.

/** @import { Explanation, Scene } from "../model/types.js" */
/** @import { Part } from "./decomposition.js" */

import { blue, classColours, ruleColour } from "../core/colours.js";
import { choice, element, withSwatch } from "../core/elements.js";
import { signed, truncated } from "../core/text.js";
import { featureText } from "../model/columns.js";
import { weightName } from "../model/inference.js";
import { chooseScoreClass } from "../model/selection.js";
import { largestParts, decompose, roundedToSum } from "./decomposition.js";
import { bar, table } from "./reason_tables.js";

const RULES = 6; // that are named; the others are added up
const FEATURES = 8;

/**
 * @param {HTMLElement} parent
 * @param {Scene} scene
 * @param {Explanation} why
 */
export function scoreSums(parent, scene, why) {
  const { table: { classes, features }, x } = scene, c = scene.scoreClass ?? why.predicted;
  element(parent, "h4", "tsk-title").textContent = "What adds up to a score";
  const options = classes.map((name, k) => /** @type {[string, string]} */ ([String(k), truncated(name)]));
  const known = /** @type {[string, string]} */ (["", "the predicted class"]);
  choice(parent, "tsk-of-class", "Score of", [known, ...options], scene.scoreClass ?? "", (value) => chooseScoreClass(value === "" ? null : Number(value)));
  const parts = decompose(scene, why, c), place = element(parent, "div", "tsk-sums");
  const values = new Map(features.map((feature) => [feature.name, featureText(scene.table, feature, x)]));
  /** @param {Part} part */
  const rule = ({ rule: r, name }) => (r === undefined ? [name] : [withSwatch(ruleColour(r, scene.dark), "tsk-rule", [name])]);
  /** @param {Part} part */
  const feature = ({ name }) => [values.has(name) ? `${truncated(name)} = ${truncated(values.get(name), 24)}` : name];
  const colour = classColours(classes, scene.dark)[c];
  sumTable(element(place, "section", "tsk-by-rule"), scene, "By rule", largestParts(parts.rules, RULES, "rule"), rule, colour);
  const shared = parts.constants.length === 1, typical = parts.features.every(({ value }) => value === 0);
  // Where the features share the score, those without a share are unused, or as in the typical row.
  const moving = parts.features.filter(({ value }) => value !== 0 || !(shared || typical));
  const byFeature = [...parts.constants, ...largestParts(moving, FEATURES, "feature")];
  sumTable(element(place, "section", "tsk-by-feature"), scene, "By feature", byFeature, feature, colour);
  element(parent, "p", "tsk-caption").textContent = captionOf(scene, shared);
}

/**
 * @param {Scene} scene
 * @param {boolean} shared whether the features share the whole score
 */
const captionOf = ({ model }, shared) => "Both columns are the same score, less its mean over the classes, which changes no probability. By rule: "
  + `${weightName(model)} times the rule's score. By feature: the score of a typical row (training medians and most frequent values), `
  + (shared ? "and what each feature adds to it, on average over all orders in which features take this row's values (Shapley values)."
    : "what is added because different rules fire for this row (their IF parts), and what each feature adds, by its difference from the "
      + "typical row, through the THEN parts of the rules that fire.");

/**
 * @param {Element} parent
 * @param {Scene} scene
 * @param {string} title
 * @param {Part[]} parts
 * @param {(part: Part) => (Node | string)[]} words
 * @param {string} colour of the class
 */
function sumTable(parent, { dark }, title, parts, words, colour) {
  const shown = roundedToSum(parts.map(({ value }) => value)), sum = parts.reduce((total, { value }) => total + value, 0);
  const body = table(parent, [title, "", "Adds"], parts.length + 1);
  const longest = Math.max(1e-300, ...parts.map(({ value }) => Math.abs(value)), Math.abs(sum));
  [...parts, { name: "Sum: the score", value: sum }].forEach((part, k) => {
    const { cells } = body.rows[k], last = k === parts.length, length = Math.abs(part.value) / longest / 2;
    cells[0].replaceChildren(...(last ? [part.name] : words(part)));
    bar(cells[1], [[part.value < 0 ? 0.5 - length : 0.5, length, last ? colour : blue(dark)]]);
    cells[2].textContent = signed(last ? roundedToSum([sum])[0] : shown[k], 2);
    body.rows[k].classList.toggle("tsk-sum", last);
  });
}
