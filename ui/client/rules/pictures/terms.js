// All terms of one feature: the membership functions of every rule, over the histogram of the rows.

/** @import { Figure, Properties, Rows, RuleText } from "../../core/types.js" */
/** @import { Feature, Scene } from "../../model/types.js" */

import { inks, ruleColour } from "../../core/colours.js";
import { fontSize, layout } from "../../core/layout.js";
import { counted, minus, plotlyNames, plotlyText } from "../../core/text.js";
import { extentOf, levelTicks, nearestRank, numberText, valueText } from "../../model/columns.js";
import { HALF, inverseWidth, logMembership, logOfStates } from "../../model/inference.js";

const TALL = 300;
const POINTS = 120; // of a curve
const BINS = 20;
/** @type {WeakMap<Rows, Map<number, number[]>>} */
const known = new WeakMap();

/**
 * The figure, with the conditions that the sentences print in thick lines, and a line at the value of the row.
 * @param {Scene} scene
 * @param {Feature} feature
 * @param {RuleText[]} rules those to draw
 * @returns {Figure}
 */
export function termsFigure(scene, feature, rules) {
  return feature.kind === "number" ? numberTerms(scene, feature, rules) : categoryTerms(scene, feature, rules);
}

/**
 * @param {Scene} scene
 * @param {Feature} feature
 * @param {RuleText[]} rules
 * @returns {Figure}
 */
function numberTerms(scene, { name, columns: [d] }, rules) {
  const { table: { columns, rows }, snapshot, dark, x: row } = scene, { levels } = columns[d];
  const { low, high } = extentOf(columns[d]), range = high - low || 1;
  const values = Array.from({ length: POINTS + 1 }, (_, k) => low + (k / POINTS) * range);
  const shown = rules.filter(({ rule }) => snapshot.sigmas[rule - 1][d] !== null);
  const curves = shown.map((rule) => {
    const r = rule.rule - 1, inverse = inverseWidth(snapshot.sigmas[r][d]), printed = rule.features.includes(name);
    return {
      x: values, y: values.map((value) => Math.exp(logMembership(value, snapshot.centers[r][d], inverse))), mode: "lines", name: `rule ${rule.rule}`,
      line: { color: ruleColour(r, dark), width: printed ? 2.5 : 1, dash: printed ? "solid" : "dot" }, hovertemplate: `rule ${rule.rule}: %{y:.2f}<extra></extra>`,
    };
  });
  const line = { x: [row[d], row[d]], y: [0, 1], mode: "lines", name: "the row", line: { color: inks(dark).ink, width: 1.5, dash: "dash" }, hoverinfo: "skip" };
  const xaxis = { range: [low - 0.02 * range, high + 0.02 * range], ...(levels ? levelTicks(levels) : {}) }, yaxis = { range: [0, 1.05] };
  const figure = { height: TALL, hovermode: "closest", xaxis, yaxis, showlegend: shown.length <= 12 };
  return {
    data: [...bars(scene, d, rows ? histogram(rows, d, levels) : []), ...curves, line],
    layout: layout(dark, plotlyText(name), "Membership", figure),
    name: `${counted(shown.length, "term")} of ${name} over the data: the membership functions of the rules, solid where a sentence has the condition.`,
  };
}

/**
 * @param {Scene} scene
 * @param {number} d
 * @param {number[]} counts
 * @returns {Properties[]}
 */
function bars({ table: { columns }, dark }, d, counts) {
  const { low, high } = extentOf(columns[d]), width = (high - low || 1) / Math.max(1, counts.length), top = Math.max(1, ...counts);
  return [{
    type: "bar", x: counts.map((_, k) => low + (k + 0.5) * width), y: counts.map((n) => (0.95 * n) / top), customdata: counts, width,
    marker: { color: inks(dark).grid }, name: "rows", showlegend: false, hovertemplate: "%{customdata} training and test rows<extra></extra>",
  }];
}

/**
 * Rules × categories.
 * @param {Scene} scene
 * @param {Feature} feature
 * @param {RuleText[]} rules
 * @returns {Figure}
 */
