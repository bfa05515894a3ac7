// What the tab Samples computes of rows: rows found by filters, response curves, similar rows, and the planes they are seen in.

import assert from "node:assert/strict";
import { test } from "node:test";
import { explain } from "../../ui/client/model/inference.js";
import { agreement, frameOf } from "../../ui/client/model/plane_frame.js";
import { conditionsText, matchingRows, newCondition } from "../../ui/client/row/filter.js";
import { similarRows } from "../../ui/client/row/reasons.js";
import { curvesOf } from "../../ui/client/row/response_curves.js";
import { assertClose, chance, mean, range, sum } from "./numbers.js";
import { largestAt, makeRows, makeRule, number, oneOf, randomScene, sceneOf, slowFiring, slowMembership, slowPredicted, slowScores } from "./rulebases.js";

test("each filter finds the rows that fulfil it, and all of several", () => {
  const scene = randomScene(4, 3, 2), { rows } = scene.table, { centers, sigmas } = scene.snapshot;
  const text = { rule: 2, if: ["a", "b"], features: ["size", "legs"], then: "c0", dead: false, support: 1, measured: [] };
  const kept = [0, 2].filter((d) => sigmas[1][d] !== null);
  const level = (x) => kept.reduce((product, d) => product * slowMembership(x[d], centers[1][d], sigmas[1][d]), 1) ** (1 / kept.length);
  const wrong = (n) => slowPredicted(scene, rows.x[n]) !== rows.y[n];
  const cases = [
    [[{ what: "true", value: 1 }], (n) => rows.y[n] === 1],
    [[{ what: "predicted", value: 2 }], (n) => slowPredicted(scene, rows.x[n]) === 2],
    [[{ what: "result", value: 1 }], wrong],
    [[{ what: "part", value: 0 }], (n) => rows.part[n] === 0],
    [[{ what: "strongest", value: 0 }], (n) => largestAt(slowFiring(scene, rows.x[n])) === 0],
    [[{ what: "covered", value: 0 }], (n) => level(rows.x[n]) < 0.5],
    [[{ what: "feature:colour", value: 4 }], (n) => rows.x[n][4] === 1],
    [[{ what: "feature:legs", low: 3, high: 5 }, { what: "result", value: 0 }], (n) => rows.x[n][2] >= 3 && rows.x[n][2] <= 5 && !wrong(n)],
    [[{ what: "feature:of another table", low: 3, high: null }], () => true],
  ];
  for (const [filters, holds] of cases) {
    assert.deepEqual(matchingRows(scene, { epoch: 1, summary: [], rules: [text] }, filters), range(25).filter(holds), filters[0].what);
  }
  assert.deepEqual(matchingRows(scene, null, [{ what: "covered", value: 0 }]), []); // without rules in words, nothing is uncovered
});

test("filters are said in words", () => {
  const scene = randomScene(2, 3, 5), said = (...filters) => conditionsText(scene, filters);
  assert.equal(said(), "all rows");
  assert.equal(said({ what: "feature:legs", low: 2, high: 4 }, { what: "result", value: 1 }), "legs 2 to 4 and misclassified");
  assert.equal(said({ what: "feature:legs", low: null, high: 4 }), "legs at most 4");
  assert.equal(said({ what: "feature:colour", value: 4 }, { what: "true", value: 2 }), "colour is blue and true class c2");
  assert.deepEqual(newCondition(scene, "feature:colour"), { what: "feature:colour", value: 3 });
  assert.deepEqual(newCondition(scene, "feature:size"), { what: "feature:size", low: null, high: null });
});

