// The figures of a comparison, and the trainings that are made of its records.

import assert from "node:assert/strict";
import { test } from "node:test";
import { FACTORS, ended, epochLine, figure, makeAbout, pointLine } from "./comparisons.js";
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

test("a mean of fewer seeds is named as one, where it is drawn and in the caption", () => {
  const about = makeAbout(4, { epochs: 5 }), short = makeAbout(4, { epochs: 2 });
  const lines = [0, 1, 2].map((number) => pointLine(short, number, 0.5)).concat(pointLine(about, 3, 0.9));
  const drawn = figure("compareBca", about, lines), line = drawn.data.at(-2);
  assert.deepEqual([line.x, line.customdata], [range(6), [4, 4, 4, 1, 1, 1]]);
  assert.ok(line.hovertemplate.includes("mean of %{customdata}"));
  assert.match(drawn.caption, /Means of fewer seeds, .*: MBGD from epoch 3 on\./);
  assert.match(drawn.name, /MBGD 0\.\d+ \(mean of 1\)/);
  assert.ok(!figure("compareBca", about, ended(about)).caption.includes("fewer seeds"));
});

test("a figure's name has the means of the epoch selected, whatever part of the epochs is drawn", () => {
  const about = makeAbout(2, { epochs: 40 }), lines = ended(about), at = (options) => figure("compareBca", about, lines, options).name;
  assert.equal(at({ span: "early" }), at({}));
  assert.equal(at({ span: "late", epoch: 5 }), at({ epoch: 5 }));
  assert.notEqual(at({ epoch: 5 }), at({}));
  const short = [pointLine({ ...about, epochs: 10 }, 0), ...lines.slice(2)]; // the only one of the first variant, which diverged
  assert.match(figure("compareBca", about, short, {}).name, /at epoch 40: MBGD 0\.\d+ \(mean of 1, at epoch 10\), UR 0\.\d+ \(mean of 2\)/);
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

test("gradients begin at epoch 1 on a logarithmic axis, and their band ends above zero", () => {
  const about = makeAbout(), drawn = figure("compareConsequents", about, ended(about));
  assert.equal(drawn.layout.yaxis.type, "log");
  assert.deepEqual(drawn.data.at(-1).x, [1, 2, 3]);
  assert.ok(Math.min(...drawn.data[2].y) > 0);
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

test("planes have a key: the colour of each class as it is drawn, and what is drawn of a rule", () => {
  const about = makeAbout(2), drawn = figure("comparePlane", about, ended(about)), [regions] = drawn.data;
  const key = drawn.data.filter((trace) => trace.showlegend);
  const drawnColours = regions.colorscale.filter((_, k) => k % 2 === 0).map(([, colour]) => colour);
  assert.deepEqual(key.map((trace) => trace.name), ["a", "b", "c", "centre of a rule", "its reach, 1 σ"]);
  const colours = key.slice(0, 3).map(({ marker }) => marker.color.replace("rgba", "rgb").replace(`,${regions.opacity})`, ")"));
  assert.deepEqual(colours, drawnColours);
  assert.ok(drawn.layout.showlegend && drawn.layout.margin.t > drawn.layout.legend.font.size); // above the panels, not over them
});
