// What the tab Rules has besides the sentences: the model of the epoch that they are of, some rows, and what taking rules and conditions
// out changes. It comes after the sentences, so that these are drawn at once, and not at all where the model is too large for a browser
// or the table is not here.

/** @import { Ablation, MountOptions, Rows, RuleBase, Snapshot, State } from "../core/types.js" */
/** @import { Model, Scene } from "../model/types.js" */

import { atEpoch, setOptions } from "../core/store.js";
import { ablated, ablationOf, isTrue } from "../model/conditions.js";
import { classOf, logLevel, logLevels, modelOf, ruleOutputs } from "../model/inference.js";
import { modelFor, sceneOf } from "../model/selection.js";

/** @type {MountOptions} */
let given = { views: [] };
const SLICE = 12; // milliseconds of computing ahead at a time
/** @type {WeakMap<Model, Known>} */
const known = new WeakMap();

/**
 * Log firing levels [R] and the rules' scores [R·C] of each row, by the whole model: what rules say does not depend on other rules.
 * @typedef {{ rows: Rows, levels: Float64Array[], outputs: Float64Array[], predicted: number[] }} Known
 */

/**
 * Scores of the test rows at hand: shares of them, and of each class's. n: rows. null where there are none.
 * @typedef {{ n: number, rca: number, bca: number }} Scores
 */

/**
 * What changed: scores before and after, the share of test rows with the same prediction, and each row with another one, by index.
 * @typedef {{ index: number, before: number, after: number }} Changed
 * @typedef {{ before: Scores | null, after: Scores | null, same: number, changed: Changed[] }} Effect
 */

/**
 * Note the rows of a run's data, as the tab Samples gets them.
 * @param {MountOptions} options
 */
export function setRows(options) {
  if (options.run === given.run && options.rows === given.rows) return;
  given = options;
  setOptions({}); // draws the tab again
}

/**
 * The scene of the tab Samples, with what is taken out; null before the first snapshot, and before anything is known of rows.
 * @param {State} now
 * @returns {Scene | null}
 */
export const ruleScene = (now) => (given.run && given.run === now.shown.run ? sceneOf(now, given) : null);

/**
 * The rows alone, without what a scene needs besides, which takes a while with hundreds of rules; null where there are none.
 * @param {State} now
 * @returns {Rows | null}
 */
export function availableRows({ shown: { run, base, rows: sent } }) {
  const rows = given.rows ?? sent;
  return given.run === run && base && rows?.x[0]?.length === base.columns.length ? rows : null;
}

/**
 * The whole model at the epoch of a rule base, null where there is none.
 * @param {RuleBase} base
 * @param {State} now
 */
export function snapshotFor(base, now) {
  const found = now.shown.snapshots.find(({ epoch }) => epoch === base.epoch);
  return found ?? (base.end ? atEpoch(now.shown.snapshots, { ...now, newest: true }) : null);
}

/**
 * Compute ahead for the model kept, which rules are usually taken out of.
 * @param {State} now
 */
export function precomputeEffect(now) {
  const { base, about } = now.shown, snapshot = about.ended && now.newest ? atEpoch(now.shown.snapshots, now) : null;
  const rows = availableRows(now);
  if (base && snapshot && rows) precompute(modelFor(base, snapshot), rows);
}

/** @type {{ out: Ablation, snapshot: Snapshot, rows: unknown, effect: ReturnType<typeof ablationEffect> } | null} */
let last = null;

/**
 * The effect of what is taken out at the epoch selected, and the rows; null where there are no rows or no model here.
 * @param {State} now
 */
export function currentEffect(now) {
  const { run, base, snapshots } = now.shown, out = ablationOf(now, run), snapshot = atEpoch(snapshots, now), rows = availableRows(now);
  if (!snapshot || !base || !rows) return null;
  if (last?.out !== out || last.snapshot !== snapshot || last.rows !== rows) {
    const left = modelOf(ablated(snapshot, base, out), base);
    last = { out, snapshot, rows, effect: ablationEffect(modelFor(base, snapshot), left, out, rows) };
  }
  return { rows, effect: last.effect };
}

