// Comparisons as the server sends them, their records, and the figures that are made of them.

import "./page.js";
import { receive } from "../../ui/client/core/feed.js";
import { CURVES, curvesFigure } from "../../ui/client/compare/curves.js";
import { confusionPanels, entropyPanels, firingPanels, planePanels } from "../../ui/client/compare/panels.js";
import { comparison, setCompareOptions } from "../../ui/client/compare/store.js";
import { range } from "./numbers.js";
import { checked } from "./runs.js";

const QUANTITIES = ["ce", "rca", "bca", "grad_antecedents", "grad_consequents"];
export const FACTORS = [null, null, 9, 4, 2]; // of a 95% interval, by the number of seeds

/** What is known of two variants with so many seeds. */
export const makeAbout = (seeds = 4, changes = {}) => ({
  variants: [{ name: "MBGD", colour: 0 }, { name: "UR", colour: 1 }], seeds, splits: 1, firstSeed: 0, epochs: 3, band: "sd",
  bandText: "The bands are 1 SD.", factors: FACTORS, classes: ["a", "b", "c"], ended: false, ...changes,
});

/** The record of one epoch of several trainings. */
export const epochLine = (at, epoch, value = 0.5) => ({
  at, epoch, ...Object.fromEntries(QUANTITIES.map((name) => [name, at.map((_, k) => (epoch === 0 && name.startsWith("grad") ? null : value + k / 100))])),
});

/** The record of a training that ended, of four rules and three classes, with a plane for the first seed. */
export function pointLine({ seeds, epochs }, point, score = 0.8, changes = {}) {
  const epoch = range(epochs + 1), curve = (name) => epoch.map((t) => (t === 0 && name.startsWith("grad") ? null : (score * (t + 1)) / (epochs + 1)));
  const looks = {
    epoch: [0, epochs], firing: [[0.25, 0.25, 0.25, 0.25], [0.4, 0.3, 0.2, 0.1]],
    entropy: [range(30, (k) => (k ? 0 : 30)), range(30, () => 1)],
    confusion: [[[3, 3, 4], [3, 3, 4], [3, 3, 4]], [[10, 0, 0], [0, 9, 1], [0, 2, 8]]],
  };
  const plane = {
    x: [0, 2], y: [-1, 1], names: ["width", "height"], size: 2, classes: ["aaaa", "abca"],
    centers: range(2, () => range(4, () => [1, 0])), sigmas: range(2, () => range(4, () => [0.5, 0.25])),
  };
  const curves = { epoch, ...Object.fromEntries(QUANTITIES.map((name) => [name, curve(name)])) };
  return { point, scores: { last: [score, score] }, message: "", curves, looks, plane: point % seeds === 0 ? plane : null, ...changes };
}

export const ended = (about) => range(2 * about.seeds, (number) => pointLine(about, number, 0.5 + number / 50));

const PANELS = { compareFiring: firingPanels, compareEntropy: entropyPanels, compareConfusion: confusionPanels, comparePlane: planePanels };
export const FIGURES = [...Object.keys(CURVES), ...Object.keys(PANELS)];

let experiments = 0;

/** A message with the records from number `since` on. */
export const messageOf = (experiment, about, list, since = 0) => [
  { kind: "comparison", since: 0, payload: { experiment, ...about } }, { kind: "records", of: experiment, since, payload: { list } },
];

/** A figure of a new comparison with these records. */
export function figure(name, about, lines, { dark = false, ...options } = {}) {
  receive(messageOf(`number ${experiments += 1}`, about, lines));
  setCompareOptions({ epoch: null, span: "all", ...options });
  const drawn = PANELS[name]?.({ ...comparison(), dark }, 900) ?? curvesFigure(name, { ...comparison(), dark });
  return JSON.parse(JSON.stringify(drawn, checked));
}
