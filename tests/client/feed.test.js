// The feed: lists whose messages are lost, repeated or late, and values that are older than what is known.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";
import { forget, marksOf, onList, onValue, receive } from "../../ui/client/core/feed.js";

/** A list that is kept as it comes. */
let kept = [];
onList("numbers", (entries, { anew }) => { kept = [...(anew ? [] : kept), ...entries]; });
/** What a message of this part lacks. */
const send = (since, list, version = "", of = "a") => receive([{ kind: "numbers", of, version, since, payload: { list } }]);

test("entries that are known are skipped, and none is taken back", () => {
  for (const [since, list] of [[0, [1, 2, 3]], [1, [2, 3, 4]], [0, [1]], [4, []]]) assert.deepEqual(send(since, list), []);
  assert.deepEqual(kept, [1, 2, 3, 4]);
});

test("a gap is reported, and nothing is added", () => {
  send(0, [1, 2], "with a gap");
  assert.deepEqual([send(3, [4], "with a gap"), kept], [["numbers"], [1, 2]]);
  assert.deepEqual([send(2, [3, 4], "with a gap"), kept], [[], [1, 2, 3, 4]]);
});

test("another version replaces the list from its beginning on, and is reported where that is missing", () => {
  send(0, [1, 2], "first");
  assert.deepEqual([send(1, [9], "second"), kept], [["numbers"], [1, 2]]);
  assert.deepEqual([send(0, [8, 9], "second"), kept], [[], [8, 9]]);
});

test("of what is forgotten everything is needed again", () => {
  send(0, [1], "", "b");
  send(0, [1], "", "c");
  forget(["numbers"], ["c"]);
  assert.deepEqual([send(1, [2], "", "b"), send(1, [2], "", "c")], [["numbers"], []]);
});

test("a value that is older than what is known changes nothing", () => {
  let value = "";
  onValue("word", (payload) => { value = payload; });
  const said = [[2, "new"], [1, "old"], [2, "again"], [3, "newer"]].map(([since, payload]) => {
    receive([{ kind: "word", since, payload }]);
    return value;
  });
  assert.deepEqual(said, ["new", "new", "again", "newer"]);
});

test("an older value that the page asked for is that of another subject, and counts", () => {
  let value = "";
  onValue("sentence", (payload) => { value = payload; });
  receive([{ kind: "sentence", since: 9, payload: "of the one" }], true);
  receive([{ kind: "sentence", since: 3, payload: "of the other" }], true);
  assert.deepEqual([value, marksOf()["sentence "]], ["of the other", ["3", 1]]);
});

test("of a value that is forgotten an older one counts again", () => {
  const said = [];
  onValue("name", (payload, of) => said.push([of, payload]));
  const say = (of, since, payload) => receive([{ kind: "name", of, since, payload }]);
  say("a", 5, "new");
  say("b", 5, "new");
  forget(["name"], ["b"]);
  say("a", 1, "old");
  say("b", 1, "old");
  assert.deepEqual(said, [["a", "new"], ["b", "new"], ["a", "old"]]);
});

test("the page says how far it has each list and value, also of kinds that it does not draw", () => {
  forget(["numbers", "word", "sentence", "name"]);
  send(0, [1, 2], "first");
  send(2, [3], "first");
  send(9, [3], "first"); // with a gap
  const value = (kind, since) => receive([{ kind, since, payload: null }]);
  value("word", 1_764_000_000_000_123); // microseconds
  value("word", 4); // older
  value("unknown", 7);
  assert.deepEqual(marksOf(), { "numbers a": ["first", 3], "word ": ["1764000000000123", 1], "unknown ": ["7", 1] });
  forget(["numbers", "word"]);
  assert.deepEqual(marksOf(), { "unknown ": ["7", 1] });
});

test("what a message brings besides is taken in where a list has a gap", () => {
  let word = "";
  onValue("said", (payload) => { word = payload; });
  const parts = [{ kind: "numbers", of: "d", since: 3, payload: { list: [4] } }, { kind: "said", since: 1, payload: "yes" }];
  assert.deepEqual([receive(parts), word], [["numbers"], "yes"]);
});
