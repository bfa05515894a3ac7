// The figures by epoch: loss, accuracy and gradients, beside numbers computed here.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClose, chance, mean, range } from "./numbers.js";
import { COMPARISON, ENDED, asComparison, drawnTraces, figure, linesAt, makeEpoch, makeHistory, makeRun, named } from "./runs.js";

const CURVES = ["loss", "accuracy", "gradients"];
const of = (name, history, about, options) => figure(name, makeRun(history, about), null, options);

test("the loss is drawn by its three parts", () => {
  const drawn = of("loss", makeHistory(4)), traces = drawnTraces(drawn);
  assert.deepEqual(traces.map((trace) => trace.name), ["cross-entropy", "λ·UR", "α·L2"]);
  assertClose(traces.map((trace) => trace.y), [[1, 1 / 2, 1 / 3, 1 / 4], [0.1, 0.1 / 2, 0.1 / 3, 0.1 / 4], [0.01, 0.01, 0.01, 0.01]]);
  assert.deepEqual(traces[0].x, [1, 2, 3, 4]);
});

test("a penalty is a line of the loss, and said, where there is any", () => {
  const names = { ur: "λ·UR", l2: "α·L2", shrinkage: "κ·shrinkage", sharpness: "ρ·sharpness", covering: "ζ·covering", l1: "γ·L1" };
  const none = Object.fromEntries(Object.keys(names).map((field) => [field, 0]));
  for (const [field, name] of Object.entries(names)) {
    const drawn = of("loss", [1, 2].map((k) => makeEpoch(k, { ...none, [field]: 0.02 * k })));
    assert.deepEqual(drawnTraces(drawn).map((trace) => trace.name), ["cross-entropy", name]);
    assertClose(named(drawn, name).y, [0.02, 0.04]);
    assert.match(drawn.name, /cross-entropy 0\.500, .* 0\.040\.$/);
  }
  assert.equal(of("loss", [makeEpoch(1, none)]).name, "Training loss in epoch 1: cross-entropy 1.000.");
});

test("accuracy is drawn for test and training rows", () => {
  const lines = drawnTraces(of("accuracy", makeHistory(2))).filter((trace) => trace.mode === "lines" && trace.x[0] !== null);
  const first = Object.fromEntries(lines.map((line) => [line.name, line.y[0]]));
  assert.deepEqual(first, { "RCA test": 0.7, "BCA test": 0.6, "RCA train": 0.9, "BCA train": 0.8 });
  assert.deepEqual(lines.map(({ line }) => line.dash), ["solid", "solid", "dot", "dot"]);
  assert.ok(lines[0].line.width > lines[1].line.width); // seen under the next where both are alike
});

test("while early stopping searches, the validation rows are drawn, and none of it in the training that follows", () => {
  const search = [1, 2, 3].map((k) => makeEpoch(k, { stage: "hold-out", bcaValidation: k / 4, rcaTest: null, bcaTest: null }));
  const drawn = of("accuracy", search);
  assert.deepEqual(named(drawn, "BCA validation").y, [0.25, 0.5, 0.75]);
  assert.ok(!drawnTraces(drawn).some((trace) => trace.name === "BCA test"));
  assert.ok(drawn.name.includes("validation BCA 0.750") && !drawn.name.includes("–"));
  assert.deepEqual(named(of("accuracy", [...search, ...makeHistory(2)]), "BCA test").x, [1, 2]);
});

test("the baseline is a level line that the caption names with its metric and its value", () => {
  const drawn = of("accuracy", makeHistory(2), { ...ENDED, baseline: 0.83 });
  assert.deepEqual(linesAt(drawn, "y"), [0.83]);
  assert.ok(drawn.caption.startsWith("Grey line: a logistic regression has test RCA 0.830."));
  const without = of("accuracy", makeHistory(2));
  assert.ok(!linesAt(without, "y").length && !without.caption.includes("logistic"));
});

function rangeIn({ layout: { yaxis: { autorange, autorangeoptions, range: ends } } }) {
  return autorange ? [autorangeoptions.minallowed, autorangeoptions.maxallowed] : ends;
}
const allScores = (value) => ({ rcaTrain: value, bcaTrain: value, rcaTest: value, bcaTest: value });

