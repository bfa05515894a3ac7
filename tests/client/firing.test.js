// The figures of firing levels, by rule and by epoch, and of their entropy; outlines over bars.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClose, chance, falling, range, sum } from "./numbers.js";
import { BINS, COMPARISON, ENDED, asComparison, drawnTraces, figure, linesAt, makeEpoch, makeHistory, makeRun, named } from "./runs.js";

const epochOf = (firing, changes = {}) => makeEpoch(1, { firing, dead: [], idle: [], ...changes });
const of = (name, history, options) => figure(name, makeRun(history), null, options);

test("bars stand in order, and rules that never or hardly fire are marked and named", () => {
  const next = chance(2);
  for (let trial = 0; trial < 80; trial += 1) {
    const levels = range(1 + Math.floor(40 * next()), () => (next() < 0.2 ? 0 : next()));
    const dead = levels.flatMap((level, r) => (level === 0 ? [r] : [])), idle = levels.flatMap((level, r) => (level > 0.9 ? [r] : []));
    for (const order of ["active", "number"]) {
      const drawn = of("firing", [epochOf(levels, { dead, idle })], { order }), [bars] = drawn.data;
      const expected = order === "active" ? falling(levels) : levels.map((_, r) => r);
      assert.deepEqual(bars.y, expected.map((r) => levels[r]));
      assert.deepEqual(bars.customdata, expected.map((r) => r + 1));
      for (const [name, rules, how] of [["never fires", dead, "never"], ["hardly fires", idle, "hardly"]]) {
        const marked = drawn.data.filter((trace) => trace.name === name).flatMap((trace) => trace.x.map((x) => bars.customdata[x - 1] - 1));
        assert.deepEqual(marked.sort((a, b) => a - b), rules);
        assert.equal(drawn.name.includes(`${how} fire`), rules.length > 0);
        if (rules.length) assert.ok(drawn.name.includes(`${rules.length > 1 ? "rules" : "rule"} ${rules[0] + 1}`));
      }
      assert.equal(drawn.name.includes("every rule fires"), !dead.length && !idle.length);
      assertClose(linesAt(drawn, "y"), [1 / levels.length]);
    }
  }
});

test("a rule keeps its colour in any order", () => {
  const levels = range(20, (r) => 0.1 + 0.01 * r);
  const colours = (order) => {
    const [bars] = of("firing", [epochOf(levels)], { order }).data;
    return Object.fromEntries(bars.customdata.map((rule, k) => [rule, bars.marker.color[k]]));
  };
  assert.deepEqual(colours("active"), colours("number"));
  assert.equal(new Set(Object.values(colours("number"))).size, 20);
});

test("each bar has the number of its rule while there is room", () => {
  assert.deepEqual(of("firing", [epochOf([0.1, 0.5, 0.4])]).layout.xaxis.ticktext, ["2", "3", "1"]);
  assert.equal(of("firing", [epochOf(range(200, () => 1 / 200))]).layout.xaxis.showticklabels, false);
});

test("the heat map has firing levels in equal shares, the most active rule on top", () => {
  const next = chance(3);
  for (let trial = 0; trial < 40; trial += 1) {
    const history = range(1 + Math.floor(6 * next()), (k) => makeEpoch(k + 1, { firing: range(3, next), dead: [], idle: [] }));
    const [map] = of("heat", history).data;
    assert.deepEqual(map.x, history.map((epoch) => epoch.epoch));
    map.y.forEach((rule, k) => assertClose(map.z[k], history.map((epoch) => 3 * epoch.firing[Number(rule) - 1])));
    assert.deepEqual([...map.y].reverse().map((rule) => Number(rule) - 1), falling(history.at(-1).firing));
  }
});

test("a long heat map is thinned and keeps both ends", () => {
  const { x } = of("heat", makeHistory(1000)).data[0];
  assert.deepEqual([x.length, x[0], x.at(-1)], [300, 1, 1000]);
  assert.ok(x.every((epoch, k) => k === 0 || epoch > x[k - 1]));
});

