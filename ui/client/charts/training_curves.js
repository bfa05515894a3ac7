// Figures by epoch: the loss in its parts, accuracy, gradient norms. What comes after the selected epoch is faint. The horizontal axis
// is in epochs, gradient steps or seconds: a small batch takes many more steps in an epoch.

/** @import { About, Across, Epoch, Figure, FigureInput, Marks, Properties, Run, State } from "../core/types.js" */

import { AMBER, GREY, ORANGE, PINK, VIOLET, blue, green, inks } from "../core/colours.js";
import { axisOf, dataRange, layout, logarithmic, mergeMarks, scoreRange, straightLine } from "../core/layout.js";
import { comparisonLabel, comparisonName, conditionsText, threeDecimals } from "../core/text.js";
import { predictedByEpoch, withPrediction } from "./overlays.js";

/**
 * A line of a figure. compared: false where the comparison's is not drawn. smooth: whether its jitter is smoothed. hover: its
 * name beside a value. group: the entry of the legend that it shares with others.
 * @typedef {{
 *   name: string, of: (epoch: Epoch) => number | null, colour: string, width?: number, dash?: string, compared?: boolean,
 *   smooth?: boolean, hover?: string, group?: string,
 * }} Line
 */

/**
 * The parts of the loss besides the cross-entropy. said: in a sentence.
 * @typedef {"ur" | "l2" | "shrinkage" | "sharpness" | "covering" | "l1"} PenaltyField
 * @type {{ field: PenaltyField, name: string, said: string, colour: (dark: boolean) => string }[]}
 */
export const PENALTIES = [
  { field: "ur", name: "λ·UR", said: "UR above its minimum", colour: () => ORANGE },
  { field: "l2", name: "α·L2", said: "L2", colour: green },
  { field: "shrinkage", name: "κ·shrinkage", said: "shrinkage", colour: () => PINK },
  { field: "sharpness", name: "ρ·sharpness", said: "sharpness", colour: () => AMBER },
  { field: "covering", name: "ζ·covering", said: "covering", colour: () => VIOLET },
  { field: "l1", name: "γ·L1", said: "L1", colour: () => GREY },
];
/** @type {Record<Across, { title: string, at: (value: number) => string, named: (value: number) => string }>} */
const UNITS = {
  epochs: { title: "Epoch", at: String, named: (value) => `epoch ${value}` },
  steps: { title: "Gradient steps", at: (value) => value.toLocaleString("en"), named: (value) => `step ${value.toLocaleString("en")}` },
  seconds: { title: "Seconds of training", at: (value) => `${value.toFixed(1)} s`, named: (value) => `${value.toFixed(1)} s` },
};

/**
 * The parts of the loss by epoch, UR less its constant minimum; penalties only where there are any.
 * @param {FigureInput} now
 * @returns {Figure}
 */
export function loss(now) {
  const all = [...now.shown.epochs, ...now.comparison.epochs], drawn = PENALTIES.filter(({ field }) => all.some((e) => e[field] > 0));
  const lines = [
    { name: "cross-entropy", of: (/** @type {Epoch} */ e) => e.ce, colour: blue(now.dark) },
    ...drawn.map(({ field, name, colour }) => ({ name, of: (/** @type {Epoch} */ e) => e[field], colour: colour(now.dark) })),
  ];
  const e = now.epoch, headline = targetLossText(now);
  const parts = e && [`cross-entropy ${threeDecimals(e.ce)}`, ...drawn.map(({ field, said }) => `${said} ${threeDecimals(e[field])}`)].join(", ");
  const name = !e?.epoch ? null : `${now.title} in epoch ${e.epoch}: ${parts}.${headline && ` Cross-entropy: ${headline}.`}`;
  const goal = now.shown.about.goal, values = all.flatMap((epoch) => lines.map(({ of }) => of(epoch)));
  const range = dataRange(values, { near: [0], always: goal ? [goal.below] : [], within: [0, Infinity] });
  // Both say the type of the axis: left out, it would stay as it was.
  const yaxis = now.logLoss ? logarithmic(valuesOf(now, ["ce"])) : { type: "linear", ...axisOf(range) };
  const shown = figure(now, lines, "Training loss by component", name, { yaxis: { ...yaxis, uirevision: now.logLoss } }, targetLossLine(now));
  const above = drawn.some(({ field }) => field === "ur") ? "λ·UR is drawn above its minimum." : "";
  const predicted = withPrediction(shown, predictedByEpoch(now, ["loss_ce"]));
  return { ...predicted, headline, caption: [above, conditionsText(now)].filter(Boolean).join(" ") };
}

