// The live connection: what it asks for and when, in which order messages are taken in, how it comes back, and when the page is drawn
// again. The WebSocket, HTTP and the clock are the test's own.

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { deflateSync } from "node:zlib";
import "./page.js";
import { forget, onList, onValue } from "../../ui/client/core/feed.js";

/** A websocket that the test opens, closes, and sends messages with. */
class FakeSocket {
  static OPEN = 1;
  static made = [];

  constructor(url) {
    Object.assign(this, { url: String(url), readyState: 0, sent: [], closed: false });
    FakeSocket.made.push(this);
  }

  send(text) { this.sent.push(JSON.parse(text)); }

  close() { this.closed = true; }

  opens() {
    this.readyState = 1;
    this.onopen();
  }

  closes() {
    this.readyState = 3;
    this.onclose();
  }

  brings(message, compressed = false) {
    const text = JSON.stringify(message), { buffer, byteOffset, byteLength } = deflateSync(text);
    this.onmessage({ data: compressed ? buffer.slice(byteOffset, byteOffset + byteLength) : text });
  }
}

const place = { baseURI: "https://host.example/app/", documentElement: { classList: new Set(), dataset: {} }, hidden: false };
place.documentElement.classList.remove = Set.prototype.delete;
Object.assign(globalThis, { WebSocket: FakeSocket, document: Object.assign(globalThis.document, place) });
const isCut = () => place.documentElement.classList.has("tsk-cut-off");

/** What listens on the window, by the name of the event. */
let heard = {};
globalThis.addEventListener = (name, call) => { heard[name] = call; };
globalThis.document.addEventListener = globalThis.addEventListener;

let live, loaded = 0, kept, asked; // asked: over HTTP, with what answers
onList("numbers", (entries, { anew }) => { kept = [...(anew ? [] : kept), ...entries]; });
const list = (since, entries) => ({ kind: "numbers", of: "a", version: "v", since, payload: { list: entries } });
const state = (values, of = "a", since = Date.now()) => ({ kind: "state", of, since, payload: values });

beforeEach(async () => {
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: 1_000_000 });
  mock.method(Math, "random", () => 0.5); // pauses are as long as they are on average
  mock.method(globalThis, "fetch", (to, { method, body }) => new Promise((answer, fail) => {
    asked.push({ to: String(to), method, ...JSON.parse(body), answer: (parts) => answer({ ok: true, json: async () => parts }), fail });
  }));
  [FakeSocket.made, kept, asked, heard] = [[], [], [], {}];
  live = await import(`../../ui/client/core/live.js?${loaded += 1}`); // another page
});

afterEach(() => {
  forget(["numbers", "state", "said"]);
  place.documentElement.classList.clear();
  mock.reset();
  mock.timers.reset();
});

/** Let time go by, in steps: the clock of a step is that of its end. */
function tick(milliseconds) {
  for (let left = milliseconds; left >= 0; left -= 100) mock.timers.tick(Math.min(left, 100));
}
const newest = () => FakeSocket.made.at(-1);
/** Let whatever needs no clock come to its end. */
const settled = async () => { for (let k = 0; k < 20; k += 1) await new Promise(setImmediate); };
const until = async (condition) => { while (!condition()) await new Promise(setImmediate); };

/** An element of the page that follows these tickets. Returns its end, and what it has told the server. */
function shows(tickets, { key = "watch", parts = [], drawn = {} } = {}) {
  const sent = [], end = live.watch({ key, tickets, parts, drawn }, (name, value) => sent.push([name, value]));
  tick(0);
  return { end, sent };
}

test("on opening it says what the page shows, and how far the page has it", async () => {
  shows(["run", "lists"], { parts: [list(0, [1, 2])] });
  shows(["run", "tuning"], { key: "beside" });
  assert.deepEqual([FakeSocket.made.length, newest().url], [1, "wss://host.example/app/live"]);
  assert.deepEqual(newest().sent, []);
  newest().opens();
  assert.deepEqual(newest().sent, [{ tickets: ["run", "lists", "tuning"], have: { "numbers a": ["v", 2] } }]);
});

