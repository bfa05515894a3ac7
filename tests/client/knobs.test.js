// The sliders below the settings in sight: where they stop, and what is said of a setting that was changed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { range } from "./numbers.js";
import { BINS, asComparison, makeEpoch, makeRun, messageOf } from "./runs.js";
import { effectOf } from "../../ui/client/rail/effect.js";
import { nearestStop, stopsOf } from "../../ui/client/rail/scales.js";
import { receive, state } from "../../ui/client/core/store.js";

const RULES = { key: "rules", low: 1, high: 200, step: 1 }, WEIGHT = { key: "ur", low: 0, high: 1000, step: 1 };
const BATCH = { key: "batch", low: 2, high: 8192, step: 1 };

test("sliders stop at rising values within their range, closer together where they are small", () => {
  for (const knob of [RULES, WEIGHT, BATCH, { ...RULES, high: 7 }, { ...RULES, step: 3 }]) {
    const stops = stopsOf(knob);
    assert.deepEqual(stops, [...new Set(stops)].sort((a, b) => a - b));
    assert.ok(stops[0] >= knob.low && stops.at(-1) <= knob.high && stops.at(-1) > 0.8 * knob.high);
  }
  assert.deepEqual(stopsOf(RULES).slice(0, 12), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15]);
  assert.deepEqual(stopsOf(WEIGHT).slice(0, 4), [0, 0.1, 0.12, 0.15]);
  assert.ok([1, 10, 100, 1000].every((value) => stopsOf(WEIGHT).includes(value)));
  assert.deepEqual(stopsOf(BATCH), range(13, (k) => 2 ** (k + 1)));
});

test("with separate trainings each of them gets as many rules, at least two", () => {
  assert.ok(stopsOf({ ...RULES, step: 3 }).every((value) => value % 3 === 0 && value >= 6));
});

test("a value between two stops stands at the one nearest by ratio, 0 at its own, and a name at its own", () => {
  const stops = stopsOf(WEIGHT), at = (value) => stops[nearestStop(stops, value)];
  for (const value of stops) assert.equal(at(value), value);
  assert.deepEqual([0.01, 0.09, 7, 430, 999].map(at), [0, 0.1, 8, 400, 1000]);
  const names = ["none", "bn", "gbn", "rbn"];
  assert.deepEqual(names.map((name) => nearestStop(stopsOf({ key: "bn", options: names }), name)), [0, 1, 2, 3]);
});

const lowest = range(BINS, (k) => (k ? 0 : 90)), highest = range(BINS, (k) => (k < BINS - 1 ? 0 : 90));
const BEFORE = makeEpoch(1, { firing: [0.7, 0.1, 0.1, 0.1], entropy: lowest, rcaTest: 0.9 });
const AFTER = makeEpoch(1, { firing: [0.25, 0.25, 0.25, 0.25], entropy: highest, rcaTest: 0.904 });

let runs = 0;

function effects(pair, { ended = true, after = AFTER } = {}) {
  const shown = makeRun([after], { ended }, { run: `now ${runs += 1}` }), before = asComparison(makeRun([BEFORE], { changed: "ur", clear: { rca: false }, ...pair }));
  receive(messageOf(shown, before));
  return ["rules", "ur"].map((key) => effectOf(state(), key));
}

test("a setting that alone distinguishes two runs says what it did, and whether that may be chance", () => {
  const [other, said] = effects({});
  assert.equal(other, "");
  assert.equal(said, "Accuracy +.004 (within chance) · largest share .70 → .25 · entropy 0.0 → 1.4".replace("0.0", ".0"));
  assert.ok(effects({ clear: { rca: true } })[1].startsWith("Accuracy +.004 · "));
  assert.ok(effects({ sameTestRows: false })[1].startsWith("largest share"));
  assert.ok(effects({}, { after: { ...AFTER, rcaTest: 0.9 } })[1].startsWith("Accuracy unchanged · "));
  assert.deepEqual(effects({ changed: null }), ["", ""]);
});

test("while it trains nothing is said of chance, which is known at the end alone", () => {
  assert.ok(effects({}, { ended: false })[1].startsWith("Accuracy +.004 · "));
});
