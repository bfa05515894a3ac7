// The grid of a rule list: its rows and columns, what is drawn where, and how text is broken into lines.

import "./page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { listGrid } from "../../ui/client/rules/readable.js";
import { drawing, scoreText, supportTexts, textWidth, wrapped } from "../../ui/client/rules/readable_drawing.js";
import { range } from "./numbers.js";

const CLASSES = ["cat", "dog"], COLOURS = { classes: ["#111111", "#222222"], ink: "#000000", grid: "#808080" };
const SIZE = { feature: "size", text: "size is high (≥ 4)", range: "≥ 4", word: "high", level: 0.5, center: 8, sigma: 2 };
const COLOUR = { feature: "colour", text: "colour is red or blue", range: "red or blue", word: "", level: 0, levels: [1, 0.6, 0.2] };

const sentence = (rule, then, conditions, more = {}) => ({
  rule, class: then, score: 1.5, true: 10, right: 8, taken: 10, takenRight: 8, conditions, ...more,
});

const list = (items = [sentence(3, "dog", [SIZE]), sentence(1, "cat", [SIZE, COLOUR])], more = {}) => ({
  features: ["weight", "size", "colour"], columns: { size: { low: 0, high: 10 }, colour: { categories: ["red", "blue", "grey"] } },
  of: "test rows", rows: 40, lines: [], note: "", ...more,
  items: [...items, sentence(null, "cat", [], { score: null, true: 4, right: 1, taken: 4, takenRight: 1 })],
});

const texts = (made) => made.marks.filter(({ tag }) => tag === "text").map(({ text }) => text);

test("a row for each sentence in its order, a column for each feature that one of them uses", () => {
  const { columns, rows, text } = listGrid(list(), CLASSES);
  assert.deepEqual(columns.map(({ name }) => name), ["size", "colour"]);
  assert.deepEqual(rows.map(({ place, then, item }) => [place, then, item.rule]), [[1, 1, 3], [2, 0, 1], [null, 0, null]]);
  assert.deepEqual(rows.map(({ cells }) => cells), [[SIZE, null], [SIZE, COLOUR], [null, null]]);
  assert.equal(text, "2 rules with 3 conditions on 2 of 3 features.");
});

test("by class, rows of a class stand together in their order, and otherwise is the last", () => {
  const items = ["dog", "cat", "dog", "cat"].map((then, k) => sentence(k + 1, then, [SIZE]));
  assert.deepEqual(listGrid(list(items), CLASSES, true).rows.map(({ place }) => place), [2, 4, 1, 3, null]);
});

test("the figures of a row are those that were sent", () => {
  assert.deepEqual(supportTexts(sentence(1, "dog", [])), ["true of 10", "8 are dog"]);
  assert.deepEqual(supportTexts(sentence(1, "dog", [], { true: 1200, taken: 7, takenRight: 2 })), ["true of 1,200", "8 are dog", "first for 7, 2 right"]);
  assert.deepEqual(supportTexts(sentence(1, "dog", [], { right: null, taken: 7, takenRight: null })), ["true of 10", "first for 7"]);
  assert.deepEqual(supportTexts(sentence(1, "dog", [], { true: 0, right: 0, taken: 0, takenRight: 0 })), ["true of 0"]);
  assert.deepEqual([1.5, -0.25, 0, null].map(scoreText), ["+1.50", "−0.25", "0.00", ""]);
});

test("each condition has its word, its range and its picture inside its cell", () => {
  const made = drawing(listGrid(list(), CLASSES), COLOURS);
  for (const text of ["high", "≥ 4", "red or", "blue", "1.", "rule 3", "otherwise", "dog", "+1.50", "Of 40", "test rows"]) {
    assert.ok(texts(made).includes(text), text);
  }
  for (const { attributes: { x = 0, y = 0, width = 0, height = 0 } } of made.marks) {
    assert.ok(x >= 0 && y >= 0 && x + width <= made.width && y + height <= made.height);
  }
  const squares = made.marks.filter(({ title }) => ["red", "blue", "grey"].includes(title));
  assert.deepEqual(squares.map(({ attributes }) => attributes["fill-opacity"] > 0.5), [true, true, false]);
});

test("the part of a membership function of at least a half is filled darker, as far as there are values", () => {
  const made = drawing(listGrid(list([sentence(1, "dog", [SIZE])]), CLASSES), COLOURS);
  const places = made.marks.filter(({ attributes }) => attributes.fill === "#222222" && attributes.d).map(({ attributes: { d } }) => {
    const xs = [...d.matchAll(/([\d.]+),/g)].map(([, x]) => Number(x));
    return [Math.min(...xs), Math.max(...xs)];
  });
  const [[left, right], [from, to]] = places, span = right - left;
  assert.ok(Math.abs(from - (left + span * (8 - 2 * Math.sqrt(2 * Math.LN2)) / 10)) < 0.02 && Math.abs(to - right) < 0.02);
});

test("a name is text whatever stands in it, and none is wider than its column", () => {
  const name = "<img src=x onerror=alert(1)>_A_VERY_LONG_NAME_WITHOUT_END".repeat(4), cell = { ...SIZE, feature: name, text: name };
  const hostile = list([sentence(1, name, [cell])], { features: [name], columns: { [name]: { low: 0, high: 1 } } });
  const made = drawing(listGrid(hostile, [name]), COLOURS);
  assert.ok(made.width < 600);
  assert.ok(texts(made).some((text) => text.endsWith("…")) && made.marks.some(({ title }) => title === name));
});

test("lines break after words, never inside a number, and the last of too many says so", () => {
  assert.deepEqual(wrapped("very low to high", 45, 10, 9), ["very low", "to high"]);
  assert.deepEqual(wrapped("67.1 to 75.1", 45, 10, 9), ["67.1 to", "75.1"]);
  assert.deepEqual(wrapped("MAX.LENGTH_RATIO", 50, 10, 9), ["MAX.", "LENGTH_", "RATIO"]);
  const few = wrapped(range(30, () => "word").join(" "), 60, 10, 3);
  assert.equal(few.length, 3);
  assert.ok(few[2].endsWith("…") && few.every((line) => textWidth(line, 10) <= 60));
});
