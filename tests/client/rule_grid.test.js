// What the grid of rules and features shows, and what is said of conditions that have gone.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { conditionsText } from "../../ui/client/charts/conditions_text.js";
import { MOST_FEATURES, gridModel } from "../../ui/client/charts/rule_grid.js";
import { range } from "./numbers.js";
import { figure, makeEpoch, makeHistory, makeRun } from "./runs.js";

const CLASSES = ["cat", "dog"];
const grid = (levels, more = {}) => gridModel({
  features: levels[0].map((_, f) => `feature ${f}`), classes: CLASSES, levels, then: levels.map(() => null), ...more,
});

test("each rule has a cell for each feature, and only conditions count", () => {
  const { columns, rows, conditions, hidden, text } = grid([[0.5, 0, 0.25], [0, 0, 1]], { then: [0, 1], dead: [1] });
  assert.deepEqual(columns.map(({ used }) => used), [1, 0, 2]);
  assert.deepEqual(rows.map((row) => row.cells.map(({ level }) => level)), [[0.5, 0, 0.25], [0, 0, 1]]);
  assert.deepEqual(rows.map(({ rule, name, dead, conditions: own }) => [rule, name, dead, own]), [[1, "cat", false, 2], [2, "dog", true, 1]]);
  assert.deepEqual([conditions, hidden], [3, 0]);
  assert.equal(text, "2 rules with 3 conditions on 2 of 3 features.");
});

test("of many features those that are used have columns, those of most rules first", () => {
  const F = MOST_FEATURES + 10, all = grid([range(F, () => 0.5), range(F, (f) => (f === 7 ? 0.9 : 0))]);
  assert.deepEqual([all.columns.length, all.hidden, all.hiddenUsed, all.columns[0].feature], [MOST_FEATURES, 10, 10, 7]);
  const few = grid([range(F, (f) => (f === F - 1 ? 0.5 : 0)), range(F, (f) => (f === 3 ? 0.9 : 0))]);
  assert.deepEqual([few.hidden, few.hiddenUsed], [F - 2, 0]);
  assert.deepEqual(few.columns.map(({ feature }) => feature), [3, F - 1]);
  assert.equal(few.text, `2 rules with 2 conditions on 2 of ${F} features.`);
});

const now = (counts, index = counts.length - 1) => {
  const epochs = counts.map((conditions, k) => makeEpoch(k + 1, { conditions }));
  return { shown: { epochs }, index, epoch: epochs[index] };
};

test("a sentence says how many conditions are left, and since when", () => {
  assert.equal(conditionsText(now([1216, 300, 36, 36])), "The rules had 1,216 conditions in epoch 1; 36 are left since epoch 3.");
  assert.equal(conditionsText(now([2, 1])), "The rules had 2 conditions in epoch 1; 1 is left since epoch 2.");
  assert.equal(conditionsText(now([216, 300 / 2, 36], 1)), "The rules had 216 conditions in epoch 1; 150 are left since epoch 2.");
});

test("nothing is said where no condition has gone, or where it is not known", () => {
  for (const counts of [[], [16], [16, 16], [null, null]]) assert.equal(conditionsText(now(counts)), "");
});

test("the charts of firing and entropy say it below them", () => {
  const history = makeHistory(3).map((epoch, k) => ({ ...epoch, conditions: 16 - 4 * k }));
  for (const name of ["loss", "firing", "entropy"]) {
    assert.ok(figure(name, makeRun(history)).caption.endsWith("The rules had 16 conditions in epoch 1; 8 are left since epoch 3."));
  }
});
