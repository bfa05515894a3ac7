// What the page knows of runs, entries by epoch, dates as text, and that all that draws is called once a frame.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import "./page.js";
import { marksOf } from "../../ui/client/core/feed.js";
import { atEpoch, receive, selectEpoch, state, subscribe } from "../../ui/client/core/store.js";
import { dateText, finestDate, writtenDate } from "../../ui/client/model/columns.js";
import { makeEpoch, makeHistory, makeRun, messageOf } from "./runs.js";

test("the entry at an epoch is the latest one up to it", () => {
  const cases = [[[], 5, undefined], [[1, 4, 9], 3, 1], [[1, 4, 9], 4, 4], [[1, 4, 9], 20, 9], [[4, 9], 2, 4], [[1, 4], null, 4]];
  for (const [kept, epoch, expected] of cases) {
    const now = { shown: { about: {} }, epoch: epoch && { epoch } };
    assert.equal(atEpoch(kept.map((one) => ({ epoch: one })), now)?.epoch, expected);
  }
});

test("at the end the entry is that of the model kept", () => {
  const at = (epochs, epoch, newest, ended) => atEpoch(epochs, { shown: { about: { ended } }, epoch: { epoch }, newest });
  const epochs = [{ epoch: 3 }, { epoch: 9 }, { epoch: 2 }]; // training diverged; the model of epoch 2 is kept
  assert.deepEqual([[9, true, true], [9, true, false], [9, false, true], [5, false, true], [2, false, true], [1, false, true]]
    .map((asked) => at(epochs, ...asked).epoch), [2, 9, 9, 3, 2, 2]);
  assert.deepEqual(at([{ epoch: 6, end: true }, { epoch: 9 }], 9, true, true), { epoch: 6, end: true });
});

test("what lies between two messages is missing, and what all entries share is kept from the first ones", () => {
  const send = (shown) => receive(messageOf(shown));
  const listed = (epochs) => epochs.map((epoch) => ({ epoch }));
  const message = (since, epochs, more) => makeRun([], {}, { snapshots: { since, list: listed(epochs), ...more } });
  send(null);
  assert.deepEqual(send(message(2, [3])), ["snapshots"]);
  send(null);
  const missing = [message(0, [1, 2], { base: "shared" }), makeRun([]), message(2, [3]), message(3, []), message(4, [5])].map(send);
  assert.deepEqual(missing, [[], [], [], [], ["snapshots"]]);
  assert.deepEqual([state().shown.snapshots.map(({ epoch }) => epoch), state().shown.base], [[1, 2, 3], "shared"]);
});

test("the page forgets how far it has the lists of runs that it no longer shows", () => {
  const next = makeRun([], {}, { run: "next" }), keys = () => Object.keys(marksOf()).filter((key) => / (now|next)$/.test(key));
  receive(messageOf(null));
  receive(messageOf(makeRun(makeHistory(2)), next));
  assert.deepEqual(keys().sort(), ["about next", "about now", "epochs next", "epochs now"]);
  receive(messageOf(next));
  assert.deepEqual(keys().sort(), ["about next", "epochs next"]);
  assert.deepEqual(receive([{ kind: "epochs", of: "now", since: 2, payload: { list: [] } }]), ["epochs"]);
});

/** The epoch of a record that is sent. */
function sentEpoch(changes) {
  const shown = makeRun([makeEpoch()]), { list: [line] } = shown.lists.epochs;
  receive(messageOf(null));
  receive(messageOf({ ...shown, lists: { epochs: { list: [{ ...line, ...changes }] } } }));
  return state().epoch;
}

test("a rule is dead where all rows give it less than a row's equal share, and idle below a fifth of an equal share", () => {
  const rows = 100, R = 5, ofOneRow = 1 / R / rows; // all rows together then have what one row gives each rule
  const { dead, idle } = sentEpoch({ firing: [0, 0.99 * ofOneRow, 1.01 * ofOneRow, 0.199 / R, 0.201 / R], entropy: [60, 40] });
  assert.deepEqual([dead, idle], [[0, 1], [2, 3]]);
});

test("UR is drawn above its floor, and never below zero", () => {
  const drawn = (loss) => sentEpoch({ loss_ur: loss, ur_floor: 0.5 }).ur;
  assert.deepEqual([0.75, 0.5, 0.5 - 1e-9].map(drawn), [0.25, 0, 0]);
});

