// Figures of a comparison at the selected epoch, a small panel for each variant: firing levels, entropy, and confusion matrices.

/** @import { Figure, Properties } from "../core/types.js" */
/** @import { ComparisonState, EpochDetails, Training } from "./types.js" */

import { confusionMap } from "../charts/evaluation.js";
import { green, inks, variantColour } from "../core/colours.js";
import { fontSize, smallSize } from "../core/layout.js";
import { panelAxes, panelLayout } from "../core/small_multiples.js";
import { counted, percent, plotlyNames, plotlyText } from "../core/text.js";
import { spread } from "./spread.js";

const TALL = 230; // pixels of a panel
const WIDTH = 1000; // of a figure that is not on a page
const LONGEST_NAME = 12;

/** @param {ComparisonState} now */
const titlesOf = ({ about }) => about.variants.map(({ name }) => plotlyText(name, 80));

/**
 * The looks of a variant's trainings at the selected epoch: the latest ones up to it.
 * @param {Training[]} trainings
 * @param {number} epoch
 */
export function detailsAt(trainings, epoch) {
  return trainings.filter((one) => one.looks).map((one) => {
    const looks = /** @type {EpochDetails} */ (one.looks), at = Math.max(0, looks.epoch.findLastIndex((t) => t <= epoch));
    return { epoch: looks.epoch[at], at, firing: looks.firing[at], entropy: looks.entropy[at], confusion: looks.confusion?.[at] ?? null };
  });
}

/** @typedef {ReturnType<typeof detailsAt>} Found */

/**
 * Of which epoch and how many seeds a figure is.
 * @param {Found[]} found
 */
function when(found) {
  const all = found.flat(), counts = found.map((looks) => looks.length);
  if (!all.length) return "";
  const [low, high] = [Math.min(...counts), Math.max(...counts)];
  return `After epoch ${Math.max(...all.map((one) => one.epoch))}, ${low === high ? "" : `${low} to `}${counted(high, "seed")} each.`;
}

/**
 * @param {ComparisonState} now
 * @param {string} title
 * @param {number} [width]
 * @returns {Figure}
 */
function empty(now, title, width = WIDTH) {
  const caption = "It appears when the first training has ended.", hidden = { visible: false };
  const drawn = panelLayout(now.dark, titlesOf(now), width, TALL, { x: hidden, y: hidden, xTitle: "", yTitle: "" });
  return { data: [], layout: drawn, name: `${title}. ${caption}`, caption };
}

/**
 * Average firing levels in falling order, mean over seeds, with the line of equal shares.
 * @param {ComparisonState} now
 * @param {number} [width]
 * @returns {Figure}
 */
export function firingPanels(now, width = WIDTH) {
  const title = "Average firing levels of the rules, in falling order", { about, dark } = now;
  const found = now.trainings.map((trainings) => detailsAt(trainings, now.epoch));
  if (!found.some((looks) => looks.length)) return empty(now, title, width);
  const factors = about.band === "ci" ? about.factors : null;
  const panels = found.map((looks) => {
    const R = Math.max(0, ...looks.map(({ firing }) => firing.length));
    return Array.from({ length: R }, (_, k) => spread(looks.map(({ firing }) => firing[k]), factors));
  });
  const whole = now.trainings.flat().flatMap(({ looks }) => looks?.firing ?? []).flat();
  const most = 1.08 * whole.reduce((a, b) => Math.max(a, b), 0), widest = Math.max(...panels.map((ranks) => ranks.length));
  const data = panels.map((ranks, v) => ({
    type: "bar", x: ranks.map((_, k) => k + 1), y: ranks.map(({ mean }) => mean),
    marker: { color: variantColour(about.variants[v].colour, dark) },
    error_y: {
      array: ranks.map(({ half }) => half ?? 0), color: inks(dark).ink, thickness: 1, width: 2, visible: ranks.some(({ half }) => half),
    },
    hovertemplate: "rank %{x}: %{y:.4f}<extra></extra>", ...panelAxes(v),
  }));
  const x = { range: [0.3, widest + 0.7], showgrid: false, tickformat: "d" };
  const axes = { x, y: { range: [0, most] }, xTitle: "Rank of the rule", yTitle: "Firing level f̄" };
  const shapes = panels.map((ranks, v) => equalShare(ranks.length, v, dark)).flat();
  const tops = panels.flatMap((ranks, v) => {
    const [first, last] = [ranks[0], ranks.at(-1)].map((rank) => percent(rank?.mean ?? 0));
    return ranks.length ? [`${about.variants[v].name}: the most active rule has ${first}, the least ${last}`] : [];
  });
  const caption = `${when(found)} Bars: mean over seeds. ${about.bandText.replace("Band", "Whiskers")} Dashed: equal shares, 1/R.`;
  return { data, layout: { ...panelLayout(dark, titlesOf(now), width, TALL, axes), shapes, bargap: 0.15 }, name: `${title}. ${when(found)} ${tops.join("; ")}.`, caption };
}

/**
 * @param {number} R
 * @param {number} v
 * @param {boolean} dark
 */
function equalShare(R, v, dark) {
  if (!R) return [];
  const { xaxis, yaxis } = panelAxes(v);
  return [{ type: "line", xref: `${xaxis} domain`, yref: yaxis, x0: 0, x1: 1, y0: 1 / R, y1: 1 / R, line: { color: green(dark), dash: "dash", width: 1.5 } }];
}

