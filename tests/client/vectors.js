// The shared vectors of the row explanation (tests/vectors/row_explanation.py), and what the client needs of each rule base.

import { readFileSync } from "node:fs";
import { modelOf } from "../../ui/client/model/inference.js";

const text = readFileSync(new URL("../vectors/row_explanation.json", import.meta.url), "utf-8");

/** Exported rules as a snapshot of one epoch. */
export function snapshotOf({ rules }, epoch = 1) {
  const names = ["log_weight", "centers", "sigmas", "consequents", ...("scale" in rules[0] ? ["scale", "shift"] : [])];
  return { epoch, ...Object.fromEntries(names.map((name) => [name, rules.map((rule) => rule[name])])) };
}

export const VECTORS = JSON.parse(text).map((one) => {
  const snapshot = snapshotOf(one.rules), model = modelOf(snapshot, one.rules);
  const kinds = one.features.map((feature) => ({ ...feature, kind: feature.categories.length ? "category" : "number" }));
  const { columns, classes } = one.rules;
  return { ...one, snapshot, model, table: { typical: one.typical_row, columns, features: kinds, classes } };
});
