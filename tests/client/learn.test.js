// Predictions of the page Learn: their outlines on charts, the epoch at which charts stand still, and the charts of lessons alone.

import assert from "node:assert/strict";
import { test } from "node:test";
import { makeEpoch, makeHistory, makeRun, messageOf, named } from "./runs.js";
import { inks } from "../../ui/client/core/colours.js";
import { receive, selectEpoch, setOptions, state } from "../../ui/client/core/store.js";
import { firing, shares } from "../../ui/client/charts/firing.js";
import { predictedRegion } from "../../ui/client/charts/overlays.js";
import { accuracy, gradients, loss } from "../../ui/client/charts/training_curves.js";
import { linesFigure } from "../../ui/client/sweep/lines.js";
import { hillFigure } from "../../ui/client/learn/hill.js";
import { acrossFigure } from "../../ui/client/learn/predict.js";
import { assertClose, range, sum } from "./numbers.js";
import { makeRows, makeRule, number, sceneOf, slowFiring, slowMembership } from "./rulebases.js";
import { makeSweep } from "./sweeps.js";

const OWN = "your prediction", CLASS = "class, 28 predictions";
const CURVE = { kind: "curve", measure: "loss_ce", labels: ["1", "2", "3"], values: [0.9, 0.5, 0.2], label: OWN, class: null };
const GROUP = { label: CLASS, median: [0.8, 0.6, 0.4], low: [0.7, 0.5, 0.3], high: [0.9, 0.7, 0.5], share: [] };
const BARS = { ...CURVE, kind: "bars", measure: "firing", labels: ["1", "2", "3", "4"], values: [0.7, 0.1, 0.1, 0.1] };
const REGION = {
  ...CURVE, kind: "region", measure: "strongest_rule", labels: [], values: [1, 0, 0, 0], grid: 2, features: ["a", "b"], ranges: [[0, 2], [-1, 1]],
};
const value = (kind, payload) => ({ kind, since: 0, payload });

/** A chart of a run of a lesson, with these values of the feed beside it. */
function drawn(chart, values, run = makeRun(makeHistory(5), { ended: true })) {
  receive(messageOf(null));
  receive([...messageOf(run), ...Object.entries(values).map(([kind, payload]) => value(kind, payload))]);
  setOptions({ order: "active", future: true, across: "epochs", logLoss: false, beside: false });
  selectEpoch(null);
  return chart({ ...state(), title: "The chart" });
}

const has = ({ data }, name) => data.some((trace) => trace.name?.startsWith(name));

test("a predicted curve is a dashed line over the chart of its measure alone", () => {
  const charts = [[loss, "loss_ce"], [accuracy, "rca_test"], [gradients, "grad_antecedents"], [shares, "largest_share"]];
  for (const [chart, measure] of charts) {
    const figure = drawn(chart, { prediction: { ...CURVE, measure } }), { x, y, line } = named(figure, OWN);
    assert.deepEqual([x, y, line.dash], [[1, 2, 3], CURVE.values, "dash"]);
    for (const [other] of charts) assert.equal(has(drawn(other, { prediction: { ...CURVE, measure } }), OWN), other === chart);
    assert.ok(!has(drawn(chart, { prediction: BARS }), OWN) && !has(drawn(chart, { prediction: null }), OWN));
  }
});

test("an axis takes in a prediction that is far off, and stays as it is for one that is near", () => {
  const limits = ({ layout: { yaxis: { autorangeoptions: { minallowed, maxallowed } } } }) => [minallowed, maxallowed];
  for (const [chart, measure, near] of [[loss, "loss_ce", 0.5], [accuracy, "rca_test", 0.75]]) {
    const of = (first) => limits(drawn(chart, { prediction: { ...CURVE, measure, values: [first, near, near] } }));
    const plain = limits(drawn(chart, {}));
    assert.deepEqual(of(near), plain);
    const [low, high] = of(3);
    assert.ok(low === plain[0] && high > 3 && of(-2)[0] < -2);
  }
  const sweep = makeSweep([["batch", 16, 32]], [0.6, 0.7]), prediction = { ...CURVE, measure: "rca_over", labels: ["16", "32"], values: [0.1, 0.6] };
  assert.ok(linesFigure({ ...sweep, prediction }, false, 800).layout.yaxis.range[0] < 0.1);
});

