// Figures by epoch: the loss in its parts, accuracy, gradient norms. What comes after the selected epoch is faint.

/** @import { Epoch, Figure, FigureInput, Marks, Properties, State } from "./types.js" */

import { ORANGE, blue, green, inks, layout, plain, straight, three, together } from "./colours.js";

/**
 * A line of a figure. compared: false where the comparison's is not drawn.
 * @typedef {{
 *   name: string, of: (epoch: Epoch) => number | null, colour: string, width?: number, dash?: string, compared?: boolean,
 * }} Line
 */

/**
 * The three parts of the loss by epoch, UR less its constant minimum.
 * @param {FigureInput} now
 * @returns {Figure}
 */
export function loss(now) {
  const lines = [
    { name: "cross-entropy", of: (/** @type {Epoch} */ e) => e.ce, colour: blue(now.dark) },
    { name: "λ·UR above its minimum", of: (/** @type {Epoch} */ e) => e.ur, colour: ORANGE },
    { name: "α·L2", of: (/** @type {Epoch} */ e) => e.l2, colour: green(now.dark) },
  ];
  const e = now.epoch;
  const name = e && `${now.title} in epoch ${e.epoch}: cross-entropy ${three(e.ce)}, UR above its minimum ${three(e.ur)}, L2 ${three(e.l2)}.`;
  return figure(now, lines, "Training loss by component", name, { yaxis: { rangemode: "tozero" } });
}

/**
 * RCA and BCA by epoch on test and training rows, with the best epoch marked and the RCA of a logistic regression.
 * @param {FigureInput} now
 * @returns {Figure}
 */
export function accuracy(now) {
  const e = now.epoch, searching = e?.stage === "hold-out";
  const best = bestEpoch(now.shown.epochs.slice(0, now.future ? undefined : now.index + 1));
  const baseline = now.shown.about.baseline, { grey } = inks(now.dark);
  const level = { text: "logistic regression (RCA)", dash: "solid", width: 1, layer: "below" };
  const levels = baseline == null ? [] : [straight({ y: baseline }, grey, level)];
  const empty = !now.shown.epochs.length && !now.comparison.epochs.length;
  const scores = searching ? `validation BCA ${three(e.bcaValidation)}` : `test RCA ${three(e?.rcaTest)}, test BCA ${three(e?.bcaTest)}`;
  const name = e && `${now.title} in epoch ${e.epoch}: ${scores}, training RCA ${three(e.rcaTrain)}.`;
  const caption = best
    ? `★ Highest test BCA: ${three(best.bcaTest)}, in epoch ${best.epoch}. Selecting the epoch by test BCA would overestimate the accuracy.`
    : "";
  // Both say whether Plotly chooses the range: left out, it would keep that of the empty figure.
  const more = { yaxis: empty ? { range: [0, 1], autorange: false } : { tickformat: ".2f", autorange: true } };
  const drawn = figure(now, accuracyLines(now.dark, searching), "Accuracy", name, more, levels);
  return { ...drawn, data: best ? [...drawn.data, star(best, now.dark)] : drawn.data, caption };
}

/**
 * @param {boolean} dark
 * @param {boolean} searching
 * @returns {Line[]}
 */
function accuracyLines(dark, searching) {
  const train = [
    { name: "RCA train", of: (/** @type {Epoch} */ e) => e.rcaTrain, colour: blue(dark), width: 3.5, dash: "dot", compared: false },
    { name: "BCA train", of: (/** @type {Epoch} */ e) => e.bcaTrain, colour: ORANGE, dash: "dot", compared: false },
  ];
  if (searching) return [{ name: "BCA validation", of: (e) => e.bcaValidation, colour: green(dark), compared: false }, ...train];
  return [
    { name: "RCA test", of: (e) => e.rcaTest, colour: blue(dark), width: 3.5 }, // visible under BCA where both are equal
    { name: "BCA test", of: (e) => e.bcaTest, colour: ORANGE },
    ...train,
  ];
}

