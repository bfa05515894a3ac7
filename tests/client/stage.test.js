// The charts of the stage: what they draw of any run, their titles, the rule they mark, and its sentence and rows.

import assert from "node:assert/strict";
import { test } from "node:test";
import { COMPARISONS, RUNS } from "./cases.js";
import { assertClose, range, sum } from "./numbers.js";
import { BINS, asComparison, makeEpoch, makeHistory, makeRun, messageOf } from "./runs.js";
import { options, receive, selectEpoch, setOptions, state } from "../../ui/client/core/store.js";
import { barsOf, firingTitle, shareText } from "../../ui/client/stage/bars.js";
import { rowsOfRule } from "../../ui/client/stage/card.js";
import { entropyOf, entropyTitle } from "../../ui/client/stage/entropy.js";
import { keep, markedRule, point } from "../../ui/client/stage/marking.js";
import { calmTop, outlinePath, roundedUp, ticksOf } from "../../ui/client/stage/panel.js";
import { mostActive, ruleSentence, sentenceOf } from "../../ui/client/stage/sentence.js";
import { linePath, nearest, spread, stripOf } from "../../ui/client/stage/strip.js";
import { modelOf } from "../../ui/client/model/inference.js";

const PLACE = { width: 900, height: 64, size: 11 };

/** The state with these runs, the epoch at `index` selected, and what else is chosen. */
function stateOf(shown, comparison = null, { index = null, ...changes } = {}) {
  receive(messageOf(null));
  receive(messageOf(shown, shown && comparison));
  setOptions({ order: "active", logLoss: false, notation: "words", pointed: null, kept: null, ...changes });
  selectEpoch(index);
  return state();
}

/** Each run beside each comparison, as [what it is, its state]. */
function* everyState() {
  for (const [name, shown] of Object.entries(RUNS)) {
    for (const [other, comparison] of Object.entries(COMPARISONS)) {
      for (const index of [null, 0]) yield [`${name}, ${other}, ${index}`, stateOf(shown, comparison, { index })];
    }
  }
}

// Which rule is marked.

test("a kept rule is marked before one that is pointed at, and none that the run does not have", () => {
  const epoch = makeEpoch(1, { firing: [0.5, 0.3, 0.2] });
  assert.equal(markedRule({ pointed: null, kept: null, epoch }), null);
  assert.equal(markedRule({ pointed: 1, kept: null, epoch }), 1);
  assert.equal(markedRule({ pointed: 1, kept: 0, epoch }), 0);
  assert.equal(markedRule({ pointed: 1, kept: 7, epoch }), 1);
  assert.equal(markedRule({ pointed: 1, kept: 0, epoch: null }), null);
});

test("a rule is kept until it is chosen again or another one is", () => {
  stateOf(RUNS["many epochs"]);
  point(2);
  keep(2);
  assert.deepEqual([options.pointed, options.kept], [2, 2]);
  keep(1);
  assert.equal(options.kept, 1);
  keep(1);
  point(null);
  assert.deepEqual([options.pointed, options.kept], [null, null]);
  keep(3);
  keep(null);
  assert.equal(options.kept, null);
});

// Scales.

test("a scale ends at a round number that takes in what is drawn", () => {
  for (const value of [0.0123, 0.05, 0.1, 0.151, 0.99, 1, 7.5, 130]) {
    const top = roundedUp(value), ticks = ticksOf(top);
    assert.ok(top >= value && top <= 1.51 * value, `${value}: ${top}`);
    assert.ok(ticks[0] === 0 && ticks.length >= 3 && ticks.length <= 5 && ticks.at(-1) <= top * 1.001, `${top}: ${ticks}`);
  }
});

test("a scale becomes shorter once the highest epochs have passed, and never longer again", () => {
  const history = range(100, (k) => makeEpoch(k + 1, { firing: [1 / (k + 1), 0.05 + 0.02 * (k % 2)] }));
  const run = { epochs: history, about: { ended: true } }, highest = ({ firing }) => Math.max(...firing);
  const tops = history.map((epoch) => calmTop(run, epoch, highest, 0.01));
  assert.ok(tops[0] >= 1 && tops[99] < 0.1);
  tops.forEach((top, k) => assert.ok(k === 0 || top <= tops[k - 1]));
  history.forEach((epoch, k) => assert.ok(tops[k] >= highest(epoch)));
});

// Bars.

test("bars stand in the chosen order with the levels and signs of the selected epoch, whatever the run", () => {
  for (const [what, now] of everyState()) {
    const { order, levels, signs, compared, places, top } = barsOf(now), R = now.epoch?.firing.length ?? 0;
    assert.deepEqual([...order].sort((a, b) => a - b), range(R), what);
    assert.deepEqual(levels, now.epoch?.firing ?? [], what);
    order.forEach((rule, k) => assert.ok(k === 0 || levels[rule] <= levels[order[k - 1]], what));
    assert.ok(Math.max(0, ...levels, ...compared) <= top && top <= 1 && places >= Math.max(R, compared.length), what);
    signs.forEach((sign, rule) => assert.equal(sign !== "", now.epoch.dead.includes(rule) || now.epoch.idle.includes(rule), what));
  }
  assert.deepEqual(barsOf(stateOf(RUNS["many epochs"], null, { order: "number" })).order, range(4));
});

