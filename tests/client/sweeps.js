// Sweeps as the server sends them (ui/sweep/panel.py).

import { range } from "./numbers.js";

const AXES = {
  batch: { key: "batch", title: "Batch size B", short: "B", log: true }, ur: { key: "ur", title: "UR weight λ", short: "λ", log: true },
  rules: { key: "rules", title: "Rules R", short: "R", log: false }, lr: { key: "lr", title: "Learning rate η", short: "η", log: true },
};
const LEVELS = [{ name: "majority class", value: 0.33 }, { name: "logistic regression", value: 0.765 }];

/** A sweep as the server sends it: axes as [key, ...values], a mean for each cell, the first axis slowest; 8 seeds. */
export function makeSweep(axes, means, changes = {}) {
  const named = axes.map(([key, ...values]) => ({ ...AXES[key], values, texts: values.map(String), ticks: values.map(String) }));
  const places = axes.reduce((all, [, ...values]) => all.flatMap((place) => values.map((value) => [...place, value])), [[]]);
  const best = means.indexOf(Math.max(...means));
  const cells = places.map((values, variant) => ({
    variant, name: named.map((axis, k) => `${axis.short} ${values[k]}`).join(", "), values, n: 8, of: 8, diverged: 0, mean: means[variant],
    low: means[variant] - 0.02, high: means[variant] + 0.02, highest: variant === best,
    close: variant !== best && means[variant] > means[best] - 0.01,
    lines: ["a line"], row: ["a", "b"], seeds: axes.length > 1 ? [] : range(8, (seed) => [seed, means[variant] + 0.01 * (seed - 3.5), false]),
  }));
  return {
    axes: named, cells, levels: LEVELS, band: "SD over 8 seeds", draw: "map", columns: ["Cell", "BCA"],
    figure: { name: "bca", title: "Test BCA", short: "BCA", digits: 3, share: true }, sentence: "BCA by batch size.", caption: "", chosen: null, ...changes,
  };
}
