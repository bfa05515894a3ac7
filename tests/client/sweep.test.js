// The figures of a sweep.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";
import { sweepFigure } from "../../ui/client/sweep/view.js";
import { assertClose, range } from "./numbers.js";
import { checked } from "./runs.js";
import { makeSweep } from "./sweeps.js";

const figure = (sweep, { dark = false, width = 900 } = {}) => JSON.parse(JSON.stringify(sweepFigure(sweep, dark, width), checked));
const traces = ({ data }, name) => data.filter((trace) => trace.name === name);
const texts = ({ layout }) => layout.annotations.map(({ text }) => text);
const LINE = makeSweep([["batch", 16, 32, 64]], [0.7, 0.8, 0.797]);

test("a line has the means, its band, and a dot for each training", () => {
  const drawn = figure(LINE), [line] = traces(drawn, "mean"), [upper] = traces(drawn, "SD over 8 seeds"), [dots] = traces(drawn, "a training");
  assertClose(line.x, [16, 32, 64].map(Math.log10));
  assert.deepEqual([line.y, line.customdata], [[0.7, 0.8, 0.797], [0, 1, 2]]);
  assertClose(upper.y, [0.72, 0.82, 0.817]);
  const seeds = LINE.cells.flatMap((cell) => cell.seeds.map(([, value]) => value));
  assert.deepEqual([...dots.y].sort(), seeds.sort());
  assert.deepEqual(drawn.layout.xaxis.ticktext, ["16", "32", "64"]);
});

test("the highest and those not separated from it are marked", () => {
  const drawn = figure(LINE), [best] = traces(drawn, "highest"), [close] = traces(drawn, "not separated from the highest");
  assert.deepEqual([best.customdata, close.customdata, best.marker.symbol], [[1], [2], "star"]);
});

test("zero stands apart on a logarithmic axis, and the line breaks", () => {
  const drawn = figure(makeSweep([["ur", 0, 1, 10]], [0.7, 0.75, 0.8])), [{ x: [zero, gap, one, ten], y }] = traces(drawn, "mean");
  assert.deepEqual([gap, y[1], one, ten], [null, null, 0, 1]);
  assert.ok(zero < -1);
  assert.deepEqual([drawn.layout.xaxis.ticktext, drawn.layout.xaxis.tickvals[0]], [["0", "1", "10"], zero]);
});

test("baselines are lines with names, and one far below is named at the edge", () => {
  const drawn = figure(LINE);
  assert.deepEqual(drawn.layout.shapes.map((shape) => shape.name).filter(Boolean), ["logistic regression BCA 0.765"]);
  assert.ok(texts(drawn).includes("↓ majority class BCA 0.330"));
  assert.ok(drawn.layout.yaxis.range[0] > 0.4);
});

test("trainings that diverged are clipped and counted", () => {
  const [first, ...others] = LINE.cells, seeds = first.seeds.map((seed, k) => (k ? seed : [0, 0.1, true]));
  const drawn = figure({ ...LINE, cells: [{ ...first, diverged: 1, seeds }, ...others] }), [low] = drawn.layout.yaxis.range;
  assert.deepEqual(traces(drawn, "diverged")[0].y, [low]);
  assert.ok(low > 0.1 && texts(drawn).includes("1 of 8<br>diverged"));
  assert.equal(traces(drawn, "a training")[0].y.length, 23);
});

test("a heat map has a cell for each pair with its number, and outlines", () => {
  const drawn = figure(makeSweep([["batch", 16, 32, 64], ["ur", 0, 10]], [0.7, 0.8, 0.75, 0.795, 0.6, 0.72])), [heat] = drawn.data;
  assert.deepEqual(heat.customdata, [[0, 2, 4], [1, 3, 5]]);
  assert.deepEqual(heat.z, [[0.7, 0.75, 0.6], [0.8, 0.795, 0.72]]);
  assert.ok(heat.texttemplate && heat.text[1][0] === "<b>0.800</b>");
  assert.deepEqual(drawn.layout.shapes.map(({ line }) => line.dash).filter(Boolean).sort(), ["dash", "solid"]);
  assertClose(drawn.layout.coloraxis.cmin, 0.6);
});

test("lines of two axes say what the bands are and how many trainings diverged", () => {
  const sweep = makeSweep([["batch", 16, 32], ["ur", 0, 10]], [0.7, 0.8, 0.75, 0.6], { draw: "lines" });
  sweep.cells[2].diverged = 1;
  const drawn = figure(sweep);
  assert.ok(traces(drawn, "SD over 8 seeds").at(-1).showlegend);
  assert.deepEqual(drawn.data.filter((trace) => trace.mode === "text").map((trace) => trace.text), [["†1"]]);
});

test("numbers that do not fit are left out", () => {
  const many = makeSweep([["batch", 8, 16, 32, 64, 128, 256, 512, 1024], ["ur", 0, 0.1, 0.3, 1, 3, 10, 30, 100]], range(64, () => 0.5));
  assert.equal(figure(many, { width: 330 }).data[0].texttemplate, "");
});

test("a third and a fourth axis make panels", () => {
  const three = [["batch", 16, 32], ["ur", 0, 10], ["rules", 2, 5, 10]], drawn = figure(makeSweep(three, range(12, () => 0.7)));
  assert.equal(drawn.data.length, 3);
  assert.deepEqual(texts(drawn), ["<b>R 2</b>", "<b>R 5</b>", "<b>R 10</b>"]);
  const lines = figure(makeSweep(three, range(12, () => 0.7), { draw: "lines" }));
  assert.deepEqual([...new Set(lines.data.map((trace) => trace.name).filter((name) => name?.startsWith("λ")))], ["λ 0", "λ 10"]);
  const four = [["batch", 16, 32], ["ur", 0, 10], ["rules", 2, 5], ["lr", 0.01, 0.1]];
  assert.deepEqual(texts(figure(makeSweep(four, range(16, () => 0.7)))), ["R 2, η 0.01", "R 5, η 0.01", "R 2, η 0.1", "R 5, η 0.1"].map((text) => `<b>${text}</b>`));
  const [parallel] = figure(makeSweep(four, range(16, () => 0.7), { draw: "parallel" })).data;
  assert.deepEqual(parallel.dimensions.map(({ label }) => label), ["Batch size B", "UR weight λ", "Rules R", "Learning rate η", "BCA"]);
});
