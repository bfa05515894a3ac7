// What this page knows of the runs it shows, which epoch is selected, and how the charts are shown. The parts of messages that it takes
// in are explained in ui/live/run_subjects.py.

/** @import { About, Epoch, Options, Run, State } from "./types.js" */

import { changed, forget, onList, onValue } from "./feed.js";

/** @type {("snapshots" | "ruleBases" | "evaluations" | "strengths")[]} */
const OF_TABS = ["snapshots", "ruleBases", "evaluations", "strengths"];
const OF_RUNS = ["epochs", "about", "pair", "errors", "rows", ...OF_TABS];
const LITTLE = 0.2; // of an equal share of the firing: a rule with less hardly fires
/** @type {Map<string, Run>} */
const runs = new Map();
/** @type {{ shown: string | null, comparison: string | null }} */
let ids = { shown: null, comparison: null };
/** @type {number | null} */
let selected = null; // index into the epochs of the run shown; null: always the newest one

export { receive, subscribe } from "./feed.js";
/** @type {Options} */
export const options = { // changed by `setOptions`
  dark: false, order: "active", future: true, speed: 20, across: "epochs", logLoss: false, beside: false, ruleOrder: "dominance",
  notation: "words", ablation: { run: null, steps: [] }, prediction: null,
  pointed: null, kept: null,
};
/** @type {number | null} */
let frozen = null; // the epoch at which a lesson lets the charts stand still, 0 before training
let besideByLesson = false;

onValue("runs", ({ shown, comparison, dark }) => {
  if (shown !== ids.shown) {
    selected = options.pointed = options.kept = null;
    leaveLesson(); // the rest of a lesson's message sets it again
  }
  ids = { shown, comparison };
  options.dark = dark;
  for (const run of runs.keys()) if (run !== shown && run !== comparison) runs.delete(run);
  forget(OF_RUNS, [shown, comparison]);
});

onValue("prediction", (prediction) => { options.prediction = prediction; });
onValue("freeze", (epoch) => { frozen = epoch; });
onValue("beside", (beside) => { options.beside = besideByLesson = beside; });

/**
 * What is known of a run: by all who see it, and by this page alone.
 * @param {string} of
 * @param {{ about?: About, pair?: About }} said
 */
function setAbout(of, said) {
  const run = runOf(of);
  run.said = { ...run.said, ...said };
  run.about = { ...run.said.about, ...run.said.pair };
}

/** Show what other pages show. */
function leaveLesson() {
  [options.prediction, frozen] = [null, null];
  if (besideByLesson) options.beside = besideByLesson = false;
}

onValue("about", (about, of) => { setAbout(of, { about }); });
onValue("pair", (pair, of) => { setAbout(of, { pair }); });
onValue("rows", (rows, of) => { runOf(of).rows = rows; });
onValue("errors", (text, of) => { runOf(of).error = text; });

onList("epochs", (entries, { of, anew }) => {
  const run = runOf(of), stage = stageShown();
  if (anew) run.epochs = [];
  run.epochs.push(...entries.map(epochOf));
  if (of === ids.shown && (anew || stageShown() !== stage)) selected = null; // it began anew, or its training after a search began
});

for (const kind of OF_TABS) {
  onList(kind, (entries, { of, payload, anew }) => { // where training diverged, the model kept is the last snapshot
    const run = runOf(of);
    if (anew) run[kind] = [];
    run[kind].push(...entries);
    run.base = payload.base ?? run.base;
    run.classes = payload.classes ?? run.classes;
    run.features = payload.features ?? run.features;
  });
}

/**
 * What is kept of a run.
 * @param {string} id
 */
function runOf(id) {
  const run = runs.get(id) ?? emptyRun(id);
  runs.set(id, run);
  return run;
}

/** The stage of the epochs that are drawn. */
const stageShown = () => withoutSearch(ids.shown).epochs[0]?.stage;

/**
 * The record of an epoch by the names of this page. ur: above its constant minimum. dead: rules that all rows together give less than
 * an equal share of one row. idle: others with less than a fifth of an equal share.
 * @param {Record<string, any>} line of the series "epochs", see tsk_core/epoch.py
 * @returns {Epoch}
 */
