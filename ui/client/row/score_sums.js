// The score of one class as two tables, by rule and by feature, whose numbers add up on the screen to their last line; as
// tsk_core/explain/row/decomposition.py, where the sums are explained.

/** @import { Explanation, Model, Row, Scene } from "../model/types.js" */

import { blue, classColours, ruleColour } from "../core/colours.js";
import { classChoice, element, withSwatch } from "../core/elements.js";
import { signed, truncated } from "../core/text.js";
import { featureText } from "../model/columns.js";
import { explain, weightName } from "../model/inference.js";
import { chooseScoreClass } from "../model/selection.js";
import { bar, tableBody } from "./reason_tables.js";

export const TYPICAL = "a typical row", FIRING = "different rules fire"; // the parts by feature that are no feature's
const RULES = 6; // that are named; the others are added up
const FEATURES = 8;
const PLAYERS = 12; // of which all subsets are looked at: 4,096

/**
 * One part of a score, with the class's own value less the mean over the classes, which changes no probability.
 * @typedef {{ name: string, value: number, rule?: number }} Part
 */

/** @param {HTMLElement} parent @param {Scene} scene @param {Explanation} why */
export function scoreSums(parent, scene, why) {
  const { table: { classes, features }, x } = scene, c = scene.scoreClass ?? why.predicted;
  element(parent, "h4", "tsk-title").textContent = "What adds up to a score";
  classChoice(parent, "tsk-of-class", "Score of", "the predicted class", classes, scene.scoreClass, chooseScoreClass);
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
  const body = tableBody(parent, [title, "", "Adds"], parts.length + 1);
  const longest = Math.max(1e-300, ...parts.map(({ value }) => Math.abs(value)), Math.abs(sum));
  [...parts, { name: "Sum: the score", value: sum }].forEach((part, k) => {
    const { cells } = body.rows[k], last = k === parts.length, length = Math.abs(part.value) / longest / 2;
    cells[0].replaceChildren(...(last ? [part.name] : words(part)));
    bar(cells[1], [[part.value < 0 ? 0.5 - length : 0.5, length, last ? colour : blue(dark)]]);
    cells[2].textContent = signed(last ? roundedToSum([sum])[0] : shown[k], 2);
    body.rows[k].classList.toggle("tsk-sum", last);
  });
}

/**
 * What adds up to the score of class c, by rule and by feature; each list's sum is the score less the mean over the classes. A model
 * without slopes has no constant FIRING: its features share it by their Shapley values.
 * @param {Scene} scene
 * @param {Explanation} why of the row
 * @param {number} c
 * @returns {{ rules: Part[], constants: Part[], features: Part[], score: number }}
 */
export function decompose({ model, table, x }, why, c) {
  const typical = explain(model, table.typical), { R, D, C, slopes } = model;
  /** @param {ArrayLike<number>} values of all classes */
  const centred = (values) => values[c] - Array.from(values).reduce((sum, v) => sum + v, 0) / C;
  const rules = why.contributions.map((values, r) => ({ name: `rule ${r + 1}`, value: centred(values), rule: r }));
  const score = centred(why.scores), before = centred(typical.scores), constants = [{ name: TYPICAL, value: before }];
  if (!model.layer && slopes.every((slope) => slope === 0)) {
    const shares = shapleyValues(table, x, (row) => centred(explain(model, row).scores), columnsUsed(model));
    return { rules, constants, features: table.features.map(({ name }, f) => ({ name, value: shares[f] })), score };
  }
  const byColumn = table.columns.map((_, d) => centred(Array.from({ length: C }, (__, k) => {
    let slope = 0;
    for (let r = 0; r < R; r++) slope += why.weights[r] * slopes[(r * C + k) * D + d];
    return slope * (x[d] - table.typical[d]);
  })));
  const features = table.features.map(({ name, columns }) => ({ name, value: columns.reduce((sum, d) => sum + byColumn[d], 0) }));
  const rest = score - before - features.reduce((sum, { value }) => sum + value, 0);
  return { rules, constants: [...constants, { name: FIRING, value: rest }], features, score };
}

