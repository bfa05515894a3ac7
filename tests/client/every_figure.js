// Prints all figures of these tests as JSON, for Plotly's own Python classes to judge (test_plotly.py).

import { sweepFigure } from "../../ui/client/sweep/view.js";
import { curveFigure, searchFigure } from "../../ui/client/tuning/search.js";
import { COMPARISONS, RUNS } from "./cases.js";
import { FIGURES, ended, epochLine, figure as compared, makeAbout, pointLine } from "./comparisons.js";
import { range } from "./numbers.js";
import { CHARTS, checked, figure } from "./runs.js";
import { makeSweep } from "./sweeps.js";

const found = {}, add = (name, { data, layout }) => { found[name] = { data, layout }; };

for (const [name, run] of Object.entries(RUNS)) {
  for (const chart of CHARTS) add(`${chart}: ${name}`, figure(chart, run, COMPARISONS["a long comparison with other rules"], { index: 0 }));
}

const about = makeAbout();
for (const name of FIGURES) {
  [[], [epochLine([0, 4], 0), pointLine(about, 5)], ended(about)].forEach((lines, k) => add(`${name}: ${k}`, compared(name, about, lines)));
}

const AXES = [["batch", 16, 32], ["ur", 0, 1], ["rules", 2, 5], ["lr", 0.01, 0.1]];
const KINDS = [[AXES.slice(0, 1), "map"], [[["ur", 0, 1, 10]], "map"], [[["batch", 64]], "map"], [[["ur", 0]], "map"], [[["batch", 64], ["ur", 0]], "map"],
  [AXES.slice(0, 2), "map"], [AXES.slice(0, 2), "lines"], [AXES.slice(0, 3), "map"], [AXES.slice(0, 3), "lines"], [AXES, "parallel"]];
for (const [axes, draw] of KINDS) {
  const sweep = makeSweep(axes, range(axes.reduce((all, axis) => all * (axis.length - 1), 1), (k) => 0.5 + 0.01 * k), { draw });
  const without = { n: 0, mean: null, low: null, high: null, best: false, close: false, seeds: [] };
  const some = { ...sweep, cells: sweep.cells.map((cell, k) => (k ? { ...cell, ...without } : cell)) };
  const none = { ...sweep, cells: sweep.cells.map((cell) => ({ ...cell, ...without })) };
  for (const now of [sweep, some, none]) for (const dark of [false, true]) add(`sweep: ${Object.keys(found).length}`, sweepFigure(now, dark, 900));
}

const trials = ["training", "dropped", "finished"].map((state, k) => ({ number: k, score: 0.8, sd: 0.1, validations: 5, state, settings: "", own: false }));
for (const some of [[], trials]) add(`tuning: ${some.length}`, searchFigure({ ended: false, trials: some, measure: "BCA" }, false));
const sized = trials.map((one, k) => ({ ...one, conditions: 4 + 8 * k, rules: 2 + k, most: 4, error: 0.01 }));
for (const curve of [[0], [0, 2]]) add(`curve: ${curve.length}`, curveFigure({ ended: true, measure: "BCA", trials: sized, curve, chosen: 0 }, false, 300));

process.stdout.write(JSON.stringify(found, checked));
