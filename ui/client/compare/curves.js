// Figures by epoch of a comparison: a thin line for each seed, and a thick mean with its band for each variant.

/** @import { Figure, Properties } from "../core/types.js" */
/** @import { ComparisonState, Quantity, Training } from "./types.js" */

import { inks, variantColour, withAlpha } from "../core/colours.js";
import { axisOf, dataRange, layout, logarithmic, mergeMarks, scoreRange, straightLine } from "../core/layout.js";
import { plotlyText, threeDecimals } from "../core/text.js";
import { spanOf } from "./store.js";

const FEW = 12; // lines of seeds; more are faint, so that they do not drown the means and their bands
const NAME = 80; // characters of a variant's name, which are all of it
/** @type {Record<string, { title: string, of: Quantity, axis: string, log?: boolean, caption?: string }>} */
export const CURVES = {
  compareBca: { title: "Balanced accuracy (BCA)", of: "bca", axis: "Test BCA" },
  compareRca: { title: "Accuracy (RCA)", of: "rca", axis: "Test RCA" },
  compareLoss: { title: "Training loss", of: "ce", axis: "Cross-entropy" },
  compareConsequents: { title: "Gradient of the consequents", of: "grad_consequents", axis: "L1 norm, consequents", log: true },
  compareAntecedents: { title: "Gradient of the antecedents", of: "grad_antecedents", axis: "L1 norm, antecedents", log: true },
};
const EQUAL = 1e-12; // values that differ by less do not differ

/**
 * One of ``CURVES``, by its name.
 * @param {string} name
 * @param {ComparisonState} now
 * @returns {Figure}
 */
export function curvesFigure(name, now) {
  const { title, of, axis, log } = CURVES[name], { about, dark } = now, span = spanOf(now);
  const factors = about.band === "ci" ? about.factors : null;
  const variants = now.trainings.map((trainings, v) => ({ ...about.variants[v], ...lineOf(trainings, of, span, factors), trainings }));
  /** @type {Properties[]} */
  const data = variants.map((one) => seedLines(one, of, span, now));
  const { range, below } = rangeOf(now, of, data, variants);
  for (const one of variants) data.push(band(one, dark, log));
  for (const one of variants) data.push(meanLine(one, dark));
  const edge = 0.01 * (span[1] - span[0]);
  const cursor = now.atEnd ? [] : [straightLine({ x: now.epoch }, inks(dark).ink, { dash: "dot", width: 1 })];
  const linear = axisOf(range, variants.some(({ y }) => y.length > 0));
  const yaxis = log ? logarithmic(variants.flatMap(({ y }) => y)) : { tickformat: of === "ce" ? "" : ".2f", ...linear };
  const xaxis = { range: [span[0] - edge, span[1] + edge], uirevision: now.span };
  const more = { hovermode: "closest", yaxis: { ...yaxis, uirevision: now.span }, xaxis, ...mergeMarks(...cursor) };
  const n = Math.max(0, ...variants.map((one) => one.n)), caption = [captionText(now, n), fewer(variants), below].filter(Boolean).join(" ");
  return { data, layout: layout(dark, "Epoch", axis, more), name: alternative(title, of, variants, now), caption };
}

/**
 * @param {ComparisonState} now
 * @param {number} n seeds
 */
function captionText({ trainings, about }, n) {
  if (n < 2) return n ? "One seed so far, so there is no mean and no band yet." : "The curves appear with the first epochs.";
  return `Thin${trainings.flat().length > FEW ? " and faint" : ""}: one seed each. Thick: their mean. ${about.bandText}`;
}

/**
 * A sentence where a mean is of fewer seeds than before: a jump there may be of the seeds that are missing.
 * @param {Line[]} variants
 */
function fewer(variants) {
  const found = variants.flatMap(({ name, x, ns }) => {
    const at = ns.findIndex((n) => n < ns[0]);
    return at < 0 ? [] : [`${name} from epoch ${x[at]} on`];
  });
  return found.length ? `Means of fewer seeds, since the others have not got that far, or have diverged: ${found.join(", ")}.` : "";
}

/**
 * The range of the vertical axis, of the seeds and the bands, and a sentence about what lies below it.
 * @param {ComparisonState} now
 * @param {Quantity} of
 * @param {Properties[]} seeds traces
 * @param {Line[]} variants
 * @returns {{ range?: [number, number], below: string }}
 */
function rangeOf({ about, span }, of, seeds, variants) {
  /** @param {unknown} x @param {unknown} y */
  const pairs = (x, y) => /** @type {number[]} */ (x).map((epoch, k) => ({ epoch, value: /** @type {number[]} */ (y)[k] }));
  const [low, high] = [-1, 1].map((side) => variants.flatMap(({ x, y, halves }) => pairs(x, y.map((mean, k) => mean + side * halves[k]))));
  const points = [...seeds.flatMap(({ x, y }) => pairs(x, y)).filter(({ epoch }) => epoch !== null), ...low, ...high];
  if (of === "rca" || of === "bca") return scoreRange(points, about.ended && span === "all");
  return { range: dataRange(points.map(({ value }) => value), { near: [0], within: [0, Infinity] }), below: "" };
}