/**
 * Whether some rule has an antecedent on a column.
 * @param {Model} model
 */
const columnsUsed = ({ R, D, inverse }) => (/** @type {number} */ d) => {
  for (let k = d; k < R * D; k += D) if (inverse[k] !== 0) return true;
  return false;
};

/**
 * The Shapley value of each feature in the score of x, compared with the typical row.
 * @param {Scene["table"]} table
 * @param {Row} x
 * @param {(row: Row) => number} scoreOf
 * @param {(d: number) => boolean} used
 */
function shapleyValues({ features, typical }, x, scoreOf, used) {
  const values = features.map(() => 0), row = Array.from(typical), nothing = scoreOf(row);
  /** @param {number[]} player @param {ArrayLike<number>} from */
  const take = (player, from) => player.forEach((f) => features[f].columns.forEach((d) => { row[d] = from[d]; }));
  const moving = features.map((_, f) => f).filter((f) => features[f].columns.some((d) => used(d) && x[d] !== typical[d]));
  const alone = moving.map((f) => {
    take([f], x);
    const change = Math.abs(scoreOf(row) - nothing);
    take([f], typical);
    return { f, change };
  }).sort((a, b) => b.change - a.change || a.f - b.f);
  const players = alone.length > PLAYERS
    ? [...alone.slice(0, PLAYERS - 1).map((one) => [one]), alone.slice(PLAYERS - 1)] : alone.map((one) => [one]);
  const K = players.length, ofSubset = new Float64Array(2 ** K);
  for (let subset = 0; subset < 2 ** K; subset++) {
    players.forEach((player, k) => take(player.map(({ f }) => f), (subset >> k) & 1 ? x : typical));
    ofSubset[subset] = scoreOf(row);
  }
  const weight = [1 / Math.max(1, K)]; // of a subset by its size: size! (K − size − 1)! / K!
  for (let size = 1; size < K; size++) weight[size] = (weight[size - 1] * size) / (K - size);
  players.forEach((player, k) => {
    let value = 0;
    for (let subset = 0; subset < 2 ** K; subset++) {
      if (!((subset >> k) & 1)) value += weight[sizeOf(subset)] * (ofSubset[subset | (1 << k)] - ofSubset[subset]);
    }
    const whole = player.reduce((sum, { change }) => sum + change, 0);
    for (const { f, change } of player) values[f] = value * (whole > 0 ? change / whole : 1 / player.length);
  });
  return values;
}

/** @param {number} subset */
function sizeOf(subset) {
  let size = 0;
  for (let rest = subset; rest; rest >>= 1) size += rest & 1;
  return size;
}

/**
 * The values rounded to so many digits so that they add up to the rounded sum: the last digits go to the largest remainders.
 * @param {number[]} values
 * @param {number} [digits]
 */
export function roundedToSum(values, digits = 2) {
  const unit = 10 ** digits, scaled = values.map((v) => v * unit), down = scaled.map(Math.floor);
  const total = Math.round(scaled.reduce((a, b) => a + b, 0)), missing = total - down.reduce((a, b) => a + b, 0);
  const order = scaled.map((_, k) => k).sort((a, b) => (scaled[b] - down[b]) - (scaled[a] - down[a]) || a - b);
  for (const k of order.slice(0, missing)) down[k] += 1;
  return down.map((v) => v / unit);
}

/**
 * The largest parts, and all others as one.
 * @param {Part[]} parts
 * @param {number} most
 * @param {string} noun
 * @returns {Part[]}
 */
export function largestParts(parts, most, noun) {
  const order = [...parts].sort((a, b) => Math.abs(b.value) - Math.abs(a.value)), rest = order.slice(most);
  if (rest.length < 2) return order;
  return [...order.slice(0, most), { name: `${rest.length} other ${noun}s`, value: rest.reduce((sum, { value }) => sum + value, 0) }];
}
