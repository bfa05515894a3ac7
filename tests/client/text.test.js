// Shares as percentages, as tests/test_numbers.py has them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { percent } from "../../ui/client/core/text.js";

test("only everything is 100%, and only nothing is 0%", () => {
  const shares = [0, 1e-5, 0.0006, 0.123, 0.9994, 0.9996, 1];
  const texts = ["0%", "under 0.1%", "0.1%", "12.3%", "99.9%", "over 99.9%", "100%"];
  assert.deepEqual(shares.map((share) => percent(share)), texts);
  assert.deepEqual(shares.map((share) => percent(share, 0)), ["0%", "under 1%", "under 1%", "12%", "over 99%", "over 99%", "100%"]);
});
