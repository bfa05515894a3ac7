// Figures of the firing levels: bars at one epoch, a heat map and the largest level over all epochs, and the entropy.

/** @import { Epoch, Figure, FigureInput, Run, State } from "../core/types.js" */

import { ORANGE, blue, diverging, green, inks, ruleColour } from "../core/colours.js";
import { HEIGHT, fontSize, layout, mergeMarks, smallSize, straightLine } from "../core/layout.js";
import { comparisonName, conditionsText, joined, percent, sum } from "../core/text.js";
import { histogramOutline, predictedBars, predictedByEpoch } from "./overlays.js";

const COLUMNS = 300; // of the heat map; more epochs are thinned out
/** @type {Record<string, string>} */
const TITLES = { number: "Rule", active: "Rule, most active first", first: "Rule, most active in the first epoch first" };
const WIDTH = 1000; // pixels, of a figure that is not on a page
export const DOUBLINGS = 2; // of an equal share, up and down; the heat map's scale ends there
const MANY = 4; // rules that are counted as well as named
const UNDERFLOW = 0.999; // sums of firing levels below it are not 1 by more than their digits
const ENDS = "At 0, only one rule fires for a row. At log R, all rules fire equally. Neither end is good or bad in itself.";
const WITH_UR = "Compared with the same training without UR, rows usually lie further right (UR constrains averages only).";

/**
 * Mean firing level of each rule, and that before training, with the line 1/R that UR pulls towards; rules that never or hardly fire
 * are marked and named.
 * @param {FigureInput} now
 * @returns {Figure}
 */
export function firing(now) {
  const { epoch, comparison, title } = now, top = Math.max(0, ...(epoch?.firing ?? []));
  const other = comparisonOutline(comparison.epochs.at(-1), now, top);
  if (!epoch) {
    return { data: [{ type: "bar", x: [], y: [], showlegend: false }, ...other], layout: firingLayout(now, 0), name: `${title}; no epoch yet.` };
  }
  const R = epoch.firing.length, order = ordered(now, epoch);
  const places = order.map((_, k) => k + 1), levels = order.map((r) => epoch.firing[r]);
  const bars = {
    type: "bar", x: places, y: levels, showlegend: false, customdata: order.map((r) => r + 1),
    marker: { color: order.map((r) => ruleColour(r, now.dark)) }, hovertemplate: "rule %{customdata}: %{y:.4f}<extra></extra>",
  };
  const marks = [marked("never fires", "x", order, epoch.dead), marked("hardly fires", "circle-open", order, epoch.idle)];
  const initial = now.shown.epochs[0].initialFiring;
  const name = [firingText(epoch, R, initial), conditionsText(now)].filter(Boolean).join(" ");
  const predicted = now.prediction?.measure === "firing" ? predictedBars(now, top) : [];
  const data = [bars, ...other, ...marks, beforeTraining(initial, order, now.dark), ...predicted];
  return { data, layout: firingLayout(now, R, order), name, caption: name };
}

/**
 * Rules × epochs: each rule's firing level, in doublings of an equal share, in whose place the scale has its neutral colour.
 * @param {FigureInput} now
 * @returns {Figure}
 */