/**
 * RCA and BCA by epoch on test and training rows, with the best epoch marked and the RCA of a logistic regression.
 * @param {FigureInput} now
 * @returns {Figure}
 */
export function accuracy(now) {
  const { shown, comparison, epoch: e } = now, searching = e?.stage === "hold-out", lines = accuracyLines(now.dark, searching);
  const until = shown.epochs.slice(0, now.future ? undefined : now.index + 1), { baseline } = shown.about;
  const best = until.length > 1 ? bestEpoch(until) : null; // one epoch is no choice
  const points = [...pointsOf(shown, lines, true), ...pointsOf(comparison, lines, false)];
  const { range, below } = scoreRange(points, Boolean(shown.about.ended), baseline == null ? [] : [baseline]);
  const level = baselineMark(now, range);
  const test = searching ? `validation BCA ${threeDecimals(e.bcaValidation)}` : `test RCA ${threeDecimals(e?.rcaTest)}, test BCA ${threeDecimals(e?.bcaTest)}`;
  const name = e && `${now.title} in epoch ${e.epoch}: ${test}, training RCA ${threeDecimals(e.rcaTrain)}.`;
  const smooth = comparison.about.jitter && "The comparison's test scores jitter: its lines are smoothed.";
  const caption = [shown.about.jitter?.text, smooth, below, level.text, bestText(best)].filter(Boolean).join(" ");
  const predicted = predictedByEpoch(now, ["rca_test", "bca_test", "rca_train", "bca_train"]);
  const drawn = figure(now, lines, "Accuracy", name, { yaxis: { tickformat: ".2f", ...axisOf(range, points.length > 0) } }, level.lines);
  const marked = { ...drawn, data: [...drawn.data, trainEntry(now), ...(best ? [star(best, now)] : [])] };
  return { ...withPrediction(marked, predicted), caption };
}

/** @param {Epoch | null} best */
const bestText = (best) => (best
  ? `★ Highest test BCA: ${threeDecimals(best.bcaTest)}, in epoch ${best.epoch}. Selecting the epoch by test BCA would overestimate the accuracy.`
  : "");

/**
 * What the lines of a run show. own: whether it is the run shown, of which all lines are drawn.
 * @param {Run} run
 * @param {Line[]} lines
 * @param {boolean} own
 */
const pointsOf = ({ epochs }, lines, own) =>
  lines.filter(({ compared }) => own || compared !== false).flatMap(({ of }) => epochs.map((e) => ({ epoch: e.epoch, value: of(e) })));

/**
 * One entry of the legend for both lines of the training rows.
 * @param {FigureInput} now
 * @returns {Properties}
 */
function trainEntry({ shown, dark }) {
  const at = shown.epochs.length ? [null] : [];
  return {
    x: at, y: at, mode: "lines", name: "training rows", legendgroup: "training rows", showlegend: at.length > 0, hoverinfo: "skip",
    line: { color: inks(dark).grey, dash: "dot", width: 2 },
  };
}

/**
 * The lines of the scores; those of the training rows share a group.
 * @param {boolean} dark
 * @param {boolean} searching whether early stopping searches the number of epochs
 * @returns {Line[]}
 */
