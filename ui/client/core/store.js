// What this page knows of the runs it shows, which epoch is selected, and how the charts are shown. The server sends what is new
// (ui/live/message.py); `receive` returns the runs of which something is missing. Views are drawn again when anything changes.

/** @import { Epoch, ListMessage, Message, RunMessage } from "./messages.js" */
/** @import { Options, Run, State } from "./types.js" */

import { observable } from "./observable.js";

/** @type {Map<string, Run>} */
const runs = new Map();
const { subscribe, changed } = observable();
/** @type {{ shown: string | null, comparison: string | null }} */
let ids = { shown: null, comparison: null };
/** @type {number | null} */
let selected = null; // index into the epochs of the run shown; null: always the newest one

export { subscribe };
/** @type {Options} */
export const options = { // changed by `setOptions`
  dark: false, order: "active", future: true, speed: 20, across: "epochs", logLoss: false, beside: false, ruleOrder: "dominance",
  notation: "words", ablation: { run: null, steps: [] },
};

/**
 * Apply a message of the server. Returns the ids of the runs of which something before the message is missing.
 * @param {Message} message
 */
export function receive(message) {
  const missing = [], before = state().shown;
  for (const part of [message.shown, message.comparison]) if (part && !applyRun(part)) missing.push(part.run);
  ids = { shown: message.shown?.run ?? null, comparison: message.comparison?.run ?? null };
  options.dark = message.dark;
  for (const run of runs.keys()) if (run !== ids.shown && run !== ids.comparison) runs.delete(run);
  if (replaced(before, state().shown)) selected = null;
  changed();
  return missing;
}

/**
 * Whether other epochs are shown than before: of another run, of a restarted one, or of the training after a search.
 * @param {Run} before
 * @param {Run} now
 */
function replaced(before, now) {
  return before.run !== now.run || now.epochs.length < before.epochs.length || before.epochs[0]?.stage !== now.epochs[0]?.stage;
}

/** @param {RunMessage} message */
function applyRun({ run, since, after, fields, epochs, about, ...lists }) {
  const kept = runs.get(run) ?? emptyRun(run);
  runs.set(run, kept);
  kept.about = about;
  if (since && kept.epochs[since - 1]?.seconds !== after) return false;
  const errors = [lists.snapshots, lists.ruleBases, lists.evaluations].flatMap((list) => (list ? [list.error] : []));
  if (errors.length) kept.error = [...new Set(errors)].filter(Boolean).join(" ");
  const whole = applyList(kept, kept.snapshots, lists.snapshots) && applyList(kept, kept.ruleBases, lists.ruleBases)
    && applyList(kept, kept.evaluations, lists.evaluations);
  if (!whole) return false;
  kept.epochs.length = since; // a run whose worker was lost starts again
  for (const values of epochs) kept.epochs.push(epochOf(fields, values));
  return true;
}

/**
 * @param {string[]} fields
 * @param {unknown[]} values
 */
function epochOf(fields, values) {
  /** @type {unknown} */
  const epoch = Object.fromEntries(fields.map((field, k) => [field, values[k]]));
  return /** @type {Epoch} */ (epoch);
}

/**
 * A run of which nothing is known.
 * @param {string | null} run
 * @returns {Run}
 */
export const emptyRun = (run) => ({ run, epochs: [], snapshots: [], ruleBases: [], evaluations: [], base: null, classes: [], error: "", about: {} });

/**
 * Append the new part of a list. Lists keep the order in which they came: where training diverged, the model kept is the last snapshot.
 * @template T
 * @param {Run} kept
 * @param {T[]} list
 * @param {ListMessage<T> | undefined} message
 */
function applyList(kept, list, message) {
  if (!message) return true; // its tab is closed
  if (message.since > list.length) return false;
  kept.base = message.base ?? kept.base;
  kept.classes = message.classes ?? kept.classes;
  list.splice(message.since, Infinity, ...message.list);
  return true;
}

/**
 * What to draw: the run shown and the comparison, each with the epochs of its training, the selected epoch, and the options.
 * @returns {State}
 */
export function state() {
  const shown = withoutSearch(ids.shown), comparison = withoutSearch(ids.comparison);
  const last = shown.epochs.length - 1;
  const index = selected === null ? last : Math.min(selected, last);
  return { shown, comparison, index, epoch: shown.epochs[index] ?? null, newest: index === last, ...options };
}

/**
 * A run without the epochs of a search for their number, once its training has begun.
 * @param {string | null} id
 */
function withoutSearch(id) {
  const kept = runs.get(id ?? "");
  if (!kept) return emptyRun(null);
  const training = kept.epochs.filter((epoch) => epoch.stage === "training");
  return { ...kept, epochs: training.length ? training : kept.epochs };
}

/**
 * The entry of a list that holds at the selected epoch: the latest one up to it, else the earliest; at the end of a run, that of the
 * model kept.
 * @template {{ epoch: number, end?: boolean }} T
 * @param {T[]} list
 * @param {State} state
 * @returns {T | null}
 */
export function atEpoch(list, { shown, epoch, newest }) {
  if (newest && shown.about.ended) return list.find((entry) => entry.end) ?? list.at(-1) ?? null;
  const before = list.filter((entry) => !epoch || entry.epoch <= epoch.epoch);
  /** @type {T | null} */
  let found = null;
  for (const entry of before) if (!found || entry.epoch >= found.epoch) found = entry;
  if (!found) for (const entry of list) if (!found || entry.epoch < found.epoch) found = entry;
  return found;
}

/**
 * Select the epoch with this index; null follows the newest one.
 * @param {number | null} index
 */
export function selectEpoch(index) {
  selected = index;
  changed();
}

/**
 * Change how the charts are shown.
 * @param {Partial<Options>} changes
 */
export function setOptions(changes) {
  Object.assign(options, changes);
  changed();
}
