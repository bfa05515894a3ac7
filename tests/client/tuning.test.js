// The figure of tuning: a dot for each candidate.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";
import { searchFigure } from "../../ui/client/tuning/search.js";

const trial = (number, score, state = "training", changes = {}) => (
  { number, score, state, sd: 0.02, validations: 5, settings: `scaled, R ${number}`, own: number === 1, ...changes });
const TRIALS = [trial(4, 0.9), trial(2, 0.88), trial(1, 0.8, "dropped"), trial(3, 0.93, "dropped", { sd: null, validations: 1 })];

test("a dot is filled while in the race, hollow when dropped, and a star when best", () => {
  const drawn = searchFigure({ ended: false, trials: TRIALS }, false);
  const points = drawn.data.filter(({ x }) => x.length).map(({ name, x, y, marker }) => [name, x, y, marker.symbol ?? "circle"]);
  assert.deepEqual(points.sort(), [
    ["best so far", [4], [0.9], "star"], ["dropped", [1, 3], [0.8, 0.93], "circle-open"], ["in the race", [2], [0.88], "circle"],
  ]);
  assert.deepEqual(drawn.layout.shapes.map(({ y0, y1 }) => [y0, y1]), [[0.9, 0.9]]);
  assert.ok(drawn.name.includes("4 combinations") && drawn.name.includes("best so far is number 4 with 0.900"));
});

test("a dot says its settings and score", () => {
  const texts = searchFigure({ ended: false, trials: TRIALS }, false).data.flatMap(({ text }) => text);
  assert.ok(texts.includes("1: your settings: scaled, R 1<br>BCA 0.800 (SD 0.020 over 5 folds), dropped"));
  assert.ok(texts.includes("3: scaled, R 3<br>BCA 0.930 (one fold), dropped"));
});

test("the figure is drawn before the first candidate and at the end", () => {
  for (const [ended, trials] of [[false, []], [true, TRIALS]]) {
    const said = JSON.stringify(searchFigure({ ended, trials }, true));
    for (const word of ["NaN", "undefined", "Infinity", "[object"]) assert.ok(!said.includes(word));
  }
});
