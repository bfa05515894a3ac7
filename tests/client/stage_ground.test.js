// The large picture of the stage: which rules the plane draws strongly, the outline under the pointer, whether the grid comes first, and
// where the grid's rules, features and curves stand.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";
import { inks, ruleColour } from "../../ui/client/core/colours.js";
import { firingOf } from "../../ui/client/model/inference.js";
import { agreement, frameOf } from "../../ui/client/model/plane_frame.js";
import { predictedOf, sceneOf as selectedScene, selectGrid } from "../../ui/client/model/selection.js";
import { scaleOf } from "../../ui/client/plane/axes.js";
import { emphasisOf, levelsAt, outlineAt, styles } from "../../ui/client/plane/emphasis.js";
import { planePicture, stillOf } from "../../ui/client/plane/picture.js";
import { calmOrder, cellText, gridOf, paintGrid } from "../../ui/client/stage/grid.js";
import { assertClose, chance, falling, range } from "./numbers.js";
import { category, makeRows, makeRule, number, randomScene, sceneOf } from "./rulebases.js";

globalThis.document.createElement ??= () => ({ getContext: () => null }); // which only measures letters here
const LETTERS = { size: 14, small: 11.2, measure: (text, size) => 0.6 * size * text.length };
const PAPER = { ...LETTERS, width: 600, height: 480, classes: true, above: 28 };
const PLANE = { plane: "features", across: 0, up: 1, index: null };
const nothing = () => {};

/** Twelve rules along a diagonal, the last two at its end without a condition on the second column. */
function diagonal(more = {}) {
  const rules = range(12, (r) => makeRule([r, r], [0.5, r < 10 ? 0.5 : null], [[1, 0, 0], [0, 0, 0]]));
  const rows = makeRows([[0, 0], [11, 11], [5, 5.1]]), firing = range(12, (r) => (r + 1) / 78);
  return sceneOf([number("a"), number("b")], rules, ["cat", "dog"], rows, { x: [5, 5], ...PLANE, firing, ...more });
}

function drawn(scene, linked = {}, here = null) {
  const paper = { ...PAPER, linked: { marked: null, beside: null, label: "λ 0", point: nothing, keep: nothing, ...linked } };
  const frame = frameOf(scene, 8), still = stillOf(scene, frame, paper, false);
  return { frame, still, plot: still.plot, picture: planePicture(still, scene, frame, paper, null, false, here) };
}

test("the firing levels at a place of a plane are those of the row that it stands for; at a row, its own", () => {
  for (let seed = 1; seed < 12; seed += 1) {
    const next = chance(seed), x = range(6, next);
    const scene = { ...randomScene(5, 3, seed), ...PLANE, x, start: x }, { frame, plot } = drawn(scene), to = scaleOf(frame, plot);
    const [a, b] = [0, 1].map((k) => [frame.x, frame.y][k].range).map(([low, high]) => low + next() * (high - low));
    assertClose(levelsAt(scene, frame, plot, { at: [to.x(a), to.y(b)] }), firingOf(scene.model, [a, b, ...x.slice(2)]), 1e-6);
    assertClose(levelsAt(scene, frame, plot, { at: [0, 0], row: 4 }), firingOf(scene.model, scene.table.rows.x[4]));
  }
});

test("strong are the marked rule alone, else those that fire at the pointer, else the most active ones", () => {
  const scene = diagonal(), strong = (...given) => emphasisOf(scene, ...given).strong;
  assert.deepEqual(strong(7, null), [7]);
  assert.deepEqual(strong(7, firingOf(scene.model, [2, 2])), [7]);
  assert.deepEqual(strong(null, firingOf(scene.model, [2, 2])), [2]);
  assert.deepEqual(strong(null, range(12, () => 1 / 12)), range(12)); // all fire alike there
  assert.deepEqual(strong(null, null), range(8, (k) => 11 - k));
  assert.deepEqual(emphasisOf(diagonal({ index: 2, x: [5, 5.1] }), null, null).strong, [5]); // of the selected row
  assert.deepEqual(emphasisOf(diagonal({ firing: [1] }), null, null).strong.length, 8); // the firing levels are of another model
  const style = styles(emphasisOf(scene, 7, null), 2), faint = style(3), marked = style(7);
  assert.ok(marked.tinted && !faint.tinted && marked.opacity === 1 && faint.opacity < 0.3 && marked.width > 2 && faint.width < 2);
});