test("what all viewers know of a run and what this page alone knows are one", () => {
  receive(messageOf(null));
  receive(messageOf(makeRun(makeHistory(1), { baseline: 0.8, goal: "all" })));
  const said = (kind, payload) => {
    receive([{ kind, of: "now", since: 0, payload }]);
    return state().shown.about;
  };
  const { about } = state().shown;
  assert.deepEqual([about.baseline, about.goal], [0.8, "all"]);
  assert.deepEqual(said("pair", { label: "λ 0", goal: "own" }), { ...about, goal: "own", label: "λ 0" });
  assert.deepEqual(said("about", { ended: true }), { ended: true, goal: "own", label: "λ 0" }); // what it no longer says is gone
  assert.deepEqual(said("pair", {}), { ended: true });
});

const place = () => [state().index, state().newest];

test("the newest epoch is followed until another is selected, which stays as long as its run has it", () => {
  receive(messageOf(null));
  selectEpoch(3); // of nothing
  assert.deepEqual([state().epoch, state().shown.epochs], [null, []]);
  receive(messageOf(makeRun(makeHistory(3))));
  assert.deepEqual(place(), [2, true]);
  selectEpoch(1);
  receive(messageOf(makeRun(makeHistory(5))));
  assert.deepEqual([...place(), state().epoch.epoch], [1, false, 2]);
  selectEpoch(null);
  assert.deepEqual(place(), [4, true]);
  selectEpoch(0);
  receive(messageOf(makeRun(makeHistory(1), {}, { run: "next" }), { ...makeRun(makeHistory(5)), about: {} }));
  assert.deepEqual([...place(), state().comparison.epochs.length], [0, true, 5]); // a new run is followed, wherever one was in the old
});

test("an epoch that is gone is not selected again, and after a search its training is followed", () => {
  const send = (version, history) => {
    const run = makeRun(history);
    receive(messageOf(run).map((part) => (part.kind === "epochs" ? { ...part, version } : part)));
  };
  send("first", makeHistory(9));
  selectEpoch(7);
  send("second", makeHistory(2));
  send("second", makeHistory(12));
  assert.ok(state().newest); // and not the eighth again
  const search = makeHistory(9, { stage: "hold-out" });
  send("third", search);
  selectEpoch(4);
  assert.equal(state().epoch.stage, "hold-out");
  send("third", [...search, ...makeHistory(9)]);
  assert.deepEqual([place(), new Set(state().shown.epochs.map(({ stage }) => stage))], [[8, true], new Set(["training"])]);
});

test("all that draws is called once a frame", async () => {
  const frame = () => new Promise((done) => { requestAnimationFrame(() => setTimeout(done)); });
  await frame();
  const calls = [0, 0], ends = calls.map((_, k) => subscribe(() => { calls[k] += 1; }));
  for (let k = 0; k < 5; k += 1) selectEpoch(k);
  await frame();
  ends[0]();
  selectEpoch(null);
  await frame();
  ends[1]();
  assert.deepEqual(calls, [1, 2]);
});

const DATES = JSON.parse(readFileSync(new URL("../vectors/dates.json", import.meta.url), "utf-8")); // tests/explain/test_dates.py too

test("a date is as exact as its column is spread", () => {
  for (const [scale, origin, value, spread, text] of DATES) {
    assert.equal(dateText({ feature: "seen", kind: "number", date: { format: "%Y", scale, origin } }, value, spread / 30), text);
  }
  const plain = { feature: "seen", kind: "number", date: { format: "%Y", scale: "days", origin: "2024-02-01", midnights: true } };
  assert.deepEqual([28, 28.2, 28.7].map((value) => dateText(plain, value, 0.01)), ["29 February 2024", "29 February 2024", "1 March 2024"]);
  assert.equal(dateText({ feature: "size", kind: "number" }, 1.5, 0.1), null);
});

test("the value that the text of a date stands for is that of tsk_core.explain.labels", () => {
  /** @type {[import("../../ui/client/model/columns.js").ExportedDate, number, number[], number][]} */
  const cases = [
    [{ format: "%Y", scale: "years", origin: "", midnights: true }, 2016.1789, [2016.1775956284152, 2016.1775956284152, 2016.1803278688524], 1 / 365.25],
    [{ format: "%Y", scale: "days", origin: "2020-01-03", midnights: false }, 28.20007, [28.2, 28.2, 28.2 + 1 / 1440], 1 / 1440],
    [{ format: "%Y", scale: "hours", origin: "2020-01-03", midnights: true }, 30, [24, 24, 48], 24],
    [{ format: "", scale: "clock", origin: "" }, 14.503, [14.5, 14.5, 14.5 + 1 / 60], 1 / 60],
  ];
  for (const [date, value, expected, finest] of cases) {
    const found = [-1, 0, 1].map((side) => writtenDate(date, value, side));
    found.forEach((at, k) => assert.ok(Math.abs(at - expected[k]) < 1e-9, `${date.scale}: ${at}`));
    assert.ok(Math.abs(finestDate(date) - finest) < 1e-12);
  }
});
