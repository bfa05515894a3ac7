// Figures of the predictions for the test rows: the confusion matrix and the reliability diagram. The test rows are evaluated at some
// epochs; the latest evaluation up to the selected epoch is drawn.

/** @import { Bins, Counts, Figure, FigureInput, Properties, State } from "../core/types.js" */

import { BLUE, GREY, blue, inks } from "../core/colours.js";
import { HEIGHT, fontSize, height, layout, smallSize } from "../core/layout.js";
import { atEpoch, recordedEpoch } from "../core/store.js";
import { comparisonName, percent, plotlyText, sum, threeDecimals, truncatedNames } from "../core/text.js";

const WITH_COUNTS = 12; // classes up to which each cell shows its count
// A class's name: characters at most, and beside a number; up to how many it is level; degrees of others; its letters in sizes of the font.
const NAME = { most: 22, numbered: 12, level: 10, slope: 40, letter: 0.56 };
const MOST_TICKS = 30; // classes up to which each is named

/**
 * The evaluation to draw. when: of which epoch it is, in words. comparison: the comparison's, at the end only.
 * @typedef {Counts & { classes: string[], when: string, comparison: Counts }} Drawn
 */

/**
 * Counts of test rows: a row for each true class, with its recall, and a column for each predicted class.
 * @param {FigureInput} now
 * @returns {Figure}
 */
export function confusion(now) {
  const { confusion: counts, classes, when, comparison } = evaluationOf(now);
  const titles = /** @type {[string, string]} */ (["Predicted class", "True class"]);
  if (!counts) return emptyFigure(now, titles);
  const totals = counts.map(sum);
  const recall = counts.map((row, c) => (totals[c] ? row[c] / totals[c] : null));
  const { short, numbered } = namesWithin(now.width, classes), names = short.map((name) => plotlyText(name));
  const old = comparison.confusion?.length === counts.length ? comparison.confusion : null;
  const right = counts.reduce((all, row, c) => all + row[c], 0);
  const name = `${now.title}${when}: ${right} of ${sum(totals)} test rows classified correctly.${lowestRecall(recall, short)}`;
  const differs = old && counts.some((row, c) => row.some((n, k) => n !== old[c][k]));
  const caption = differs ? `${name} Small numbers: the counts of the comparison where they differ.` : name;
  return { data: [heatmap(now, counts, names, old)], layout: confusionLayout(now, titles, names, numbered, recall), name, caption };
}

/** @param {(number | null)[]} recall @param {string[]} names */
function lowestRecall(recall, names) {
  const lowest = Math.min(...recall.map((value) => value ?? Infinity));
  if (lowest === Infinity) return ""; // no test rows
  return ` Lowest recall: ${names[recall.indexOf(lowest)]}, ${percent(lowest)}.`;
}

/**
 * @param {FigureInput} now
 * @param {number[][]} counts
 * @param {string[]} names
 * @param {number[][] | null} old the comparison's counts
 */
function heatmap(now, counts, names, old) {
  const text = counts.map((row, c) => row.map((n, k) => {
    const other = old && old[c][k] !== n ? `<br><span style="font-size:${smallSize()}px">vs ${old[c][k]}</span>` : "";
    return `${n}${other}`;
  }));
  const texttemplate = names.length <= WITH_COUNTS ? "%{text}" : "";
  return { ...confusionMap(counts, names, now.dark, fontSize()), xgap: 2, ygap: 2, text, texttemplate };
}

/**
 * Counts of rows by true and predicted class; the darker a cell, the larger its share of the true class.
 * @param {number[][]} counts
 * @param {string[]} names
 * @param {boolean} dark
 * @param {number} size of its texts
 * @returns {Properties}
 */
export function confusionMap(counts, names, dark, size) {
  const totals = counts.map(sum), indices = names.map((_, c) => c);
  return {
    type: "heatmap", z: counts.map((row, c) => row.map((n) => (totals[c] ? n / totals[c] : 0))), x: indices, y: indices, zmin: 0, zmax: 1,
    colorscale: [[0, dark ? "#1E2530" : "#F2F5F9"], [1, BLUE]], showscale: false, textfont: { size, ...(dark ? { color: "#FFFFFF" } : {}) },
    customdata: counts.map((row, c) => row.map((n, k) => `${n} of ${totals[c]} test rows of class ${names[c]} were predicted as ${names[k]}`)),
    hovertemplate: "%{customdata}<extra></extra>",
  };
}

/**
 * The classes' names for a figure of this width, and whether their numbers have to name the columns, as sloping names would overlap.
 * @param {number | undefined} width
 * @param {string[]} classes
 */
function namesWithin(width, classes) {
  const short = truncatedNames(classes, NAME.most), columns = Math.min(classes.length, MOST_TICKS);
  const longest = Math.max(...short.map((name) => name.length));
  const room = ((width ?? Infinity) - 30 - NAME.letter * fontSize() * longest) / columns;
  const numbered = longest > NAME.level && Math.sin((NAME.slope * Math.PI) / 180) * room < fontSize();
  return { short: numbered ? truncatedNames(classes, NAME.numbered) : short, numbered };
}