export function heat(now) {
  const { shown, epoch, comparison, dark, title } = now, last = comparison.epochs.at(-1);
  if (!epoch && last) { // better the comparison, for a moment, than an empty figure
    const other = heat({ ...now, shown: comparison, epoch: last, newest: true, future: true });
    return { ...other, data: [{ ...other.data[0], opacity: 0.3 }], name: `The comparison, drawn faintly. ${other.name}` };
  }
  if (!epoch) return { data: [], layout: layout(dark, "Epoch", "Rule"), name: `${title}; no epoch yet.` };
  const R = epoch.firing.length, order = ordered(now, epoch).reverse();
  const epochs = thinned(now.future ? shown.epochs : shown.epochs.slice(0, now.index + 1), COLUMNS);
  const initial = now.shown.epochs[0].initialFiring, columns = initial ? [{ epoch: 0, firing: initial }, ...epochs] : epochs;
  const customdata = order.map((r) => columns.map((e) => e.firing[r] * R)), size = smallSize();
  const map = {
    type: "heatmap", x: columns.map((e) => e.epoch), y: order.map((r) => `${r + 1}`), customdata,
    z: customdata.map((row) => row.map(doublings)), colorscale: diverging(dark),
    zmin: -DOUBLINGS, zmax: DOUBLINGS, // of every run, so that the colours mean the same before and after
    colorbar: {
      title: { text: "× equal share 1/R", side: "right" }, tickvals: [-2, -1, 0, 1, 2], ticktext: ["≤ ¼", "½", "1/R", "2", "≥ 4"],
      tickfont: { size }, thickness: 12, outlinewidth: 0,
    },
    hovertemplate: "rule %{y}, epoch %{x}: %{customdata:.2f} × 1/R<extra></extra>",
  };
  const cursor = now.newest ? [] : [straightLine({ x: epoch.epoch }, inks(dark).ink, { dash: "dot" })];
  const dtick = every(R, size / fontSize(), HEIGHT - 110);
  const labels = R > 30 ? { showticklabels: false } : { dtick, tickfont: { size } };
  const yaxis = { type: "category", showgrid: false, ...labels };
  const xaxis = { showgrid: false, ...(now.other ? { range: [initial ? -0.5 : 0.5, lastEpoch(shown, now.other) + 0.5] } : {}) };
  const top = epoch.firing.indexOf(Math.max(...epoch.firing));
  const name = `${title}, ${R} ${R > 1 ? "rules" : "rule"}; in epoch ${epoch.epoch} rule ${top + 1} is the most active, with ${percent(epoch.firing[top])} of the firing.`;
  const first = initial ? " Epoch 0 is before training." : "";
  const caption = `Each row is a rule. Orange: it fires above an equal share, 1/R; ${dark ? "dark" : "white"}: at it; blue: below it.${first}`;
  return { data: [map], layout: layout(dark, "Epoch", "Rule", { hovermode: "closest", yaxis, xaxis, ...mergeMarks(...cursor) }), name, caption };
}

/**
 * How many times a share has doubled from an equal one, below 0 halved, within the scale.
 * @param {number} times an equal share
 */
const doublings = (times) => Math.max(-DOUBLINGS, Math.min(DOUBLINGS, Math.log2(times)));

/** @param {Run} run @param {Run} other */
const lastEpoch = (run, other) => Math.max(...[run, other].map(({ epochs }) => epochs.at(-1)?.epoch ?? 0));

/**
 * The highest firing level of either run at any epoch, before training, or as predicted: the scale of both, side by side.
 * @param {FigureInput} now
 */
function highest({ shown, other, prediction }) {
  const epochs = [...shown.epochs, ...(other?.epochs ?? [])];
  const predicted = prediction?.measure === "firing" ? [...prediction.values, ...(prediction.class?.median ?? [])] : [];
  const least = Math.max(1 / Math.max(1, epochs[0]?.firing.length ?? 1), ...predicted);
  return epochs.reduce((most, e) => Math.max(most, ...e.firing, ...(e.initialFiring ?? [])), least);
}

/**
 * The step between rules whose numbers fit into so many pixels, where a number takes `size` times the font size.
 * @param {number} R
 * @param {number} size
 * @param {number} pixels
 */
const every = (R, size, pixels) => Math.max(1, Math.ceil((R * size * fontSize()) / pixels));

/**
 * Rules by index, from 0: the most active first, those first that were it in the first epoch, or by number.
 * @param {Pick<State, "order" | "shown">} now
 * @param {Epoch} epoch
 */
export function ordered({ order, shown }, epoch) {
  const levels = (order === "first" && shown.epochs[0]) ? shown.epochs[0].firing : epoch.firing, rules = levels.map((_, r) => r);
  return order === "number" ? rules : rules.sort((a, b) => levels[b] - levels[a] || a - b);
}

