// What the tab Rules has besides the sentences: the model of the epoch that they are of, and some rows. They come after the sentences,
// so that these are drawn at once, and not at all where the model is too large for a browser or the table is not here.

/** @import { Rows, RuleBase, Snapshot } from "../core/messages.js" */
/** @import { Ablation, MountOptions, State } from "../core/types.js" */
/** @import { Scene } from "../model/types.js" */

import { atEpoch, setOptions } from "../core/store.js";
import { ablated, ablationOf } from "../model/ablation.js";
import { isTrue } from "../model/conditions.js";
import { modelOf } from "../model/inference.js";
import { modelFor, sceneOf } from "../model/selection.js";
import { ablationEffect, precompute } from "./ablation_effect.js";

/** @type {MountOptions} */
let given = { views: [] };

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
export function availableRows({ shown: { run, base } }) {
  const { rows } = given;
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