test("the predictions of a class are a band around their median, without one's own too", () => {
  for (const values of [CURVE.values, []]) {
    const figure = drawn(loss, { prediction: { ...CURVE, values, class: GROUP } });
    assert.deepEqual(named(figure, `${CLASS}: median`).y, GROUP.median);
    const { x, y, fill } = named(figure, `${CLASS}: 10% to 90%`);
    assert.deepEqual([x, y, fill], [[1, 2, 3, 3, 2, 1], [...GROUP.high, ...[...GROUP.low].reverse()], "toself"]);
    assert.equal(has(figure, OWN), values.length > 0);
  }
});

test("predicted bars are an outline over the bars of the rules", () => {
  for (const name of [OWN, `${CLASS}: median`]) {
    const { y, line, customdata } = named(drawn(firing, { prediction: { ...BARS, class: { ...GROUP, median: BARS.values } } }), name);
    assert.deepEqual([Math.max(...y), line.shape, line.dash], [0.7, "hvh", name === OWN ? "dash" : "dot"]);
    assert.deepEqual(customdata.slice(2, -2), BARS.values);
  }
  assert.ok(!has(drawn(firing, { prediction: CURVE }), OWN));
});

test("a lesson's charts stand still at an epoch and know nothing of later ones", () => {
  const now = (freeze) => drawn((all) => all, { freeze });
  assert.deepEqual([now(2).epoch.epoch, now(2).index, now(2).future, now(2).newest], [2, 1, false, false]);
  assert.deepEqual([now(99).epoch.epoch, now(null).epoch.epoch, now(null).future], [5, 5, true]);
  assert.deepEqual(now(0).epoch.firing, range(4, () => 0.25)); // before training
  const [bars] = drawn(firing, { freeze: 0 }).data;
  assertClose(bars.y, range(4, () => 0.25));
});

test("what was chosen for the charts of another page does not hide a prediction", () => {
  drawn(shares, { prediction: { ...CURVE, measure: "largest_share" } });
  setOptions({ across: "seconds", order: "number" });
  assert.deepEqual([state().across, state().order, has(shares({ ...state(), title: "" }), OWN)], ["epochs", "active", true]);
  receive([value("prediction", null)]);
  assert.deepEqual([state().across, state().order], ["seconds", "number"]);
});

test("charts stand still without levels before training, and move on with another run", () => {
  const plain = makeRun(makeHistory(3, { initialFiring: null }));
  assert.equal(drawn((all) => all, { freeze: 0 }, plain).epoch.epoch, 1);
  drawn(firing, { freeze: 1, prediction: BARS });
  receive(messageOf({ ...plain, run: "other" }));
  assert.deepEqual([state().epoch.epoch, state().prediction], [3, null]);
});

test("the largest firing level begins before training and has the line of equal shares", () => {
  const { data, layout } = drawn(shares, {});
  const own = named({ data }, "largest f̄");
  assert.deepEqual([own.x, own.y], [range(6), [0.25, ...range(5, () => 0.4)]]);
  assert.ok(layout.shapes.some(({ y0, y1 }) => y0 === 0.25 && y1 === 0.25));
  const single = drawn(shares, {}, makeRun([makeEpoch(1, { firing: [1], initialFiring: [1] })]));
  assert.deepEqual(named(single, "largest f̄").y, [1, 1]);
  drawn(shares, {}, makeRun([])); // no epoch yet
});

test("several trainings are compared by their last value, with the prediction at the same places", () => {
  const across = { labels: ["2", "4", "<b>8</b>"], x: "Features", y: "Rules", series: [{ name: "out", values: [2, null, 4] }] };
  for (const kind of ["curve", "bars"]) {
    const figure = acrossFigure({ prediction: { ...CURVE, kind, values: [1, 2, 3] }, dark: false }, across);
    assert.deepEqual([figure.data[0].y, figure.data[0].text[1]], [[2, null, 4], ""]);
    assert.ok(named(figure, OWN) && !JSON.stringify([figure.data, figure.layout]).includes("<b>"));
  }
  acrossFigure({ prediction: null, dark: true }, { ...across, series: [] });
});

test("a predicted curve lies over a sweep of one axis", () => {
  const sweep = makeSweep([["batch", 16, 32]], [0.6, 0.7]), prediction = { ...CURVE, measure: "rca_over", labels: ["16", "32"], values: [0.5, 0.6] };
  const with_ = linesFigure({ ...sweep, prediction }, false, 800), measured = with_.data.find((trace) => trace.y?.includes(0.7));
  assert.deepEqual([named(with_, OWN).y, named(with_, OWN).x], [[0.5, 0.6], measured.x]);
  assert.ok(!has(linesFigure({ ...sweep, prediction: CURVE }, false, 800), OWN));
});

