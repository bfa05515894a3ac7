// Numbers and names as figures and tables write them, by the examples of tests/test_numbers.py and tests/pages/test_text.py.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  counted, difference, fixed, percent, plotlyText, signed, sumText, timesText, truncated, truncatedNames, written,
} from "../../ui/client/core/text.js";

/** @param {string} name */
const read = (name) => JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), "utf-8"));
const VECTORS = read("numbers"), NAMES = read("names");

test("only everything is 100%, and only nothing is 0%", () => {
  for (const { share, percent: text, whole } of VECTORS.shares) assert.deepEqual([percent(share), percent(share, 0)], [text, whole]);
});

test("what lies between two numbers goes to the even one, as in Python", () => {
  for (const { value, digits, text } of VECTORS.fixed) assert.equal(fixed(value, digits), text);
});

test("no number is written as minus zero", () => {
  assert.deepEqual([fixed(-0.0001, 3), fixed(-0, 2), fixed(-0.5, 0), fixed(-1.5, 0)], ["0.000", "0.00", "0", "-2"]);
});

test("a difference has its sign, and nothing has none", () => {
  for (const { value, digits, text } of VECTORS.signed) assert.equal(signed(value, digits), text);
});

test("one thing is singular, and every other number of them plural, as in Python", () => {
  for (const { n, text } of VECTORS.counted) assert.equal(counted(n, "rule"), text);
});

test("a difference is that of the scores as they are displayed", () => {
  assert.equal(signed(difference(0.8136, 0.8124), 3), "+0.002"); // 0.814 − 0.812
});

test("a reader who computes again gets the result, of values near 0 too", () => {
  assert.equal(sumText([0.1, 0.2]), "0.100 + 0.200 = 0.300");
  assert.equal(timesText(0.2125, 20), "0.212 × 20 = 4.2");
  const product = ([a, b]) => (a * b).toPrecision(2);
  assert.deepEqual(written([1e-12, -0.5], product, product([1e-12, -0.5])), ["1e−12", "−0.5"]);
});

test("a name keeps its place on the line, whatever signs of direction stand in it", () => {
  assert.deepEqual([truncated("nek\u202eorb"), plotlyText("a\u2066b<"), truncated("a\n b")], ["nek\ufffdorb", "a\ufffdb&lt;", "a b"]);
});

test("names that would look the same show what tells them apart, as in Python", () => {
  for (const { names, most, shown } of NAMES) assert.deepEqual(truncatedNames(names, most), shown);
});
