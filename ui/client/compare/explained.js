// The numbers of a comparison in the formulas of its charts, at the selected epoch: a sentence for each variant; see core/explaining.js.

/** @import { ComparisonState, Quantity, Training } from "./types.js" */

import { counted, percent, threeDecimals, truncated } from "../core/text.js";
import { few, meanText, sum, timesText, written } from "../core/written.js";
import { CURVES } from "./curves.js";
import { detailsAt, meanShares } from "./epoch_panels.js";
import { spread } from "./spread.js";

const NAME = 40; // characters of a variant or class
const MOST = 6; // variants that are written

/**
 * The numbers of a chart, by its name.
 * @param {string} name
 * @param {ComparisonState} now
 */
export function numbersOf(name, now) {
  const of = PANELS[name] ?? ((/** @type {Training[]} */ trainings) => seedsText(trainings, CURVES[name].of, now));
  const lines = now.trainings.flatMap((trainings, v) => {
    const text = of(trainings, now);
    return text ? [`${truncated(now.about.variants[v].name, NAME)}: ${text}`] : [];
  });
  const rest = lines.length - MOST;
  return rest > 0 ? [...lines.slice(0, MOST), `And ${counted(rest, "further variant")}.`] : lines;
}

/** @type {Record<string, (trainings: Training[], now: ComparisonState) => string>} "" for a variant without numbers */
const PANELS = { compareFiring: firingText, compareEntropy: entropyText, compareConfusion: confusionText, comparePlane: planeText };

/**
 * The mean over the seeds at the selected epoch, and half the width of the band.
 * @param {Training[]} trainings
 * @param {Quantity} of
 * @param {ComparisonState} now
 */
function seedsText(trainings, of, { epoch, about }) {
  const reached = trainings.reduce((most, one) => Math.max(most, one.curves.epoch.length - 1), 0), at = Math.min(epoch, reached);
  const values = /** @type {number[]} */ (trainings.map((one) => one.curves[of][at]).filter((value) => value != null));
  if (!values.length) return "";
  const factors = about.band === "ci" ? about.factors : null, { n, half } = spread(values, factors), sd = spread(values, null).half;
  return `epoch ${at}, ${meanText(values)}${half === null ? "" : bandText(half, Number(sd), factors?.[n] ?? null)}.`;
}

/**
 * As "; band ± SD = ± 0.046", or "; band ± 2.48 · 0.046 = ± 0.115".
 * @param {number} half
 * @param {number} sd
 * @param {number | null} factor by which the interval is wider than the standard deviation, null where the band is that
 */
function bandText(half, sd, factor) {
  if (factor === null) return `; band ± SD = ± ${threeDecimals(half)}`;
  const width = (/** @type {number[]} */ [a, b]) => (a * b).toFixed(3), result = width([factor, sd]);
  return `; band ± ${written([factor, sd], width, result).join(" · ")} = ± ${result}`;
}

/**
 * @param {Training[]} trainings
 * @param {ComparisonState} now
 */
function firingText(trainings, { epoch }) {
  const highest = detailsAt(trainings, epoch).map(({ firing }) => firing);
  if (!highest.length) return "";
  const R = Math.max(...highest.map((levels) => levels.length)), mean = highest.reduce((all, [first]) => all + first, 0) / highest.length;
  return `most active rule ${meanText(highest.map(([first]) => first))}; ${timesText(mean, R)} times an equal share.`;
}

/**
 * @param {Training[]} trainings
 * @param {ComparisonState} now
 */
function entropyText(trainings, { epoch }) {
  const found = detailsAt(trainings, epoch);
  if (!found.length) return "";
  const shares = meanShares(found.map(({ entropy }) => entropy)), R = Math.max(...found.map(({ firing }) => firing.length));
  const mean = shares.reduce((all, share, k) => all + (share * (k + 0.5)) / shares.length, 0).toFixed(2), E = Number(mean) * Math.log(R);
  return `mean of the bars ${mean}, and ${mean} · log ${R} = ${E.toFixed(2)}: exp ${E.toFixed(2)} = ${Math.exp(Number(E.toFixed(2))).toFixed(1)} rules that fire equally.`;
}

/**
 * @param {Training[]} trainings
 * @param {ComparisonState} now
 */
function confusionText(trainings, { epoch }) {
  const found = detailsAt(trainings, epoch).flatMap(({ confusion }) => (confusion ? [confusion] : []));
  if (!found.length) return "";
  const right = found[0].map((_, c) => found.reduce((all, counts) => all + counts[c][c], 0));
  const rows = sum(found.flat(2));
  return rows ? `RCA over ${counted(found.length, "seed")} = (${few(right.map(String)).join(" + ")}) / ${rows} = ${threeDecimals(sum(right) / rows)}.` : "";
}

/**
 * @param {Training[]} trainings
 * @param {ComparisonState} now
 */
function planeText(trainings, { epoch, about }) {
  const one = trainings.find(({ plane, looks }) => plane && looks);
  if (!one?.plane || !one.looks) return "";
  const at = Math.max(0, one.looks.epoch.findLastIndex((t) => t <= epoch)), cells = [...one.plane.classes[at]];
  const counts = about.classes.map((name, c) => ({ name, n: cells.filter((letter) => letter.charCodeAt(0) - 97 === c).length }));
  const top = counts.reduce((best, count) => (count.n > best.n ? count : best));
  return `${truncated(top.name, NAME)} is predicted at ${top.n} of ${cells.length} places of the plane, ${top.n}/${cells.length} = ${percent(top.n / cells.length)}.`;
}