test("the comparison's levels stand by rank, or by number", () => {
  const other = asComparison(makeRun([makeEpoch(1, { firing: [0.1, 0.6, 0.3] })]));
  assert.deepEqual(barsOf(stateOf(RUNS["many epochs"], other)).compared, [0.6, 0.3, 0.1]);
  assert.deepEqual(barsOf(stateOf(RUNS["many epochs"], other, { order: "number" })).compared, [0.1, 0.6, 0.3]);
});

test("the title of the bars is a finding", () => {
  const title = (firing, changes = {}, marked = null) => (
    firingTitle({ ...makeEpoch(1, { firing }), dead: [], idle: [], ...changes }, marked));
  assert.equal(title([0.5, 0.3, 0.2]), "Every rule fires: .20 to .50 (equal share .33)");
  assert.equal(title(range(20, () => 0.05), { dead: [1, 2, 3] }), "3 of 20 rules never fire");
  assert.equal(title(range(20, () => 0.05), { dead: [1], idle: [4, 5] }), "1 of 20 rules never fires, 2 hardly fire");
  assert.equal(title(range(20, () => 0.05), { idle: [4] }), "1 of 20 rules hardly fires");
  assert.equal(title([0.5, 0.3, 0.2], {}, 1), "Rule 2: .30, 0.9 times an equal share");
  assert.equal(title([1]), "The only rule fires for every row");
  assert.match(title([null, NaN]), /diverged/);
});

test("shares have the digits that matter among so many rules", () => {
  assert.deepEqual([0.05, 0.001, 0, 1].map((level) => shareText(level, 20)), [".05", "under .01", "0", "1"]);
  assert.equal(shareText(0.01, 100), ".010");
});

test("an outline runs along the bins and back to the axis", () => {
  assert.equal(outlinePath([1, 2], (k) => 10 * k, (height) => 5 - height), "M0.0,5.0V4.0H10.0V3.0H20.0V5.0");
  assert.equal(outlinePath([], () => NaN, () => NaN), "");
});

// Entropy.

test("the histogram of the entropy takes in all that is drawn, whatever the run", () => {
  for (const [what, now] of everyState()) {
    const { selected, first, compared, widest, top } = entropyOf(now);
    for (const one of [selected, first, compared]) if (one) assert.ok(Math.max(...one.shares) <= top && one.largest <= widest, what);
    if (selected) assertClose([sum(selected.shares)], [1]);
    assert.ok(top > 0 && top <= 1 && widest > 0, what);
    assert.equal(selected !== null, Boolean(now.epoch?.entropy.some(Boolean)), what);
  }
});

test("the title of the entropy says how many rules fire for a row", () => {
  const all = (k) => range(BINS, (j) => Number(j === k)), firing = range(20, () => 0.05);
  assert.equal(entropyTitle(makeEpoch(1, { firing, entropy: all(19) })), "Mean entropy 1.9 of 3.0: about 7 rules fire per row");
  assert.equal(entropyTitle(makeEpoch(1, { firing, entropy: all(0) })), "Mean entropy 0.0 of 3.0: about 1 rule fires per row");
  assert.match(entropyTitle(makeEpoch(1, { firing: [1], entropy: all(0) })), /^One rule/);
});

// The strip.

test("the lines of the strip stay within it, whatever the run", () => {
  for (const [what, now] of everyState()) {
    for (const logLoss of [false, true]) {
      const { lines, last, right } = stripOf(PLACE, { ...now, logLoss });
      assert.ok(last >= 1 && right > 500, what);
      for (const { d, other, end } of lines) {
        const numbers = `${d} ${other}`.match(/-?[\d.]+|[A-Za-z]{2,}/g) ?? [];
        assert.ok(numbers.every((text) => Number(text) >= 0 && Number(text) <= PLACE.width), `${what}: ${d}`);
        assert.ok(end === null || (end >= 0 && end <= PLACE.height), what);
      }
    }
  }
});

test("the strip has the loss and both scores, in a search the validation's", () => {
  const names = (shown) => stripOf(PLACE, stateOf(shown)).lines.map(({ name }) => name);
  assert.deepEqual(names(RUNS.ended), ["Loss", "Accuracy", "Balanced accuracy"]);
  assert.deepEqual(names(RUNS["early stopping"]), ["Loss", "Validation accuracy"]);
  assert.deepEqual(stripOf({ ...PLACE, width: 360 }, stateOf(RUNS.ended)).lines.map(({ name }) => name), ["Loss", "Accuracy", "Balanced"]);
});

