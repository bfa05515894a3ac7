// What the tab Rules has besides the sentences: the model of the epoch that they are of, and some rows. They come after the sentences,
// so that these are drawn at once, and not at all where the model is too large for a browser or the table is not here.

/** @import { Base, Rows, RuleBase, Snapshot } from "../core/messages.js" */
/** @import { MountOptions, State, TakenOut } from "../core/types.js" */
/** @import { Model, Scene } from "../model/types.js" */

import { conditions } from "../model/conditions.js";
import { modelOf } from "../model/inference.js";
import { sceneOf } from "../model/selection.js";
import { atEpoch, setOptions } from "../core/store.js";
import { effectOf, prepare } from "./ablation_effect.js";
import { takenOut, without } from "../model/ablation.js";

const COVERED = 0.5; // least geometric mean of a row's memberships in a rule's conditions

/** @type {MountOptions} */
let given = { views: [] };
/** @type {WeakMap<Snapshot, Model>} */
const models = new WeakMap();

/**
 * Note the rows of a run's data, as the tab Samples gets them.
 * @param {MountOptions} options
 */
export function provideRows(options) {
  if (options.run === given.run && options.rows === given.rows) return;
  given = options;
  setOptions({}); // draws the tab again
}

/**
 * The scene of the tab Samples, with what is taken out; null before the first snapshot, and before anything is known of rows.
 * @param {State} now
 * @returns {Scene | null}
 */
export const sceneHere = (now) => (given.run && given.run === now.shown.run ? sceneOf(now, given) : null);

/**
 * The rows alone, without what a scene needs besides, which takes a while with hundreds of rules; null where there are none.
 * @param {State} now
 * @returns {Rows | null}
 */
export function rowsHere({ shown: { run, base } }) {
  const { rows } = given;
  return given.run === run && base && rows?.x[0]?.length === base.columns.length ? rows : null;
}

/**
 * The whole model at the epoch of a rule base, null where there is none.
 * @param {RuleBase} base
 * @param {State} now
 */
export function snapshotOf(base, now) {
  const found = now.shown.snapshots.find(({ epoch }) => epoch === base.epoch);
  return found ?? (base.end ? atEpoch(now.shown.snapshots, { ...now, newest: true }) : null);
}

/**
 * @param {Snapshot} snapshot
 * @param {Base} base
 */
export function wholeModel(snapshot, { normalisation }) {
  const model = models.get(snapshot) ?? modelOf(snapshot, normalisation);
  models.set(snapshot, model);
  return model;
}

/**
 * Compute ahead for the model kept, which rules are usually taken out of.
 * @param {State} now
 */
export function prepareEffect(now) {
  const { base, about } = now.shown, snapshot = about.ended && now.newest ? atEpoch(now.shown.snapshots, now) : null;
  const rows = rowsHere(now);
  if (base && snapshot && rows) prepare(wholeModel(snapshot, base), rows);
}

/** @type {{ out: TakenOut, snapshot: Snapshot, rows: unknown, effect: ReturnType<typeof effectOf> } | null} */
let last = null;

/**
 * The effect of what is taken out at the epoch selected, and the rows; null where there are no rows or no model here.
 * @param {State} now
 */
export function effectHere(now) {
  const out = takenOut(now, now.shown.run), { base, snapshots } = now.shown, snapshot = atEpoch(snapshots, now), rows = rowsHere(now);
  if (!snapshot || !base || !rows) return null;
  if (last?.out !== out || last.snapshot !== snapshot || last.rows !== rows) {
    const left = modelOf(without(snapshot, base, out), base.normalisation);
    last = { out, snapshot, rows, effect: effectOf(wholeModel(snapshot, base), left, out, rows) };
  }
  return { rows, effect: last.effect };
}

/**
 * The rows at hand that no rule covers, by index: for every rule, the geometric mean of the row's memberships in the conditions of its
 * sentence is below a half. null without rows.
 * @param {State} now
 * @param {RuleBase} base
 */
export function uncoveredHere(now, base) {
  const scene = sceneHere(now), rows = scene?.table.rows;
  if (!scene || !rows || scene.snapshot.epoch !== base.epoch) return null;
  const living = base.rules.filter(({ dead }) => !dead);
  return rows.x.flatMap((x, n) => (living.some((rule) => covers({ ...scene, x }, rule)) ? [] : [n]));
}

/**
 * @param {Scene} scene
 * @param {RuleBase["rules"][number]} rule
 */
function covers(scene, rule) {
  const found = conditions(scene, rule);
  const logs = found.reduce((sum, { membership }) => sum + Math.log(membership), 0);
  return Math.exp(logs / Math.max(1, found.length)) >= COVERED;
}