/** @param {FigureInput} now @param {number} R @param {number[]} [order] */
function firingLayout(now, R, order = []) {
  const title = TITLES[now.order] ?? TITLES.active;
  const step = every(R, 1.4, (now.width ?? WIDTH) - 70), ticks = order.map((_, k) => k).filter((k) => k % step === 0);
  const texts = ticks.map((k) => `${order[k] + 1}`);
  const labels = R && R <= 30 ? { tickvals: ticks.map((k) => k + 1), ticktext: texts, tickangle: 0 } : { showticklabels: false };
  const widest = Math.max(1, R, (now.other ?? now.comparison).epochs.at(-1)?.firing.length ?? 0);
  const xaxis = { ...labels, showgrid: false, range: [0.4, widest + 0.6] };
  const yaxis = now.other ? { range: [0, 1.06 * highest(now)] } : { rangemode: "tozero" };
  return layout(now.dark, title, "Average firing level f̄", { xaxis, yaxis, ...equalShare(R, now.dark) });
}

/** The line of equal shares. @param {number | undefined} R @param {boolean} dark */
const equalShare = (R, dark) => mergeMarks(...(R ? [straightLine({ y: 1 / R }, green(dark), { text: "1/R: equal shares" })] : []));

/**
 * The comparison. Its rules are not those of the run shown, so where the most active come first, its own do.
 * @param {Epoch | undefined} epoch
 * @param {FigureInput} now
 * @param {number} top of the bars
 */
function comparisonOutline(epoch, now, top) {
  const byNumber = now.order === "number", name = `${comparisonName(now)}${byNumber ? "" : ", by rank"}`;
  const levels = [...(epoch?.firing ?? [])];
  if (!byNumber) levels.sort((a, b) => b - a);
  return histogramOutline(levels, 0.5, levels.length + 0.5, now.dark, { name, top, hover: `${name}: %{customdata:.4f}` });
}

/**
 * Some rules, by index, as marks below their bars.
 * @param {string} name
 * @param {string} symbol
 * @param {number[]} order of all rules
 * @param {number[]} rules
 */
function marked(name, symbol, order, rules) {
  const x = order.map((r, k) => (rules.includes(r) ? k + 1 : 0)).filter(Boolean);
  return {
    x, y: x.map(() => 0), mode: "markers", name, cliponaxis: false, hoverinfo: "skip", showlegend: x.length > 0,
    marker: { symbol, size: 9, color: ORANGE, line: { width: 2, color: ORANGE } },
  };
}

/**
 * The firing levels before training, as a dash across each bar.
 * @param {number[] | null | undefined} levels
 * @param {number[]} order of all rules
 * @param {boolean} dark
 */
function beforeTraining(levels, order, dark) {
  return {
    x: levels ? order.map((_, k) => k + 1) : [], y: levels ? order.map((r) => levels[r]) : [], mode: "markers", name: "before training",
    showlegend: Boolean(levels), customdata: order.map((r) => r + 1), hovertemplate: "rule %{customdata} before training: %{y:.4f}<extra></extra>",
    marker: { symbol: "line-ew", size: 11, line: { width: 2, color: inks(dark).ink } },
  };
}

/**
 * The firing levels in sentences.
 * @param {Epoch} epoch
 * @param {number} R
 * @param {number[] | null | undefined} initial before training
 */
export function firingText({ epoch, firing: levels, dead, idle }, R, initial) {
  const found = [named(dead, "never"), named(idle, "hardly")].filter(Boolean);
  const meaning = [
    dead.length ? " ✗: over all training rows it fires less than an equal share of one row." : "",
    idle.length ? " ○: below a fifth of an equal share." : "",
  ];
  const range = (initial ?? []).map((level) => level.toFixed(3)).sort();
  const before = initial ? ` Before training, firing levels were ${range[0]} to ${range.at(-1)}.` : "";
  return `Epoch ${epoch}, ${R} ${R > 1 ? "rules" : "rule"}: ${found.join(", ") || "every rule fires"}.${mostText(levels)}${before}${meaning.join("")}`;
}

