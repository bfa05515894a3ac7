// The numbers of Explain: whoever computes again what stands there, with the digits that stand there, gets what stands there.

import assert from "node:assert/strict";
import { test } from "node:test";
import { state } from "../../ui/client/core/store.js";
import { meanText, sumText, written } from "../../ui/client/core/text.js";
import { predictedOf, rowLines, rowsLine } from "../../ui/client/model/selection.js";
import { NUMBERS } from "../../ui/client/charts/numbers.js";
import {
  cardLines, coFiringLines, conditionLines, confidenceLines, listLines, productLines, strengthLines,
} from "../../ui/client/rules/numbers.js";
import { coFiring } from "../../ui/client/rules/pictures/network.js";
import { curveLines, curvesOf } from "../../ui/client/row/response_curves.js";
import { comparison } from "../../ui/client/compare/store.js";
import { numbersOf as ofComparison } from "../../ui/client/compare/views.js";
import { numbersOf as ofSweep } from "../../ui/client/sweep/view.js";
import { numbersOf as ofSearch } from "../../ui/client/tuning/search.js";
import { ended, figure as compared, makeAbout } from "./comparisons.js";
import { chance, range, sum } from "./numbers.js";
import { makeRule, randomScene } from "./rulebases.js";
import { CHARTS, ENDED, figure, makeHistory, makeRun } from "./runs.js";
import { makeSweep } from "./sweeps.js";

const NUMBER = String.raw`−?\d+(?:\.\d+)?`, SIGNS = String.raw`[\d.\s+−·×/()|√]`;
const EQUATION = new RegExp(`((?:log₂\\(|exp |[(\\d|√−])${SIGNS}*?) = (${NUMBER})(%?)`, "g");

/** The value of a calculation as it is written. */
function valueOf(text) {
  const plain = text.replaceAll("−", "-").replaceAll(/[·×]/g, "*").replace("log₂", "Math.log2").replace(/^exp (.*)/, "Math.exp($1)")
    .replaceAll(/√([\d.]+)/g, "Math.sqrt($1)").replaceAll(/\|([^|]*)\|/g, "Math.abs($1)");
  return Number(new Function(`return ${plain};`)());
}

/** Check each equation in these lines; returns how many there are. */
function recounted(lines) {
  let count = 0;
  for (const line of lines) {
    for (const word of ["NaN", "undefined", "null", "Infinity", "[object"]) assert.ok(!line.includes(word), line);
    for (const [, left, right, percent] of line.matchAll(EQUATION)) {
      if (!/[+·×/|√]|. − |exp|log/.test(left) || left.split("(").length !== left.split(")").length) continue; // or some terms are left out
      const value = valueOf(left) * (percent ? 100 : 1), digits = right.split(".")[1]?.length ?? 0;
      assert.ok(Math.abs(value - Number(right.replace("−", "-"))) <= 0.5000001 * 10 ** -digits + 1e-9, `${line}: ${left} is ${value}`);
      count += 1;
    }
  }
  return count;
}

/** The numbers of a chart of a run at an epoch. */
function numbers(name, run, index = null) {
  figure(name, run, null, { index });
  return NUMBERS[name](state());
}

const CONFUSION = [[30, 1, 2], [0, 4, 3], [0, 0, 0]];
const BINS = { count: [0, 4, 12], confidence: [null, 0.5, 0.9], accuracy: [null, 0.25, 1] };
const EVALUATED = { ...ENDED, classes: ["cat", "dog", "owl"], confusion: CONFUSION, reliability: BINS, ece: 0.1375, baseline: 0.8 };

test("a helper that recounts finds what does not add up", () => {
  assert.throws(() => recounted(["a = 0.1 + 0.2 = 0.4."]), /0\.1 \+ 0\.2/);
  assert.equal(recounted(["(1/2 + 1) / 2 = 75%, 0.5 · |0.25 − 0.5| = 0.125, log₂(0.5 × 4) = 1.00"]), 3);
});