test("the colours of the heat map mean the same before and after", () => {
  const runOf = (firing) => makeRun(makeHistory(9, { firing, idle: [] }), ENDED);
  const [before, after] = [[0.7, 0.2, 0.09, 0.01], [0.25, 0.25, 0.25, 0.25]].map(runOf);
  for (const runs of [[before], [after, asComparison(before)], [after]]) {
    const [{ zmin, zmax }] = figure("heat", ...runs).data;
    assert.deepEqual([zmin, zmax], [0, 4]);
  }
});

test("entropy is drawn as shares of rows from 0 to log R", () => {
  const next = chance(4);
  for (let trial = 0; trial < 40; trial += 1) {
    const R = 2 + Math.floor(59 * next()), entropy = range(BINS, () => (trial ? Math.floor(1000 * next()) : 0));
    const [bars] = of("entropy", [epochOf(range(R, () => 1 / R), { entropy })]).data;
    const all = sum(entropy);
    assertClose(bars.y, entropy.map((count) => (all ? count / all : 0)));
    assertClose(bars.x[0] - bars.width / 2, 0);
    assertClose(bars.x.at(-1) + bars.width / 2, Math.log(R));
  }
});

test("entropy marks both ends and shows the first epoch", () => {
  const drawn = of("entropy", makeHistory(3));
  assertClose(linesAt(drawn, "x"), [0, Math.log(4)]);
  assert.ok(drawn.layout.annotations.some(({ text }) => text.includes("log R")));
  assertClose(sum(named(drawn, "epoch 1").y.slice(2, -2)), 1);
  assert.ok(!drawnTraces(of("entropy", makeHistory(3), { index: 0 })).slice(1).some((trace) => trace.name === "epoch 1"));
});

// Outlines: of the bins, without the points by which they rise and come down.
const heights = ({ y }) => y.slice(2, -2);

for (const [order, name] of [["active", `${COMPARISON}, by rank`], ["number", COMPARISON]]) {
  test(`the outline of a comparison with more rules shows them all, ${order}`, () => {
    const levels = range(7, (r) => (r + 1) / 28), before = asComparison(makeRun([epochOf(levels)], ENDED));
    const drawn = figure("firing", makeRun([makeEpoch()]), before, { order }), outline = named(drawn, name);
    assertClose(heights(outline), order === "active" ? [...levels].reverse() : levels);
    assert.deepEqual([outline.x[0], outline.x.at(-1)], [0.5, 7.5]);
    assert.ok(outline.hovertemplate.startsWith(`${name}: `) && drawn.layout.xaxis.range[1] > 7);
  });
}

test("an outline of entropy has the shape of its bars", () => {
  const entropy = range(BINS, (k) => BINS - 1 - k); // the highest bin is the first one
  const drawn = figure("entropy", makeRun([makeEpoch(1, { entropy }), makeEpoch(2)]), asComparison(makeRun([makeEpoch(1, { entropy })], ENDED)));
  for (const name of ["epoch 1", COMPARISON]) {
    const { x, y, line, customdata } = named(drawn, name);
    assert.equal(line.shape, "hvh"); // upright half way between two middles, where a bin ends
    assertClose([x[0], x.at(-1), y[0], y.at(-1)], [0, Math.log(4), 0, 0]);
    assertClose(heights({ y }), entropy.map((count) => count / sum(entropy)));
    assert.deepEqual([y[1], x[0], x[1]], [y[2], 0, 0]); // it rises at the first edge, not at the first middle
    assert.deepEqual(customdata, [y[1], ...y.slice(1, -1), y.at(-2)]); // shown also where the outline comes down
  }
  assert.ok(named(drawn, "epoch 2") && drawn.layout.xaxis.title.text.includes("(nats)"));
});