export function accuracyLines(dark, searching) {
  const train = [
    { name: "RCA train", of: (/** @type {Epoch} */ e) => e.rcaTrain, colour: blue(dark), width: 3.5, dash: "dot", compared: false, group: "training rows" },
    { name: "BCA train", of: (/** @type {Epoch} */ e) => e.bcaTrain, colour: ORANGE, dash: "dot", compared: false, group: "training rows" },
  ];
  if (searching) return [{ name: "BCA validation", of: (e) => e.bcaValidation, colour: green(dark), compared: false }, ...train];
  return [
    { name: "RCA test", of: (e) => e.rcaTest, colour: blue(dark), width: 3.5, smooth: true }, // visible under BCA where both are equal
    { name: "BCA test", of: (e) => e.bcaTest, colour: ORANGE, smooth: true },
    ...train,
  ];
}

/** @param {Epoch} best @param {FigureInput} now */
const star = (best, now) => ({ // the caption says what it is
  x: [axisPosition(now, now.shown.about)(best)], y: [best.bcaTest], mode: "markers", name: "best test BCA", showlegend: false,
  marker: { symbol: "star", size: 13, color: inks(now.dark).ink },
  hovertemplate: `best test BCA, in epoch ${best.epoch}: %{y:.3f}<extra></extra>`,
});

/**
 * The mean L1 norms of the gradients of antecedents (m, σ) and consequents (b, b0) by epoch.
 * @param {FigureInput} now
 * @returns {Figure}
 */
export function gradients(now) {
  const lines = [
    { name: "consequents (b, b₀)", of: (/** @type {Epoch} */ e) => e.gradConsequents, colour: blue(now.dark) },
    { name: "antecedents (m, σ)", of: (/** @type {Epoch} */ e) => e.gradAntecedents, colour: ORANGE },
  ];
  const e = now.epoch;
  const name = e
    && `${now.title} in epoch ${e.epoch}: antecedents ${e.gradAntecedents.toPrecision(3)}, consequents ${e.gradConsequents.toPrecision(3)}.`;
  const caption = "How strongly the loss pushes each part of the rules to change. BN normalises the consequents' inputs, which shows in the blue line.";
  const yaxis = logarithmic(valuesOf(now, ["gradAntecedents", "gradConsequents"]));
  const drawn = figure(now, lines, "L1 norm of the gradients", name, { yaxis });
  return { ...drawn, data: [...drawn.data, ...predictedByEpoch(now, ["grad_antecedents", "grad_consequents"])], caption };
}

/**
 * Every value of these fields, of the run shown and of the one it is compared with.
 * @param {State} state
 * @param {("gradAntecedents" | "gradConsequents" | "ce")[]} fields
 */
const valuesOf = ({ shown, comparison }, fields) =>
  [...shown.epochs, ...comparison.epochs].flatMap((e) => fields.map((field) => e[field]));

/**
 * The epoch with the highest test BCA, the first of several; null where none has a test BCA.
 * @param {Epoch[]} epochs
 */
function bestEpoch(epochs) {
  /** @type {Epoch | null} */
  let best = null;
  for (const e of epochs) if (e.bcaTest !== null && e.bcaTest > (best?.bcaTest ?? -1)) best = e;
  return best;
}

/**
 * @param {FigureInput} now
 * @param {Line[]} lines
 * @param {string} yTitle
 * @param {string | null} name
 * @param {{ yaxis: Properties }} more
 * @param {Marks[]} [levels] horizontal lines
 * @returns {Figure}
 */
function figure(now, lines, yTitle, name, more, levels = []) {
  const { comparison, shown, index, title } = now, label = comparisonName(now), place = axisPosition(now, shown.about);
  const compared = lines.filter((line) => line.compared !== false).map((line) => steady(line, comparison));
  const data = compared.map((line) => comparisonTrace(comparison.epochs, axisPosition(now, comparison.about), line, label));
  data.push(comparisonEntry(comparison.epochs.length > 0, now.dark, label));
  const ahead = now.future && !now.newest ? shown.epochs.slice(index) : []; // drawn even if empty: a line hidden in the legend stays hidden
  for (const line of lines) data.push(...traces(now, place, ahead, line));
  const cursor = now.newest || !now.epoch ? [] : [straightLine({ x: place(now.epoch) }, inks(now.dark).ink, { dash: "dot", width: 1 })];
  // The part that was zoomed into is forgotten where the axis gets another unit.
  const xaxis = { range: [0, axisEnd(now) * 1.02], uirevision: now.across };
  const axes = { ...more, ...mergeMarks(...levels, ...cursor), xaxis };
  return { data, layout: layout(now.dark, axisUnit(now).title, yTitle, axes), name: name ?? `${title} by epoch; no epoch yet.` };
}

