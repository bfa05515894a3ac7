// What the tab Rules computes: what taking out changes, whether conditions hold, the figures below the rules, and the grid of rules and
// features with what is said of conditions that have gone.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { conditionsText } from "../../ui/client/core/text.js";
import { ablated, ablationText, conditionsOf, isTrue } from "../../ui/client/model/conditions.js";
import { modelOf } from "../../ui/client/model/inference.js";
import { ablationEffect } from "../../ui/client/rules/context.js";
import { coFiring, confidenceFigure, networkFigure } from "../../ui/client/rules/pictures/network.js";
import { termsFigure } from "../../ui/client/rules/pictures/terms.js";
import { MOST_FEATURES, gridModel } from "../../ui/client/rules/strengths.js";
import { assertClose, chance, mean, range, sum } from "./numbers.js";
import { category, makeRows, makeRule, makeTexts, number, randomScene, sceneOf, slowFiring, slowMembership, slowPredicted } from "./rulebases.js";
import { checked, figure, makeEpoch, makeHistory, makeRun } from "./runs.js";

const HOSTILE = "<img src=x onerror=alert(1)>";

/** The scene without what is taken out, by removing rules and dropping antecedents. */
function reduced({ snapshot, base, ...scene }, { rules, conditions: gone }) {
  const isGone = (r, d) => gone.some(([at, name]) => at === r && base.columns[d].feature === name);
  const sigmas = snapshot.sigmas.map((row, r) => row.map((sigma, d) => (isGone(r, d) ? null : sigma)));
  const kept = range(sigmas.length).filter((r) => !rules.includes(r)), of = (values) => kept.map((r) => values[r]);
  const names = ["log_weight", "centers", "consequents", "scale", "shift"].filter((name) => snapshot[name]);
  const left = { sigmas: of(sigmas), ...Object.fromEntries(names.map((name) => [name, of(snapshot[name])])) };
  return { ...scene, base, snapshot: left };
}

const KINDS = ["softmax", "paper", "log", "layer softmax", "layer log"];

test("scores and changed rows are those of the rules that are left", () => {
  const next = chance(3);
  for (let seed = 0; seed < 40; seed += 1) {
    const R = 2 + Math.floor(4 * next()), scene = randomScene(R, 3, seed, KINDS[seed % KINDS.length]), { rows } = scene.table;
    const out = { rules: range(R).filter(() => next() < 0.4).slice(0, R - 1), conditions: [[Math.floor(R * next()), "colour"], [Math.floor(R * next()), "size"]] };
    const model = (snapshot) => modelOf(snapshot, scene.base);
    const found = ablationEffect(model(scene.snapshot), model(ablated(scene.snapshot, scene.base, out)), out, rows);
    const left = reduced(scene, out);
    const [before, after] = [scene, left].map((one) => rows.x.map((x) => slowPredicted(one, x)));
    const changes = range(25).filter((n) => before[n] !== after[n]).map((n) => ({ index: n, before: before[n], after: after[n] }));
    assert.deepEqual(found.changed, changes);
    const tests = range(25).filter((n) => rows.part[n] === 1);
    assertClose(found.same, mean(tests.map((n) => Number(before[n] === after[n]))));
    for (const [side, predicted] of [["before", before], ["after", after]]) {
      const right = (some) => mean(some.map((n) => Number(predicted[n] === rows.y[n])));
      const classes = [0, 1, 2].map((c) => tests.filter((n) => rows.y[n] === c)).filter((some) => some.length);
      assertClose([found[side].n, found[side].rca, found[side].bca], [tests.length, right(tests), mean(classes.map(right))]);
    }
  }
});

test("what is taken out is said in words", () => {
  assert.equal(ablationText({ rules: [4, 2], conditions: [[1, "size"]] }), "rules 3 and 5, and size in rule 2");
  assert.equal(ablationText({ rules: [2], conditions: [] }), "rule 3");
  assert.equal(ablationText({ rules: [], conditions: [] }), "");
});