/**
 * The most active rule; with underflow, where firing levels of a row add up to less than 1, their sum in place of shares.
 * @param {number[]} levels
 */
function mostText(levels) {
  const R = levels.length, most = Math.max(...levels), total = sum(levels);
  if (total > UNDERFLOW) return ` The most active rule has ${percent(most)} of the firing; an equal share is ${percent(1 / R)}.`;
  return ` Average firing levels add up to ${total.toFixed(3)} in place of 1, the highest is ${most.toFixed(3)}; 1/R is ${(1 / R).toFixed(3)}.`;
}

/**
 * "rules 3 and 5 never fire"; of many, how many they are: "14 rules never fire (1, 3, …)". Empty for none.
 * @param {number[]} rules by index
 * @param {string} how
 */
function named(rules, how) {
  if (!rules.length) return "";
  const several = rules.length > 1, numbers = rules.map((r) => r + 1).sort((a, b) => a - b);
  if (rules.length > MANY) return `${rules.length} rules ${how} fire (${joined(numbers)})`;
  return `${several ? "rules" : "rule"} ${joined(numbers)} ${how} ${several ? "fire" : "fires"}`;
}

/**
 * At most so many values, evenly spaced, with both ends.
 * @template T
 * @param {T[]} values
 * @param {number} most
 */
function thinned(values, most) {
  if (values.length <= most) return values;
  return Array.from({ length: most }, (_, k) => values[Math.round((k * (values.length - 1)) / (most - 1))]);
}

/**
 * The firing level of the rule that fires most, by epoch and before training, with the line 1/R.
 * @param {FigureInput} now
 * @returns {Figure}
 */
export function shares(now) {
  const { shown, comparison, epoch, dark, title } = now, label = comparisonName(now);
  const past = now.index < 0 ? [] : shown.epochs.slice(0, now.index + 1);
  /** @param {string} text @param {Record<string, unknown>} line */
  const look = (text, line) => ({ name: text, mode: "lines", line, hovertemplate: `${text}: %{y:.3f}<extra></extra>` });
  const own = { ...points(past, shown), ...look("largest f̄", { color: blue(dark), width: 2.5 }) };
  const other = { ...points(comparison.epochs, comparison), ...look(label, { color: inks(dark).grey, dash: "dash", width: 2 }) };
  const R = shown.epochs[0]?.firing.length;
  const data = [...(comparison.epochs.length ? [other] : []), own, ...predictedByEpoch(now, ["largest_share"])];
  const most = epoch ? Math.max(...epoch.firing) : null;
  const name = most === null ? `${title}; no epoch yet.` : `${title}: ${percent(most)} in epoch ${epoch?.epoch}.`;
  const xaxis = { range: [0, 1.02 * (shown.about.epochs ?? shown.epochs.at(-1)?.epoch ?? 1)] };
  const caption = R ? `The average firing level of the most active of ${R} rules. Epoch 0 is before training.` : "";
  const more = { xaxis, yaxis: { rangemode: "tozero" }, ...equalShare(R, dark) };
  return { data, layout: layout(dark, "Epoch", "Largest firing level", more), name, caption };
}

/** @param {Epoch[]} epochs @param {Run} run */
function points(epochs, run) {
  const initial = run.epochs[0]?.initialFiring, start = epochs.length && initial ? [{ epoch: 0, firing: initial }] : [];
  const all = [...start, ...epochs];
  return { x: all.map((e) => e.epoch), y: all.map((e) => Math.max(...e.firing)) };
}

/**
 * Share of training rows by entropy, which is 0 where only one rule fires and log R where all fire equally; as outlines the first epoch,
 * and the end of the comparison.
 * @param {FigureInput} now
 * @returns {Figure}
 */