/**
 * A line up to the selected epoch and ahead of it; of one that is smoothed, its jitter as well, thin.
 * @param {FigureInput} now
 * @param {(epoch: Epoch) => number} place
 * @param {Epoch[]} ahead
 * @param {Line} line
 * @returns {Properties[]}
 */
function traces({ shown, index }, place, ahead, line) {
  const past = shown.epochs.slice(0, index + 1), drawn = steady(line, shown);
  const all = [trace(past, place, drawn, 1), { ...trace(ahead, place, drawn, 0.3), showlegend: false, hoverinfo: "skip" }];
  if (!line.smooth) return all;
  return [{ ...trace(drawn === line ? [] : past, place, { ...line, width: 1 }, 0.45), showlegend: false }, ...all];
}

/**
 * The line, smoothed where the run's scores jitter.
 * @param {Line} line
 * @param {Run} run
 * @returns {Line}
 */
export function steady(line, { about, epochs }) {
  if (!line.smooth || !about.jitter) return line;
  const { window } = about.jitter;
  return { ...line, of: smoothed(epochs, line.of, window), hover: `${line.name}, mean of ${window} epochs` };
}

/**
 * @param {Epoch[]} epochs
 * @param {(epoch: Epoch) => number} place
 * @param {Line} line
 * @param {number} opacity
 */
function trace(epochs, place, { name, of, colour, dash = "solid", width = 2, hover = name, group }, opacity) {
  return {
    x: epochs.map(place), y: epochs.map(of), name, legendgroup: group ?? name, showlegend: !group, opacity,
    mode: epochs.length > 1 ? "lines" : "markers",
    line: { color: colour, dash, width }, marker: { color: colour },
    hovertemplate: `${hover}: %{y:.4g}<extra></extra>`,
  };
}

/**
 * A line of the comparison, in the hue of the same line of the run shown.
 * @param {Epoch[]} epochs
 * @param {(epoch: Epoch) => number} place
 * @param {Line} line
 * @param {string} label
 * @returns {Properties}
 */
function comparisonTrace(epochs, place, { name, of, colour, hover = name }, label) {
  return {
    x: epochs.map(place), y: epochs.map(of), name: label, legendgroup: "comparison", showlegend: false, visible: epochs.length > 0,
    mode: epochs.length > 1 ? "lines" : "markers", opacity: 0.85,
    line: { color: colour, dash: "dash", width: 1.25 }, marker: { color: colour, symbol: "circle-open" },
    hovertemplate: `comparison, ${hover}: %{y:.4g}<extra></extra>`,
  };
}

/**
 * The entry of those lines in the legend, the last one.
 * @param {boolean} visible
 * @param {boolean} dark
 * @param {string} label
 * @returns {Properties}
 */
function comparisonEntry(visible, dark, label) {
  const at = visible ? [null] : [];
  return {
    x: at, y: at, mode: "lines", name: label, legendgroup: "comparison", legendrank: 2000, showlegend: visible, visible, hoverinfo: "skip",
    line: { color: inks(dark).comparison, dash: "dash", width: 1.25 },
  };
}

/**
 * The title of the axis, and a place on it in words: alone, and with its unit.
 * @param {State} state
 */
const axisUnit = ({ across }) => UNITS[across];

/**
 * Where an epoch of a run stands on the axis.
 * @param {State} state
 * @param {About} about the run
 * @returns {(epoch: Epoch) => number}
 */
function axisPosition({ across }, { steps }) {
  if (across === "seconds") return (e) => e.seconds;
  return across === "steps" ? (e) => e.epoch * (steps ?? 1) : (e) => e.epoch;
}