test("the picture tints the reach of the marked rule, and draws the others faintly below it", () => {
  const { picture } = drawn(diagonal(), { marked: 3 }), colour = ruleColour(3, false);
  const own = picture.marks.filter(({ fill, stroke, at }) => !at && [fill, stroke].includes(colour));
  assert.deepEqual(own.map(({ fill }) => fill), [colour, undefined]);
  assert.equal(own[0].path, own[1].path);
  const outlines = picture.marks.filter(({ stroke, at }) => stroke && !at);
  assert.equal(outlines.at(-1), own[1]);
  assert.ok(outlines.slice(0, -1).every(({ opacity, width }) => opacity < 0.3 && width < own[1].width));
  assert.deepEqual(picture.spots.filter(({ rule }) => rule !== undefined).map(({ rule }) => rule).sort((a, b) => a - b), range(12));
});

test("the comparison's most active rules are dashed, and the legend says whose they are", () => {
  const other = diagonal({ firing: range(12, (r) => (12 - r) / 78) }), { ink } = inks(false);
  const { picture, still } = drawn(diagonal(), { beside: other }), names = still.marks.map(({ text }) => text);
  const dashedOf = ({ marks }) => marks.filter(({ dash, stroke, at }) => dash && stroke === ink && !at), dashed = dashedOf(picture);
  assert.equal(dashed.length, 8);
  assert.ok(names.includes("λ 0") && names.includes("reach of a rule (1 σ)") && names.includes("misclassified"));
  assert.ok(!drawn(diagonal()).still.marks.some(({ text }) => text === "λ 0"));
  const [quiet] = dashedOf(drawn(diagonal(), { beside: other, marked: 2 }).picture);
  assert.ok(quiet.opacity < dashed[0].opacity);
  const [{ at: [, first] }] = still.marks.filter(({ text }) => text === "cat");
  assert.ok(first > PAPER.above && still.plot.top > first); // room for the controls
});

test("the pointer is on an outline near its line alone, also of a band", () => {
  const scene = diagonal(), { frame, plot } = drawn(scene), to = scaleOf(frame, plot), rules = range(12);
  const on = (x, y, by = [0, 0]) => outlineAt(frame, plot, rules, [to.x(x) + by[0], to.y(y) + by[1]]);
  assert.equal(on(4.5, 4, [3, 0]), 4);
  assert.equal(on(4, 4), null);
  assert.equal(on(4.5, 4, [9, 0]), null);
  assert.equal(on(11.5, 3, [2, 0]), 11);
  assert.equal(outlineAt(frame, plot, [3], [to.x(4.5), to.y(4)]), null);
  const lost = { ...frame, outline: () => ({ polygon: [[NaN, NaN], [NaN, 0]] }) }; // diverged
  assert.equal(outlineAt(lost, plot, rules, [to.x(4.5), to.y(4)]), null);
});

/** The scene of a run with the last snapshot of `scene`, on data of this name. */
function begun({ snapshot, base, table: { rows } }, data) {
  const D = base.columns.length, axes = [0, 1].map((k) => range(D, (d) => Number(d === k + 2)));
  const view = { center: range(D, () => 0), scale: range(D, () => 1), axes, share: [0.4, 0.2] };
  const shown = { run: "now", snapshots: [snapshot], base, about: {}, epochs: [] }, ablation = { run: null, steps: [] };
  const options = { data, rows: rows && { ...rows, view }, views: [] };
  const now = { epoch: null, newest: true, dark: false, prediction: null, ablation };
  return (more = {}) => selectedScene({ ...now, shown: { ...shown, ...more } }, options);
}

