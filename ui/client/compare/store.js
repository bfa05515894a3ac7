// What this page knows of a comparison: its trainings with their curves, which epoch is selected, and how the charts are shown. The
// server sends records (ui/experiments/sending.py); a record that comes twice changes nothing.

/** @import { CompareAbout, CompareLine, CompareMessage, Curves, Quantity, Span, Training } from "./types.js" */

import { observable } from "../core/observable.js";

const EARLY = 20; // epochs that the charts show on request, as in the paper
/** @type {Quantity[]} */
const QUANTITIES = ["ce", "rca", "bca", "grad_antecedents", "grad_consequents"];
const { subscribe, changed } = observable();
/** @type {CompareAbout} */
const NOTHING = { variants: [], seeds: 0, splits: 1, firstSeed: 0, epochs: 1, band: "sd", bandText: "", factors: [], classes: [], ended: false };

/** @type {{ experiment: string | null, have: number, about: CompareAbout, dark: boolean, trainings: Map<number, Training> }} */
let kept = { experiment: null, have: 0, about: NOTHING, dark: false, trainings: new Map() };
/** @type {{ epoch: number | null, span: Span, playing: boolean }} */
const options = { epoch: null, span: "all", playing: false };
/** @type {(training: number) => void} */
let opener = () => {};

export { subscribe };

/**
 * Apply a message of the server. Returns whether something before it is missing.
 * @param {CompareMessage} message
 * @param {(training: number) => void} [open] called with the number of a training that somebody clicks
 */
export function receiveComparison({ experiment, since, upto, lines, about, dark }, open) {
  if (experiment !== kept.experiment) {
    kept = { experiment, have: 0, about, dark, trainings: new Map() };
    options.epoch = null;
  }
  if (open) opener = open;
  Object.assign(kept, { about, dark });
  if (since > kept.have) return true;
  for (const line of lines) apply(line);
  kept.have = Math.max(kept.have, upto);
  changed();
  return false;
}

/** @param {CompareLine} line */
function apply(line) {
  if ("point" in line) {
    const { point, curves, looks = null, plane = null, scores = null, message = "" } = line;
    const known = curves ?? kept.trainings.get(point)?.curves ?? emptyCurves();
    kept.trainings.set(point, { ...place(point), curves: known, looks, plane, scores, message, done: true });
  } else if ("at" in line) line.at.forEach((number, k) => applyEpoch(number, line, k));
}

/**
 * @param {number} number
 * @param {Extract<CompareLine, { at: number[] }>} line
 * @param {number} k
 */
function applyEpoch(number, line, k) {
  const fresh = { ...place(number), curves: emptyCurves(), looks: null, plane: null, scores: null, message: "", done: false };
  const training = kept.trainings.get(number) ?? fresh;
  kept.trainings.set(number, training);
  if (training.done || line.epoch !== training.curves.epoch.length) return;
  training.curves.epoch.push(line.epoch);
  for (const name of QUANTITIES) training.curves[name].push(line[name][k]);
}

/** @returns {Curves} */
const emptyCurves = () => ({ epoch: [], ce: [], rca: [], bca: [], grad_antecedents: [], grad_consequents: [] });

/**
 * Variant, seed and split of a training, by its number in the plan.
 * @param {number} number
 */
function place(number) {
  const { seeds, splits, firstSeed } = kept.about, each = seeds * splits, rest = number % each;
  return { number, variant: Math.floor(number / each), seed: firstSeed + Math.floor(rest / splits), split: rest % splits };
}

/** What to draw. trainings: by variant, in the order of the plan. */
export function comparison() {
  const { about, dark } = kept, all = [...kept.trainings.values()].sort((a, b) => a.number - b.number);
  const trainings = about.variants.map((_, v) => all.filter((one) => one.variant === v));
  const newest = all.reduce((most, one) => Math.max(most, one.curves.epoch.at(-1) ?? 0), 0);
  const epoch = options.epoch === null ? newest : Math.min(options.epoch, newest);
  const { span, playing } = options, atEnd = options.epoch === null || epoch === newest;
  return { experiment: kept.experiment, about, dark, trainings, newest, epoch, atEnd, span, playing };
}

/**
 * Select an epoch; null follows the newest.
 * @param {Partial<typeof options>} changes
 */
export function setCompareOptions(changes) {
  Object.assign(options, changes);
  changed();
}

/**
 * The first and the last epoch that the charts show.
 * @param {{ span: Span, about: CompareAbout }} now
 * @returns {[number, number]}
 */
export function spanOf({ span, about }) {
  if (span === "early") return [0, Math.min(EARLY, about.epochs)];
  return [span === "late" ? Math.floor(about.epochs / 2) : 0, about.epochs];
}

/**
 * Open a training in Explore.
 * @param {number} training
 */
export const openTraining = (training) => opener(training);
