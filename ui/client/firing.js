// Figures of the firing levels: bars at one epoch, and a heat map over all epochs.

/** @import { Epoch, Figure, FigureInput } from "./types.js" */

import { HEIGHT, ORANGE, fontSize, green, layout, listed, outline, percent, ruleColour, straight, together } from "./colours.js";
import { comparisonName } from "./lines.js";

const DEAD = 0.1; // of an equal share, below which a rule counts as dead
const COLUMNS = 300; // of the heat map; more epochs are thinned out
const SMALL = 0.8; // of the usual font size: numbers of the heat map's rows
const WIDTH = 1000; // pixels, of a figure that is not on a page
const BRIGHTEST = 6; // equal shares; the heat map's scale ends here

/**
 * Mean firing level of each rule, with the line 1/R that UR pulls towards; dead rules are marked and named.
 * @param {FigureInput} now
 * @returns {Figure}
 */
export function firing(now) {
  const { epoch, comparison, title } = now, other = comparisonOutline(comparison.epochs.at(-1), now);
  if (!epoch) {
    return { data: [{ type: "bar", x: [], y: [], showlegend: false }, ...other], layout: firingLayout(now, 0), name: `${title}; no epoch yet.` };
  }
  const R = epoch.firing.length, order = ordered(epoch, now.order);
  const places = order.map((_, k) => k + 1), levels = order.map((r) => epoch.firing[r]);
  const dead = order.map((r) => r + 1).filter((_, k) => levels[k] < DEAD / R);
  const bars = {
    type: "bar", x: places, y: levels, showlegend: false, customdata: order.map((r) => r + 1),
    marker: { color: order.map((r) => ruleColour(r, now.dark)) }, hovertemplate: "rule %{customdata}: %{y:.4f}<extra></extra>",
  };
  const idle = places.filter((_, k) => levels[k] < DEAD / R);
  const crosses = {
    x: idle, y: idle.map(() => 0), mode: "markers", name: "never fires", cliponaxis: false, hoverinfo: "skip",
    marker: { symbol: "x", size: 9, color: ORANGE }, showlegend: idle.length > 0,
  };
  const name = firingText(epoch, R, dead);
  return { data: [bars, ...other, crosses], layout: firingLayout(now, R, order), name, caption: name };
}

/**
 * Rules × epochs: each rule's firing level in multiples of an equal share.
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
  const R = epoch.firing.length, order = ordered(epoch, now.order).reverse();
  const epochs = thinned(now.future ? shown.epochs : shown.epochs.slice(0, now.index + 1), COLUMNS);
  const z = order.map((r) => epochs.map((e) => e.firing[r] * R));
  const most = z.flat().reduce((high, value) => Math.max(high, value), 2); // not spread: it can be 60,000 numbers
  const map = {
    type: "heatmap", x: epochs.map((e) => e.epoch), y: order.map((r) => `${r + 1}`), z, zmin: 0, zmax: Math.min(most, BRIGHTEST), colorscale: "Cividis",
    colorbar: { title: { text: "× 1/R", side: "right" }, thickness: 12, outlinewidth: 0 },
    hovertemplate: "rule %{y}, epoch %{x}: %{z:.2f} × 1/R<extra></extra>",
  };
  const cursor = now.newest ? [] : [straight({ x: epoch.epoch }, "#FFFFFF", { dash: "dot" })];
  const labels = R > 30 ? { showticklabels: false } : { dtick: every(R, SMALL, HEIGHT - 110), tickfont: { size: SMALL * fontSize() } };
  const yaxis = { type: "category", showgrid: false, ...labels }, xaxis = { showgrid: false };
  const top = epoch.firing.indexOf(Math.max(...epoch.firing));
  const name = `${title}, ${R} ${R > 1 ? "rules" : "rule"}; in epoch ${epoch.epoch} rule ${top + 1} is the most active, with ${percent(epoch.firing[top])} of the firing.`;
  const caption = "Each row is a rule; a bright rule fires above its equal share. Without UR, active rules tend to become more active while others fade.";
  return { data: [map], layout: layout(dark, "Epoch", "Rule", { hovermode: "closest", yaxis, xaxis, ...together(...cursor) }), name, caption };
}

/**
 * The step between rules whose numbers fit into so many pixels, where a number takes `size` times the font size.
 * @param {number} R
 * @param {number} size
 * @param {number} pixels
 */
const every = (R, size, pixels) => Math.max(1, Math.ceil((R * size * fontSize()) / pixels));

/**
 * Rules by index, from 0: the most active first, or by number.
 * @param {Epoch} epoch
 * @param {string} order
 */
function ordered({ firing: levels }, order) {
  const rules = levels.map((_, r) => r);
  return order === "number" ? rules : rules.sort((a, b) => levels[b] - levels[a] || a - b);
}

/**
 * @param {FigureInput} now
 * @param {number} R
 * @param {number[]} [order]
 */
function firingLayout(now, R, order = []) {
  const title = now.order === "number" ? "Rule" : "Rule, most active first";
  const step = every(R, 1.4, (now.width ?? WIDTH) - 70), ticks = order.map((_, k) => k).filter((k) => k % step === 0);
  const texts = ticks.map((k) => `${order[k] + 1}`);
  const labels = R && R <= 30 ? { tickvals: ticks.map((k) => k + 1), ticktext: texts, tickangle: 0 } : { showticklabels: false };
  const equal = R ? [straight({ y: 1 / R }, green(now.dark), { text: "1/R: equal shares" })] : [];
  const widest = Math.max(1, R, now.comparison.epochs.at(-1)?.firing.length ?? 0);
  const xaxis = { ...labels, showgrid: false, range: [0.4, widest + 0.6] };
  return layout(now.dark, title, "Average firing level f̄", { xaxis, yaxis: { rangemode: "tozero" }, ...together(...equal) });
}

/**
 * The comparison. Its rules are not those of the run shown, so where the most active come first, its own do.
 * @param {Epoch | undefined} epoch
 * @param {FigureInput} now
 */
function comparisonOutline(epoch, now) {
  const byNumber = now.order === "number", name = `${comparisonName(now)}${byNumber ? "" : ", by rank"}`;
  const levels = [...(epoch?.firing ?? [])];
  if (!byNumber) levels.sort((a, b) => b - a);
  return outline(levels, 0.5, levels.length + 0.5, now.dark, { name, hover: `${name}: %{customdata:.4f}` });
}

/**
 * @param {Epoch} epoch
 * @param {number} R
 * @param {number[]} dead numbers of rules
 */
function firingText(epoch, R, dead) {
  const several = dead.length > 1, numbers = listed([...dead].sort((a, b) => a - b));
  const idle = dead.length ? `${several ? "rules" : "rule"} ${numbers} never ${several ? "fire" : "fires"}` : "every rule fires";
  const top = percent(Math.max(...epoch.firing));
  return `Epoch ${epoch.epoch}, ${R} ${R > 1 ? "rules" : "rule"}: ${idle}. The most active rule has ${top} of the firing; an equal share is ${percent(1 / R)}. A rule below a tenth of an equal share counts as never firing.`;
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
