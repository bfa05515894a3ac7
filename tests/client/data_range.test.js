// The ranges of axes, beside ranges computed here.

import assert from "node:assert/strict";
import { test } from "node:test";
import { dataRange, scoreRange } from "../../ui/client/core/data_range.js";
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
