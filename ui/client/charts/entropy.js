// The figure of the entropy of firing levels: 0 where only one rule fires for a row, log R where all rules fire equally.

/** @import { Epoch } from "../core/messages.js" */
/** @import { Figure, FigureInput } from "../core/types.js" */

import { blue, green } from "../core/colours.js";
import { fontSize, layout, mergeMarks, straightLine } from "../core/layout.js";
import { comparisonName, percent } from "../core/text.js";
import { conditionsText } from "./conditions_text.js";
import { histogramOutline } from "./histogram_outline.js";

const ENDS = "At 0, only one rule fires for a row. At log R, all rules fire equally. Neither end is good or bad in itself.";
const WITH_UR = "Compared with the same training without UR, rows usually lie further right (UR constrains averages only).";

/**
 * Share of training rows by entropy; as outlines the first epoch, and the end of the comparison.
 * @param {FigureInput} now
 * @returns {Figure}
 */
export function entropy(now) {
  const { epoch, dark, shown, comparison, title } = now;
  const titles = /** @type {[string, string]} */ (["Entropy E of the firing levels (nats)", "Share of training rows"]);
  const yaxis = { tickformat: ".0%", rangemode: "tozero" };
  const legend = { orientation: "h", y: 1 + fontSize() / 120, yanchor: "bottom", x: 0 }; // above the labels at both ends
  const measured = epoch?.entropy.length ? epoch : null; // before training it is not
  const { middles, shares, largest } = measured ? histogram(measured) : { middles: [], shares: [], largest: 1 };
  const top = Math.max(0, ...shares);
  const other = pastOutline(comparison.epochs.at(-1), comparisonName(now), dark, "solid", top);
  if (!epoch || !measured) {
    const data = [{ type: "bar", x: [], y: [], showlegend: false }, ...other];
    return { data, layout: layout(dark, ...titles, { yaxis }), name: `${title}; no epoch yet.`, caption: ENDS };
  }
  const bars = {
    type: "bar", x: middles, y: shares, width: largest / shares.length, name: `epoch ${epoch.epoch}`, showlegend: true,
    marker: { color: blue(dark), line: { width: 0 } }, hovertemplate: "E ≈ %{x:.2f}: %{y:.1%}<extra></extra>",
  };
  const first = pastOutline(now.index > 0 ? shown.epochs[0] : undefined, "epoch 1", dark, "dot", top);
  const marks = mergeMarks(
    straightLine({ x: 0 }, green(dark), { text: "0: one rule fires", side: "left" }),
    straightLine({ x: Math.log(epoch.firing.length) }, green(dark), { text: "log R: equal shares" }),
  );
  const mean = shares.reduce((sum, share, k) => sum + share * middles[k], 0);
  const name = `${title} in epoch ${epoch.epoch}: mean ${mean.toFixed(2)}, at most ${largest.toFixed(2)}; ${percent(shares[0])} of the training rows are in the lowest bin.`;
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

/** @param {Epoch} epoch */
export function histogram(epoch) {
  const largest = Math.log(epoch.firing.length) || 1; // one rule: a width to draw
  const rows = Math.max(1, epoch.entropy.reduce((sum, count) => sum + count, 0));
  const width = largest / epoch.entropy.length;
  return { largest, shares: epoch.entropy.map((count) => count / rows), middles: epoch.entropy.map((_, k) => (k + 0.5) * width) };
}

/**
 * @param {Epoch | undefined} epoch
 * @param {string} name
 * @param {boolean} dark
 * @param {string} dash
 * @param {number} top of the bars
 */
function pastOutline(epoch, name, dark, dash, top) {
  const { largest, shares } = epoch ? histogram(epoch) : { largest: 1, shares: [] };
  return histogramOutline(shares, 0, largest, dark, { name, dash, top, hover: `${name}: %{customdata:.1%}` });
}