test("a line has a gap where there is no value, and a dot where there is one alone", () => {
  const path = (...values) => linePath(values.map((ce, k) => makeEpoch(k, { ce })), ({ ce }) => ce, (x) => x, (y) => y);
  assert.equal(path(1, 2, null, 4, 5), "M0.0,1.0L1.0,2.0M3.0,4.0L4.0,5.0");
  assert.equal(path(1, NaN), "M0.0,1.0h0.01");
  assert.equal(path(null, Infinity), "");
});

test("labels stand apart, within two ends, in the order of their lines", () => {
  assert.deepEqual(spread([10, 30, 50], 5, 0, 60), [10, 30, 50]);
  assert.deepEqual(spread([10, 10, 11], 5, 0, 60), [10, 15, 20]);
  assert.deepEqual(spread([59, 60, 58], 5, 0, 60), [55, 60, 50]);
});

test("a place on the strip selects the nearest epoch", () => {
  const epochs = makeHistory(5);
  assert.deepEqual([-3, 1.2, 2.6, 99].map((number) => nearest(epochs, number)), [0, 0, 2, 4]);
});

// The sentence and the rows of a rule.

const BASE = {
  columns: [{ feature: "size", kind: "number", impute: 1 }, { feature: "weight", kind: "number", impute: 1 }],
  classes: ["cat", "dog"], normalisation: { kind: "softmax", epsilon: 0 },
};
const SNAPSHOT = {
  epoch: 5, log_weight: [0, 0], centers: [[1, 2], [8, 9]], sigmas: [[1, 3], [2, null]],
  consequents: [[[1, 0, 0], [0, 0, 0]], [[0, 0, 0], [1, 0, 0]]],
};
const ROWS = {
  row: [0, 1, 2], part: [0, 0, 1], y: [0, 0, 1], x: [[1, 2], [4, 4], [8, 9]], view: null,
  columns: [{ low: 0, high: 10 }, { low: 0, high: 10 }],
};
const TEXT = {
  rule: 1, if: ["size is low"], features: ["size"], numbers: ["size is ≤ 3"], ranges: [[null, 3]], then: "cat", mostly: [], dead: false,
};

test("the most active rule stays while another one fires only a little more", () => {
  const now = (...firing) => ({ epoch: makeEpoch(1, { firing }) });
  assert.equal(mostActive({ epoch: null }, 1), null);
  assert.equal(mostActive(now(0.2, 0.8), null), 1);
  assert.equal(mostActive(now(0.49, 0.51), 0), 0);
  assert.equal(mostActive(now(0.3, 0.7), 0), 1);
  assert.equal(mostActive(now(1), 7), 0); // of a run with fewer rules
});

test("a rule is written as the server says it, before that by its narrowest conditions", () => {
  const history = makeHistory(5, { firing: [0.5, 0.5] }), snapshots = { list: [SNAPSHOT], base: BASE };
  const given = { views: [], data: "d", rows: ROWS };
  const bare = stateOf(makeRun(history, {}, { snapshots }));
  assert.deepEqual(sentenceOf(bare, given, 0), { conditions: ["size is near 1", "weight is near 2"], then: "cat", named: ["cat"] });
  assert.deepEqual(sentenceOf(bare, given, 1).conditions, ["size is near 8"]); // the other one was dropped
  assert.equal(sentenceOf(stateOf(makeRun(history)), given, 0), null);
  const ruleBases = { list: [{ epoch: 5, rules: [TEXT, { ...TEXT, rule: 2, dead: true }], summary: [] }] };
  const now = stateOf(makeRun(history, {}, { snapshots, ruleBases }));
  assert.equal(ruleSentence(sentenceOf(now, given, 0), 0), "Rule 1: IF size is low THEN cat");
  assert.equal(ruleSentence(sentenceOf({ ...now, notation: "numbers" }, given, 0), 0), "Rule 1: IF size is ≤ 3 THEN cat");
  assert.equal(ruleSentence(sentenceOf(now, given, 1), 1), "Rule 2 never fires");
});

test("the rows of a rule begin with the one that it fires most for", () => {
  const scene = { table: { rows: ROWS }, model: modelOf(SNAPSHOT, BASE) };
  assert.deepEqual(rowsOfRule(scene, 0).map(({ n }) => n), [0, 1, 2]);
  assert.deepEqual(rowsOfRule(scene, 1).map(({ n }) => n), [2, 1, 0]);
  assertClose(rowsOfRule(scene, 0).map(({ n, level }) => level + rowsOfRule(scene, 1).find((one) => one.n === n).level), [1, 1, 1]);
  assert.deepEqual(rowsOfRule({ ...scene, table: { rows: null } }, 0), []);
});
