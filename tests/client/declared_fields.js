// Prints which charts draw something else where epochs have only the fields that they declare to read. Given: the declarations.

import { asComparison, figure, makeHistory, makeRun } from "./runs.js";

const EVALUATION = { confusion: [[3, 1], [0, 4]], reliability: { count: [4], confidence: [0.5], accuracy: [0.25] }, ece: 0.12 };
const ALWAYS = ["stage", "epoch", "seconds"];

const only = (values, names) => Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
const BARE = makeRun(makeHistory(5), { ended: true, classes: ["a", "b"], baseline: 0.83 });

/** The figure of epochs with these fields and of these parts of the evaluation, as text; what went wrong, where it cannot be drawn. */
function drawn(name, fields, metrics) {
  const run = { ...BARE, about: { ...BARE.about, ...only(EVALUATION, metrics) } };
  const lessOf = ({ epochs, ...rest }) => ({ ...rest, epochs: epochs.map((epoch) => only(epoch, [...ALWAYS, ...fields])) });
  const less = ({ shown, comparison, ...now }) => (
    { ...now, shown: lessOf(shown), comparison: lessOf(comparison), epoch: lessOf(shown).epochs[now.index] });
  try {
    return JSON.stringify(figure(name, run, asComparison(run), { seen: fields && less }));
  } catch (error) {
    return String(error);
  }
}

const all = (name) => drawn(name, null, Object.keys(EVALUATION));
const differs = JSON.parse(process.argv[2]).filter(({ name, fields, metrics }) => all(name) !== drawn(name, fields, metrics));
process.stdout.write(JSON.stringify(differs.map(({ name }) => name)));
