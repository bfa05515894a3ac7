// Painted points in the browser: their text, the strokes, and what the server is told.

import "./page.js";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Painting, erased, pointAt, pointsOf, sprayed, textOf } from "../../ui/client/paint/painting.js";

const VECTORS = JSON.parse(readFileSync(new URL("../vectors/painted_points.json", import.meta.url), "utf-8"));
const CLASSES = ["blue", "orange", "green"];
const GIVEN = { classes: CLASSES, most: 6, inLink: 3, text: "1.", version: 0 };

/** A painting that the server was asked to take, and what it was told. */
function begun(given = GIVEN) {
  const told = [], painting = new Painting(() => 0.25);
  painting.adopt(given, (value) => told.push(value));
  return { painting, told, take: (more) => painting.adopt({ ...given, ...more }, (value) => told.push(value)) };
}

function stroke(painting, ...places) {
  painting.begin();
  for (const place of places) painting.paint(...place);
  painting.end();
}

test("a text is the one that the server makes, and gives the points back", () => {
  for (const { text, points } of VECTORS) {
    assert.equal(textOf(points), text);
    assert.deepEqual(pointsOf(text), points);
  }
});

test("a point lies at the nearest place of the grid, or at its edge", () => {
  assert.deepEqual(pointAt(0.1234, 0.9996, 2), [123, 1000, 2]);
  assert.deepEqual(pointAt(-3, 7, 0), [0, 1000, 0]);
});

test("a spray is as wide as its radius says, and round", () => {
  let seed = 1;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const points = sprayed(0.5, 0.5, 1, 0.1, 4000, random);
  for (const axis of [0, 1]) {
    const values = points.map((point) => point[axis] / 1000), mean = values.reduce((sum, value) => sum + value) / values.length;
    const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
    assert.ok(Math.abs(mean - 0.5) < 0.005 && Math.abs(deviation - 0.05) < 0.003);
  }
});

test("an eraser takes what lies within its radius, of every class", () => {
  const points = [[500, 500, 0], [560, 500, 1], [600, 500, 1]];
  assert.deepEqual(erased(points, 0.5, 0.5, 0.07), [[600, 500, 1]]);
  assert.equal(erased(points, 0.1, 0.1, 0.07), points);
});

test("the server is told once, at rest after the last stroke", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { painting, told } = begun();
  stroke(painting, [0.1, 0.1]);
  t.mock.timers.tick(200);
  painting.class = 1;
  stroke(painting, [0.9, 0.9], [0.905, 0.9], [0.5, 0.9]); // the second is too near to the first
  t.mock.timers.tick(200);
  assert.deepEqual(told, []);
  t.mock.timers.tick(200);
  assert.deepEqual(told, [{ version: 0, text: textOf([[100, 100, 0], [900, 900, 1], [500, 900, 1]]) }]);
});

test("points stay where the page is drawn again, and the server is told what it does not know", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { painting, told, take } = begun();
  painting.begin();
  painting.paint(0.2, 0.2);
  take({}); // amid the stroke
  painting.paint(0.4, 0.4);
  painting.end();
  t.mock.timers.tick(400);
  assert.equal(painting.points.length, 2);
  take({}); // that message was lost
  t.mock.timers.tick(400);
  assert.deepEqual(told, Array(2).fill({ version: 0, text: textOf(painting.points) }));
  take({ text: textOf(painting.points) });
  t.mock.timers.tick(400);
  assert.equal(told.length, 2);
});

test("points that the server put in their place can be undone, and strokes one by one", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { painting, told, take } = begun();
  stroke(painting, [0.1, 0.1]);
  stroke(painting, [0.5, 0.5]);
  take({ version: 1, text: textOf([[7, 7, 2]]) });
  assert.deepEqual(painting.points, [[7, 7, 2]]);
  t.mock.timers.tick(400);
  assert.deepEqual(told, []); // of points that are gone
  const lengths = [];
  while (painting.undoable) {
    painting.undo();
    lengths.push(painting.points.length);
  }
  t.mock.timers.tick(400);
  assert.deepEqual(lengths, [2, 1, 0]);
  assert.deepEqual(told, [{ version: 1, text: "1." }]);
});

test("a stroke that changes nothing is none, and there are never too many points", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { painting, told } = begun();
  painting.tool = "erase";
  stroke(painting, [0.5, 0.5]);
  t.mock.timers.tick(400);
  assert.deepEqual([painting.undoable, told], [false, []]);
  painting.tool = "spray";
  stroke(painting, [0.5, 0.5], [0.6, 0.6], [0.7, 0.7], [0.8, 0.8]);
  assert.equal(painting.points.length, 6);
  painting.clear();
  assert.equal(painting.points.length, 0);
});
