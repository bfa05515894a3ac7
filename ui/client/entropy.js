// The figure of the entropy of firing levels: 0 where one rule decides a row alone, log R where all rules share in it.

import { blue, green, layout, lettering, outline, percent, straight, together } from "./colours.js";

const WORDS = "Left: one rule decides a row alone. Right, at log R: all rules share in it. UR moves rows to the right.";

/** Share of training rows by entropy; as outlines the first epoch, and the end of the run before. */
export function entropy(now) {
  const { epoch, dark, shown, ghost } = now;
  const title = ["Entropy E of the firing levels (nats)", "Share of training rows"];
  const yaxis = { tickformat: ".0%", rangemode: "tozero" };
  const legend = { orientation: "h", y: 1 + lettering() / 120, yanchor: "bottom", x: 0 }; // above the words at both ends
  const before = past(ghost.epochs.at(-1), "before", dark, "solid");
  if (!epoch) return { data: [{ type: "bar", x: [], y: [], showlegend: false }, ...before], layout: layout(dark, ...title, { yaxis }), name: "Entropy of the firing levels; no epoch yet.", caption: WORDS };
  const { middles, shares, largest } = histogram(epoch);
  const bars = {
    type: "bar", x: middles, y: shares, width: largest / shares.length, name: `epoch ${epoch.epoch}`, showlegend: true,
    marker: { color: blue(dark), line: { width: 0 } }, hovertemplate: "E about %{x:.2f}: %{y:.1%}<extra></extra>",
  };
  const first = past(now.index > 0 ? shown.epochs[0] : null, "epoch 1", dark, "dot");
  const marks = together(
    straight({ x: 0 }, green(dark), { text: "0: one rule decides", side: "left" }),
    straight({ x: Math.log(epoch.firing.length) }, green(dark), { text: "log R: all alike" }),
  );
  const mean = shares.reduce((sum, share, k) => sum + share * middles[k], 0);
  const name = `Entropy of the firing levels in epoch ${epoch.epoch}: about ${mean.toFixed(2)} on average, of at most ${largest.toFixed(2)}; ${percent(shares[0])} of the rows lie in the lowest bin.`;
  return { data: [bars, ...before, ...first], layout: layout(dark, ...title, { yaxis, bargap: 0, legend, ...marks }), name, caption: WORDS };
}

function histogram(epoch) {
  const largest = Math.log(epoch.firing.length) || 1; // one rule: a width to draw
  const rows = Math.max(1, epoch.entropy.reduce((sum, count) => sum + count, 0));
  const width = largest / epoch.entropy.length;
  return { largest, shares: epoch.entropy.map((count) => count / rows), middles: epoch.entropy.map((_, k) => (k + 0.5) * width) };
}

function past(epoch, name, dark, dash) {
  const { largest, shares } = epoch ? histogram(epoch) : { largest: 1, shares: [] };
  return outline(shares, 0, largest, dark, { name, dash, hover: `${name}: %{customdata:.1%}` });
}