/**
 * Where the axis ends. While a run trains, that is the end of its plan, so that the curves grow and the figure does not jump; nobody
 * knows the seconds that this takes.
 * @param {State} state
 */
export function axisEnd(state) {
  const { shown, comparison, across } = state, { ended, epochs, steps } = shown.about;
  /** @param {Run} run */
  const last = (run) => (run.epochs.length ? axisPosition(state, run.about)(run.epochs[run.epochs.length - 1]) : 0);
  const planned = ended || across === "seconds" ? 0 : (epochs ?? 0) * (across === "steps" ? steps ?? 1 : 1);
  return Math.max(across === "seconds" ? 0.1 : 1, planned, last(shown), last(comparison));
}

/**
 * The cross-entropy that a preset speaks of, as a line; nothing for runs without a goal.
 * @param {FigureInput} now
 * @returns {Marks[]}
 */
function targetLossLine({ shown, dark }) {
  const { goal } = shown.about;
  return goal ? [straightLine({ y: goal.below }, inks(dark).ink, { text: String(goal.below), dash: "dashdot", width: 1.5 })] : [];
}

/**
 * Such as "Below 0.1 at epoch 14 (with BN) / 21 (without BN)", from the cross-entropy of both runs; empty for runs without a goal.
 * @param {FigureInput} now
 */
function targetLossText(now) {
  const { shown, comparison, index, future } = now, { goal } = shown.about, unit = axisUnit(now);
  if (!goal || !shown.epochs.length) return "";
  const epochs = future ? shown.epochs : shown.epochs.slice(0, index + 1), whole = epochs.length === shown.epochs.length;
  const sides = [{ run: { ...shown, epochs }, label: goal.label, ended: shown.about.ended && whole }];
  const other = comparison.about.goal?.label ?? comparisonLabel(now);
  if (comparison.epochs.length) sides.push({ run: comparison, label: other, ended: comparison.about.ended });
  const found = sides.map(({ run, label, ended }) => ({ place: firstBelow(now, run, goal.below), label, ended }));
  const texts = found.map(({ place, label, ended }, k) => {
    const at = place === null ? (ended ? "never" : "not yet") : found[0].place !== null && k ? unit.at(place) : unit.named(place);
    return `${at} (${label})`;
  });
  return `Below ${goal.below}${found[0].place === null ? ":" : " at"} ${texts.join(" / ")}`;
}

/** @param {FigureInput} now @param {Run} run @param {number} level */
function firstBelow(now, run, level) {
  const first = run.epochs.find((e) => e.ce < level);
  return first ? axisPosition(now, run.about)(first) : null;
}

/**
 * The RCA of a logistic regression: a grey line, which an axis of this range may leave out, and the sentence; both empty where there is
 * no baseline.
 * @param {FigureInput} now
 * @param {[number, number]} range
 * @returns {{ lines: Marks[], text: string }}
 */
function baselineMark({ shown: { about: { baseline } }, dark }, [low, high]) {
  if (baseline == null) return { lines: [], text: "" };
  const said = `a logistic regression has test RCA ${threeDecimals(baseline)}`;
  if (baseline < low || baseline > high) return { lines: [], text: `Outside this axis, ${said}.` };
  return { lines: [straightLine({ y: baseline }, inks(dark).grey, { dash: "solid", layer: "below" })], text: `Grey line: ${said}.` };
}

/**
 * Of each epoch the mean score of the epochs around it, of the same stage and up to half a window away; fewer at both ends.
 * @param {Epoch[]} epochs
 * @param {(epoch: Epoch) => number | null} of
 * @param {number} window in epochs
 * @returns {(epoch: Epoch) => number | null}
 */
function smoothed(epochs, of, window) {
  const half = Math.floor(window / 2), values = epochs.map(of);
  const place = new Map(epochs.map((epoch, k) => [epoch, k]));
  return (epoch) => {
    const k = place.get(epoch);
    if (k === undefined || values[k] === null) return null;
    const near = values.slice(Math.max(0, k - half), k + half + 1).filter((value) => value !== null);
    return near.reduce((sum, value) => sum + value, 0) / near.length;
  };
}
