// The ranges of axes, beside ranges computed here.

import assert from "node:assert/strict";
import { test } from "node:test";
import { dataRange, scoreRange } from "../../ui/client/core/layout.js";
import { frameOf } from "../../ui/client/model/plane_frame.js";
import { assertClose, chance, range } from "./numbers.js";

test("a range holds all data, what is near and what is always wanted, with room at both ends", () => {
  const next = chance(7);
  for (let trial = 0; trial < 100; trial += 1) {
    const values = range(1 + Math.floor(9 * next()), () => next()), level = 4 * next() - 2;
    const low = Math.min(...values), high = Math.max(...values);
    const [from, to] = dataRange(values, { near: [level] }), near = level >= low - (high - low) && level <= high + (high - low);
    assert.ok(from < low && to > high);
    if (high > low) assert.equal(from < level && to > level, near);
    const [wide, far] = dataRange(values, { always: [level], least: 0.5 });
    assert.ok(wide < level && far > level && far - wide >= 0.5);
  }
  assert.equal(dataRange([]), undefined);
  assert.equal(dataRange([null, undefined, NaN, Infinity]), undefined);
  assertClose(dataRange([0, 1]), [-0.06, 1.06]);
  assertClose(dataRange([0.99, 1.02], { within: [0, 1], least: 0.1 }), [0.955 - 0.006, 1 + 0.006]);
});

const points = (scores) => scores.map((value, k) => ({ epoch: k + 1, value }));

test("after a training, first epochs far below the others are left out of sight, and said", () => {
  const scores = [0.3, 0.5, ...range(58, (k) => 0.9 + k / 1000)];
  assert.deepEqual(scoreRange(points(scores), false).below, ""); // while it trains, they are what there is to see
  assert.ok(scoreRange(points(scores), false).range[0] < 0.3);
  const { range: [low, high], below } = scoreRange(points(scores), true);
  assert.ok(low > 0.85 && low < 0.9 && high > 0.957 && high < 1);
  const best = [0.3, 0.99, ...scores.slice(2)]; // an early score above all later ones stays in sight
  assert.ok(scoreRange(points(best), true).range[1] > 0.99);
  assert.equal(below, "Scores of epochs 1 to 2 lie below this axis.");
  assert.equal(scoreRange(points([0.3, ...scores.slice(2)]), true).below, "Scores of epoch 1 lie below this axis.");
  const slow = range(60, (k) => 0.3 + k / 100);
  assert.deepEqual(scoreRange(points(slow), true), { range: scoreRange(points(slow), false).range, below: "" });
  assert.deepEqual(scoreRange([], true), { range: [0, 1], below: "" });
});

test("the first view of the plane is where most rows of each class are, however rare it is", () => {
  /** @param {number} rare rows of a class apart @param {number} far one row of the common class */
  const seen = (rare, far) => {
    const x = [...range(200, (k) => [k / 200, k / 200]), ...range(rare, (k) => [40 + k, 40]), [far, far]];
    const y = x.map((_, n) => Number(n >= 200 && n < 200 + rare));
    const columns = range(2, (d) => ({ feature: `f${d}`, kind: "number", low: 0, high: 100 }));
    const scene = /** @type {any} */ ({ table: { columns, rows: { x, y } }, snapshot: {}, x: x[0], view: null, across: 0, up: 1, plane: "features" });
    return frameOf(scene, 10).x.range[1];
  };
  assert.ok(seen(0, 100) < 2, "a single row far away does not squeeze the others");
  assert.ok(seen(5, 100) >= 44);
});
