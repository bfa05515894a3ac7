// Figures of the firing levels: bars at one epoch, and a heat map over all epochs.

/** @import { Epoch } from "../core/messages.js" */
/** @import { Figure, FigureInput, Run } from "../core/types.js" */

import { ORANGE, green, ruleColour } from "../core/colours.js";
import { HEIGHT, fontSize, layout, mergeMarks, smallSize, straightLine } from "../core/layout.js";
import { comparisonName, joined, percent } from "../core/text.js";
import { histogramOutline } from "./histogram_outline.js";

const COLUMNS = 300; // of the heat map; more epochs are thinned out
const WIDTH = 1000; // pixels, of a figure that is not on a page
const BRIGHTEST = 6; // equal shares; the heat map's scale ends here

/**
 * Mean firing level of each rule, with the line 1/R that UR pulls towards; rules that never or hardly fire are marked and named.
 * @param {FigureInput} now
 * @returns {Figure}
 */
export function firing(now) {
  const { epoch, comparison, title } = now, top = Math.max(0, ...(epoch?.firing ?? []));
  const other = comparisonOutline(comparison.epochs.at(-1), now, top);
  if (!epoch) {
    return { data: [{ type: "bar", x: [], y: [], showlegend: false }, ...other], layout: firingLayout(now, 0), name: `${title}; no epoch yet.` };
  }
  const R = epoch.firing.length, order = ordered(epoch, now.order);
  const places = order.map((_, k) => k + 1), levels = order.map((r) => epoch.firing[r]);
  const bars = {
    type: "bar", x: places, y: levels, showlegend: false, customdata: order.map((r) => r + 1),
    marker: { color: order.map((r) => ruleColour(r, now.dark)) }, hovertemplate: "rule %{customdata}: %{y:.4f}<extra></extra>",
  };
  const marks = [marked("never fires", "x", order, epoch.dead), marked("hardly fires", "circle-open", order, epoch.idle)];
  const name = firingText(epoch, R);
  return { data: [bars, ...other, ...marks], layout: firingLayout(now, R, order), name, caption: name };
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
  const z = order.map((r) => epochs.map((e) => e.firing[r] * R)), otherRun = now.other ?? comparison, others = otherRun.epochs.at(-1);
  // By the numbers of rules alone, so that the colours mean the same before and after, whatever the firing levels.
  const most = Math.max(2, Math.min(BRIGHTEST, Math.max(R, others?.firing.length ?? 0)));
  const map = {
    type: "heatmap", x: epochs.map((e) => e.epoch), y: order.map((r) => `${r + 1}`), z, zmin: 0, zmax: most, colorscale: "Cividis",
    colorbar: { title: { text: "× 1/R", side: "right" }, thickness: 12, outlinewidth: 0 },
    hovertemplate: "rule %{y}, epoch %{x}: %{z:.2f} × 1/R<extra></extra>",
  };
  const cursor = now.newest ? [] : [straightLine({ x: epoch.epoch }, "#FFFFFF", { dash: "dot" })];
  const size = smallSize(), dtick = every(R, size / fontSize(), HEIGHT - 110);
  const labels = R > 30 ? { showticklabels: false } : { dtick, tickfont: { size } };
  const yaxis = { type: "category", showgrid: false, ...labels };
  const xaxis = { showgrid: false, ...(now.other ? { range: [0.5, lastEpoch(shown, now.other) + 0.5] } : {}) };
  const top = epoch.firing.indexOf(Math.max(...epoch.firing));
  const name = `${title}, ${R} ${R > 1 ? "rules" : "rule"}; in epoch ${epoch.epoch} rule ${top + 1} is the most active, with ${percent(epoch.firing[top])} of the firing.`;
  const caption = "Each row is a rule; a bright rule fires above its equal share. Without UR, active rules tend to become more active while others fade.";
  return { data: [map], layout: layout(dark, "Epoch", "Rule", { hovermode: "closest", yaxis, xaxis, ...mergeMarks(...cursor) }), name, caption };
}

/**
 * @param {Run} run
 * @param {Run} other
 */
const lastEpoch = (run, other) => Math.max(...[run, other].map(({ epochs }) => epochs.at(-1)?.epoch ?? 0));

/**
 * The highest firing level of either run at any epoch: the scale of both, side by side.
 * @param {FigureInput} now
 */
function highest({ shown, other }) {
  const epochs = [...shown.epochs, ...(other?.epochs ?? [])];
  return epochs.reduce((most, e) => Math.max(most, ...e.firing), 1 / Math.max(1, epochs[0]?.firing.length ?? 1));
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
  const equal = R ? [straightLine({ y: 1 / R }, green(now.dark), { text: "1/R: equal shares" })] : [];
  const widest = Math.max(1, R, (now.other ?? now.comparison).epochs.at(-1)?.firing.length ?? 0);
  const xaxis = { ...labels, showgrid: false, range: [0.4, widest + 0.6] };
  const yaxis = now.other ? { range: [0, 1.06 * highest(now)] } : { rangemode: "tozero" };
  return layout(now.dark, title, "Average firing level f̄", { xaxis, yaxis, ...mergeMarks(...equal) });
}

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
 * @param {Epoch} epoch
 * @param {number} R
 */
function firingText({ epoch, firing: levels, dead, idle }, R) {
  const found = [named(dead, "never"), named(idle, "hardly")].filter(Boolean);
  const meaning = [
    dead.length ? " ✗: over all training rows it fires less than an equal share of one row." : "",
    idle.length ? " ○: below a fifth of an equal share." : "",
  ];
  const top = percent(Math.max(...levels));
  return `Epoch ${epoch}, ${R} ${R > 1 ? "rules" : "rule"}: ${found.join(", ") || "every rule fires"}. The most active rule has ${top} of the firing; an equal share is ${percent(1 / R)}.${meaning.join("")}`;
}

/**
 * "rules 3 and 5 never fire"; empty for none.
 * @param {number[]} rules by index
 * @param {string} how
 */
function named(rules, how) {
  if (!rules.length) return "";
  const several = rules.length > 1;
  return `${several ? "rules" : "rule"} ${joined(rules.map((r) => r + 1).sort((a, b) => a - b))} ${how} ${several ? "fire" : "fires"}`;
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