test("the grid comes first where neither plane shows the classes of 70% of the rows, and a choice stays for the table", () => {
  const kinds = new Set();
  for (let seed = 1; seed < 25; seed += 1) {
    const scene = begun(randomScene(6, 4, seed), `table ${seed}`)();
    const shares = ["features", "components"].map((plane) => agreement(scene, frameOf({ ...scene, plane, view: "all" }, 2), predictedOf(scene)));
    assert.equal(scene.grid, Math.max(...shares) < 0.7, `${seed}: ${shares}`);
    assert.equal(scene.plane, shares[0] < 0.7 && shares[1] > shares[0] ? "components" : "features");
    kinds.add(scene.grid);
  }
  assert.equal(kinds.size, 2);
  const scene = randomScene(6, 4, 1), now = begun(scene, "chosen"), before = now().grid;
  selectGrid(!before);
  assert.equal(now().grid, !before);
  assert.equal(begun(randomScene(6, 4, 2), "chosen")().grid, !before); // another run on it
  assert.equal(begun(scene, "another")().grid, before);
  const first = { ...scene.snapshot, consequents: scene.snapshot.consequents.map((own) => own.map((row) => row.map(() => 0))) };
  const trained = begun(scene, "while it trains"); // its first model predicts one class
  const scenes = [trained({ snapshots: [first] }), trained(), trained({ about: { ended: true } })];
  assert.deepEqual(scenes.map(({ grid }) => grid), [false, false, true]);
  const two = diagonal();
  assert.equal(begun(two, "two columns")().grid, false);
  assert.equal(begun({ ...scene, table: { rows: null } }, "no rows")().grid, false);
});

test("rows keep their places until a rule is clearly ahead of the one before it", () => {
  const next = chance(5);
  for (let trial = 0; trial < 50; trial += 1) {
    const levels = range(1 + Math.floor(30 * next()), next), order = calmOrder([], levels);
    assert.deepEqual(order, falling(levels));
    assert.deepEqual(calmOrder(order, levels.map((level) => level * (0.95 + 0.1 * next()))), order);
    assert.deepEqual(calmOrder(order, range(levels.length, next)).sort((a, b) => a - b), range(levels.length));
  }
  assert.deepEqual(calmOrder([0, 1, 2], [0.1, 0.2, 0.9]), [2, 1, 0]);
});

test("the grid draws as many rules and features as have room, and names how many more there are", () => {
  for (const [R, F, width, height] of [[1, 1, 500, 450], [20, 10, 500, 480], [100, 60, 900, 700], [100, 60, 342, 450], [3, 2, 200, 200]]) {
    const features = range(F, (k) => ({ name: `feature number ${k}`, kind: "number", columns: [k], separation: 0 }));
    const grid = gridOf({ table: { classes: ["cat", "dog"] } }, range(R), features, width, height), { rules, left, wide, top, tall } = grid;
    assert.equal(rules.length + grid.moreRules, R);
    assert.equal(grid.features.length + grid.moreFeatures.length, F);
    assert.ok(rules.length >= 1 && rules.length <= 20 && grid.features.length >= 1);
    assert.ok(grid.features.length === 1 || wide >= 70, `${wide}`);
    assert.ok(left + wide * grid.features.length <= grid.then && (grid.bars < width || width < 300));
    assert.ok(top + tall * rules.length < height && tall >= 18, `${tall}`);
  }
});

/** A canvas that writes down what is drawn on it, with the styles at that moment. */
function recording() {
  const calls = [];
  const context = new Proxy({ fillStyle: "", strokeStyle: "", lineWidth: 1, globalAlpha: 1, font: "", textAlign: "" }, {
    get: (target, name) => (name in target ? target[name] : (...given) => { calls.push({ name, given, ...target }); }),
  });
  return { context, calls };
}

