// Ordered categories are the ranks of their names: conditions, curves, terms, filters and changes of a row speak of the names.

import assert from "node:assert/strict";
import { test } from "node:test";
import { featureText, numberText, tableOf, valueText } from "../../ui/client/model/columns.js";
import { conditionsOf } from "../../ui/client/model/conditions.js";
import { membershipFormula, scoreFormulas } from "../../ui/client/rules/cards.js";
import { termsFigure } from "../../ui/client/rules/pictures/terms.js";
import { rowFeatures } from "../../ui/client/row/margins.js";
import { curveFigure, curvesOf } from "../../ui/client/row/response_curves.js";
import { changeText } from "../../ui/client/row/what_if.js";
import { assertClose, chance, range } from "./numbers.js";
import { makeRows, makeRule, makeTexts, number, sceneOf, slowMembership, slowScores } from "./rulebases.js";

const LEVELS = ["low", "<b>mid</b>", "high", "top"];

/** Two rules on an ordered size and a number, and a row of each size. */
function scene(center = 1.2, sigma = 0.6, more = {}) {
  const columns = [{ ...number("size"), levels: LEVELS }, number("weight")];
  const rules = [makeRule([center, 0], [sigma, null], [[1, 0.5, 0], [0, 0, 0]]), makeRule([3, 0], [1, 1], [[0, 0, 0], [1, 0, 0.2]])];
  return sceneOf(columns, rules, ["a", "b"], makeRows(LEVELS.map((_, rank) => [rank, rank / 3]), [0, 0, 1, 1]), more);
}

test("a rank is told by its name, and by the nearest one while it moves", () => {
  const { table } = scene(), [size] = table.features;
  assert.deepEqual(LEVELS.map((_, rank) => featureText(table, size, [rank, 0])), LEVELS);
  assert.deepEqual([-2, 0.4, 2.6, 9].map((value) => valueText(value, table.columns[0])), ["low", "low", "top", "top"]);
});

test("a condition holds where its membership is at least half of that of the likeliest rank", () => {
  const next = chance(1), text = makeTexts(1, ["a"], { if: ["size is …"], features: ["size"], ranges: [null] })[0];
  for (let k = 0; k < 50; k += 1) {
    const [center, sigma] = [6 * next() - 1.5, 0.1 + 2 * next()], now = scene(center, sigma);
    const levels = range(4, (rank) => slowMembership(rank, center, sigma)), top = Math.max(...levels);
    for (const rank of range(4)) {
      const [found] = conditionsOf({ ...now, x: [rank, 0] }, text);
      assertClose(found.membership, levels[rank] / top);
      assert.equal(found.holds, levels[rank] / top >= 0.5);
    }
  }
});

test("figures have the names as ticks, and a bar for each over its rows", () => {
  const now = scene(), [size] = now.table.features, { data, layout } = termsFigure(now, size, makeTexts(2));
  assert.deepEqual(layout.xaxis.tickvals, [0, 1, 2, 3]);
  assert.equal(layout.xaxis.ticktext[1], "&lt;b&gt;mid&lt;/b&gt;");
  assert.deepEqual(data[0].x, [0, 1, 2, 3]);
  assert.deepEqual(data[0].customdata, [1, 1, 1, 1]);
});

test("a curve has a place for each name, joined by lines", () => {
  const now = scene(1, 1, { curve: { feature: "size", scale: "score", band: 0 } }), [size] = now.table.features, found = curvesOf(now, size);
  assert.deepEqual(found.us, [0, 1, 2, 3]);
  for (const rank of range(4)) {
    const scores = slowScores(now, [rank, now.x[1]]), middle = (scores[0] + scores[1]) / 2;
    assertClose([found.lines[0][rank], found.lines[1][rank]], scores.map((score) => score - middle));
  }
  const { data, layout, caption, name } = curveFigure(now, size, found);
  assert.equal(layout.xaxis.ticktext[0], "low");
  assert.ok(data.some(({ mode }) => mode === "lines+markers"));
  assert.doesNotMatch(caption, /drag it|tick below/);
  assert.match(name, /is highest at (low|<b>mid<\/b>|high|top);/);
});

test("a row changes by whole ranks, and a change is told by names", () => {
  const now = scene(), [size] = rowFeatures(now.table, []);
  assert.deepEqual([size.whole, size.step, size.low, size.high], [true, 1, 0, 3]);
  const without = tableOf(now.base, null, now.snapshot); // where the server has no rows
  const [known] = rowFeatures(without, []);
  assert.deepEqual([known.whole, known.low, known.high], [true, 0, 3]);
  const change = { features: [size], x: [3, 0], distance: 1, predicted: 1 };
  assert.equal(changeText({ ...now, x: [0, 0] }, change), "With size top instead of low (1 standard deviation), the model predicts b.");
});

test("formulas have the membership of each name, and the rank in scores", () => {
  const now = scene(0, 1), half = Math.exp(-1 / 2).toFixed(2);
  assert.match(membershipFormula(now.snapshot, now.base, 0, "size"), new RegExp(`^size: low 1.00, <b>mid</b> ${half}, high`));
  assert.match(scoreFormulas(now.snapshot, now.base, 0, [1, 1])[0], /\+ 0.5 · \[rank of size\]/);
});

test("a number has the digits that tell it from its neighbours, however large it is", () => {
  const low = 1704067200000, high = 1711929600000, far = { low: 5 - 1e-10, high: 5 + 1e-10 };
  const step = (high - low) / 1000, texts = [0, 1, 2, 3].map((k) => numberText(low + k * step, { low, high }));
  assert.equal(new Set(texts).size, 4);
  texts.forEach((text, k) => assert.ok(Math.abs(Number(text) - low - k * step) <= step / 2));
  assert.equal(numberText(5 + 3e-11, far), "5.00000000003");
  assert.deepEqual([numberText(0, { low: 0, high: 0 }), numberText(3.14159, { low: 0, high: 10 })], ["0", "3.14"]);
});