/**
 * @param {Epoch} best
 * @param {boolean} dark
 */
const star = (best, dark) => ({
  x: [best.epoch], y: [best.bcaTest], mode: "markers", name: "best test BCA", showlegend: true,
  marker: { symbol: "star", size: 13, color: inks(dark).ink },
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
  const caption = "How strongly training changes each part of the rules. BN normalises the consequents' inputs, so compare the blue line.";
  const yaxis = { type: "log", exponentformat: "power", ...decades(now) };
  return { ...figure(now, lines, "L1 norm of the gradients", name, { yaxis }), caption };
}

/**
 * Ticks of an axis in powers of ten: 1, 2 and 5 where it spans few of them. All digits from 1 to 9 would overlap.
 * @param {State} state
 */
function decades({ shown, comparison }) {
  const all = [...shown.epochs, ...comparison.epochs].flatMap((e) => [e.gradAntecedents, e.gradConsequents]);
  const values = all.filter((value) => value > 0);
  const [low, high] = values.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [Infinity, 0]);
  return { dtick: high / low < 300 ? "D2" : 1 };
}

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
  const { comparison, shown, index, title } = now, label = comparisonName(now);
  const data = lines.filter((line) => line.compared !== false).map((line) => comparisonTrace(comparison.epochs, line, label));
  data.push(comparisonEntry(comparison.epochs.length > 0, now.dark, label));
  const ahead = now.future && !now.newest ? shown.epochs.slice(index) : []; // drawn even if empty: a line hidden in the legend stays hidden
  for (const line of lines) {
    data.push(trace(shown.epochs.slice(0, index + 1), line, 1));
    data.push({ ...trace(ahead, line, 0.3), showlegend: false, hoverinfo: "skip" });
  }
  const cursor = now.newest || !now.epoch ? [] : [straight({ x: now.epoch.epoch }, inks(now.dark).ink, { dash: "dot", width: 1 })];
  // A fixed axis while a run trains, so that the curves grow and the figure does not jump.
  const planned = shown.about.ended ? 0 : shown.about.epochs ?? 0;
  const reach = Math.max(1, planned, shown.epochs.at(-1)?.epoch ?? 0, comparison.epochs.at(-1)?.epoch ?? 0);
  const axes = { ...more, ...together(...levels, ...cursor), xaxis: { range: [0, reach * 1.02] } };
  return { data, layout: layout(now.dark, "Epoch", yTitle, axes), name: name ?? `${title} by epoch; no epoch yet.` };
}

/**
 * What the legends call the comparison, such as "λ 0".
 * @param {State} state
 */
export const comparisonName = ({ comparison }) => plain(comparison.about.label ?? "comparison", 28);

/**
 * @param {Epoch[]} epochs
 * @param {Line} line
 * @param {number} opacity
 */
function trace(epochs, { name, of, colour, dash = "solid", width = 2 }, opacity) {
  return {
    x: epochs.map((e) => e.epoch), y: epochs.map(of), name, legendgroup: name, opacity,
    mode: epochs.length > 1 ? "lines" : "markers",
    line: { color: colour, dash, width }, marker: { color: colour },
    hovertemplate: `${name}: %{y:.4g}<extra></extra>`,
  };
}

/**
 * A line of the comparison, in the hue of the same line of the run shown.
 * @param {Epoch[]} epochs
 * @param {Line} line
 * @param {string} label
 * @returns {Properties}
 */
function comparisonTrace(epochs, { name, of, colour }, label) {
  return {
    x: epochs.map((e) => e.epoch), y: epochs.map(of), name: label, legendgroup: "comparison", showlegend: false, visible: epochs.length > 0,
    mode: epochs.length > 1 ? "lines" : "markers", opacity: 0.85,
    line: { color: colour, dash: "dash", width: 1.25 }, marker: { color: colour, symbol: "circle-open" },
    hovertemplate: `comparison, ${name}: %{y:.4g}<extra></extra>`,
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
