// Drawings that take long leave the page time, and of those that wait the last one alone is made.

import assert from "node:assert/strict";
import { test } from "node:test";
import { unhurried } from "../../ui/client/core/unhurried.js";

test("the first drawing is made at once, the next ones later, and of several only the last", async () => {
  const drawn = [], ends = [], draw = unhurried((given) => {
    drawn.push(given);
    return new Promise((done) => { ends.push(done); });
  });
  draw("a");
  assert.deepEqual(drawn, ["a"]); // as before a page is printed
  draw("b");
  draw("c");
  assert.deepEqual(drawn, ["a"]);
  ends[0]();
  while (drawn.length < 2) await new Promise((done) => { setTimeout(done); });
  assert.deepEqual(drawn, ["a", "c"]);
  ends[1]();
  await new Promise((done) => { setTimeout(done, 5); });
  draw("d");
  draw("e");
  assert.equal(drawn.length, 2); // what stands beside it is drawn first
  while (drawn.length < 3) await new Promise((done) => { setTimeout(done); });
  assert.deepEqual(drawn, ["a", "c", "e"]);
});
