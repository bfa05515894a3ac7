// What this page knows of the runs it shows, and which epoch is looked at. Views draw themselves anew when anything changes.
//
// One run: { run, epochs, about, and the lists of ui/live/lists.py with base }. An epoch is an object with the fields of
// ui/live/message.py. The server sends what is new; `receive` says what it lacks.

import { redrawing } from "./redraw.js";

const LISTS = ["snapshots", "books", "mistakes"];
const runs = new Map();
const { subscribe, changed } = redrawing();
let names = { shown: null, ghost: null };
let at = null; // index into the epochs of the run shown; null: the newest one, whichever that is

export { subscribe };
export const view = { dark: false, order: "active", future: true, speed: 20 }; // how things are shown: see `choose`

/** Take over a message of the server; returns the runs of which something in between is missing. */
export function receive(message) {
  const missing = [], before = state();
  for (const part of [message.shown, message.ghost]) if (part && !take(part)) missing.push(part.run);
  names = { shown: message.shown?.run ?? null, ghost: message.ghost?.run ?? null };
  view.dark = message.dark;
  for (const run of runs.keys()) if (run !== names.shown && run !== names.ghost) runs.delete(run);
  if (begun(before, state())) at = null;
  changed();
  return missing;
}

/** Whether other epochs are shown than before: another run, the same one begun anew, or its training after a search. */
function begun(before, now) {
  const stage = ({ shown }) => shown.epochs[0]?.stage;
  return before.shown.run !== now.shown.run || now.shown.epochs.length < before.shown.epochs.length || stage(before) !== stage(now);
}

function take({ run, since, after, fields, epochs, about, ...lists }) {
  const kept = runs.get(run) ?? nothing(run);
  runs.set(run, kept);
  kept.about = about;
  if (since && kept.epochs[since - 1]?.seconds !== after) return false;
  if (!LISTS.every((name) => takeList(kept, name, lists[name]))) return false;
  kept.epochs.length = since; // a run that lost its worker trains again
  for (const values of epochs) kept.epochs.push(Object.fromEntries(fields.map((field, k) => [field, values[k]])));
  return true;
}

const nothing = (run) => ({ run, epochs: [], snapshots: [], books: [], mistakes: [], base: null, classes: [], trouble: "", about: {} });

/** Lists stay in the order in which they came: where training diverged, the model kept is the last snapshot. */
function takeList(kept, name, told) {
  if (!told) return true; // nobody looks at it
  if (told.since > kept[name].length) return false;
  kept.trouble = told.trouble ?? "";
  kept.base = told.base ?? kept.base;
  kept.classes = told.classes ?? kept.classes;
  kept[name] = [...kept[name].slice(0, told.since), ...told.list];
  return true;
}

/** What to draw: the run shown and the one before it (each with the epochs of its training), the epoch looked at, and how. */
export function state() {
  const shown = drawn(runs.get(names.shown)), ghost = drawn(runs.get(names.ghost));
  const last = shown.epochs.length - 1;
  const index = at === null ? last : Math.min(at, last);
  return { shown, ghost, index, epoch: shown.epochs[index] ?? null, newest: index === last, ...view };
}

function drawn(kept) {
  if (!kept) return nothing(null);
  const training = kept.epochs.filter((epoch) => epoch.stage === "training");
  return { ...kept, epochs: training.length ? training : kept.epochs };
}

/** What of a list is in force at the epoch looked at: the latest not after it, else the first; the end's, once the run has ended. */
export function inForce(list, { shown, epoch, newest }) {
  if (newest && shown.about.ended) return list.find((one) => one.end) ?? list.at(-1) ?? null;
  const before = list.filter((one) => !epoch || one.epoch <= epoch.epoch);
  const latest = before.reduce((best, one) => (best && best.epoch > one.epoch ? best : one), null);
  return latest ?? list.reduce((best, one) => (best && best.epoch <= one.epoch ? best : one), null);
}

/** Look at the epoch with this index, and stay there; null follows the newest. */
export function look(index) {
  at = index;
  changed();
}

/** Change how things are shown: order of the rules ("active", "number"), future (whether epochs after the one looked at show), speed
 * (epochs a second, when they are played). */
export function choose(how) {
  Object.assign(view, how);
  changed();
}
