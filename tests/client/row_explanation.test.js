// The explanation of a row says what the shared vectors say, as Python's does (tests/explain/row/test_vectors.py).

import assert from "node:assert/strict";
import { test } from "node:test";
import { explain, predict, surface } from "../../ui/client/model/inference.js";
import { marginAt, marginsOf } from "../../ui/client/row/margins.js";
import { nearestChanges } from "../../ui/client/row/nearest_change.js";
import { FIRING, TYPICAL, decompose, largestParts, roundedToSum } from "../../ui/client/row/score_sums.js";
import { changeText } from "../../ui/client/row/what_if.js";
import { assertClose, chance, mean, range, sum } from "./numbers.js";
import { VECTORS } from "./vectors.js";

const GRID = 0.01; // standard deviations: the grid of the vectors, and rounding to a step
const WORTH = 0.9; // a change of two features that is no nearer than this is not said

assert.ok(VECTORS.length >= 6);
for (const { name, model, table, features, rows } of VECTORS) {
  test(`firing levels, scores and probabilities: ${name}`, () => {
    for (const row of rows) {
      const why = explain(model, row.x);
      for (const of of ["firing", "contributions", "scores", "probabilities", "entropy", "effective"]) assertClose(why[of], row[of]);
      assert.deepEqual([why.predicted, predict(model, row.x)], [row.predicted, row.predicted]);
    }
  });

  test(`parts of the scores: ${name}`, () => {
    for (const row of rows) {
      const why = explain(model, row.x), centred = (values, c) => values[c] - mean(values);
      row.scores.forEach((_, c) => {
        const sums = decompose({ model, table, x: row.x }, why, c);
        const scale = Math.max(1, ...sums.features.map(({ value }) => Math.abs(value)));
        const close = (one, other) => assertClose(one / scale, other / scale);
        sums.rules.forEach((part, r) => close(part.value, centred(row.contributions[r], c)));
        sums.features.forEach((part, f) => close(part.value, centred(row.by_feature[f], c)));
        const constants = { [TYPICAL]: row.typical, [FIRING]: row.by_firing };
        for (const part of sums.constants) close(part.value, centred(constants[part.name], c));
        close(sums.score, centred(row.scores, c));
      });
    }
  });

  test(`the nearest change is as near as the nearest of all that were tried: ${name}`, () => {
    for (const { x, nearest, predicted } of rows.filter((row) => row.nearest)) {
      const [one, two] = nearest.map((distance) => distance ?? Infinity), found = nearestChanges(model, x, features);
      const single = Math.min(...found.filter((change) => change.features.length === 1).map((change) => change.distance));
      const both = Math.min(...found.map((change) => change.distance));
      assert.ok(single === one || Math.abs(single - one) <= GRID, `${single} is not ${one}`);
      assert.ok(Math.min(one, two) - 4 * GRID <= both && both <= Math.min(one, two / WORTH) + GRID, `${both} of ${nearest}`);
      for (const change of found) {
        assert.notEqual(change.predicted, predicted);
        assert.equal(predict(model, change.x), change.predicted);
        const moved = features.filter(({ columns }) => columns.some((d) => change.x[d] !== x[d])).map((feature) => feature.name);
        assert.deepEqual([...moved].sort(), change.features.map((feature) => feature.name).sort());
      }
    }
  });

  test(`a locked feature stays, and a wanted class is reached: ${name}`, () => {
    for (const { x, nearest, predicted } of rows) {
      if (!nearest) continue;
      let reached = 0;
      const [first, ...others] = features, locked = [{ ...first, locked: true }, ...others];
      for (const change of nearestChanges(model, x, locked)) assert.ok(first.columns.every((d) => change.x[d] === x[d]));
      range(model.C, (wanted) => nearestChanges(model, x, features, wanted).forEach((change) => {
        assert.equal(change.predicted, wanted);
        assert.equal(predict(model, change.x), wanted);
        assert.notEqual(wanted, predicted);
        reached += 1;
      }));
      assert.ok(reached > 0 || nearest.every((distance) => distance === null));
    }
  });

  test(`the surface of a plane has the class and the probability of each place: ${name}`, () => {
    const next = chance(1), us = [-1.5, 0, 0.5], vs = [-1, 2];
    const [origin, across, up] = range(3, () => range(model.D, () => 2 * next() - 1));
    const found = surface(model, { origin, across, up }, us, vs);
    vs.forEach((v, i) => us.forEach((u, j) => {
      const why = explain(model, origin.map((value, d) => value + u * across[d] + v * up[d])), k = i * us.length + j;
      assertClose(found.probability[k], why.probabilities[why.predicted], 1e-6);
      const [best, second] = [...why.scores].sort((a, b) => b - a);
      if (best - second > 1e-9) assert.equal(found.predicted[k], why.predicted);
    }));
  });
}

test("a change is said with both values, its size and the class", () => {
  const { model, table, features, rows } = VECTORS.find((one) => one.name.includes("whole number"));
  const columns = table.columns.map((column) => ({ ...column, low: -3, high: 3 })), [{ x }] = rows;
  const changed = x.map((value, d) => (d === 0 ? 1.5 : value));
  const change = { features: [features[0]], x: changed, distance: 0.371, predicted: 1 };
  const said = changeText({ table: { ...table, columns }, x, model }, change);
  assert.match(said, /^With size 1\.5 instead of [−-]?[\d.]+ \(0\.37 standard deviations\), the model predicts c1\.$/);
});

test("numbers add up as they are printed", () => {
  const next = chance(0);
  for (let trial = 0; trial < 200; trial += 1) {
    const values = range(1 + Math.floor(8 * next()), () => 4 * next() - 2), shown = roundedToSum(values);
    assertClose(Math.round(100 * sum(shown)), Math.round(100 * sum(values)));
    assert.ok(shown.every((value, k) => Math.abs(value - values[k]) < 0.0101));
  }
});

test("parts beyond the largest become one, unless it would be one alone", () => {
  const parts = [1, -5, 2, 0.5].map((value, k) => ({ name: `rule ${k + 1}`, value }));
  assert.deepEqual(largestParts(parts, 2, "rule").map((part) => part.value), [-5, 2, 1.5]);
  assert.equal(largestParts(parts, 2, "rule")[2].name, "2 other rules");
  assert.equal(largestParts(parts, 3, "rule").length, 4);
});

test("of equal scores the first class is predicted, and a change that leads there is one", () => {
  const { model, rows: [{ x }] } = VECTORS[0];
  const level = { ...model, constants: model.constants.map(() => 0), slopes: model.slopes.map(() => 0) };
  const margin = (wanted) => marginAt(marginsOf(level, x, wanted), x).margin;
  assert.equal(explain(level, x).predicted, 0);
  assert.ok(margin(0) < 0);
  assert.equal(margin(1), 0);
  assert.equal(margin(null), 0);
});
