// Runs at any time of them, and runs to compare them with.

import { range } from "./numbers.js";
import { BINS, ENDED, asComparison, makeHistory, makeRun } from "./runs.js";

const NO_TEST = { rcaTest: null, bcaTest: null };
const METRICS = {
  ...ENDED, classes: ["<b>bold</b> & Co", "x".repeat(60), "plain", "cat\ndog"],
  confusion: [[3, 1, 0, 0], [0, 4, 0, 0], [1, 1, 1, 0], [0, 0, 0, 0]], ece: 0.12, baseline: 0.83,
  reliability: { count: [0, 4, 7], confidence: [null, 0.5, 0.9], accuracy: [null, 0.25, 1] },
};
const NO_ROWS = {
  ...ENDED, classes: ["a", "b"], confusion: [[0, 0], [0, 0]], ece: null,
  reliability: { count: range(10, () => 0), confidence: range(10, () => null), accuracy: range(10, () => null) },
};
const MANY = { ...ENDED, classes: range(40, (k) => `class ${k}`), confusion: range(40, (k) => range(40, (j) => Number(j === k))) };
export const RUNS = {
  "no run": null,
  "no epoch": makeRun([]),
  "one epoch": makeRun(makeHistory(1)),
  "many epochs": makeRun(makeHistory(50)),
  "ended": makeRun(makeHistory(5), METRICS),
  "one rule": makeRun(makeHistory(5, { firing: [1], entropy: [9, ...range(BINS - 1, () => 0)] })),
  "no test rows": makeRun(makeHistory(3, { entropy: range(BINS, () => 0), ...NO_TEST }), NO_ROWS),
  "early stopping": makeRun(makeHistory(3, { stage: "hold-out", rcaValidation: 0.5, bcaValidation: 0.4, ...NO_TEST })),
  "40 classes": makeRun(makeHistory(2), MANY),
  "no gradient": makeRun(makeHistory(2, { gradAntecedents: 0, gradConsequents: 0 })),
};
export const COMPARISONS = {
  "no comparison": null,
  "a short comparison": asComparison(makeRun(makeHistory(1))),
  "a long comparison with other rules": asComparison(makeRun(makeHistory(9, { firing: range(7, () => 1 / 7) }), METRICS)),
  "a comparison without epochs": asComparison(makeRun([])),
};
