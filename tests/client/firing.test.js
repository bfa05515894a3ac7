// The figures of firing levels, by rule and by epoch, and of their entropy; outlines over bars.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClose, chance, falling, range, sum } from "./numbers.js";
import { BINS, COMPARISON, ENDED, asComparison, drawnTraces, figure, linesAt, makeEpoch, makeHistory, makeRun, named } from "./runs.js";

const epochOf = (firing, changes = {}) => makeEpoch(1, { firing, initialFiring: null, ...changes });
const of = (name, history, options) => figure(name, makeRun(history), null, options);

test("bars stand in order, and rules that never or hardly fire are marked and named", () => {
  const next = chance(2);
  for (let trial = 0; trial < 80; trial += 1) {
    const R = 1 + Math.floor(40 * next()), kinds = range(R, () => ["dead", "idle", "fires"][Math.min(2, Math.floor(8 * next()))]);
    const levels = kinds.map((kind) => ({ dead: 0, idle: 0.01 + 0.18 * next(), fires: 0.21 + 2 * next() })[kind] / R);
    const [dead, idle] = ["dead", "idle"].map((kind) => range(R).filter((r) => kinds[r] === kind));
    for (const order of ["active", "number"]) {
      const drawn = of("firing", [epochOf(levels)], { order }), [bars] = drawn.data;
      const expected = order === "active" ? falling(levels) : levels.map((_, r) => r);
      assert.deepEqual(bars.y, expected.map((r) => levels[r]));
      assert.deepEqual(bars.customdata, expected.map((r) => r + 1));
      for (const [name, rules, how] of [["never fires", dead, "never"], ["hardly fires", idle, "hardly"]]) {
        const marked = drawn.data.filter((trace) => trace.name === name).flatMap((trace) => trace.x.map((x) => bars.customdata[x - 1] - 1));
        assert.deepEqual(marked.sort((a, b) => a - b), rules);
        assert.equal(drawn.name.includes(`${how} fire`), rules.length > 0);
        const start = rules.length > 4 ? `${rules.length} rules ${how} fire (${rules[0] + 1}` : `rule${rules.length > 1 ? "s" : ""} ${rules[0] + 1}`;
        if (rules.length) assert.ok(drawn.name.includes(start), drawn.name); // of many, how many they are
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

test("bars can stay in one order while a run trains: that of the first epoch", () => {
  const history = [[0.2, 0.5, 0.3], [0.6, 0.1, 0.3], [0.1, 0.2, 0.7]].map((firing, k) => makeEpoch(k + 1, { firing }));
  const rules = (order) => range(3, (k) => of("firing", history.slice(0, k + 1), { order }).data[0].customdata);
  assert.deepEqual(rules("first"), range(3, () => [2, 3, 1]));
  assert.deepEqual(rules("active"), [[2, 3, 1], [1, 3, 2], [3, 2, 1]]);
  assert.deepEqual(of("firing", history, { order: "first", index: 1 }).data[0].y, [0.1, 0.3, 0.6]); // bars of the epoch selected
  assert.deepEqual([...of("heat", history, { order: "first" }).data[0].y].reverse(), ["2", "3", "1"]);
  assert.equal(of("firing", history, { order: "first" }).layout.xaxis.title.text, "Rule, most active in the first epoch first");
});

test("the heat map has firing levels in equal shares, the most active rule on top", () => {
  const next = chance(3);
  for (let trial = 0; trial < 40; trial += 1) {
    const epochs = 1 + Math.floor(6 * next());
    const history = range(epochs, (k) => makeEpoch(k + 1, { firing: range(3, next), initialFiring: null }));
    const [map] = of("heat", history).data;
    assert.deepEqual(map.x, history.map((epoch) => epoch.epoch));
    map.y.forEach((rule, k) => assertClose(map.customdata[k], history.map((epoch) => 3 * epoch.firing[Number(rule) - 1])));
    assert.deepEqual([...map.y].reverse().map((rule) => Number(rule) - 1), falling(history.at(-1).firing));
  }
});

test("a long heat map is thinned and keeps both ends", () => {
  const { x } = of("heat", makeHistory(1000)).data[0];
  assert.deepEqual([x.length, x[0], x[1], x.at(-1)], [301, 0, 1, 1000]); // and epoch 0, before training
  assert.ok(x.every((epoch, k) => k === 0 || epoch > x[k - 1]));
});

for (const dark of [false, true]) {
  test(`the heat map is neutral at an equal share, and says so, ${dark ? "dark" : "light"}`, () => {
    const history = makeHistory(3, { firing: [0.25, 0.5, 0.125, 0.0001, 0.9, 0], initialFiring: null });
    const drawn = of("heat", history, { order: "number", dark }), [map] = drawn.data;
    const six = map.customdata.map(([times]) => times).reverse();
    assertClose(six, [1.5, 3, 0.75, 0.0006, 5.4, 0]);
    assertClose(map.z.map(([z]) => z).reverse(), [Math.log2(1.5), Math.log2(3), Math.log2(0.75), -2, 2, -2]);
    const [middle, colour] = map.colorscale[2], [low, high] = [map.colorscale[0][1], map.colorscale[4][1]].map(hex);
    assert.equal(middle, 0.5);
    assert.ok(Math.max(...hex(colour)) - Math.min(...hex(colour)) < 16); // no hue
    assert.ok(low[2] > low[0] + 80 && high[0] > high[2] + 80); // blue and orange
    assert.deepEqual(map.colorbar.ticktext[map.colorbar.tickvals.indexOf(0)], "1/R");
    assert.ok(drawn.caption.includes("1/R") && drawn.caption.includes(dark ? "dark: at it" : "white: at it"));
  });
}
const hex = (colour) => [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16));

test("firing levels before training are marked on the bars and are the first column of the heat map", () => {
  const initialFiring = [0.3, 0.5, 0.2];
  const history = [epochOf([0.6, 0.3, 0.1], { initialFiring }), makeEpoch(2, { firing: [0.1, 0.2, 0.7] })];
  for (const order of ["active", "number"]) {
    const drawn = of("firing", history, { order }), [bars] = drawn.data, marks = named(drawn, "before training");
    assert.deepEqual(bars.customdata, order === "active" ? [3, 2, 1] : [1, 2, 3]);
    assert.deepEqual(marks.y, bars.customdata.map((rule) => initialFiring[rule - 1]));
    assert.ok(drawn.name.includes("Before training, firing levels were 0.200 to 0.500."));
    const heat = of("heat", history, { order }), [map] = heat.data;
    assert.deepEqual(map.x, [0, 1, 2]);
    map.y.forEach((rule, k) => assertClose(map.customdata[k][0], 3 * initialFiring[Number(rule) - 1]));
    assert.ok(heat.caption.endsWith("Epoch 0 is before training."));
  }
  const unknown = of("firing", [epochOf([0.6, 0.3, 0.1])]);
  assert.ok(!unknown.name.includes("Before training") && !drawnTraces(unknown).some(({ name }) => name === "before training"));
});

test("where firing levels add up to less than 1, their sum is named and no share of it", () => {
  const { name } = of("firing", [epochOf([0.176, 0.17, 0.139])]);
  assert.ok(name.includes("Average firing levels add up to 0.485 in place of 1, the highest is 0.176; 1/R is 0.333."));
  assert.ok(!name.includes("of the firing"));
  assert.ok(of("firing", [epochOf([0.5, 0.3, 0.199999])]).name.includes("has 50.0% of the firing"));
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