test("every chart of a run has numbers that add up, at the end and at each epoch", () => {
  const counts = (rcaTest) => ({ rcaTest, sharpness: 0.0123, covering: 0.3, firing: [0.7123456, 0.2, 0.08, 0.0076544], conditions: 9 });
  const run = makeRun(makeHistory(4, counts(34 / 40)), EVALUATED);
  for (const name of CHARTS) {
    assert.ok(recounted(numbers(name, run)) > 0, name);
    for (const index of [0, 2]) recounted(numbers(name, run, index));
    assert.deepEqual(numbers(name, makeRun([])), [], name);
  }
});

test("of separate trainings, losses and gradients are said to be means, and UR is not recounted from all rules", () => {
  const history = makeHistory(3, { firing: [0.4, 0.3, 0.2, 0.1] });
  const said = (name, more) => numbers(name, makeRun(history, more)).join(" ");
  for (const name of ["loss", "gradients"]) {
    assert.ok(said(name, { trainings: 2 }).includes("mean over 2 separate trainings") && !said(name, {}).includes("separate"), name);
  }
  assert.ok(said("firing", {}).includes("UR above its minimum") && !said("firing", { trainings: 2 }).includes("UR"));
});

test("the counts of an accuracy are said only for the epoch that they are of", () => {
  const said = (rcaTest) => numbers("accuracy", makeRun(makeHistory(3, { rcaTest }), EVALUATED)).join(" ");
  assert.ok(said(34 / 40).includes("RCA = (30 + 4 + 0) / 40 = 0.850") && said(34 / 40).includes("BCA = (30/33 + 4/7) / 2 = 0.740"));
  assert.ok(!said(0.7).includes(" / 40") && said(0.7).includes("test RCA = 0.700"));
  assert.ok(said(34 / 40).includes("0.850 − 0.800 = 0.050"));
});

test("a comparison has a line for each variant, as many seeds as it has", () => {
  for (const band of ["sd", "ci"]) {
    const about = makeAbout(4, { band }), lines = ended(about);
    for (const name of ["compareBca", "compareRca", "compareLoss", "compareConsequents", "compareAntecedents", "compareFiring", "compareEntropy", "compareConfusion", "comparePlane"]) {
      compared(name, about, lines);
      const found = ofComparison(name, comparison());
      assert.deepEqual(found.map((line) => line.split(":")[0]), ["MBGD", "UR"], name);
      assert.ok(recounted(found) > 0, `${name}: ${found.join(" ")}`);
    }
    assert.ok(ofComparison("compareBca", comparison())[0].includes(band === "sd" ? "; band ± SD = ± " : "; band ± 2.000 · "));
  }
});

test("a sweep says its highest and lowest cell and what lies between them", () => {
  const lines = ofSweep(makeSweep([["batch", 16, 64, 256]], [0.81, 0.9, 0.7]));
  assert.ok(lines[0].startsWith("Highest, B 64") && lines[1].startsWith("Lowest, B 256"));
  assert.equal(recounted(lines), 1);
  assert.deepEqual(ofSweep({ ...makeSweep([["batch", 16]], [0.8]), cells: [] }), []);
});

test("a search says on what its best mean rests", () => {
  const trial = (number, score, sd, validations) => ({ number, score, sd, validations, settings: `R ${number}` });
  const lines = ofSearch({ trials: [trial(4, 0.9, 0.0234, 5), trial(2, 0.895, 0.02, 5), trial(1, 0.8, 0.02, 2)] });
  assert.equal(recounted(lines), 1);
  assert.equal(lines.at(-1), "Within one SE of it: 1 of the 2 others.");
  assert.deepEqual(ofSearch({ trials: [] }), []);
  assert.equal(ofSearch({ trials: [trial(1, 0.9, null, 1)] }).length, 1);
});