test("it says so again when the page shows something else, and not when the page is drawn again with the same", () => {
  const first = shows(["a"]), socket = newest();
  socket.opens();
  first.end();
  const again = shows(["a"]); // Streamlit ends an element and makes it again
  assert.equal(socket.sent.length, 1);
  shows(["b"], { parts: [list(0, [1])] }); // in place of the element before, whose end comes later
  again.end();
  tick(0);
  assert.deepEqual(socket.sent.slice(1), [{ tickets: ["b"], have: { "numbers a": ["v", 1] } }]);
  shows(["c"], { key: "beside" }).end();
  tick(0);
  assert.deepEqual(socket.sent.slice(2).map(({ tickets }) => tickets), [["b", "c"], ["b"]]);
  assert.equal(FakeSocket.made.length, 1);
});

test("a page that shows nothing does not connect, and says that it shows nothing any more", () => {
  shows([]);
  assert.equal(FakeSocket.made.length, 0);
  const { end } = shows(["a"]);
  newest().opens();
  end();
  tick(0);
  assert.deepEqual(newest().sent.at(-1).tickets, []);
  newest().closes();
  tick(100_000);
  assert.equal(FakeSocket.made.length, 1);
});

test("text and compressed messages are taken in, in the order in which they come", async () => {
  shows(["a"]);
  newest().opens();
  newest().brings([list(0, [1, 2])], true);
  newest().brings([list(2, [3])]); // does not have to be unpacked, and yet waits
  newest().brings([list(3, [4])], true);
  await until(() => kept.length === 4);
  assert.deepEqual([kept, newest().sent.length], [[1, 2, 3, 4], 1]);
});

test("where entries between are missing, it asks from where the page is", async () => {
  shows(["a"]);
  newest().opens();
  newest().brings([list(0, [1])]);
  newest().brings([list(5, [6])]);
  await settled();
  assert.deepEqual(newest().sent.slice(1), [{ tickets: ["a"], have: { "numbers a": ["v", 1] } }]);
  newest().brings([list(1, [2, 3, 4, 5, 6])]);
  await settled();
  assert.deepEqual([kept, newest().sent.length, FakeSocket.made.length], [[1, 2, 3, 4, 5, 6], 2, 1]);
});

test("it connects again from where it was", async () => {
  shows(["a"]);
  newest().opens();
  newest().brings([list(0, [1, 2])]);
  await settled();
  newest().closes();
  tick(15_000);
  newest().opens();
  assert.deepEqual([FakeSocket.made.length, newest().sent], [2, [{ tickets: ["a"], have: { "numbers a": ["v", 2] } }]]);
});

/** Milliseconds until the next websocket is made. */
function pauseUntilNext(most = 100_000) {
  const before = FakeSocket.made.length;
  let pause = 0;
  for (; FakeSocket.made.length === before && pause < most; pause += 100) tick(100);
  return pause;
}