/**
 * @param {Training[]} trainings
 * @param {Quantity} of
 * @param {[number, number]} span epochs
 * @param {(number | null)[] | null} factors
 */
function lineOf(trainings, of, [from, to], factors) {
  const length = Math.min(to + 1, trainings.reduce((all, one) => Math.max(all, one.curves.epoch.length), 0));
  const all = Array.from({ length }, (_, t) => ({ t, ...spread(trainings.map((one) => one.curves[of][t]), factors) }));
  const known = all.filter((point) => point.t >= from && point.mean !== null);
  return {
    x: known.map((point) => point.t), y: known.map((point) => /** @type {number} */ (point.mean)),
    halves: known.map((point) => point.half ?? 0), ns: known.map((point) => point.n), n: trainings.length,
  };
}

/**
 * ns: how many trainings each mean is of. n: trainings in all.
 * @typedef {{ name: string, colour: number, x: number[], y: number[], halves: number[], ns: number[], n: number,
 *   trainings: Training[] }} Line
 */

/**
 * All seeds of a variant as one trace with gaps, which is drawn much faster than one for each.
 * @param {Line} line
 * @param {Quantity} of
 * @param {[number, number]} span epochs
 * @param {ComparisonState} now
 */
function seedLines({ name, colour, trainings }, of, [from, to], { dark, trainings: all }) {
  const x = [], y = [], customdata = [], lines = all.flat().length;
  for (const { curves, seed, number } of trainings) {
    const end = Math.min(to + 1, curves.epoch.length);
    for (let t = from; t < end; t += 1) {
      x.push(curves.epoch[t]);
      y.push(curves[of][t]);
      customdata.push([number, seed]);
    }
    x.push(null);
    y.push(null);
    customdata.push([-1, -1]);
  }
  return {
    x, y, customdata, mode: "lines", connectgaps: false, showlegend: false, legendgroup: name, opacity: lines > FEW ? 0.12 : 0.4,
    line: { color: variantColour(colour, dark), width: 0.8 },
    hovertemplate: `${plotlyText(name, NAME)}, seed %{customdata[1]}, epoch %{x}: %{y:.4g}<br>Click opens it in Explore<extra></extra>`,
  };
}

/**
 * @param {Line} line
 * @param {boolean} dark
 * @param {boolean} [log] whether the axis is logarithmic: the band then ends above 0
 */
function band({ name, colour, x, y, halves, n }, dark, log) {
  const low = y.map((mean, k) => (log ? Math.max(mean - halves[k], mean / 10) : mean - halves[k]));
  const high = y.map((mean, k) => mean + halves[k]), fillcolor = withAlpha(variantColour(colour, dark), 0.2);
  return {
    x: [...x, ...[...x].reverse()], y: [...high, ...low.reverse()], fill: "toself", fillcolor, mode: "lines",
    line: { width: 0 }, hoverinfo: "skip", showlegend: false, legendgroup: name, visible: n > 1,
  };
}

/** @param {Line} line @param {boolean} dark */
function meanLine({ name, colour, x, y, ns }, dark) {
  const shown = variantColour(colour, dark);
  return {
    x, y, customdata: ns, name: plotlyText(name, NAME), legendgroup: name, mode: x.length > 1 ? "lines" : "markers",
    line: { color: shown, width: 3 }, marker: { color: shown },
    showlegend: true, hovertemplate: `${plotlyText(name, NAME)}, mean of %{customdata}, epoch %{x}: %{y:.4g}<extra></extra>`,
  };
}

/**
 * The means at the epoch selected, which may not be drawn; of a variant that has not got that far, at its last one.
 * @param {string} title
 * @param {Quantity} of
 * @param {Line[]} variants
 * @param {ComparisonState} now
 */
function alternative(title, of, variants, { epoch }) {
  const parts = variants.flatMap(({ name, trainings }) => {
    const { x, y, ns } = lineOf(trainings, of, [0, epoch], null), at = x.length - 1;
    return at < 0 ? [] : [`${name} ${threeDecimals(y[at])} (mean of ${ns[at]}${x[at] < epoch ? `, at epoch ${x[at]}` : ""})`];
  });
  return parts.length ? `${title} by epoch; at epoch ${epoch}: ${parts.join(", ")}.` : `${title} by epoch; no training has begun.`;
}

/**
 * For drawing; the sentences and the table come from the server. The mean of the values that are there, and half the width of the band.
 * factors: by the number of values, of an interval of the mean; null takes one standard deviation. half: null for fewer than two values,
 * and of an interval where all are equal.
 * @param {(number | null | undefined)[]} values
 * @param {(number | null)[] | null} factors
 */
export function spread(values, factors) {
  const known = /** @type {number[]} */ (values.filter((value) => value !== null && value !== undefined)), n = known.length;
  if (!n) return { n, mean: null, half: null };
  const mean = known.reduce((sum, value) => sum + value, 0) / n;
  if (n < 2) return { n, mean, half: null };
  const sd = Math.sqrt(known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1));
  if (factors) return { n, mean, half: sd < EQUAL ? null : sd * (factors[n] ?? 0) };
  return { n, mean, half: sd };
}