const PETS = sceneOf([number("size"), category("colour", "red"), category("colour", "blue")], [
  makeRule([2, 1, 0], [0.5, 0.5, 0.5], [[2, 0, 0, 0], [0, 0, 0, 0]]), makeRule([4, 0, 1], [null, null, null], [[0, 0, 0, 0], [2, 0, 0, 0]]),
  makeRule([NaN, 0, 1], [0.5, 0.5, null], [[0, 0, 0, 0], [2, 0, 0, 0]]),
], ["cat", "dog"], makeRows([[1, 1, 0], [5, 0, 1]]), { index: null, firing: [0.7, 0.2, 0.1] });

function painted(marked = null, scene = PETS) {
  const grid = gridOf(scene, [0, 1, 2], scene.table.features, 500, 450), { context, calls } = recording();
  const texts = [{ rule: 1, then: "dog" }, { rule: 2, then: "mostly cat or dog" }];
  const shown = { scene, marked, texts, firing: scene.firing, top: 0.7 };
  paintGrid(context, grid, shown);
  return { grid, calls, shown };
}

test("each curve is the membership function over the range of its feature; an empty cell is no condition", () => {
  const { grid, calls } = painted(), lines = calls.filter(({ name }) => name === "lineTo" || name === "moveTo");
  assert.equal(lines.length, 25); // of one rule: the second has no condition, and training lost the third
  const [peakX] = lines.reduce((best, { given }) => (given[1] < best[1] ? given : best), [0, Infinity]);
  const place = (value) => grid.left + ((value - 1) / 4) * (grid.wide - 8);
  assertClose(peakX, place(2));
  const bottom = grid.top + grid.tall - 2, half = lines.find(({ given: [x] }) => Math.abs(x - place(2.5)) < 1e-6);
  assertClose(half.given[1], bottom - Math.exp(-0.5) * (grid.tall - 5)); // one σ from the centre
  const bars = calls.filter(({ name, fillStyle, given }) => name === "fillRect" && fillStyle === ruleColour(0, false) && given[3] !== 6);
  assert.equal(bars.length, 2); // one for each colour
  assertClose(bars[0].given[3], grid.tall - 5);
  assert.ok(bars[1].given[3] < 0.1 * grid.tall);
  const texts = calls.filter(({ name }) => name === "fillText").map(({ given: [text] }) => text);
  for (const text of ["size", "colour", "THEN", "f̄", "1", "5", "red", "blue", "dog"]) assert.ok(texts.includes(text), text);
  assert.ok(calls.every(({ given }) => given.every((value) => typeof value !== "number" || Number.isFinite(value))));
});

test("firing levels are bars beside a line at an equal share; rules that are not marked are faint", () => {
  const { grid, calls } = painted(1), room = grid.width - grid.bars - 4;
  const bars = calls.filter(({ name, given: [x, , , height] }) => name === "fillRect" && x === grid.bars && height === 6);
  assertClose(bars.map(({ given: [, , width] }) => width), [room, (room * 0.2) / 0.7, (room * 0.1) / 0.7]);
  assert.deepEqual(bars.map(({ globalAlpha }) => globalAlpha === 1), [false, true, false]);
  const shares = calls.filter(({ name, given: [, , width] }) => name === "fillRect" && width === 1).map(({ given: [x] }) => x);
  assertClose(shares, range(3, () => grid.bars + room / 3 / 0.7));
});

test("what the pointer is on is said in words", () => {
  const drawnGrid = painted(), { grid } = drawnGrid, at = (column) => grid.left + (column + 0.5) * grid.wide;
  assert.equal(cellText(drawnGrid, 0, 2), "rule 1: 70.0% of the firing");
  assert.equal(cellText(drawnGrid, 0, at(grid.features.findIndex(({ name }) => name === "size"))), "rule 1: size near 2 (σ 0.5)");
  assert.equal(cellText(drawnGrid, 0, at(grid.features.findIndex(({ name }) => name === "colour"))), "rule 1: colour is red");
  assert.equal(cellText(drawnGrid, 1, at(0)), `rule 2: no condition on ${grid.features[0].name}`);
  assert.equal(cellText(drawnGrid, 2, grid.bars + 5), "rule 3: 10.0% of the firing");
});