test("its pauses grow up to 15 seconds, also where each connection breaks at once, and are short again after one that lasted", () => {
  shows(["a"]);
  newest().opens();
  const pauses = [];
  for (let k = 0; k < 7; k += 1) {
    newest().closes();
    pauses.push(pauseUntilNext());
    newest().opens();
  }
  assert.deepEqual(pauses, [1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);
  tick(15_001);
  newest().closes();
  assert.equal(pauseUntilNext(), 1000);
});

test("the tabs of a room do not all come back at once", () => {
  const pauses = [0, 0.999].map((chance) => {
    Math.random.mock.mockImplementation(() => chance);
    shows(["a"]);
    newest().opens();
    tick(15_001);
    newest().closes();
    return pauseUntilNext();
  });
  assert.deepEqual(pauses, [500, 1500]);
});

test("a message that cannot be read is no reason to ask for it without a pause", async () => {
  const complained = mock.method(console, "error", () => {});
  shows(["a"]);
  newest().opens();
  const first = newest();
  first.brings([list(0, [1])]);
  first.onmessage({ data: "{" });
  first.brings([list(1, [2])]);
  await settled();
  assert.deepEqual([kept, first.closed, FakeSocket.made.length, complained.mock.callCount()], [[1], true, 1, 1]);
  first.closes(); // as a browser tells it
  assert.equal(pauseUntilNext(), 1000);
  newest().opens();
  assert.deepEqual(newest().sent[0].have, { "numbers a": ["v", 1] });
});

test("what a connection brings that was given up meanwhile is not taken in", async () => {
  shows(["a"]);
  newest().opens();
  const first = newest();
  first.closes();
  pauseUntilNext();
  newest().opens();
  first.brings([list(7, [8])]);
  await settled();
  assert.deepEqual([kept, newest().sent.length], [[], 1]);
});

/** Let the websockets that are made be refused, until it asks over HTTP. */
function refused() {
  for (let k = 0; k < 2; k += 1) {
    newest().closes();
    tick(1000);
  }
}

test("where a websocket is refused twice it asks over HTTP each second, from where it is", async () => {
  shows(["a"]);
  refused();
  assert.deepEqual([FakeSocket.made.length, asked.length], [2, 1]);
  for (const parts of [[list(0, [1, 2])], [list(2, [3])], []]) {
    asked.at(-1).answer(parts);
    await settled();
    tick(1000);
  }
  assert.deepEqual(asked.map(({ to, method, tickets, have }) => [to, method, tickets, have["numbers a"]?.[1]]), [
    undefined, 2, 3, 3].map((count) => ["https://host.example/app/live", "POST", ["a"], count]));
  assert.deepEqual([kept, isCut()], [[1, 2, 3], false]);
});

test("it tries a websocket again and again meanwhile, and asks no more over HTTP once one opens", async () => {
  shows(["a"]);
  refused();
  while (FakeSocket.made.length === 2) {
    asked.at(-1).answer([]);
    await settled();
    tick(1000);
  }
  assert.equal(asked.length, 28);
  newest().opens();
  assert.deepEqual(newest().sent[0].tickets, ["a"]);
  tick(100_000);
  assert.equal(asked.length, 28);
  for (let k = 0; k < 3; k += 1) {
    newest().closes();
    pauseUntilNext(); // once one was open, they are not refused
  }
  assert.deepEqual([asked.length, FakeSocket.made.length], [28, 6]);
});

test("it stops asking over HTTP once the page shows nothing", async () => {
  const { end } = shows(["a"]);
  refused();
  end();
  asked.at(-1).answer([]);
  await settled();
  tick(100_000);
  assert.deepEqual([asked.length, FakeSocket.made.length], [1, 2]);
});

test("the page is marked once it is cut off for 3 seconds, however often it tries meanwhile, until it is back", () => {
  shows(["a"]);
  newest().opens();
  newest().closes();
  tick(1000);
  newest().closes(); // the first try
  tick(1999);
  assert.equal(isCut(), false);
  tick(1);
  assert.equal(isCut(), true);
  newest().opens();
  assert.equal(isCut(), false);
  newest().closes();
  tick(1000);
  newest().opens(); // back within 3 seconds
  tick(10_000);
  assert.equal(isCut(), false);
  newest().closes();
  tick(3000);
  assert.equal(isCut(), true);
});

test("the page is marked where HTTP fails too, until it answers", async () => {
  shows(["a"]);
  refused();
  for (let k = 0; k < 3; k += 1) {
    asked.at(-1).fail(new TypeError("Failed to fetch"));
    await settled();
    tick(1000);
  }
  assert.equal(isCut(), true);
  asked.at(-1).answer([]);
  await settled();
  assert.equal(isCut(), false);
});

test("it connects at once where the network is back, or the page is looked at again", () => {
  shows(["a"]);
  for (const [k, event] of ["online", "pageshow", "visibilitychange"].entries()) {
    heard[event](); // it is connecting, or connected
    assert.equal(FakeSocket.made.length, k + 1);
    newest().closes();
    heard[event]();
    assert.equal(FakeSocket.made.length, k + 2);
    newest().opens();
  }
  tick(100_000); // longer than it would have waited
  assert.equal(FakeSocket.made.length, 4);
});

test("after the computer slept it connects anew, since the other end may be gone", () => {
  shows(["a"]);
  newest().opens();
  const first = newest();
  tick(60_000);
  assert.deepEqual([FakeSocket.made.length, first.closed], [1, false]);
  mock.timers.setTime(Date.now() + 200_000); // in which no timer was called
  tick(5000);
  assert.deepEqual([FakeSocket.made.length, first.closed], [2, true]);
  first.closes();
  newest().opens();
  assert.deepEqual(newest().sent[0].tickets, ["a"]);
});

const ENDED = { ended: true }, RUNS = { ended: false };

test("a page that was drawn with another state is asked for again, with growing pauses until it is drawn with the new one", async () => {
  const drawn = (values) => shows(["a"], { drawn: { a: values } }), { sent } = drawn(RUNS);
  newest().opens();
  tick(1000);
  newest().brings([state(ENDED)]);
  await settled();
  assert.deepEqual(sent, [["changed", 'a {"ended":true} 4000']]);
  const times = [];
  for (let second = 1; second <= 30; second += 1) {
    const before = sent.length;
    tick(1000);
    if (sent.length > before) times.push(second);
  }
  assert.deepEqual(times, [4, 12, 28]);
  assert.equal(new Set(sent.map(([, value]) => value)).size, sent.length); // the same value would not be sent
  const after = drawn(ENDED);
  tick(10_000);
  assert.deepEqual([sent.length, after.sent], [4, []]);
  const again = drawn(RUNS); // such as by the button "Back": no repetition of what was asked for before
  tick(1000);
  assert.deepEqual(again.sent, [["changed", 'a {"ended":true} 4000']]);
});

test("a page that is drawn with the old state again and again is not asked for without a pause", async () => {
  const all = [];
  shows(["a"], { drawn: { a: RUNS } });
  newest().opens();
  newest().brings([state(ENDED)]);
  await settled();
  for (let second = 0; second < 60; second += 1) {
    const { sent } = shows(["a"], { drawn: { a: RUNS } });
    tick(1000);
    all.push(...sent);
  }
  assert.deepEqual(all.length, 4); // after 1, 5, 13, and 29 seconds
});

test("a page is not asked for again where the state is that which it was drawn with, or of nothing that it was drawn with", async () => {
  const { sent } = shows(["a"], { drawn: { a: { settled: true, ended: false }, later: ENDED } });
  newest().opens();
  newest().brings([state({ ended: false, settled: true }), state(ENDED, "b")]); // in another order
  await settled();
  tick(1_000_000);
  assert.deepEqual(sent, []);
});

test("a page that was just drawn may know more than the last message, and is compared only after a second", async () => {
  shows(["a"], { drawn: { a: RUNS } });
  newest().opens();
  newest().brings([state(RUNS)]);
  await settled();
  const { sent } = shows(["a"], { drawn: { a: ENDED } });
  tick(500);
  newest().brings([state(RUNS, "a", Date.now() + 1), state(RUNS, "b")]); // on its way when the page was drawn
  await settled();
  tick(499);
  assert.deepEqual(sent, []);
  newest().brings([state(ENDED, "a", Date.now() + 2)]);
  await settled();
  tick(1_000_000);
  assert.deepEqual(sent, []);
  const other = shows(["a"], { drawn: { a: RUNS } });
  tick(999);
  assert.deepEqual(other.sent, []);
  tick(1);
  assert.equal(other.sent.length, 1);
});

test("a state that changes once more is asked for at once", async () => {
  const { sent } = shows(["a"], { drawn: { a: { ended: false, settled: false } } });
  newest().opens();
  tick(1000);
  for (const [k, values] of [{ ended: false, settled: true }, { ended: true, settled: true }].entries()) {
    newest().brings([state(values, "a", Date.now() + k)]);
    await settled();
  }
  assert.deepEqual(sent.map(([, value]) => value), ['a {"ended":false,"settled":true} 4000', 'a {"ended":true,"settled":true} 4000']);
});

test("what is not there any more is said until the page shows something else", async () => {
  const { dataset } = place.documentElement;
  shows(["a"]);
  newest().opens();
  newest().brings([{ kind: "gone", since: 1, payload: "This run was deleted." }]);
  await settled();
  assert.equal(dataset.tskGone, "This run was deleted.");
  shows(["b"]);
  assert.equal(dataset.tskGone, undefined);
});

test("what the page says itself is taken in at once", () => {
  let said = "";
  onValue("said", (payload) => { said = payload; });
  shows(["a"], { parts: [{ kind: "said", since: 1, payload: "by the page" }] });
  assert.equal(said, "by the page");
});

test("what is shown follows the page from one subject to another and back, whichever was changed last", async () => {
  let said = "";
  onValue("said", (payload) => { said = payload; });
  shows(["first"]);
  newest().opens();
  const seen = [];
  for (const [since, payload] of [[5, "first"], [8, "second"], [5, "first"]]) {
    newest().brings([{ kind: "said", since, payload }]);
    await settled();
    seen.push(said);
  }
  assert.deepEqual(seen, ["first", "second", "first"]);
});