for (const [normalisation, log_prior] of [["softmax"], ["htsk"], ["layer softmax"], ["softmax", [0.7, -1.6, 0.2, 1.1]]]) {
  test(`the reasons, the plane and the curves of a row add up: ${normalisation}${log_prior ? ", class weights" : ""}`, () => {
    const curve = { feature: null, scale: "probability", band: null }, scene = randomScene(5, 4, 3, normalisation, { curve, log_prior });
    for (const n of [null, 3, 7]) {
      const x = n === null ? scene.x : scene.table.rows.x[n], at = { ...scene, index: n, x, start: x };
      assert.ok(recounted(rowLines(at)) >= 2, rowLines(at).join(" "));
      const feature = at.table.features[0], found = curvesOf(at, feature);
      assert.ok(recounted(curveLines(at, feature, found)) >= 1);
    }
    assert.equal(recounted(rowsLine(scene, predictedOf(scene))), 1);
  });
}

test("the pictures of a rule base add up", () => {
  const scene = randomScene(6, 4, 3), feature = scene.table.features.find(({ kind }) => kind === "number");
  assert.ok(recounted(productLines(scene)) >= 1, productLines(scene).join(" "));
  const rules = range(4, (r) => ({ ...makeRule(), rule: r + 1, then: "c0" })), [edge] = coFiring(scene, rules);
  assert.equal(recounted(coFiringLines(scene, edge)), 1);
  assert.deepEqual(coFiringLines(scene, undefined), []);
  for (const line of conditionLines(scene, feature, rules)) {
    const [centre, width, low, high] = line.match(/−?\d+(?:\.\d+)?/g).slice(1).filter((one) => one !== "1.177").map((one) => Number(one.replace("−", "-")));
    assert.ok(low <= centre && centre <= high && Math.abs(high - low - 2 * 1.177 * width) < 3.5 * 10 ** -(String(width).split(".")[1]?.length ?? 0), line);
  }
  const shares = confidenceLines({ rules: [{ rule: 1, confidence: [0.25, 0.7, 0.05] }], base: { classes: ["a", "b", "c"] } });
  assert.deepEqual(shares, ["Rule 1: most of b, 70.0%; 25.0% + 70.0% + 5.0% = 100% but for rounding."]);
});

test("rules say what their cards and lists count", () => {
  const list = { of: "test rows", rows: 40, items: [{ rule: 1, right: 9, true: 12, class: "cat" }, { rule: null, right: 3, true: 5, class: "dog" }] };
  assert.deepEqual(listLines(list), ["Rule 1: true of 12 of 40 test rows, 9 of class cat. 9/12 = 75.0%."]);
  const card = (rule, dead = false) => ({ ...makeRule(), rule, dead, headline: `True of ${rule} rows.` });
  assert.deepEqual(cardLines({ rules: [card(1), card(2, true), card(3), card(4), card(5), card(6)] }), [
    "Rule 1. True of 1 rows.", "Rule 3. True of 3 rows.", "Rule 4. True of 4 rows.", "Rule 5. True of 5 rows.", "And 1 further rule.",
  ]);
  const levels = strengthLines(["size", "legs"], [[0.6, 0], [0.2, 0.9]]);
  assert.ok(levels[0].startsWith("3 conditions / 2 rules = 1.5 a rule") && levels[1].startsWith("Strongest: rule 2 on legs"));
});

test("digits are added until what is written gives the result, for any values", () => {
  const random = chance(7);
  for (let k = 0; k < 300; k += 1) {
    const values = range(1 + Math.floor(5 * random()), () => (random() - 0.3) * 10 ** Math.floor(4 * random() - 2));
    assert.equal(recounted([`x: ${sumText(values)}`, `x: ${meanText(values)}`]), values.length > 1 ? 2 : 0);
    const text = written(values, (all) => sum(all).toFixed(3), sum(values).toFixed(3));
    assert.equal(text.length, values.length);
  }
});
