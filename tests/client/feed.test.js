// The feed: lists whose messages are lost, repeated or late, and values that are older than what is known.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";
import { forget, onList, onValue, receive } from "../../ui/client/core/feed.js";

/** A list that is kept as it comes. */
let kept = [];
onList("numbers", (entries, { anew }) => { kept = [...(anew ? [] : kept), ...entries]; });
/** What a message of this part lacks. */
const send = (since, list, version = "", of = "a") => receive([{ kind: "numbers", of, version, since, payload: { list } }]).missing;

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

test("more is asked for where a list has more at once", () => {
  const parts = (more) => [{ kind: "numbers", of: "d", since: 0, payload: { list: [], more } }, { kind: "unknown", since: 0, payload: null }];
  assert.deepEqual([receive(parts(true)).more, receive(parts(false)).more], [true, false]);
});
