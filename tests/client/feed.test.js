// The feed: lists whose messages are lost, repeated or late, and values that are older than what is known.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import "./page.js";
import { forget, onList, onValue, receive, take } from "../../ui/client/core/feed.js";

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

test("what a message lacks is asked for until a message comes, since Streamlit may drop the asking", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const asked = [], message = (since) => [{ kind: "numbers", of: "e", since, payload: { list: [] } }];
  const brought = (since) => take(message(since), (name, value) => asked.push([name, value]));
  brought(1);
  assert.deepEqual(asked, [["missing", ["numbers"]]]);
  for (const milliseconds of [3000, 6000]) mock.timers.tick(milliseconds);
  assert.equal(asked.length, 3);
  brought(0);
  mock.timers.tick(100_000);
  assert.equal(asked.length, 3);
  const leave = brought(1);
  leave(); // the page with it
  mock.timers.tick(100_000);
  assert.equal(asked.length, 4);
  mock.timers.reset();
});