function epochOf(line) {
  const { firing, entropy } = line, rows = entropy.reduce((/** @type {number} */ sum, /** @type {number} */ n) => sum + n, 0);
  const rules = [...firing.keys()], share = (/** @type {number} */ r) => firing[r] * firing.length;
  return {
    stage: line.stage, epoch: line.epoch, ce: line.loss_ce, l2: line.loss_l2, shrinkage: line.loss_shrinkage,
    sharpness: line.loss_sharpness, covering: line.loss_covering, l1: line.loss_l1, conditions: line.conditions,
    ur: Math.max(0, line.loss_ur - line.ur_floor), rcaTrain: line.rca_train, bcaTrain: line.bca_train,
    rcaValidation: line.rca_validation, bcaValidation: line.bca_validation, rcaTest: line.rca_test, bcaTest: line.bca_test,
    gradAntecedents: line.grad_antecedents, gradConsequents: line.grad_consequents, seconds: line.seconds, firing,
    initialFiring: line.initial_firing, entropy,
    dead: rules.filter((r) => share(r) * rows < 1), idle: rules.filter((r) => share(r) * rows >= 1 && share(r) < LITTLE),
  };
}

/**
 * A run of which nothing is known.
 * @param {string | null} run
 * @returns {Run}
 */
const emptyRun = (run) => ({
  run, rows: null, epochs: [], snapshots: [], ruleBases: [], evaluations: [], strengths: [], base: null, classes: [], features: [], error: "", about: {},
});

/**
 * What to draw: the run shown and the comparison, each with the epochs of its training, the selected epoch, and the options.
 * @returns {State}
 */
export function state() {
  const shown = withoutSearch(ids.shown), comparison = withoutSearch(ids.comparison);
  const last = shown.epochs.length - 1;
  const index = selected === null ? last : Math.min(selected, last);
  if (frozen !== null && selected === null && last >= 0) return { ...frozenState(shown, frozen), comparison };
  return { shown, comparison, index, epoch: shown.epochs[index] ?? null, newest: index === last, ...optionsShown() };
}

// Before training only the firing levels are known.
const UNTRAINED = {
  epoch: 0, dead: [], idle: [], entropy: [],
  rcaTrain: null, bcaTrain: null, rcaValidation: null, bcaValidation: null, rcaTest: null, bcaTest: null,
};

/** A prediction is over epochs, or in the order of activity, whatever was chosen for the charts of another page. @returns {Options} */
const optionsShown = () => (options.prediction ? { ...options, across: "epochs", order: "active" } : options);

/**
 * The state at an epoch at which a lesson lets it stand, without what came later; before training the rules have their first levels.
 * @param {Run} shown
 * @param {number} epoch
 * @returns {Omit<State, "comparison">}
 */
function frozenState(shown, epoch) {
  const [first] = shown.epochs, later = shown.epochs.findIndex((e) => e.epoch > epoch);
  const index = (later < 0 ? shown.epochs.length : later) - 1;
  const before = first.initialFiring && { ...first, ...UNTRAINED, firing: first.initialFiring };
  const at = index < 0 && before ? before : shown.epochs[Math.max(0, index)];
  return { ...optionsShown(), shown, index, epoch: at, newest: false, future: false };
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
 * As "epoch 20 (the last one recorded up to epoch 21)": the epoch of an entry, and why it is not the selected one.
 * @param {{ epoch: number }} entry that ``atEpoch`` found
 * @param {State} state
 */
export function recordedEpoch(entry, { newest, epoch }) {
  const wanted = newest || !epoch ? entry.epoch : epoch.epoch;
  const other = entry.epoch > wanted ? " (the first one recorded)" : entry.epoch < wanted ? ` (the last one recorded up to epoch ${wanted})` : "";
  return `epoch ${entry.epoch}${other}`;
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

/**
 * The states of both sides, the comparison first; each names the run beside it, for equal scales. null where they are not side by side.
 * @param {State} now
 * @returns {[State & { other: Run }, State & { other: Run }] | null}
 */
export function bothSides(now) {
  const { shown, comparison, epoch, newest } = now, last = comparison.epochs.length - 1, none = emptyRun(null);
  if (!now.beside || last < 0 || !shown.epochs.length) return null;
  const reached = newest || !epoch ? last : comparison.epochs.findLastIndex((e) => e.epoch <= epoch.epoch), index = Math.max(0, reached);
  const side = { ...now, shown: comparison, index, epoch: comparison.epochs[index], newest: index === last };
  return [{ ...side, comparison: none, other: shown }, { ...now, comparison: none, other: comparison }];
}
