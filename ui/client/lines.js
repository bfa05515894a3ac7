// Figures by epoch: the loss in its parts, accuracy, gradient norms. What comes after the epoch looked at is faint.

import { ORANGE, blue, green, inks, layout, straight, three, together } from "./colours.js";

/** The three parts of the loss by epoch, UR less its constant floor. */
export function loss(now) {
  const lines = [
    { name: "cross-entropy", of: (e) => e.ce, colour: blue(now.dark) },
    { name: "λ·UR less its floor", of: (e) => e.ur, colour: ORANGE },
    { name: "α·L2", of: (e) => e.l2, colour: green(now.dark) },
  ];
  const e = now.epoch;
  const name = e
    ? `Training loss in epoch ${e.epoch}: cross-entropy ${three(e.ce)}, UR less its floor ${three(e.ur)}, L2 ${three(e.l2)}.`
    : "Training loss by epoch; no epoch yet.";
  return figure(now, lines, "Training loss, by its parts", name, { yaxis: { rangemode: "tozero" } });
}

/** RCA and BCA by epoch on test and training rows, with the best epoch marked and what a logistic regression reaches. */
export function accuracy(now) {
  const lines = [
    { name: "RCA test", of: (e) => e.rcaTest, colour: blue(now.dark), width: 3.5 }, // to be seen under the next where both are alike
    { name: "BCA test", of: (e) => e.bcaTest, colour: ORANGE },
    { name: "RCA train", of: (e) => e.rcaTrain, colour: blue(now.dark), width: 3.5, dash: "dot", ghost: false },
    { name: "BCA train", of: (e) => e.bcaTrain, colour: ORANGE, dash: "dot", ghost: false },
  ];
  const e = now.epoch, searching = e?.stage === "hold-out";
  if (searching) lines.splice(0, 2, { name: "BCA validation", of: (e) => e.bcaValidation, colour: green(now.dark), ghost: false });
  const best = bestEpoch(now.shown.epochs.slice(0, now.future ? undefined : now.index + 1));
  const star = best && {
    x: [best.epoch], y: [best.bcaTest], mode: "markers", name: "best test BCA", showlegend: true,
    marker: { symbol: "star", size: 13, color: inks(now.dark).ink },
    hovertemplate: `best test BCA, in epoch ${best.epoch}: %{y:.3f}<extra></extra>`,
  };
  const baseline = now.shown.about.baseline;
  const level = baseline == null ? [] : [straight({ y: baseline }, inks(now.dark).grey, { text: "logistic regression (RCA)", dash: "solid", width: 1, layer: "below" })];
  const empty = !now.shown.epochs.length && !now.ghost.epochs.length;
  const scores = searching ? `validation BCA ${three(e.bcaValidation)}` : `test RCA ${three(e?.rcaTest)}, test BCA ${three(e?.bcaTest)}`;
  const name = e
    ? `Accuracy in epoch ${e.epoch}: ${scores}, training RCA ${three(e.rcaTrain)}.`
    : "Accuracy by epoch; no epoch yet.";
  const caption = best
    ? `★ Test BCA was highest in epoch ${best.epoch}, at ${three(best.bcaTest)}. Choosing the epoch by it would flatter the model.`
    : "";
  // Both say whether Plotly chooses the range: left out, it would keep the one of the empty picture.
  const more = { yaxis: empty ? { range: [0, 1], autorange: false } : { tickformat: ".2f", autorange: true } };
  const drawn = figure(now, lines, "Accuracy", name, more, level);
  return { ...drawn, data: star ? [...drawn.data, star] : drawn.data, caption };
}