// Planes.

const RULES = [makeRule([0, 0], [1, 0.5], [[1, 0, 0], [0, 0, 0]], 0.3), makeRule([2, 1], [0.7, null], [[0, 0, 0], [1, 0, 0]])];
const ROWS = makeRows([[0, -1], [1, 0], [2, 1]], [0, 0, 1], [0, 0, 1]);

const scene = (more = {}) => ({
  ...sceneOf([number("a"), number("b")], RULES, ["no", "yes"], ROWS, { across: 0, up: 1, plane: "features", view: "all", firing: [0.5, 0.5], ...more }),
});

test("a painted region is the border of its cells, on the plane of its features", () => {
  const { x, y, line } = named({ data: predictedRegion({ prediction: REGION, dark: false }, "a", "b") }, OWN);
  assert.equal(line.color, inks(false).ink);
  const sides = range(x.length / 3, (k) => [[x[3 * k], y[3 * k]], [x[3 * k + 1], y[3 * k + 1]]]);
  const expected = [[[0, -1], [1, -1]], [[0, -1], [0, 0]], [[1, -1], [1, 0]], [[0, 0], [1, 0]]];
  assert.deepEqual(sides.map(String).sort(), expected.map(String).sort());
  for (const prediction of [{ ...REGION, features: ["b", "a"] }, CURVE, null]) {
    assert.deepEqual(predictedRegion({ prediction, dark: false }, "a", "b"), []);
  }
  const group = { ...GROUP, share: [0.6, 0.4, 0.5, 0] }, [, half] = predictedRegion({ prediction: { ...REGION, class: group }, dark: true }, "a", "b");
  assert.deepEqual([half.x.length / 3, half.name], [6, `${CLASS}: at least half`]); // a column of two cells
});

for (const kind of ["softmax", "paper", "log"]) {
  test(`a hill is the firing level by the formula, ${kind}`, () => {
    const own = scene({ kind }), now = { prediction: REGION, dark: false };
    const map = (how) => hillFigure(now, own, 0, { level: "normalised", norm: "product", hedge: "1", ...how }).data[0];
    const { x, y, z } = map({});
    assertClose(z[7][50], slowFiring(own, [x[50], y[7]])[0]);
    const memberships = [slowMembership(x[50], 0, 1), slowMembership(y[7], 0, 0.5)];
    assertClose(map({ level: "raw" }).z[7][50], memberships[0] * memberships[1]);
    assertClose(map({ level: "raw", norm: "minimum" }).z[7][50], Math.min(...memberships));
    assertClose(map({ level: "raw", hedge: "2" }).z[7][50], (memberships[0] * memberships[1]) ** 2);
    const all = [0, 1].map((r) => hillFigure(now, own, r, { level: "normalised", norm: "minimum", hedge: "1" }).data[0].z[3][3]);
    if (kind !== "paper") assertClose(sum(all), 1);
    for (const how of [{ norm: "minimum", hedge: "1" }, { norm: "product", hedge: "2" }]) { // of two rules the stronger has more than half
      const [level, { z: border }] = ["heatmap", "contour"].map((type) => hillFigure(now, own, 0, { level: "normalised", ...how }).data.find((one) => one.type === type));
      if (kind !== "paper") assert.ok(level.z.every((line, i) => line.every((share, j) => Math.abs(share - 0.5) < 1e-9 || (share > 0.5) === (border[i][j] > 0))));
    }
    const narrow = { ...own, ...sceneOf([number("a"), number("b")], RULES.map((rule) => ({ ...rule, sigmas: [0.15, 0.15] })), ["no", "yes"], ROWS, { kind }) };
    const far = hillFigure(now, narrow, 0, { level: "normalised", norm: "product", hedge: "1" }).data[0];
    for (const [row, column] of [[59, 0], [30, 30], [0, 59]]) {
      assertClose(far.z[row][column], slowFiring(narrow, [far.x[column], far.y[row]])[0], 1e-6);
    }
    assert.ok(named(hillFigure(now, own, 0, { level: "raw", norm: "product", hedge: "0.5" }), OWN));
  });
}