for (const [scale, kind] of [["probability", "softmax"], ["score", "softmax"], ["score", "layer softmax"]]) {
  for (const [of, columns] of [["a number", [0]], ["a category", [3, 4, 5]]]) {
    test(`curves along ${of} are those of the model, and their spread is over rows: ${scale}, ${kind}`, () => {
      const curve = { feature: null, scale, band: 2 }, scene = randomScene(3, 3, 5, kind, { curve }), { rows, features } = scene.table;
      const x = rows.x[3], found = curvesOf({ ...scene, x, start: x }, features.find((one) => one.columns[0] === columns[0]));
      const at = (row, k) => {
        const place = [...row], values = columns.length > 1 ? oneOf(3, k) : [found.us[k]];
        columns.forEach((d, j) => { place[d] = values[j]; });
        const scores = slowScores(scene, place), shares = scores.map((score) => Math.exp(score));
        return scale === "score" ? scores.map((score) => score - mean(scores)) : shares.map((share) => share / sum(shares));
      };
      for (let k = 0; k < found.us.length; k += 8) {
        assertClose(found.lines.map((line) => line[k]), at(x, k));
        const over = rows.x.map((row) => at(row, k)[2]).sort((a, b) => a - b);
        assertClose(["low", "middle", "high"].map((name) => found.spread[name][k]), [over[2], over[12], over[22]]); // of 25 rows
      }
      assert.equal(found.spread.rows, 25);
    });
  }
}

test("similar rows are training rows by distance, with the overlap of their firing levels", () => {
  const scene = randomScene(3, 2, 8), { rows } = scene.table, why = explain(scene.model, scene.x);
  const found = similarRows(scene, why), spread = rows.columns.map(({ low, high }) => (high - low) / 4);
  const distance = (n) => Math.hypot(
    ...[0, 1, 2].map((d) => (rows.x[n][d] - scene.x[d]) / spread[d]), [3, 4, 5].some((d) => rows.x[n][d] !== scene.x[d]) ? 2 : 0);
  const expected = range(25).filter((n) => n !== 0 && rows.part[n] === 0).sort((a, b) => distance(a) - distance(b));
  assert.deepEqual(found.map(({ n }) => n), expected.slice(0, found.length));
  for (const { n, distance: far, overlap } of found) {
    assertClose(far, distance(n));
    const [own, other] = [scene.x, rows.x[n]].map((row) => slowFiring(scene, row));
    assertClose(overlap, sum(own.map((f, r) => Math.min(f, other[r]))));
  }
});

test("a plane agrees with the model for the rows that are predicted alike at their place", () => {
  const columns = ["a", "b", "c"].map(number), axes = [[0.6, 0, 0.8], [0, 1, 0]];
  const next = chance(4), any = () => 4 * next() - 2;
  const rules = range(3, (r) => makeRule([r - 1, 1 - r, 0.3 * r], [1, 0.8, 1.2], range(2, () => range(4, any))));
  const x = range(40, (n) => [Math.sin(n), Math.cos(2.3 * n), Math.sin(1.7 * n + 1)]);
  const rows = { ...makeRows(x), view: { center: [0.1, 0.2, 0], scale: [1, 2, 0.5], axes, share: [0.6, 0.2] } };
  const scene = sceneOf(columns, rules, ["cat", "dog"], rows, { x: [0.5, 0, -0.5], across: 0, up: 2, view: "all" });
  const predicted = x.map((row) => slowPredicted(scene, row)), { center, scale } = rows.view;
  const slice = (row) => [row[0], scene.x[1], row[2]];
  const shadow = (row) => {
    const parts = axes.map((axis) => sum(axis.map((a, d) => (a * (row[d] - center[d])) / scale[d])));
    return center.map((at, d) => at + (parts[0] * axes[0][d] + parts[1] * axes[1][d]) * scale[d]);
  };
  for (const [plane, place] of [["features", slice], ["components", shadow]]) {
    const expected = mean(x.map((row, n) => Number(slowPredicted(scene, place(row)) === predicted[n])));
    const seen = { ...scene, plane };
    assertClose(agreement(seen, frameOf(seen, 2), predicted), expected);
    assert.ok(expected < 1);
  }
});