test("the axis of the accuracy lies where the scores are, with a baseline that is near", () => {
  const history = range(20, (k) => makeEpoch(k + 1, allScores(0.9 + 0.004 * k)));
  const axis = (about, comparison) => rangeIn(figure("accuracy", makeRun(history, about), comparison));
  const [low, high] = axis({});
  assert.ok(low > 0.86 && low < 0.9 && high > 0.976 && high < 1);
  const near = axis({ baseline: 0.85 });
  assert.ok(near[0] < 0.85 && near[0] > 0.82);
  const far = figure("accuracy", makeRun(history, { baseline: 0.5 }));
  assert.deepEqual([rangeIn(far), linesAt(far, "y")], [[low, high], []]);
  assert.match(far.caption, /Outside this axis, a logistic regression has test RCA 0\.500\./);
  const other = asComparison(makeRun(range(20, (k) => makeEpoch(k + 1, allScores(0.4))), ENDED));
  assert.ok(axis({}, other)[0] < 0.4); // it is drawn, so it is in sight
  const flat = range(20, (k) => makeEpoch(k + 1, allScores(1)));
  assert.ok(rangeIn(figure("accuracy", makeRun(flat)))[0] > 0.9); // yet noise does not fill it
  const empty = figure("accuracy", makeRun([]));
  assert.deepEqual([rangeIn(empty), empty.layout.yaxis.autorange], [[0, 1], false]); // of itself Plotly would draw −1 to 4
});

test("the axis of the loss lies where the losses are, and begins at 0 where these come near", () => {
  const history = (losses) => losses.map((ce, k) => makeEpoch(k + 1, { ce, ur: 0, l2: 0 }));
  const axis = (losses, about) => rangeIn(of("loss", history(losses), about));
  assert.ok(axis([0.69, 0.65])[0] > 0.6 && axis([0.69, 0.65])[1] < 0.72);
  assert.ok(axis([1.5, 0.1])[0] <= 0 && axis([1.5, 0.1])[0] > -0.2);
  assert.ok(axis([0.69, 0.65], { ...ENDED, goal: { below: 0.1, label: "" } })[0] < 0.1); // the target is in sight
});

test("the axes do not jump while epochs are selected", () => {
  const run = makeRun(makeHistory(50));
  for (const name of ["loss", "accuracy"]) {
    const at = [0, 10, 49].flatMap((index) => [true, false].map((future) => ({ index, future })));
    const ranges = at.map((options) => String(rangeIn(figure(name, run, null, options))));
    assert.equal(new Set(ranges).size, 1);
  }
});

test("the star stands at the first of the best epochs that are shown", () => {
  const next = chance(1);
  for (let trial = 0; trial < 60; trial += 1) {
    const scores = range(1 + Math.floor(12 * next()), () => (next() < 0.3 ? null : Math.floor(21 * next()) / 20));
    const history = scores.map((bcaTest, k) => makeEpoch(k + 1, { bcaTest })), held = Math.floor(scores.length * next());
    for (const [index, future] of [[null, true], [held, false]]) {
      const known = scores.slice(0, future ? scores.length : held + 1).map((score) => score ?? -1), best = Math.max(...known);
      const drawn = of("accuracy", history, {}, { index, future });
      const stars = drawn.data.filter((trace) => trace.name === "best test BCA" && trace.x.length);
      if (best < 0 || known.length < 2) assert.ok(!stars.length && !drawn.caption.includes("★"));
      else {
        assert.deepEqual([stars[0].x, stars[0].y], [[known.indexOf(best) + 1], [best]]);
        assert.ok(drawn.caption.includes(`epoch ${known.indexOf(best) + 1}.`));
      }
    }
  }
});

test("gradients are drawn on a scale of powers", () => {
  const drawn = of("gradients", [makeEpoch(1, { gradAntecedents: 1e-7, gradConsequents: 123 })]);
  assert.equal(drawn.layout.yaxis.type, "log");
  assert.deepEqual(named(drawn, "antecedents (m, σ)").y, [1e-7]);
  assert.deepEqual(named(drawn, "consequents (b, b₀)").y, [123]);
});

test("the epoch axis stands still while a run trains", () => {
  for (const name of CURVES) {
    const reach = (epochs, about, comparison) => figure(name, makeRun(makeHistory(epochs), about), comparison).layout.xaxis.range;
    const ranges = new Set([0, 1, 50, 200].map((epochs) => String(reach(epochs))));
    assert.equal(ranges.size, 1);
    assert.ok(reach(0)[1] >= 200);
    const end = reach(5, ENDED)[1]; // it stopped early
    assert.ok(end >= 5 && end < 6);
    assert.ok(reach(5, ENDED, asComparison(makeRun(makeHistory(30), ENDED)))[1] >= 30);
  }
});

test("a line stands at the selected epoch, and what comes after it is faint, or left out on request", () => {
  const run = makeRun(makeHistory(50));
  for (const name of [...CURVES, "heat"]) {
    assert.deepEqual([{ index: 19 }, {}].map((options) => linesAt(figure(name, run, null, options), "x")), [[20], []]);
  }
  for (const name of CURVES) {
    const lines = drawnTraces(figure(name, run, null, { index: 19 })).filter((trace) => trace.mode === "lines");
    const past = lines.filter((line) => line.opacity === 1), future = lines.filter((line) => line.opacity < 1);
    assert.deepEqual(past.map((line) => line.name), future.map((line) => line.name));
    past.forEach((line, k) => {
      assert.deepEqual(line.x, range(20, (t) => t + 1));
      assert.deepEqual(future[k].x, range(31, (t) => t + 20));
      assert.ok(future[k].opacity <= 0.5 && future[k].showlegend === false);
    });
    const held = drawnTraces(figure(name, run, null, { index: 19, future: false }));
    assert.equal(Math.max(...held.flatMap((trace) => trace.x)), 20);
    assert.ok(drawnTraces(figure(name, run)).every((trace) => (trace.opacity ?? 1) === 1));
  }
});

