// Watchers keep up with the lecturer until they look elsewhere, and come back; the lecturer's page says each epoch once.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import "./page.js";
import { receive } from "../../ui/client/core/feed.js";
import { sayShown } from "../../ui/client/core/leading.js";
import { watch } from "../../ui/client/core/live.js";
import { state } from "../../ui/client/core/store.js";
import { comeBack, following, keepUp, leave } from "../../ui/client/charts/following.js";
import { training } from "../../ui/client/charts/epoch_slider.js";

let moment = 0;
const say = (kind, of, payload) => receive([{ kind, of, since: moment += 1, payload }]);
const shows = (epoch, future = true) => { say("stage", "a", { epoch, future }); keepUp(); };
const line = (epoch) => ({ stage: "training", epoch, firing: [0.5, 0.5], entropy: [1] });
/** Epochs up to this one; each second epoch was not recorded. */
const train = (until, since = 0) => {
  const list = Array.from({ length: until - since }, (_, k) => line(2 * (since + k + 1)));
  receive([{ kind: "epochs", of: "a", version: "1", since, payload: { list } }]);
  keepUp();
};
const selected = () => [state().epoch?.epoch, state().newest];

test("a watcher keeps up with the lecturer, until it looks elsewhere, and comes back", () => {
  say("runs", undefined, { shown: "a", comparison: null, dark: false });
  train(5);
  assert.deepEqual([selected(), following()], [[10, true], { led: false, away: false }]);
  leave();
  assert.equal(following().away, false); // there is nobody to leave
  shows(4, false);
  assert.deepEqual([selected(), state().future, following()], [[4, false], false, { led: true, away: false }]);
  shows(7); // the newest epoch up to it
  assert.deepEqual([selected(), state().future], [[6, false], true]);
  shows(1); // before the first one
  assert.deepEqual(selected(), [2, false]);
  leave();
  training.goTo(3);
  shows(2);
  assert.deepEqual([selected(), following().away], [[8, false], true]);
  comeBack();
  assert.deepEqual([selected(), following().away], [[2, false], false]);
  shows(null);
  train(6, 5);
  assert.deepEqual(selected(), [12, true]);
});

test("a watcher that has fewer epochs than the lecturer catches up with the epoch shown, and stays there", () => {
  shows(14);
  assert.deepEqual(selected(), [12, true]);
  train(7, 6);
  train(9, 7);
  assert.deepEqual(selected(), [14, false]);
});

test("the lecturer's page says each epoch once, at most ten a second, and the last one always", () => {
  const sent = [];
  globalThis.WebSocket = class {
    static OPEN = 1;

    constructor() { this.readyState = 1; }

    send(text) { sent.push(JSON.parse(text)); }
  };
  globalThis.document.baseURI = "http://localhost/";
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  watch({ key: "watch", tickets: ["run"], parts: [], drawn: {} }, () => {});
  mock.timers.tick(1000);
  const shown = (epoch, newest = false) => sayShown("lead", { epoch: { epoch }, newest, future: true });
  for (const epoch of [1, 1, 2]) {
    shown(epoch);
    mock.timers.tick(60);
  }
  shown(3);
  shown(4);
  mock.timers.tick(150);
  shown(5, true);
  mock.timers.tick(1000);
  shown(5, true);
  mock.timers.tick(1000);
  const stages = sent.filter(({ lead }) => lead === "lead").map(({ stage }) => stage.epoch);
  assert.deepEqual(stages, [1, 2, 4, null]);
  mock.timers.reset();
});
