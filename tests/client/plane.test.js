// The picture of a plane as a list of what is drawn, how that becomes a canvas or SVG, what the pointer finds and moves, and surfaces.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";
import { classColours, inks, ruleColour } from "../../ui/client/core/colours.js";
import { surface } from "../../ui/client/model/inference.js";
import { frameOf } from "../../ui/client/model/plane_frame.js";
import { roundTicks, scaleOf } from "../../ui/client/plane/axes.js";
import { paintOn, svgOf } from "../../ui/client/plane/canvas.js";
import { planePicture, stillOf } from "../../ui/client/plane/picture.js";
import { dragged, nearest, zoomed } from "../../ui/client/plane/pointer.js";
import { surfaces } from "../../ui/client/plane/surface.js";
import { assertClose, chance } from "./numbers.js";
import { makeRows, makeRule, number, sceneOf } from "./rulebases.js";

const PAPER = { width: 600, height: 440, size: 14, small: 11.2, measure: (text, size) => 0.6 * size * text.length, classes: false };
const COLUMNS = [number("<size>"), { feature: "colour", kind: "category", category: "red" }];
/** A training row and three test rows, of which one is no cat. */
const ROWS = makeRows([[1, 1], [2, 0], [4, 0], [5, 1]], [0, 0, 1, 0], [0, 1, 1, 1]);

/** Two rules: the first about both columns, the second about the first alone. */
const scene = (more = {}) => sceneOf(COLUMNS, [
  makeRule([1.5, 0.5], [1, 0.4], [[2, 0, 0], [0, 0, 0]]), makeRule([4.5, 0.5], [1, null], [[0, 0, 0], [2, 0, 0]]),
], ["cat", "dog"], ROWS, { x: [3, 0.5], plane: "features", across: 0, up: 1, index: null, firing: [0.8, 0.2], ...more });

function drawn(now, surfaceOf = null, explained = true) {
  const frame = frameOf(now, 8), still = stillOf(now, frame, PAPER, explained);
  const picture = planePicture(still, now, frame, PAPER, surfaceOf?.(frame) ?? null, explained);
  return { picture, frame, all: [...picture.still, ...picture.marks], to: scaleOf(frame, picture.plot) };
}

const textsOf = (marks) => marks.filter(({ text }) => text !== undefined).map(({ text }) => text);
const at = (marks, place) => marks.filter((mark) => mark.at && Math.hypot(mark.at[0] - place[0], mark.at[1] - place[1]) < 0.01);