test("a small batch takes more steps on the same axis", () => {
  const history = range(4, (k) => makeEpoch(k + 1, { seconds: 0.5 * (k + 1) }));
  const large = makeRun(history, { ...ENDED, steps: 1 }), small = asComparison(makeRun(history, { ...ENDED, steps: 64 }));
  for (const name of CURVES) {
    const drawn = figure(name, large, small, { across: "steps" });
    const lines = drawnTraces(drawn).filter((trace) => trace.mode === "lines" && trace.x[0] !== null);
    assert.deepEqual(new Set(lines.map((line) => String(line.x))), new Set(["1,2,3,4", "64,128,192,256"]));
    assertClose(drawn.layout.xaxis.range[1], 256 * 1.02);
    assert.equal(drawn.layout.xaxis.title.text, "Gradient steps");
    const seconds = figure(name, large, small, { across: "seconds" });
    assert.deepEqual(seconds.data[0].x, [0.5, 1, 1.5, 2]);
    assert.match(seconds.layout.xaxis.title.text, /econds/);
    assert.equal(figure(name, large, small).layout.xaxis.title.text, "Epoch");
  }
});

const falling = (losses) => losses.map((ce, k) => makeEpoch(k + 1, { ce, seconds: 0.5 * (k + 1) }));
const WITH = falling([1, 0.5, 0.09, 0.05, 0.2]), WITHOUT = falling([1, 0.7, 0.4, 0.2, 0.08, 0.05]);
const goal = (label) => ({ ...ENDED, steps: 10, goal: { below: 0.1, label } });

test("the target of a preset is a line, and both runs say when they reach it", () => {
  const runs = [makeRun(WITH, goal("with BN")), asComparison(makeRun(WITHOUT, goal("without BN")))];
  const at = (options) => figure("loss", ...runs, options);
  const drawn = at({}), [line] = drawn.layout.shapes.filter((shape) => shape.y0 === shape.y1);
  assert.deepEqual([line.y0, line.name, line.showlegend], [0.1, "0.1", true]);
  assert.equal(drawn.headline, "Below 0.1 at epoch 3 (with BN) / 5 (without BN)");
  assert.ok(drawn.name.includes(drawn.headline)); // for those who cannot see it
  assert.equal(at({ across: "steps" }).headline, "Below 0.1 at step 30 (with BN) / 50 (without BN)");
  assert.equal(at({ across: "seconds" }).headline, "Below 0.1 at 1.5 s (with BN) / 2.5 s (without BN)");
  assert.equal(at({ index: 1, future: false }).headline, "Below 0.1: not yet (with BN) / epoch 5 (without BN)");
  const other = figure("loss", makeRun(WITH, ENDED), runs[1]);
  assert.deepEqual([other.headline, other.layout.shapes], ["", []]);
});

const next = chance(0), JITTER = range(150, () => 0.59 + 0.26 * next());
const jittering = { ...ENDED, jitter: { window: 30, text: "in the last 30 it jittered" } };
const scored = (scores) => scores.map((rcaTest, k) => makeEpoch(k + 1, { rcaTest }));

test("scores that jitter get a smooth line on top and a sentence", () => {
  const drawn = of("accuracy", scored(JITTER), jittering);
  const [thin, bold] = drawn.data.filter((trace) => trace.name === "RCA test");
  assert.deepEqual(thin.y, JITTER);
  assert.ok(thin.line.width < bold.line.width);
  assertClose(bold.y, JITTER.map((_, k) => mean(JITTER.slice(Math.max(0, k - 15), k + 16)))); // 15 epochs before, 15 after
  assert.ok(drawn.caption.includes("in the last 30 it jittered"));
});

test("scores that do not jitter are drawn as they are, beside a smoothed comparison", () => {
  const steady = range(150, (k) => 0.3 + 0.004 * k);
  const drawn = figure("accuracy", makeRun(scored(steady), ENDED), asComparison(makeRun(scored(JITTER), jittering)));
  const lines = drawnTraces(drawn).filter((trace) => trace.name === "RCA test");
  assert.deepEqual(lines.map((line) => line.y), [steady]);
  const dashed = drawn.data.find((trace) => trace.name === COMPARISON && trace.x.length > 1);
  assert.ok(dashed.y.every((y, k) => k === 0 || Math.abs(y - dashed.y[k - 1]) < 0.05));
  assert.ok(drawn.caption.includes("its lines are smoothed"));
});