/**
 * Share of training rows by entropy of their firing levels, over log R; mean over seeds.
 * @param {ComparisonState} now
 * @param {number} [width]
 * @returns {Figure}
 */
export function entropyPanels(now, width = WIDTH) {
  const title = "Entropy of the firing levels", { about, dark } = now;
  const found = now.trainings.map((trainings) => detailsAt(trainings, now.epoch));
  if (!found.some((looks) => looks.length)) return empty(now, title, width);
  const panels = found.map((looks) => meanShares(looks.map(({ entropy }) => entropy)));
  const every = now.trainings.flat().flatMap(({ looks }) => looks?.entropy ?? []).map((counts) => Math.max(...sharesOf(counts)));
  const most = 1.05 * every.reduce((a, b) => Math.max(a, b), 0), bins = Math.max(1, ...panels.map((shares) => shares.length));
  const data = panels.map((shares, v) => ({
    type: "bar", x: shares.map((_, k) => (k + 0.5) / bins), y: shares, width: 1 / bins, marker: { color: variantColour(about.variants[v].colour, dark), line: { width: 0 } },
    hovertemplate: "E/log R ≈ %{x:.2f}: %{y:.1%}<extra></extra>", ...panelAxes(v),
  }));
  const axes = { x: { range: [0, 1], showgrid: false }, y: { range: [0, most], tickformat: ".0%" }, xTitle: "Entropy / log R", yTitle: "Training rows" };
  const means = panels.flatMap((shares, v) => (shares.length ? [`${about.variants[v].name} ${shares.reduce((sum, share, k) => sum + (share * (k + 0.5)) / bins, 0).toFixed(2)}`] : []));
  const caption = `${when(found)} At 0, one rule alone fires for a row; at 1, all rules fire equally. Mean: ${means.join(", ")}.`;
  return { data, layout: { ...panelLayout(dark, titlesOf(now), width, TALL, axes), bargap: 0 }, name: `${title}. ${caption}`, caption };
}

/** @param {number[]} counts */
function sharesOf(counts) {
  const all = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => (all ? count / all : 0));
}

/** @param {number[][]} histograms */
export function meanShares(histograms) {
  const shares = histograms.map(sharesOf), [first = []] = shares;
  return first.map((_, k) => shares.reduce((sum, one) => sum + one[k], 0) / shares.length);
}

/**
 * Confusion matrices, summed over seeds.
 * @param {ComparisonState} now
 * @param {number} [width]
 * @returns {Figure}
 */
export function confusionPanels(now, width = WIDTH) {
  const title = "Confusion matrices of the test rows", { about, dark } = now;
  const found = now.trainings.map((trainings) => detailsAt(trainings, now.epoch).filter(({ confusion }) => confusion));
  if (!found.some((looks) => looks.length)) {
    const none = now.trainings.flat().some(({ looks }) => looks && !looks.confusion);
    const caption = "With more than 12 classes no confusion matrices are kept.";
    return none ? { ...empty(now, title, width), caption, name: `${title}. ${caption}` } : empty(now, title, width);
  }
  const names = plotlyNames(about.classes, LONGEST_NAME), size = smallSize();
  const sums = found.map((looks) => total(looks.map(({ confusion }) => /** @type {number[][]} */ (confusion))));
  const data = sums.map((counts, v) => heatmap(counts, names, v, dark, width));
  const ticks = { tickvals: names.map((_, c) => c), ticktext: names, showgrid: false, zeroline: false, tickfont: { size } };
  const axes = { x: { ...ticks, tickangle: -40 }, y: { ...ticks, autorange: "reversed" }, xTitle: "Predicted class", yTitle: "" };
  const right = sums.flatMap((counts, v) => {
    const all = counts.flat().reduce((a, b) => a + b, 0), hits = counts.reduce((sum, row, c) => sum + row[c], 0);
    return all ? [`${about.variants[v].name} ${percent(hits / all)}`] : [];
  });
  const longest = Math.max(...names.map((name) => name.length)), tall = Math.min(460, Math.max(TALL - 30, 26 * names.length));
  const drawn = panelLayout(dark, titlesOf(now), width, tall, axes);
  const margin = { l: Math.min(120, 14 + 0.62 * size * longest), r: 8, t: 0, b: 0.45 * size * longest };
  const caption = `${when(found)} Counts are summed over the seeds; a row is a true class. Correct: ${right.join(", ")}.`;
  return { data, layout: { ...drawn, margin, height: Number(drawn.height) + margin.b }, name: `${title}. ${caption}`, caption };
}

/** @param {number[][][]} matrices */
function total(matrices) {
  const [first = []] = matrices;
  return first.map((row, c) => row.map((_, k) => matrices.reduce((sum, counts) => sum + counts[c][k], 0)));
}

/**
 * @param {number[][]} counts
 * @param {string[]} names
 * @param {number} v
 * @param {boolean} dark
 * @param {number} width
 * @returns {Properties}
 */
function heatmap(counts, names, v, dark, width) {
  const text = counts.map((row) => row.map(String)), texttemplate = names.length <= (width < 600 ? 5 : 8) ? "%{text}" : "";
  return { ...confusionMap(counts, names, dark, Math.min(smallSize(), fontSize())), xgap: 1, ygap: 1, text, texttemplate, ...panelAxes(v) };
}
