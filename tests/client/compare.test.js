// The figures of a comparison, and the trainings that are made of its records.

import assert from "node:assert/strict";
import { test } from "node:test";
import { comparison } from "../../ui/client/compare/store.js";
import { receive } from "../../ui/client/core/feed.js";
import { FACTORS, FIGURES, ended, epochLine, figure, makeAbout, messageOf, pointLine } from "./comparisons.js";
import { assertClose, mean, range } from "./numbers.js";

test("the mean has a band of one SD, or of an interval by the factors of the server", () => {
  for (const band of ["sd", "ci"]) {
    const about = makeAbout(4, { band }), lines = ended(about), drawn = figure("compareBca", about, lines), [, , first, , line] = drawn.data;
    const at = range(4, (t) => lines.slice(0, 4).map(({ curves }) => curves.bca[t])), means = at.map(mean);
    const half = at.map((values, t) => Math.sqrt(values.reduce((all, v) => all + (v - means[t]) ** 2, 0) / 3) * (band === "sd" ? 1 : FACTORS[4]));
    assert.deepEqual([line.name, line.x], ["MBGD", [0, 1, 2, 3]]);
    assertClose(line.y, means);
    assertClose(first.y.slice(0, 4), means.map((value, t) => value + half[t]));
    assertClose(first.y.slice(4).reverse(), means.map((value, t) => value - half[t]));
    assert.ok(drawn.caption.includes(about.bandText));
  }
});

test("each seed is a thin line that begins at epoch 0 and names its training", () => {
  const about = makeAbout(), [lines] = figure("compareLoss", about, ended(about)).data;
  assert.deepEqual(lines.x.slice(0, 5), [0, 1, 2, 3, null]);
  assert.equal(lines.x.filter((x) => x === null).length, 4);
  assert.deepEqual([lines.customdata[0], lines.customdata[5]], [[0, 0], [1, 1]]);
});

test("lines grow by epoch, and a point replaces them", () => {
  const about = makeAbout(), live = range(3, (t) => epochLine([0, 1, 4], t, t / 10)), drawn = figure("compareRca", about, live);
  assert.deepEqual(drawn.data.at(-2).x, [0, 1, 2]);
  assertClose(drawn.data.at(-2).y, [0.005, 0.105, 0.205]);
  assert.ok(!drawn.caption.includes("One seed"));
  const again = figure("compareRca", about, [...live, pointLine(about, 0)]);
  assert.equal(again.data[0].x.filter((x) => x === null).length, 2);
});

test("a gap before a message is reported, and what comes twice changes nothing", () => {
  const about = makeAbout(), send = (since) => receive(messageOf("with a gap", about, ended(about).slice(since), since)).missing;
  assert.deepEqual([send(1), send(0), send(0), send(1)], [["records"], [], [], []]);
  assert.deepEqual(comparison().trainings.map((some) => some.length), [4, 4]);
});

test("gradients begin at epoch 1 on a logarithmic axis, and their band ends above zero", () => {
  const about = makeAbout(), drawn = figure("compareConsequents", about, ended(about));
  assert.equal(drawn.layout.yaxis.type, "log");
  assert.deepEqual(drawn.data.at(-1).x, [1, 2, 3]);
  assert.ok(Math.min(...drawn.data[2].y) > 0);
});

test("the first epochs and the second half can be looked at", () => {
  const about = makeAbout(4, { epochs: 40 }), x = (span) => figure("compareBca", about, ended(about), { span }).data.at(-1).x;
  assert.deepEqual([x("early"), x("late")], [range(21), range(21, (t) => 20 + t)]);
});

test("firing levels fall, with the line of equal shares, on equal axes", () => {
  const about = makeAbout(), drawn = figure("compareFiring", about, ended(about));
  assertClose(drawn.data[0].y, [0.4, 0.3, 0.2, 0.1]);
  assert.equal(drawn.data[1].xaxis, "x2");
  assert.deepEqual(drawn.layout.shapes.map(({ y0 }) => y0), [0.25, 0.25]);
  assert.deepEqual(drawn.layout.yaxis.range, drawn.layout.yaxis2.range);
  assert.ok(drawn.caption.includes("4 seeds each"));
  assertClose(figure("compareFiring", about, ended(about), { epoch: 1 }).data[0].y, [0.25, 0.25, 0.25, 0.25]);
});

test("confusion matrices are summed over the seeds", () => {
  const about = makeAbout(), lines = ended(about), drawn = figure("compareConfusion", about, lines);
  assert.deepEqual(drawn.data[0].text[0], ["40", "0", "0"]);
  assert.ok(drawn.caption.includes("MBGD 90.0%"));
  const none = lines.map((line) => ({ ...line, looks: { ...line.looks, confusion: null } }));
  assert.ok(figure("compareConfusion", about, none).caption.includes("more than 12 classes"));
});

test("planes show classes and rules of the first seed", () => {
  const about = makeAbout(2), drawn = figure("comparePlane", about, ended(about)), [regions, ellipses, centres] = drawn.data;
  assert.deepEqual([regions.z, regions.x, regions.y], [[[0, 1], [2, 0]], [0.5, 1.5], [-0.5, 0.5]]);
  assertClose(Math.max(...ellipses.x.filter((x) => x !== null)), 1.5);
  assert.deepEqual(centres.x, [1, 1, 1, 1]);
  assert.ok(drawn.caption.includes("seed 0"));
});

test("every figure is drawn at any time", () => {
  const about = makeAbout(), times = [[], [epochLine([0, 4], 0), pointLine(about, 5)], ended(about)];
  for (const name of FIGURES) {
    for (const lines of times) {
      for (const dark of [false, true]) {
        const drawn = figure(name, about, lines, { dark }), said = JSON.stringify(drawn);
        assert.ok(drawn.name);
        for (const word of ["NaN", "undefined", "Infinity", "[object"]) assert.ok(!said.includes(word), `${name}: ${word}`);
      }
    }
  }
});
