// The figures of tuning: a dot for each candidate, and the curve of a search for a readable rule base.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";
import { curveFigure, curveTrials, searchFigure } from "../../ui/client/tuning/search.js";

const trial = (number, score, state = "training", changes = {}) => (
  { number, score, state, sd: 0.02, validations: 5, settings: `scaled, R ${number}`, own: number === 1, ...changes });
const TRIALS = [trial(4, 0.9), trial(2, 0.88), trial(1, 0.8, "dropped"), trial(3, 0.93, "dropped", { sd: null, validations: 1 })];

test("a dot is filled while still in tuning, hollow when dropped, and a star when best", () => {
  const drawn = searchFigure({ ended: false, trials: TRIALS, measure: "BCA" }, false);
  const points = drawn.data.filter(({ x }) => x.length).map(({ name, x, y, marker }) => [name, x, y, marker.symbol ?? "circle"]);
  assert.deepEqual(points.sort(), [
    ["best so far", [4], [0.9], "star"], ["dropped", [1, 3], [0.8, 0.93], "circle-open"], ["still in tuning", [2], [0.88], "circle"],
  ]);
  assert.deepEqual(drawn.layout.shapes.map(({ y0, y1 }) => [y0, y1]), [[0.9, 0.9]]);
  assert.ok(drawn.name.includes("4 combinations") && drawn.name.includes("best so far is number 4 with 0.900"));
});

const base = (number, conditions, score, error = 0.01) => (
  trial(number, score, "finished", { conditions, rules: conditions / 2, most: 2, error, agreement: 0.97, literal: null }));
const READABLE = {
  measure: "BCA", ended: true, curve: [3, 2, 4], chosen: 2, trials: [base(2, 12, 0.79), base(4, 36, 0.8, 0.02), base(1, 20, 0.7), base(3, 4, 0.7)],
};

test("the curve goes from short to long with its standard errors, and a star marks the one that was chosen", () => {
  assert.deepEqual(curveTrials(READABLE).map(({ conditions }) => conditions), [4, 12, 36]);
  const { data: [others, curve, chosen], layout, name } = curveFigure(READABLE, false, 300);
  assert.deepEqual([others.x, others.y], [[20], [0.7]]);
  assert.deepEqual([curve.x, curve.y, curve.customdata], [[4, 12, 36], [0.7, 0.79, 0.8], [3, 2, 4]]);
  assert.deepEqual(curve.error_y.array, [0.01, 0.01, 0.02]);
  assert.deepEqual([chosen.x, chosen.marker.symbol, chosen.customdata], [[12], "star", [2]]);
  assert.equal(layout.xaxis.type, "log");
  assert.ok(name.includes("3 rule bases, from 4 conditions with 0.700 to 36 conditions with 0.800; chosen: 12 conditions with 0.790"), name);
});