/**
 * The test rows at hand, else the training rows, of which no sentence of the whole model is true, by index. null without rows.
 * @param {State} now
 * @param {RuleBase} base
 */
export function uncoveredRows(now, base) {
  const scene = ruleScene(now), rows = scene?.table.rows, snapshot = snapshotFor(base, now);
  if (!scene || !rows || snapshot?.epoch !== base.epoch) return null;
  const living = base.rules.filter(({ dead }) => !dead);
  const part = Number(rows.part.includes(1));
  return rows.x.flatMap((x, n) => (rows.part[n] !== part || living.some((rule) => isTrue({ ...scene, snapshot, x }, rule)) ? [] : [n]));
}

/**
 * @param {Model} whole
 * @param {Model} left the same without what is taken out
 * @param {Ablation} out
 * @param {Rows} rows
 * @returns {Effect}
 */
export function ablationEffect(whole, left, out, rows) {
  const { levels, outputs, predicted } = knownOf(whole, rows), touched = new Set([...out.rules, ...out.conditions.map(([r]) => r)]);
  const now = rows.x.map((x, n) => {
    const z = Float64Array.from(levels[n]);
    for (const r of touched) z[r] = logLevel(left, x, r);
    return classOf(left, z, outputs[n]);
  });
  const changed = now.flatMap((after, index) => (after === predicted[index] ? [] : [{ index, before: predicted[index], after }]));
  const tests = rows.part.filter(Boolean).length, moved = changed.filter(({ index }) => rows.part[index] === 1).length;
  return { before: scoresOf(rows, predicted), after: scoresOf(rows, now), same: tests ? 1 - moved / tests : 1, changed };
}

/**
 * Compute ahead, a little at a time, what `ablationEffect` will need of the whole model: with hundreds of rules and columns it takes a
 * while.
 * @param {Model} model
 * @param {Rows} rows
 */
function precompute(model, rows) {
  if (known.get(model)?.rows === rows) return;
  const begun = beginning(model, rows);
  const more = () => {
    if (known.get(model) === begun && !extended(model, begun, performance.now() + SLICE)) setTimeout(more, 2 * SLICE);
  };
  setTimeout(more, 2 * SLICE);
}

/** @param {Model} model @param {Rows} rows */
function knownOf(model, rows) {
  const kept = known.get(model), found = kept?.rows === rows ? kept : beginning(model, rows);
  extended(model, found, Infinity);
  return found;
}

/** @param {Model} model @param {Rows} rows */
function beginning(model, rows) {
  /** @type {Known} */
  const begun = { rows, levels: [], outputs: [], predicted: [] };
  known.set(model, begun);
  return begun;
}

/**
 * Add row after row until a moment. Returns whether all are there.
 * @param {Model} model
 * @param {Known} begun
 * @param {number} until as of `performance.now`
 */
function extended(model, { rows: { x }, levels, outputs, predicted }, until) {
  while (levels.length < x.length && (until === Infinity || performance.now() < until)) {
    const row = x[levels.length], z = logLevels(model, row), own = ruleOutputs(model, row);
    levels.push(z);
    outputs.push(own);
    predicted.push(classOf(model, Float64Array.from(z), own));
  }
  return levels.length === x.length;
}

/**
 * Accuracy (RCA) and its mean over the classes that the test rows have (BCA).
 * @param {Rows} rows
 * @param {number[]} predicted the class of each row
 * @returns {Scores | null}
 */
function scoresOf({ part, y }, predicted) {
  /** @type {Map<number, [number, number]>} */
  const counts = new Map(); // class -> right, all
  part.forEach((test, n) => {
    if (test !== 1) return;
    const [right, all] = counts.get(y[n]) ?? [0, 0];
    counts.set(y[n], [right + Number(predicted[n] === y[n]), all + 1]);
  });
  if (!counts.size) return null;
  const each = [...counts.values()], n = each.reduce((sum, [, all]) => sum + all, 0);
  const rca = each.reduce((sum, [right]) => sum + right, 0) / n, bca = each.reduce((sum, [right, all]) => sum + right / all, 0);
  return { n, rca, bca: bca / each.length };
}
