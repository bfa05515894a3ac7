// The figure of the entropy of firing levels: 0 where one rule decides a row alone, log R where all rules share in it.

import { GREEN, blue, inks, layout, percent, straight, together } from "./colours.js";

const WORDS = "Left: one rule decides a row alone. Right, at log R: all rules share in it. UR moves rows to the right.";

/** Share of training rows by entropy; as outlines the first epoch, and the end of the run before. */
export function entropy(now) {
  const { epoch, dark, shown, ghost } = now;
  const title = ["Entropy E of the firing levels", "Share of training rows"];
  const yaxis = { tickformat: ".0%", rangemode: "tozero" };
  const before = outline(ghost.epochs.at(-1), "before", inks(dark).ghost, "dash");
  if (!epoch) return { data: [{ type: "bar", x: [], y: [], showlegend: false }, before], layout: layout(dark, ...title, { yaxis }), name: "Entropy of the firing levels; no epoch yet.", caption: WORDS };
  const { middles, shares, largest } = histogram(epoch);
  const bars = {
    type: "bar", x: middles, y: shares, width: largest / shares.length, name: `epoch ${epoch.epoch}`, showlegend: false,
    marker: { color: blue(dark), line: { width: 0 } }, hovertemplate: "E about %{x:.2f}: %{y:.1%}<extra></extra>",
  };
  const first = outline(now.index > 0 ? shown.epochs[0] : null, "epoch 1", inks(dark).ink, "dot");
  const marks = together(
    straight({ x: 0 }, GREEN, { text: "0: one rule decides", side: "left" }),
    straight({ x: Math.log(epoch.firing.length) }, GREEN, { text: "log R: all alike" }),
  );
  const mean = shares.reduce((sum, share, k) => sum + share * middles[k], 0);
  const name = `Entropy of the firing levels in epoch ${epoch.epoch}: about ${mean.toFixed(2)} on average, of at most ${largest.toFixed(2)}; ${percent(shares[0])} of the rows lie in the lowest bin.`;
  return { data: [bars, before, first], layout: layout(dark, ...title, { yaxis, bargap: 0, ...marks }), name, caption: WORDS };
}

function histogram(epoch) {
  const largest = Math.log(epoch.firing.length) || 1; // one rule: a width to draw
  const rows = Math.max(1, epoch.entropy.reduce((sum, count) => sum + count, 0));
  const width = largest / epoch.entropy.length;
  return { largest, shares: epoch.entropy.map((count) => count / rows), middles: epoch.entropy.map((_, k) => (k + 0.5) * width) };
}

function outline(epoch, name, colour, dash) {
  const { middles, shares } = epoch ? histogram(epoch) : { middles: [], shares: [] };
  return {
    x: middles, y: shares, mode: "lines", name, showlegend: middles.length > 0, line: { color: colour, shape: "hvh", dash, width: 1.5 },
    hovertemplate: `${name}: %{y:.1%}<extra></extra>`,
  };
}