test("a number holds within the printed ends, a category where its membership is at least half of the likeliest one's", () => {
  for (let seed = 0; seed < 8; seed += 1) {
    const scene = randomScene(4, 2, seed), { snapshot: { centers, sigmas }, table: { rows } } = scene;
    rows.x[0] = rows.x[0].map((value, d) => (d > 2 ? 0 : value)); // a category that training did not have
    for (const x of rows.x) {
      for (const r of range(4)) {
        const rule = { rule: r + 1, if: ["a", "b"], features: ["size", "colour"] };
        const at = (d, value) => slowMembership(value, centers[r][d], sigmas[r][d]);
        const colour = (values) => [3, 4, 5].reduce((product, d, k) => product * at(d, values[k]), 1);
        const likeliest = Math.max(...[[1, 0, 0], [0, 1, 0], [0, 0, 1]].map(colour));
        const expected = [];
        if (sigmas[r][0] !== null) expected.push(at(0, x[0]));
        if ([3, 4, 5].some((d) => sigmas[r][d] !== null)) expected.push(Math.min(1, colour(x.slice(3)) / likeliest));
        const found = conditionsOf({ ...scene, x }, rule);
        assertClose(found.map(({ membership }) => membership), expected);
        const unknown = x.slice(3).every((value) => value !== 1), asPrinted = found.map(({ feature }, k) => (feature === "colour" && unknown ? false : expected[k] >= 0.5));
        assert.deepEqual(found.map(({ holds }) => holds), asPrinted);
        assert.equal(isTrue({ ...scene, x }, rule), asPrinted.every(Boolean));
        const others = conditionsOf({ ...scene, x }, { ...rule, if: ["a", "colour is not red"] }).find(({ feature }) => feature === "colour");
        if (others && unknown) assert.equal(others.holds, true); // "colour is not red" is true of it
        const ranges = [[x[0] - 1, x[0]], null], held = conditionsOf({ ...scene, x }, { ...rule, ranges }), onSize = held.find(({ feature }) => feature === "size");
        if (onSize) assert.equal(onSize.holds, true);
        for (const ends of [[x[0] + 1e-9, null], [null, x[0] - 1e-9]]) {
          if (onSize) assert.equal(isTrue({ ...scene, x }, { ...rule, ranges: [ends, null] }), false);
        }
      }
    }
  }
});

for (const kind of ["softmax", "paper", "log"]) {
  test(`edges of the network are the co-firing of pairs, the largest first: ${kind}`, () => {
    const scene = randomScene(6, 2, 3, kind), edges = coFiring(scene, makeTexts(6));
    const levels = scene.table.rows.x.map((x) => slowFiring(scene, x));
    assert.equal(edges.length, 15);
    for (const { a, b, level, kind: of } of edges) {
      const total = (choose) => sum(levels.map((f) => choose(f[a], f[b])));
      assertClose(level, total(Math.min) / total(Math.max));
      assert.equal(of, (a - b) % 2 === 0 ? "redundant" : "conflict");
    }
    assert.ok(edges.every(({ level }, k) => k === 0 || level <= edges[k - 1].level));
  });
}

test("a rule without a clear class is in no conflict", () => {
  const texts = makeTexts(3, ["cat", "no clear class", "mostly cat or dog"]);
  texts[2].mostly = ["cat", "dog"];
  assert.deepEqual(coFiring(randomScene(3, 2, 1), texts).map((edge) => edge.kind), ["unclear", "unclear", "unclear"]);
});

test("terms are the membership functions over the rows, dotted where no sentence has the condition", () => {
  const scene = randomScene(4, 2, 5), { centers, sigmas } = scene.snapshot, { rows } = scene.table;
  scene.table.features.slice(0, 3).forEach((feature, d) => {
    const { data } = termsFigure(scene, feature, makeTexts(4)), curves = data.slice(1, -1);
    const kept = range(4).filter((r) => sigmas[r][d] !== null);
    assert.equal(sum(data[0].customdata), rows.x.length);
    assert.deepEqual(data.at(-1).x, [scene.x[d], scene.x[d]]);
    assert.deepEqual(curves.map((curve) => curve.name), kept.map((r) => `rule ${r + 1}`));
    curves.forEach((curve, k) => {
      assertClose(curve.y, curve.x.map((x) => slowMembership(x, centers[kept[k]][d], sigmas[kept[k]][d])));
      assert.equal(curve.line.dash, d === 0 ? "solid" : "dot");
    });
  });
});

test("names in the figures below the rules are escaped", () => {
  const columns = [number(HOSTILE), category(`${HOSTILE}2`, HOSTILE)], classes = [HOSTILE, "dog"];
  const rules = range(2, () => makeRule([1, 0.5], [1, 0.5], [[0, 0, 0], [0, 0, 0]]));
  const scene = sceneOf(columns, rules, classes, makeRows([[1, 1], [2, 0]])), texts = makeTexts(2, [HOSTILE]);
  const figures = [networkFigure(texts, coFiring(scene, texts), false), confidenceFigure(texts, classes, false)];
  for (const feature of scene.table.features) figures.push(termsFigure(scene, feature, texts));
  const said = figures.map(({ data, layout }) => JSON.stringify([data, layout], checked)).join("");
  assert.ok(said.includes("&lt;img src=x") && !said.includes("<img"));
});

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
