// What this page knows of a comparison: its trainings with their curves, which epoch is selected, and how the charts are shown. The
// server merges the records (ui/experiments/runs.py): each entry of the list follows those before it.

/** @import { CompareAbout, ComparisonRecord, Quantity, Span, Training } from "./types.js" */

import { changed, forget, onList, onValue } from "../core/feed.js";

const EARLY = 20; // epochs that the charts show on request, as in the paper
/** @type {Quantity[]} */
const QUANTITIES = ["ce", "rca", "bca", "grad_antecedents", "grad_consequents"];
/** @type {CompareAbout} */
const NOTHING = { variants: [], seeds: 0, splits: 1, firstSeed: 0, epochs: 1, band: "sd", bandText: "", factors: [], classes: [], ended: false };
/** @type {{ experiment: string | null, about: CompareAbout, trainings: Map<number, Training> }} */
let kept = { experiment: null, about: NOTHING, trainings: new Map() };
/** @type {{ epoch: number | null, span: Span }} */
const options = { epoch: null, span: "all" };

onValue("comparison", ({ experiment, ...about }) => {
  if (experiment !== kept.experiment) {
    kept = { experiment, about, trainings: new Map() };
    options.epoch = null;
    forget(["records"]);
  }
  kept.about = about;
});

onList("records", (entries, { of, anew }) => {
  if (of !== kept.experiment) return; // of a late message
  if (anew) kept.trainings = new Map();
  for (const record of entries) if (record) add(record);
});

/** @param {ComparisonRecord} record */
function add(record) {
  if ("point" in record) {
    const { point, curves, looks = null, plane = null, scores = null, message = "" } = record;
    kept.trainings.set(point, { ...begun(point), ...(curves ? { curves } : {}), looks, plane, scores, message, done: true });
    return;
  }
  record.at.forEach((number, k) => {
    const training = begun(number);
    training.curves.epoch.push(record.epoch);
    for (const name of QUANTITIES) training.curves[name].push(record[name][k]);
    kept.trainings.set(number, training);
  });
}

/**
 * What is known of a training.
 * @param {number} number
 * @returns {Training}
 */
function begun(number) {
  const curves = { epoch: [], ce: [], rca: [], bca: [], grad_antecedents: [], grad_consequents: [] };
  return kept.trainings.get(number)
    ?? { ...place(number), curves, looks: null, plane: null, scores: null, message: "", done: false };
}

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
  const { about } = kept, all = [...kept.trainings.values()].sort((a, b) => a.number - b.number);
  const trainings = about.variants.map((_, v) => all.filter((one) => one.variant === v));
  const newest = all.reduce((most, one) => Math.max(most, one.curves.epoch.at(-1) ?? 0), 0);
  const epoch = options.epoch === null ? newest : Math.min(options.epoch, newest);
  const { span } = options, atEnd = options.epoch === null || epoch === newest;
  return { experiment: kept.experiment, about, dark: false, trainings, newest, epoch, atEnd, span };
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