/** The mean L1 norms of the gradients of antecedents (m, σ) and consequents (b, b0) by epoch. */
export function gradients(now) {
  const lines = [
    { name: "consequents (b, b₀)", of: (e) => e.gradConsequents, colour: blue(now.dark) },
    { name: "antecedents (m, σ)", of: (e) => e.gradAntecedents, colour: ORANGE },
  ];
  const e = now.epoch;
  const name = e
    ? `L1 norms of the gradients in epoch ${e.epoch}: antecedents ${e.gradAntecedents.toPrecision(3)}, consequents ${e.gradConsequents.toPrecision(3)}.`
    : "L1 norms of the gradients by epoch; no epoch yet.";
  const caption = "How strongly each part of the rules is pulled. BN changes the consequents' inputs, so look at the blue line.";
  return { ...figure(now, lines, "L1 norm of the gradients", name, { yaxis: { type: "log", exponentformat: "power", ...decades(now) } }), caption };
}

/** Ticks of an axis in powers of ten: 1, 2 and 5 where it spans few of them. All digits from 1 to 9 would lie on each other. */
function decades({ shown, ghost }) {
  const values = [...shown.epochs, ...ghost.epochs].flatMap((e) => [e.gradAntecedents, e.gradConsequents]).filter((value) => value > 0);
  const [low, high] = values.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [Infinity, 0]);
  return { dtick: high / low < 300 ? "D2" : 1 };
}

/** The epoch with the highest test BCA, the first of several; null before any. */
export function bestEpoch(epochs) {
  return epochs.reduce((best, e) => (e.bcaTest != null && (!best || e.bcaTest > best.bcaTest) ? e : best), null);
}

function figure(now, lines, title, name, more, levels = []) {
  const { ghost, shown, index } = now;
  const data = lines.filter((line) => line.ghost !== false).map((line) => before(ghost.epochs, line));
  data.push(beforeEntry(ghost.epochs.length > 0, now.dark));
  const ahead = now.future && !now.newest ? shown.epochs.slice(index) : []; // drawn even if empty: a line hidden in the legend stays so
  for (const line of lines) {
    data.push(trace(shown.epochs.slice(0, index + 1), line, 1));
    data.push({ ...trace(ahead, line, 0.3), showlegend: false, hoverinfo: "skip" });
  }
  const cursor = now.newest || !now.epoch ? [] : [straight({ x: now.epoch.epoch }, inks(now.dark).ink, { dash: "dot", width: 1 })];
  // A fixed axis while a run trains, so that the curves grow and the picture does not jump.
  const reach = Math.max(1, shown.about.ended ? 0 : shown.about.epochs ?? 0, shown.epochs.at(-1)?.epoch ?? 0, ghost.epochs.at(-1)?.epoch ?? 0);
  const marks = together(...levels, ...cursor);
  return { data, layout: layout(now.dark, "Epoch", title, { ...more, ...marks, xaxis: { range: [0, reach * 1.02] } }), name };
}

function trace(epochs, { name, of, colour, dash = "solid", width = 2 }, opacity) {
  return {
    x: epochs.map((e) => e.epoch), y: epochs.map(of), name, legendgroup: name, opacity,
    mode: epochs.length > 1 ? "lines" : "markers",
    line: { color: colour, dash, width }, marker: { color: colour },
    hovertemplate: `${name}: %{y:.4g}<extra></extra>`,
  };
}

/** A line of the run before, in the hue of the line of now. */
function before(epochs, { name, of, colour }) {
  return {
    x: epochs.map((e) => e.epoch), y: epochs.map(of), name: "before", legendgroup: "before", showlegend: false, visible: epochs.length > 0,
    mode: epochs.length > 1 ? "lines" : "markers", opacity: 0.85,
    line: { color: colour, dash: "dash", width: 1.25 }, marker: { color: colour, symbol: "circle-open" },
    hovertemplate: `before, ${name}: %{y:.4g}<extra></extra>`,
  };
}

/** What the legend says of those lines, the last of its entries. */
function beforeEntry(there, dark) {
  return {
    x: there ? [null] : [], y: there ? [null] : [], mode: "lines", name: "before", legendgroup: "before", legendrank: 2000, showlegend: there,
    visible: there, hoverinfo: "skip",
    line: { color: inks(dark).ghost, dash: "dash", width: 1.25 },
  };
}
