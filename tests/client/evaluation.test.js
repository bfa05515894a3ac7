// The figures of the predictions for the test rows, at the end and at recorded epochs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ENDED, asComparison, figure, makeHistory, makeRun, named } from "./runs.js";

const CONFUSION = { ...ENDED, classes: ["<b>cat</b>", "dog", "owl"], confusion: [[3, 1, 0], [0, 4, 0], [0, 0, 0]] };
const BINS = { ...ENDED, reliability: { count: [0, 4, 12], confidence: [null, 0.5, 0.9], accuracy: [null, 0.25, 1] }, ece: 0.1375 };
const OTHER = asComparison(makeRun(makeHistory(2), { ...CONFUSION, confusion: [[4, 0, 0], [0, 4, 0], [0, 0, 0]] }));
const recorded = (list) => ({ evaluations: { list, classes: CONFUSION.classes } });

test("the confusion matrix has the counts, and each class its recall", () => {
  const drawn = figure("confusion", makeRun(makeHistory(2), CONFUSION)), [map] = drawn.data;
  assert.deepEqual(map.text, [["3", "1", "0"], ["0", "4", "0"], ["0", "0", "0"]]);
  assert.deepEqual(map.z, [[0.75, 0.25, 0], [0, 1, 0], [0, 0, 0]]);
  const recall = drawn.layout.yaxis.ticktext;
  assert.ok(recall[0].includes("75.0%") && recall[1].includes("100%") && recall[2].includes("no test rows"));
  assert.equal(drawn.layout.yaxis.autorange, "reversed");
  assert.ok(drawn.name.includes("7 of 8"));
});

test("where sloping names of columns would overlap, each column has the number of its row", () => {
  const classes = [1, 2, 3, 4].map((k) => `a class with a long name, ${k}`), counts = classes.map((_, c) => classes.map((_, k) => Number(c === k)));
  const run = makeRun(makeHistory(2), { ...CONFUSION, classes, confusion: counts });
  const [wide, narrow] = [700, 240].map((width) => figure("confusion", run, null, { width }).layout);
  assert.deepEqual([wide.xaxis.tickangle, wide.xaxis.ticktext[3]], [-40, "a class wit…ng name, 4"]);
  assert.deepEqual([narrow.xaxis.tickangle, narrow.xaxis.ticktext], [0, ["1", "2", "3", "4"]]);
  assert.deepEqual([wide, narrow].map(({ yaxis }) => yaxis.ticktext[1].split("<br>")[0]), ["a class wit…ng name, 2", "2 a clas…me, 2"]);
});

test("evaluations follow the selected epoch and end with the model kept", () => {
  const bins = { count: [8], confidence: [0.5], accuracy: [0.25] };
  const kept = [{ epoch: 2, confusion: [[0, 4, 0], [4, 0, 0], [0, 0, 0]], reliability: bins, ece: 0.25 }];
  const run = makeRun(makeHistory(5), CONFUSION, recorded(kept));
  const [first, third, end] = [0, 2, null].map((index) => figure("confusion", run, OTHER, { index }));
  assert.deepEqual(third.data[0].text[0], ["0", "4", "0"]); // without the count at the end of the comparison
  assert.ok(third.name.startsWith("Confusion matrix after epoch 2 (the last one recorded up to epoch 3): 0 of 8"));
  assert.ok(first.name.startsWith("Confusion matrix after epoch 2 (the first one recorded): 0 of 8"));
  assert.ok(end.name.startsWith("Confusion matrix: 7 of 8") && end.data[0].text[0][0].includes("vs 4"));
  const reliability = figure("reliability", run, OTHER, { index: 3 });
  assert.deepEqual(named(reliability, "test rows").y, [0.25]);
  assert.ok(reliability.name.includes("after epoch 2"));
});

test("names of classes are text to Plotly and to screen readers", () => {
  const drawn = figure("confusion", makeRun(makeHistory(2), CONFUSION));
  assert.equal(drawn.layout.xaxis.ticktext[0], "&lt;b&gt;cat&lt;/b&gt;");
  assert.ok(drawn.name.includes("<b>cat</b>, 75.0%") && drawn.caption.includes("<b>cat</b>, 75.0%"));
});

test("reliability shows the bins that have rows", () => {
  const drawn = figure("reliability", makeRun(makeHistory(2), BINS)), dots = named(drawn, "test rows");
  assert.deepEqual([dots.x, dots.y, dots.customdata], [[0.5, 0.9], [0.25, 1], [4, 12]]);
  assert.ok(drawn.name.includes("0.138") && drawn.name.includes("16 test rows"));
});

test("before the first evaluation the page says when it appears", () => {
  for (const name of ["confusion", "reliability"]) {
    const drawn = figure(name, makeRun([]));
    assert.deepEqual(drawn.data, []);
    assert.ok(drawn.caption.includes("appears after the first epochs"));
    assert.ok(figure(name, makeRun(makeHistory(2), { ...ENDED, classes: ["a", "b"] })).caption.includes("not recorded for this run"));
  }
});

test("the name of a comparison is text to Plotly", () => {
  const drawn = figure("loss", makeRun(makeHistory(2)), asComparison(makeRun(makeHistory(2), ENDED), "weight of <b>cat</b> 2"));
  assert.ok(JSON.stringify(drawn.data).includes("weight of &lt;b&gt;cat") && !JSON.stringify(drawn.data).includes("<b>"));
});