function categoryTerms({ table: { columns, rows }, snapshot, dark }, { name, columns: own }, rules) {
  const frequent = rows ? shares(rows, own) : null;
  const z = rules.map(({ rule }) => {
    const logs = logOfStates(snapshot, rule - 1, own, null), top = Math.max(...logs);
    return logs.map((value) => Math.exp(value - top));
  });
  const names = plotlyNames(own.map((d) => String(columns[d].category ?? columns[d].kind)), 18);
  const texts = own.map((_, k) => `${names[k]}${frequent ? ` (${Math.round(100 * frequent[k])}%)` : ""}`);
  const map = {
    type: "heatmap", x: own.map((_, k) => k), y: rules.map((_, k) => k), z, zmin: 0, zmax: 1, colorscale: "Cividis",
    colorbar: { title: { text: "membership", side: "right" }, thickness: 12, outlinewidth: 0 }, hovertemplate: "%{z:.2f}<extra></extra>",
  };
  const height = 90 + Math.max(120, rules.length * 1.5 * fontSize());
  const xaxis = { tickvals: own.map((_, k) => k), ticktext: texts, showgrid: false }, numbers = rules.map(({ rule }) => `rule ${rule}`);
  const yaxis = { tickvals: rules.map((_, k) => k), ticktext: numbers, autorange: "reversed", showgrid: false };
  const title = `${plotlyText(name)}, with the share of rows`;
  return {
    data: [map], layout: layout(dark, title, "", { height, hovermode: "closest", xaxis, yaxis }),
    name: `Memberships of ${own.length} categories of ${name} in ${rules.length} rules, 1 at the likeliest of each rule.`,
  };
}

/**
 * The same as lines of a table: rule, centre, width, and where the membership is at least a half.
 * @param {Scene} scene
 * @param {Feature} feature
 * @param {RuleText[]} rules
 */
export function termLines({ table: { columns }, snapshot: { centers, sigmas } }, { kind, columns: [d] }, rules) {
  if (kind !== "number") return null;
  const text = (/** @type {number} */ value) => minus(numberText(value, columns[d]));
  const place = (/** @type {number} */ value) => minus(valueText(value, columns[d]));
  return rules.flatMap(({ rule }) => {
    const center = centers[rule - 1][d], sigma = sigmas[rule - 1][d];
    if (sigma === null) return [];
    const width = HALF * Math.abs(sigma), { levels } = columns[d];
    if (levels) return [[`rule ${rule}`, text(center), text(Math.abs(sigma)), heldText(center, width, levels)]];
    return [[`rule ${rule}`, place(center), text(Math.abs(sigma)), `${place(center - width)} to ${place(center + width)}`]];
  });
}

/**
 * The ordered categories that a condition names: those within its width, else the nearest one.
 * @param {number} center
 * @param {number} width
 * @param {string[]} levels
 */
function heldText(center, width, levels) {
  const nearest = nearestRank(center, levels), reach = Math.hypot(width, center - nearest); // the nearest one has the membership 1
  const held = levels.filter((_, rank) => Math.abs(rank - center) <= reach);
  return held.length > 1 ? `${held[0]} to ${held.at(-1)}` : levels[nearest];
}

/**
 * The counts of rows in 20 equal bins from the column's lowest to its highest value; of ordered categories, of each.
 * @param {Rows} rows
 * @param {number} d the column
 * @param {string[]} [levels] its ordered categories
 */
export function histogram(rows, d, levels) {
  const ofRows = known.get(rows) ?? new Map();
  known.set(rows, ofRows);
  if (!ofRows.has(d)) {
    const bins = levels?.length ?? BINS, { low, high } = levels ? { low: -0.5, high: bins - 0.5 } : rows.columns[d];
    const counts = new Array(bins).fill(0), width = (high - low) / bins;
    for (const row of rows.x) counts[width > 0 ? Math.min(bins - 1, Math.max(0, Math.floor((row[d] - low) / width))) : 0] += 1;
    ofRows.set(d, counts);
  }
  return /** @type {number[]} */ (ofRows.get(d));
}

/**
 * The share of rows that have each of these categories, [columns].
 * @param {Rows} rows
 * @param {number[]} columns
 */
export const shares = (rows, columns) => columns.map((d) => rows.x.reduce((sum, row) => sum + Number(row[d] > 0.5), 0) / rows.x.length);
