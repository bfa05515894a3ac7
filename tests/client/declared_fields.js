// Prints which charts draw something else where the message has only what they declare to read. Given: the declarations.

import { asComparison, figure, makeEpoch, makeHistory, makeRun } from "./runs.js";

const EVALUATION = { confusion: [[3, 1], [0, 4]], reliability: { count: [4], confidence: [0.5], accuracy: [0.25] }, ece: 0.12 };
const ALWAYS = ["stage", "epoch", "seconds"];

/** A run whose message lacks the fields and parts of the evaluation that are not named. */
function runOf(fields, metrics) {
  const run = makeRun(makeHistory(5), { ended: true, classes: ["a", "b"], baseline: 0.83 });
  const { list, fields: all } = run.lists.epochs;
  const kept = all.map((field, k) => [field, k]).filter(([field]) => fields.includes(field) || ALWAYS.includes(field));
  const evaluation = Object.fromEntries(Object.entries(EVALUATION).filter(([name]) => metrics.includes(name)));
  const epochs = { fields: kept.map(([field]) => field), list: list.map((epoch) => kept.map(([, k]) => epoch[k])) };
  return { ...run, about: { ...run.about, ...evaluation }, lists: { epochs } };
}

/** The figure as text; what went wrong, where it cannot be drawn. */
function drawn(name, fields, metrics) {
  const run = runOf(fields, metrics);
  try {
    return JSON.stringify(figure(name, run, asComparison(run)));
  } catch (error) {
    return String(error);
  }
}

const ALL = [Object.keys(makeEpoch()), Object.keys(EVALUATION)];
const differs = JSON.parse(process.argv[2]).filter(({ name, fields, metrics }) => drawn(name, ...ALL) !== drawn(name, fields, metrics));
process.stdout.write(JSON.stringify(differs.map(({ name }) => name)));