export function entropy(now) {
  const { epoch, dark, shown, comparison, title } = now;
  const titles = /** @type {[string, string]} */ (["Entropy E of the firing levels (nats)", "Share of training rows"]);
  const yaxis = { tickformat: ".0%", rangemode: "tozero" };
  const legend = { orientation: "h", y: 1 + fontSize() / 120, yanchor: "bottom", x: 0 }; // above the labels at both ends
  const measured = epoch?.entropy.length ? epoch : null; // before training it is not
  const { middles, shares: parts, largest } = measured ? histogram(measured) : { middles: [], shares: [], largest: 1 };
  const top = Math.max(0, ...parts);
  const other = pastOutline(comparison.epochs.at(-1), comparisonName(now), dark, "solid", top);
  if (!epoch || !measured) {
    const data = [{ type: "bar", x: [], y: [], showlegend: false }, ...other];
    return { data, layout: layout(dark, ...titles, { yaxis }), name: `${title}; no epoch yet.`, caption: ENDS };
  }
  const bars = {
    type: "bar", x: middles, y: parts, width: largest / parts.length, name: `epoch ${epoch.epoch}`, showlegend: true,
    marker: { color: blue(dark), line: { width: 0 } }, hovertemplate: "E ≈ %{x:.2f}: %{y:.1%}<extra></extra>",
  };
  const first = pastOutline(now.index > 0 ? shown.epochs[0] : undefined, "epoch 1", dark, "dot", top);
  const marks = mergeMarks(
    straightLine({ x: 0 }, green(dark), { text: "0: one rule fires", side: "left" }),
    straightLine({ x: Math.log(epoch.firing.length) }, green(dark), { text: "log R: equal shares" }),
  );
  const mean = meanEntropy(measured);
  const name = `${title} in epoch ${epoch.epoch}: mean ${mean.toFixed(2)}, at most ${largest.toFixed(2)}; ${percent(parts[0])} of the training rows are in the lowest bin.`;
  const data = [bars, ...other, ...first];
  return { data, layout: layout(dark, ...titles, { yaxis, bargap: 0, legend, ...marks }), name, caption: [ENDS, shown.about.regularised ? WITH_UR : "", otherText(now, epoch), conditionsText(now)].filter(Boolean).join(" ") };
}

/**
 * The largest entropy of a comparison that has another number of rules; "" where it has as many, or there is none.
 * @param {FigureInput} now
 * @param {Epoch} epoch
 */
function otherText({ comparison }, epoch) {
  const rules = comparison.epochs.at(-1)?.firing.length;
  return rules && rules !== epoch.firing.length ? `The comparison has ${rules} rules: its log R is ${Math.log(rules).toFixed(2)}.` : "";
}

/** The entropy of an epoch as shares of rows. @param {Epoch} epoch */
export function histogram(epoch) {
  const largest = Math.log(epoch.firing.length) || 1; // one rule: a width to draw
  const rows = Math.max(1, sum(epoch.entropy));
  const width = largest / epoch.entropy.length;
  return { largest, shares: epoch.entropy.map((count) => count / rows), middles: epoch.entropy.map((_, k) => (k + 0.5) * width) };
}

/** The mean over the bars of that histogram. @param {Epoch} epoch */
export function meanEntropy(epoch) {
  const { shares: parts, middles } = histogram(epoch);
  return sum(parts.map((share, k) => share * middles[k]));
}

/**
 * @param {Epoch | undefined} epoch
 * @param {string} name
 * @param {boolean} dark
 * @param {string} dash
 * @param {number} top of the bars
 */
function pastOutline(epoch, name, dark, dash, top) {
  const { largest, shares: parts } = epoch ? histogram(epoch) : { largest: 1, shares: [] };
  return histogramOutline(parts, 0, largest, dark, { name, dash, top, hover: `${name}: %{customdata:.1%}` });
}
