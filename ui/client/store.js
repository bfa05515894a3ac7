// What this page knows of the runs it shows, and which epoch is looked at. Views draw themselves anew when anything changes.
//
// One run: { run, epochs, snapshots, about }. An epoch is an object with the fields of ui/live/message.py. The server sends what
// is new; `receive` says what it lacks.

const runs = new Map();
const listeners = new Set();
let names = { shown: null, ghost: null };
let at = null; // index into the epochs of the run shown; null: the newest one, whichever that is
let scheduled = false;

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

function take({ run, since, fields, epochs, about, snapshots }) {
  const kept = runs.get(run) ?? { run, epochs: [], snapshots: [], about: {} };
  runs.set(run, kept);
  kept.about = about;
  if (since > kept.epochs.length) return false;
  kept.epochs.length = since; // a run that lost its worker trains again
  for (const values of epochs) kept.epochs.push(Object.fromEntries(fields.map((field, k) => [field, values[k]])));
  if (snapshots) takeSnapshots(kept, snapshots);
  return true;
}

function takeSnapshots(kept, snapshots) {
  const known = new Set(kept.snapshots.map((one) => one.epoch));
  kept.snapshots.push(...snapshots.filter((one) => !known.has(one.epoch)));
  kept.snapshots.sort((a, b) => a.epoch - b.epoch);
}

/** What to draw: the run shown and the one before it (each with the epochs of its training), the epoch looked at, and how. */
export function state() {
  const shown = drawn(runs.get(names.shown)), ghost = drawn(runs.get(names.ghost));
  const last = shown.epochs.length - 1;
  const index = at === null ? last : Math.min(at, last);
  return { shown, ghost, index, epoch: shown.epochs[index] ?? null, newest: index === last, ...view };
}

function drawn(kept) {
  if (!kept) return { run: null, epochs: [], snapshots: [], about: {} };
  const training = kept.epochs.filter((epoch) => epoch.stage === "training");
  return { ...kept, epochs: training.length ? training : kept.epochs };
}

/** The snapshot in force at the epoch looked at: the latest one that is not after it; null where there is none. */
export function snapshotAt({ shown, epoch }) {
  const before = shown.snapshots.filter((one) => !epoch || one.epoch <= epoch.epoch);
  return before.at(-1) ?? shown.snapshots[0] ?? null;
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

/** Have `draw` called, at most once a frame, when anything changed; returns how to end that. */
export function subscribe(draw) {
  listeners.add(draw);
  return () => listeners.delete(draw);
}

function changed() {
  if (scheduled) return;
  scheduled = true;
  // A hidden page gets no frames; it need not draw either.
  requestAnimationFrame(() => {
    scheduled = false;
    for (const draw of [...listeners]) draw();
  });
}