test("ticks are round numbers of the range, told apart, and not too many", () => {
  const next = chance(3);
  for (let trial = 0; trial < 300; trial += 1) {
    const low = (next() - 0.5) * 10 ** Math.floor(12 * next() - 4), high = low + (0.01 + next()) * 10 ** Math.floor(10 * next() - 4);
    const ticks = roundTicks([low, high], 6), width = high - low;
    assert.ok(ticks.length >= 1 && ticks.length <= 7, `${low} ${high}: ${ticks.length}`);
    assert.ok(ticks.every(({ value }) => value >= low - 1e-9 * width && value <= high + 1e-9 * width));
    const written = ticks.map(({ text }) => text);
    if (Math.abs(low) < 1e3 * width) assert.equal(new Set(written).size, ticks.length, written.join());
  }
  const texts = (low, high, most) => roundTicks([low, high], most).map(({ text }) => text);
  assert.deepEqual(texts(-1.1, 1.1, 5), ["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
  assert.deepEqual(texts(2021.8, 2024.2, 4), ["2022", "2023", "2024"]); // years have no comma
  assert.deepEqual(texts(0, 2_400_000, 4), ["0", "1M", "2M"]);
  assert.deepEqual(texts(0, 3e-7, 3), ["0e+0", "1e−7", "2e−7", "3e−7"]);
});

test("training rows are hollow, test rows filled, and those misclassified crossed, each at its place", () => {
  const now = scene(), { all, frame, to, picture } = drawn(now), { ink, paper } = inks(false);
  const [cat, dog] = classColours(now.table.classes, false);
  const marks = ROWS.x.map((row, n) => {
    const [x, y] = frame.coordinates(row, n);
    return at(all, [to.x(x), to.y(y)]).map(({ fill, stroke }) => [fill, stroke]);
  });
  assert.deepEqual(marks[0], [[undefined, ink], [undefined, cat]]);
  assert.deepEqual(marks[1], [[cat, ink]]);
  assert.deepEqual(marks[2], [[dog, ink]]);
  assert.deepEqual(marks[3], [[cat, ink], [undefined, paper], [undefined, ink]]); // the model says dog
  assert.deepEqual(picture.spots.filter(({ row }) => row !== undefined).map(({ text }) => text()), [
    "row 1 (training): true class cat, predicted cat", "row 2 (test): true class cat, predicted cat",
    "row 3 (test): true class dog, predicted dog", "row 4 (test): true class cat, predicted dog",
  ]);
  const counts = "3 test rows and 1 training row, 1 of them misclassified, and 2 rules.";
  assert.equal(picture.name, `Plane of <size> and colour is red: the predicted class at each place, ${counts}`);
});

test("an outline is an ellipse, dotted as a band where a condition is missing; the more a rule fires, the bolder", () => {
  const { picture, frame, to } = drawn(scene()), own = (r) => picture.marks.filter(({ stroke }) => stroke === ruleColour(r, false));
  const [ellipse, ring] = own(0), [band, other] = own(1);
  assert.equal(ellipse.dash, undefined);
  const points = ellipse.path.slice(1, -1).split("L").map((pair) => pair.split(" ").map(Number));
  assert.ok(points.length > 30);
  const [across, up] = [to.x(2.5) - to.x(1.5), to.y(0.9) - to.y(0.5)];
  for (const [x, y] of points) assertClose(Math.hypot((x - to.x(1.5)) / across, (y - to.y(0.5)) / up), 1, 0.01);
  assert.deepEqual(band.dash, [2, 2]);
  assert.deepEqual(band.path.match(/[\d.]+/g).slice(0, 4).filter((_, k) => k % 3 === 0).map(Number), [to.x(3.5), to.x(5.5)]);
  for (const mark of [ellipse, band]) assert.ok(mark.inside); // what is outside the plot is cut off
  assert.ok(ring.opacity === 1 && ellipse.opacity === 1 && other.opacity < 0.5 && band.opacity === other.opacity);
  assert.deepEqual(picture.spots.slice(4, 6).map(({ text }) => text()).sort(), ["rule 1: 80.0% of the firing", "rule 2: 20.0% of the firing"]);
  assert.ok(frame.outline(0));
});

test("of numbers on each other only that of the most active rule stands, and bolder rules lie above", () => {
  const centers = [[1, 0.5], [1.01, 0.5], [1.02, 0.5], [4, 0.5]];
  const rules = centers.map((center) => makeRule(center, [0.5, 0.3], [[1, 0, 0], [0, 0, 0]]));
  const now = sceneOf(COLUMNS, rules, ["cat", "dog"], ROWS, { across: 0, up: 1, firing: [0.1, 0.5, 0.2, 0.2] }), { picture } = drawn(now);
  assert.deepEqual(textsOf(picture.marks).sort(), ["2", "4"]);
  const rings = picture.marks.filter(({ fill, width }) => fill === inks(false).paper && width === 3);
  assert.equal(rings.length, 4); // the others keep their rings
  assert.deepEqual(rings.map(({ opacity }) => opacity), rings.map(({ opacity }) => opacity).sort());
});

test("axes have titles and ticks, categories by their words; the legend says what is drawn", () => {
  const { picture, to } = drawn(scene()), texts = textsOf(picture.still);
  const wanted = ["<size>", "colour is red", "no", "yes", "training row", "test row", "misclassified", "typical row"];
  for (const text of wanted) assert.ok(texts.includes(text), text);
  const yes = picture.still.find(({ text }) => text === "yes");
  assertClose(yes.at[1], to.y(1));
  assert.ok(yes.at[0] < picture.plot.left && picture.still.find(({ text }) => text === "colour is red").turned);
  assert.ok(!textsOf(drawn(scene(), null, false).picture.still).includes("typical row")); // where no reasons stand beside it
  const file = textsOf(stillOf(scene(), frameOf(scene(), 8), { ...PAPER, classes: true }).marks);
  assert.ok(file.includes("cat") && file.includes("dog") && !texts.includes("cat")); // a file has nothing below it that names them
  const narrow = stillOf(scene(), frameOf(scene(), 8), { ...PAPER, width: 240 }).marks.filter(({ text, align }) => text && align === "start");
  assert.ok(new Set(narrow.map(({ at: [, y] }) => y)).size > 1); // its legend goes on in another line
});

test("the selected row has a ring, and a dotted line leads to where changes move it", () => {
  const start = ROWS.x[1], now = scene({ index: 1, start, x: [3, 0] }), { picture, to, frame } = drawn(now), { ink } = inks(false);
  const [from, end] = [start, [3, 0]].map((row) => frame.coordinates(row, 1)).map(([x, y]) => [to.x(x), to.y(y)]);
  assert.equal(at(picture.marks, from).filter(({ stroke, width }) => stroke === ink && width === 3).length, 1);
  assert.equal(at(picture.marks, end).filter(({ fill }) => fill === ink).length, 1);
  const line = picture.marks.find(({ dash, stroke }) => dash && stroke === ink);
  assertClose(line.path.match(/[\d.]+/g).map(Number), [...from, ...end], 0.01);
  assert.deepEqual(picture.spots.slice(-2).map(({ text }) => text()), ["row 2, selected", "the row with your changes"]);
  assert.ok(textsOf(picture.still).includes("your changes"));
});

test("what was predicted on the page Learn is drawn over the plane of its features alone", () => {
  const prediction = { kind: "region", measure: "", labels: [], values: [1, 0, 0, 0], label: "guess", grid: 2, ranges: [[0, 4], [0, 1]], class: null };
  const of = (features) => drawn(scene({ prediction: { ...prediction, features } }));
  const dashed = ({ picture }) => picture.marks.filter(({ dash }) => dash?.[0] === 7.5);
  const [line, ...more] = dashed(of(["<size>", "colour"]));
  assert.equal(more.length, 0);
  assert.equal(line.path.match(/M/g).length, 4); // the sides of one cell
  assert.ok(textsOf(of(["<size>", "colour"]).picture.still).includes("guess"));
  assert.deepEqual(dashed(of(["colour", "<size>"])), []);
});

/** A canvas that writes down what is done on it, with the styles at that moment. */
function recording() {
  const calls = [], kept = [];
  const context = new Proxy({ fillStyle: "", strokeStyle: "", lineWidth: 1, globalAlpha: 1, font: "", textAlign: "", inside: 0 }, {
    get(target, name) {
      if (name in target) return target[name];
      return (...given) => {
        if (name === "save") kept.push({ ...target });
        if (name === "clip") target.inside += 1;
        if (name === "restore") Object.assign(target, kept.pop());
        calls.push({ name, given, ...target });
      };
    },
  });
  return { context, calls, kept };
}

test("a canvas gets the surface, then the marks in their order, those inside cut off at the plot", () => {
  globalThis.Path2D ??= class { constructor(path) { this.path = path; } };
  const now = scene();
  const surfaceOf = (frame) => ({ ...surface(now.model, frame, frame.us, frame.vs), columns: 8, x: frame.x.range, y: frame.y.range });
  const { picture, all } = drawn(now, surfaceOf), { context, calls, kept } = recording();
  paintOn(context, picture, "image", 2);
  const [image, ...others] = calls.filter(({ name }) => name === "drawImage");
  assert.deepEqual(others, []);
  assert.equal(image.given[0], "image");
  assertClose(image.given.slice(1), [picture.plot.left, picture.plot.top, picture.plot.width, picture.plot.height], 1e-6);
  assert.deepEqual(calls[0].given, [2, 0, 0, 2, 0, 0]); // two pixels of the screen for each
  const inked = calls.filter(({ name }) => ["fill", "stroke", "fillText"].includes(name));
  const expected = all.flatMap(({ text, fill, stroke, inside, opacity = 1 }) => {
    const cut = Number(inside ?? false);
    if (text !== undefined) return [["fillText", fill, opacity, cut]];
    return [...(fill ? [["fill", fill, opacity, cut]] : []), ...(stroke ? [["stroke", stroke, opacity, cut]] : [])];
  });
  assert.deepEqual(inked.map(({ name, fillStyle, strokeStyle, globalAlpha, inside }) => (
    [name, name === "stroke" ? strokeStyle : fillStyle, globalAlpha, inside])), expected);
  assert.equal(kept.length, 0);
  const again = recording();
  paintOn(again.context, picture, null, 1, "still");
  assert.deepEqual(again.calls.filter(({ name }) => name === "drawImage").map(({ given }) => given), [["still", 0, 0, 600, 440]]);
  assert.ok(again.calls.length < calls.length - all.length / 3); // what stays is not drawn again
});

test("SVG has the same marks, with all names as text", () => {
  const { picture, all } = drawn(scene()), text = svgOf(picture, "");
  assert.ok(text.includes(">&lt;size&gt;</text>") && !text.includes("<size>"));
  assert.equal(text.match(/<text/g).length, textsOf(all).length);
  assert.equal(text.match(/<path/g).length, all.length - textsOf(all).length);
  assert.doesNotMatch(text, /undefined|NaN|<image/);
});

test("the nearest spot is found, and none far away", () => {
  const spots = [{ at: [10, 10], text: () => "a" }, { at: [30, 10], text: () => "b", row: 1 }, { at: [30, 10], text: () => "c", row: 2 }];
  assert.equal(nearest(spots, [12, 12]).text(), "a");
  assert.equal(nearest(spots, [27, 10]).text(), "c"); // the one drawn above
  assert.equal(nearest(spots, [60, 10]), null);
});

test("dragging moves the axes with the pointer, and the wheel leaves what is under it where it is", () => {
  const { frame, picture: { plot }, to } = drawn(scene()), back = (place) => {
    const moved = scaleOf({ x: { range: place.x }, y: { range: place.y } }, plot);
    return (x, y) => [moved.x(x), moved.y(y)];
  };
  const [from, end] = [[plot.left + 50, plot.top + 60], [plot.left + 90, plot.top + 20]];
  assertClose(back(dragged(frame, plot, from, end))(2, 0.3), [to.x(2) + 40, to.y(0.3) - 40]);
  const near = zoomed(frame, plot, [to.x(2), to.y(0.3)], -100);
  assertClose(back(near)(2, 0.3), [to.x(2), to.y(0.3)]);
  assert.ok(near.x[1] - near.x[0] < frame.x.range[1] - frame.x.range[0]);
  const single = frameOf(scene({ up: 0 }), 8);
  assert.deepEqual(dragged(single, plot, from, end).y, single.y.range);
  assert.deepEqual(zoomed(single, plot, from, 5).y, single.y.range);
});

/** Workers that answer when they are told to; each knows what it was sent. */
function workers() {
  const made = [];
  globalThis.Worker = class {
    sent = [];

    constructor() { made.push(this); }

    postMessage(task) { this.sent.push(task); }

    terminate() { this.ended = true; }

    answer() {
      const { id, given } = this.sent.at(-1);
      this.onmessage({ data: { id, found: surface(...given) } });
      return new Promise((done) => { setTimeout(done); });
    }
  };
  globalThis.window ??= globalThis;
  return made;
}

test("of surfaces that are wanted while one is computed only the last one is, and the one before stays meanwhile", async () => {
  const made = workers();
  let ready = 0;
  const now = scene(), frame = frameOf(now, 80), ask = surfaces(() => { ready += 1; });
  const [first, second, third] = [1, 2, 3].map((epoch) => ({ scene: { ...now, model: { ...now.model, epoch } }, frame }));
  assert.equal(ask(first), null);
  assert.equal(ask(second), null);
  assert.equal(ask(third), null);
  const [worker] = made;
  assert.equal(worker.sent.length, 1);
  await worker.answer();
  assert.equal(ready, 1);
  assert.deepEqual(worker.sent.map(({ name, given: [{ epoch }] }) => [name, epoch]), [["surface", 1], ["surface", 3]]);
  const before = ask(third);
  assert.deepEqual([...before.predicted], [...surface(first.scene.model, first.frame, first.frame.us, first.frame.vs).predicted]);
  assert.equal(ask({ ...third, scene: { ...third.scene, across: 1, up: 0 } }), null); // on other axes it would say something else
  assert.equal(ask({ ...third, scene: { ...third.scene, table: { ...third.scene.table } } }), before); // of another run on the same data
  assert.equal(ask(third), before);
  await worker.answer();
  assert.notEqual(ask(third), before);
  assert.equal(ask(third, true), ask(third)); // as when the page is printed
  worker.onerror({ preventDefault() {} }); // as where a page's policy forbids workers: what follows is computed here, in slices
  assert.ok(worker.ended);
  const fourth = { ...first, scene: { ...first.scene, x: [...first.scene.x] } };
  ask(fourth);
  while (ready < 3) await new Promise((done) => { setTimeout(done, 5); });
  assert.equal(made.length, 1);
  const found = ask(fourth), whole = surface(first.scene.model, first.frame, first.frame.us, first.frame.vs);
  assert.deepEqual([...found.predicted], [...whole.predicted]);
  assertClose([...found.probability], [...whole.probability]);
});

