// Runs as the server sends them (ui/live/run_subjects.py), and the figures that are made of them.

import "./page.js";
import { receive, selectEpoch, setOptions, state } from "../../ui/client/core/store.js";
import { confusion, reliability } from "../../ui/client/charts/evaluation.js";
import { entropy, firing, heat } from "../../ui/client/charts/firing.js";
import { accuracy, gradients, loss } from "../../ui/client/charts/training_curves.js";
import { range } from "./numbers.js";

export const BINS = 30; // of the entropy
export const COMPARISON = "same settings"; // what legends call the comparison of these tests
export const PAGE = { false: [255, 255, 255], true: [22, 22, 20] };
const FIGURES = { loss, accuracy, gradients, firing, heat, entropy, confusion, reliability };
const TITLES = { loss: "Training loss", confusion: "Confusion matrix", reliability: "Reliability diagram" };
export const CHARTS = Object.keys(FIGURES);

const LEVELS = [0.4, 0.3, 0.2992, 0.0008];

/** An epoch of four rules, of which the last hardly fires; before training all fired equally. The page finds `dead` and `idle` itself. */
export const makeEpoch = (epoch = 1, changes = {}) => ({
  stage: "training", epoch, ce: 1 / epoch, l2: 0.01, shrinkage: 0, sharpness: 0, covering: 0, l1: 0, conditions: 16,
  ur: 0.1 / epoch, rcaTrain: 0.9, bcaTrain: 0.8, rcaValidation: null, bcaValidation: null, rcaTest: 0.7, bcaTest: 0.6,
  gradAntecedents: 0.1, gradConsequents: 0.2, seconds: epoch,
  firing: LEVELS, initialFiring: epoch === 1 ? (changes.firing ?? LEVELS).map((_, r, all) => 1 / all.length) : null,
  entropy: range(BINS), ...changes,
});

export const makeHistory = (epochs = 5, changes = {}) => range(epochs, (k) => makeEpoch(k + 1, changes));

/** What is known of a run that ended. */
export const ENDED = { ended: true };

/** An epoch as its record says it, see tsk_core/epoch.py. */
export const lineOf = (e) => ({
  stage: e.stage, epoch: e.epoch, loss_ce: e.ce, loss_l2: e.l2, loss_shrinkage: e.shrinkage, loss_sharpness: e.sharpness,
  loss_covering: e.covering, loss_l1: e.l1, loss_ur: e.ur + 0.5, ur_floor: 0.5, conditions: e.conditions, rca_train: e.rcaTrain,
  bca_train: e.bcaTrain, rca_validation: e.rcaValidation, bca_validation: e.bcaValidation, rca_test: e.rcaTest, bca_test: e.bcaTest,
  grad_antecedents: e.gradAntecedents, grad_consequents: e.gradConsequents, seconds: e.seconds, firing: e.firing, entropy: e.entropy,
  initial_firing: e.initialFiring,
});

/** A run of these epochs. about: what is known besides. lists: what an open tab gets: payloads by their kinds. */
export function makeRun(history, about = {}, { run = "now", ...lists } = {}) {
  const epochs = { list: history.map(lineOf) };
  return { run, about: { epochs: 200, steps: 10, ended: false, revisited: false, ...about }, lists: { epochs, ...lists } };
}

/** A message of both runs, see ui/live/__init__.py. */
export const messageOf = (shown, comparison = null, dark = false) => [
  { kind: "runs", since: 0, payload: { shown: shown?.run ?? null, comparison: comparison?.run ?? null, dark } },
  ...[shown, comparison].filter(Boolean).flatMap(({ run, about, lists }) => [
    { kind: "about", of: run, since: 0, payload: about },
    ...Object.entries(lists).map(([kind, { since = 0, ...payload }]) => ({ kind, of: run, since, payload })),
  ]),
];

/** The same as the comparison. */
export function asComparison(shown, label = COMPARISON) {
  return shown && { ...shown, run: "before", about: { label, sameTestRows: true, ...shown.about } };
}

/**
 * The figure of a chart with the epoch at `index` selected; null is the newest. seen: what it sees of a state. Fails on NaN, infinity
 * and gaps.
 */
export function figure(name, shown = null, comparison = null, { index = null, dark = false, seen = null, ...options } = {}) {
  receive(messageOf(null));
  receive(messageOf(shown, shown && comparison, dark));
  setOptions({ order: "active", future: true, across: "epochs", logLoss: false, beside: false, ...options });
  selectEpoch(index);
  const title = TITLES[name] ?? `The chart ${name}`, now = state(), drawn = FIGURES[name]({ ...(seen?.(now) ?? now), title });
  return JSON.parse(JSON.stringify(drawn, checked));
}

/** For JSON.stringify, which would make null of these. */
export function checked(key, part) {
  if (typeof part === "number" && !Number.isFinite(part)) throw new Error(`${key} is ${part}`);
  if (Array.isArray(part) && part.includes(undefined)) throw new Error(`${key} has gaps`);
  return part;
}

/** The traces that have points. */
export const drawnTraces = ({ data }) => data.filter(({ x }) => x.length);

/** The one trace of this name in the legend. */
export function named({ data }, name) {
  const found = data.filter((trace) => trace.name === name && trace.showlegend !== false);
  if (found.length !== 1) throw new Error(`${found.length} traces are called ${name}`);
  return found[0];
}

/** Where straight lines stand: "x" for upright ones, "y" for level ones. */
export const linesAt = ({ layout: { shapes } }, axis) => (
  shapes.filter((shape) => shape[`${axis}0`] === shape[`${axis}1`]).map((shape) => shape[`${axis}0`]));