/**
 * @param {FigureInput} now
 * @param {[string, string]} titles
 * @param {string[]} names
 * @param {boolean} numbered
 * @param {(number | null)[]} recall
 */
function confusionLayout(now, titles, names, numbered, recall) {
  const rows = names.map((name, c) => {
    const value = recall[c];
    return `${numbered ? `${c + 1} ` : ""}${name}<br><span style="font-size:${smallSize()}px">recall ${value === null ? "–: no test rows" : percent(value)}</span>`;
  });
  const step = Math.ceil(names.length / MOST_TICKS), ticks = names.map((_, c) => c).filter((c) => c % step === 0);
  /** @param {string[]} labels */
  const axis = (labels) => ({ tickvals: ticks, ticktext: ticks.map((c) => labels[c]), showgrid: false, zeroline: false });
  const tall = Math.min(900, Math.max(HEIGHT, height(), 150 + 34 * Math.min(names.length, 22)));
  const long = names.some((name) => name.length > NAME.level), slope = long ? { tickangle: -NAME.slope } : {}; // at +40 they stick out
  const columns = numbered ? { ...axis(names.map((_, c) => String(c + 1))), tickangle: 0 } : { ...axis(names), ...slope };
  const axes = { xaxis: columns, yaxis: { ...axis(rows), autorange: "reversed" } };
  return layout(now.dark, ...titles, { height: tall, hovermode: "closest", ...axes, margin: { l: 8, r: 8, t: 12, b: 8 } });
}

/**
 * Accuracy on the test rows by the probability of the predicted class, in ten bins; on the diagonal the model is calibrated.
 * @param {FigureInput} now
 * @returns {Figure}
 */
export function reliability(now) {
  const { reliability: bins, ece, when, comparison } = evaluationOf(now);
  const titles = /** @type {[string, string]} */ (["Confidence in the predicted class", "Share classified correctly"]);
  if (!bins) return emptyFigure(now, titles);
  const all = sum(bins.count), colour = blue(now.dark), sizes = filled(bins).map((k) => 8 + 26 * Math.sqrt(bins.count[k] / all));
  /** @type {Properties[]} */
  const data = [
    { x: [0, 1], y: [0, 1], mode: "lines", name: "perfectly calibrated", line: { color: GREY, dash: "dot" }, hoverinfo: "skip" },
    dots(bins, { mode: "markers+lines", name: "test rows", line: { color: colour }, marker: { size: sizes, color: colour } }),
  ];
  const old = comparison.reliability, line = { color: inks(now.dark).comparison, dash: "dash" };
  if (old) data.push({ ...dots(old, { mode: "lines", name: comparisonName(now), line }), hovertemplate: `comparison, ${HOVER}` });
  const name = `${now.title}${when}: on ${all} test rows, predicted probability and accuracy differ by ${threeDecimals(ece)} on average (ECE).`;
  const range = { tickformat: ".0%" };
  const more = { hovermode: "closest", xaxis: { ...range, range: [0, 1.08] }, yaxis: { ...range, range: [-0.04, 1.08] } };
  const caption = `${name} Below the dotted line the model is overconfident. Larger dots stand for more rows.`;
  return { data, layout: layout(now.dark, ...titles, more), name, caption };
}

const HOVER = "%{customdata} test rows: mean probability %{x:.1%}, %{y:.1%} classified correctly<extra></extra>";

/** @param {Bins} bins */
const filled = (bins) => bins.count.map((_, k) => k).filter((k) => bins.count[k] > 0);

/** @param {Bins} bins @param {Properties} style */
function dots(bins, style) {
  const full = filled(bins);
  return {
    x: full.map((k) => bins.confidence[k]), y: full.map((k) => bins.accuracy[k]), customdata: full.map((k) => bins.count[k]),
    hovertemplate: HOVER, ...style,
  };
}

/**
 * The counts to draw: at the end of the run, with the comparison's, or else of a recorded epoch.
 * @param {State} now
 * @returns {Drawn}
 */
export function evaluationOf(now) {
  const { about, evaluations, classes } = now.shown, atEnd = about.ended && (now.newest || !evaluations.length);
  if (atEnd) return { ...about, classes: about.classes ?? [], when: now.newest ? "" : " at the end", comparison: now.comparison.about };
  const found = atEpoch(evaluations, now);
  return { ...found, classes, when: found ? ` after ${recordedEpoch(found, now)}` : "", comparison: {} };
}

/** @param {FigureInput} now @param {[string, string]} titles @returns {Figure} */
function emptyFigure({ title, shown, dark }, titles) {
  const why = shown.error || (shown.about.ended ? "not recorded for this run." : "it appears after the first epochs.");
  const name = `${title}: ${why}`;
  return { data: [], layout: layout(dark, ...titles, { xaxis: { visible: false }, yaxis: { visible: false } }), name, caption: name };
}
