// Figures of what the model gets wrong on the test rows: which classes it takes for which, and whether its probabilities can be
// believed. They are counted at some epochs; the latest that is not after the one looked at is drawn.

import { BLUE, GREY, blue, inks, layout, lettering, percent, plain, short, three } from "./colours.js";
import { inForce } from "./store.js";

const NUMBERED = 12; // classes up to which each cell says its count
const NAMED = 22; // characters of a class's name

/** Counts of test rows: a row for each true class with its recall, a column for each decided one. */
export function confusion(now) {
  const { confusion: counts, classes, when, ghost } = counted(now);
  const title = ["Decided class", "True class"];
  if (!counts) return waiting(now, title, "Confusion matrix");
  const totals = counts.map((row) => row.reduce((sum, n) => sum + n, 0));
  const recall = counts.map((row, c) => (totals[c] ? row[c] / totals[c] : null));
  const names = classes.map((name) => plain(name, NAMED));
  const rows = names.map((name, c) => `${name}<br><span style="font-size:0.8em">recall ${recall[c] == null ? "–: no test rows" : percent(recall[c])}</span>`);
  const share = counts.map((row, c) => row.map((n) => (totals[c] ? n / totals[c] : 0)));
  const old = ghost.confusion;
  const same = old?.length === counts.length ? old : null;
  const text = counts.map((row, c) => row.map((n, k) => (same && same[c][k] !== n ? `${n}<br><span style="font-size:0.75em">was ${same[c][k]}</span>` : `${n}`)));
  const map = {
    type: "heatmap", z: share, x: classes.map((_, c) => c), y: classes.map((_, c) => c), zmin: 0, zmax: 1, xgap: 2, ygap: 2,
    colorscale: [[0, now.dark ? "#1E2530" : "#F2F5F9"], [1, BLUE]], showscale: false,
    text, textfont: { size: lettering(), ...(now.dark ? { color: "#FFFFFF" } : {}) }, texttemplate: classes.length <= NUMBERED ? "%{text}" : "",
    customdata: counts.map((row, c) => row.map((n, k) => `${n} of ${totals[c]} test rows of ${names[c]} were decided ${names[k]}`)),
    hovertemplate: "%{customdata}<extra></extra>",
  };
  const step = Math.ceil(classes.length / 30);
  const ticks = classes.map((_, c) => c).filter((c) => c % step === 0);
  const axis = (labels) => ({ tickvals: ticks, ticktext: ticks.map((c) => labels[c]), showgrid: false, zeroline: false });
  const height = Math.min(900, Math.max(340, 150 + 34 * Math.min(classes.length, 22)));
  const right = counts.reduce((sum, row, c) => sum + row[c], 0), all = totals.reduce((sum, n) => sum + n, 0);
  const worst = recall.reduce((low, value, c) => (value != null && (low < 0 || value < recall[low]) ? c : low), -1);
  const name = `Confusion matrix${when}: ${right} of ${all} test rows right.${worst < 0 ? "" : ` Lowest recall: ${short(classes[worst], NAMED)}, ${percent(recall[worst])}.`}`;
  const slope = names.some((name) => name.length > 10) ? { tickangle: -40 } : {}; // the other way, long names leave the picture and vanish
  const more = { height, hovermode: "closest", xaxis: { ...axis(names), ...slope }, yaxis: { ...axis(rows), autorange: "reversed" }, margin: { l: 8, r: 8, t: 12, b: 8 } };
  return { data: [map], layout: layout(now.dark, ...title, more), name, caption: name };
}

/** Accuracy of the test rows by the probability of the class decided, in ten bins; on the diagonal the model is as sure as it may be. */
export function reliability(now) {
  const { reliability: bins, ece, when, ghost } = counted(now);
  const title = ["Probability the model gives its decision", "Share of them decided right"];
  if (!bins) return waiting(now, title, "Reliability diagram");
  const all = bins.count.reduce((sum, n) => sum + n, 0);
  const full = bins.count.map((n, k) => k).filter((k) => bins.count[k] > 0);
  const dots = (of, more) => ({
    x: full.map((k) => of.confidence[k]), y: full.map((k) => of.accuracy[k]), customdata: full.map((k) => of.count[k]),
    hovertemplate: "%{customdata} rows, on average %{x:.1%} sure: %{y:.1%} right<extra></extra>", ...more,
  });
  const sizes = full.map((k) => 8 + 26 * Math.sqrt(bins.count[k] / all));
  const data = [
    { x: [0, 1], y: [0, 1], mode: "lines", name: "as sure as right", line: { color: GREY, dash: "dot" }, hoverinfo: "skip" },
    dots(bins, { mode: "markers+lines", name: "test rows", line: { color: blue(now.dark) }, marker: { size: sizes, color: blue(now.dark) } }),
  ];
  const old = ghost.reliability;
  if (old) {
    const kept = old.count.map((_, k) => k).filter((k) => old.count[k] > 0);
    data.push({
      x: kept.map((k) => old.confidence[k]), y: kept.map((k) => old.accuracy[k]), mode: "lines", name: "before",
      line: { color: inks(now.dark).ghost, dash: "dash" }, hovertemplate: "before, %{x:.1%} sure: %{y:.1%} right<extra></extra>",
    });
  }
  const name = `Reliability diagram${when}: over ${all} test rows, probability and share decided right differ by ${three(ece)} on average (ECE).`;
  const range = { tickformat: ".0%" };
  const more = { hovermode: "closest", xaxis: { ...range, range: [0, 1.04] }, yaxis: { ...range, range: [-0.04, 1.08] } };
  const caption = `${name} Below the dotted line the model is too sure of itself; larger dots stand for more rows.`;
  return { data, layout: layout(now.dark, ...title, more), name, caption };
}

/** The counts to draw: of the end (which the run before is compared with), or else of an epoch kept, and in words of which. */
function counted(now) {
  const { about, mistakes } = now.shown, atEnd = about.ended && (now.newest || !mistakes.length);
  if (atEnd) return { ...about, when: now.newest ? "" : " at the end", ghost: now.ghost.about };
  const found = inForce(mistakes, now);
  return found ? { ...found, classes: now.shown.classes, when: ` after epoch ${found.epoch}`, ghost: {} } : { when: "", ghost: {} };
}

function waiting(now, title, what) {
  const name = now.shown.trouble ? `${what}: ${now.shown.trouble}` : now.shown.about.ended ? `${what}: nothing of it was kept for this run.` : `${what}; it comes with the first epochs.`;
  return { data: [], layout: layout(now.dark, ...title, { xaxis: { visible: false }, yaxis: { visible: false } }), name, caption: name };
}
