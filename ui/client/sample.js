// The sample looked at: which row, what was changed in it, and which plane it is seen in. Lives as long as the page.

import { tableOf } from "./columns.js";
import { frameOf, truth } from "./frame.js";
import { decisions, modelOf } from "./model.js";
import { redrawing } from "./redraw.js";
import { inForce } from "./store.js";

const FAIR = 0.7; // of the rows; a plane that is true of fewer (see `truth`) tells little of the model

// Apart from the store's, since a slider that is dragged need not draw the other figures of the page anew.
const { subscribe, changed } = redrawing();
let sample = fresh("");
let table = { of: [] };
export { subscribe as watch };
const models = new WeakMap(), decided = new WeakMap();

function fresh(key) {
  // row: its number in the data, since other runs on the same data have other rows sent
  return { key, row: null, x: null, plane: null, across: null, up: null };
}

/**
 * What there is to look at: { table, model, snapshot, index, start, x, plane, across, up, epoch }; null before the first snapshot.
 *
 * index: of the row chosen, null for none. start [D]: that row, or a typical one. x [D]: the same with what was changed.
 * plane: "features" (columns `across` and `up`, the others as in x) or "components".
 */
export function scene(now, options) {
  const snapshot = inForce(now.shown.snapshots, now), base = now.shown.base;
  if (!snapshot || !base) return null;
  const D = base.columns.length, rows = options.rows?.x[0]?.length === D ? options.rows : null;
  if (table.of[0] !== base || table.of[1] !== rows) table = { of: [base, rows], ...tableOf(base, rows, snapshot) };
  const key = `${options.data} ${D}`;
  if (sample.key !== key) sample = fresh(key);
  if (!models.has(snapshot)) models.set(snapshot, modelOf(snapshot, base.normalisation));
  const { index, start } = chosen();
  const [first, second] = axes(table);
  const at = {
    table, snapshot, model: models.get(snapshot), index, start, x: sample.x ?? start, plane: "features",
    across: sample.across ?? first, up: sample.up ?? second, firing: now.epoch?.firing ?? null, dark: now.dark,
  };
  sample.plane ??= rows && table.view ? clearer(at) : null;
  return { ...at, plane: table.view ? sample.plane ?? "features" : "features" };
}

/** The plane to begin with: two features, whose axes have units, unless they tell little of the model and two components more. */
function clearer(at) {
  if (at.table.columns.length < 3) return "features";
  const [features, components] = ["features", "components"].map((plane) => truth(at, frameOf({ ...at, plane }, 2), decidedOf(at)));
  return features < FAIR && components > features ? "components" : "features";
}

/** The index of the row chosen among those sent, null for none, and its values, or a typical row's. */
function chosen() {
  const index = table.rows && sample.row !== null ? table.rows.row.indexOf(sample.row) : -1;
  return index < 0 ? { index: null, start: table.middle } : { index, start: table.rows.x[index] };
}

/** The columns of the two features that tell most, in the order of the table; twice the same where there is one only. */
function axes({ told, features, columns }) {
  const [a, b] = told.slice(0, 2).sort((k, l) => k - l).map((k) => features[k].columns.find((d) => columns[d].high > columns[d].low) ?? features[k].columns[0]);
  return [a, b ?? a];
}

/** The index of the class that the model of this scene decides for each row sent. */
export function decidedOf({ model, table: { rows } }) {
  if (!rows) return [];
  if (decided.get(model)?.rows !== rows) decided.set(model, { rows, classes: decisions(model, rows.x) });
  return decided.get(model).classes;
}

/** Look at the row with this index among those sent; null: at a typical one. */
export function pick(at, index) {
  sample = { ...sample, row: index === null ? null : at.table.rows.row[index], x: null };
  changed();
}

/** Change columns of the row as it is now, which may be ahead of what is drawn: { d: value, … }. */
export function change(values) {
  const { start } = chosen(), x = [...(sample.x ?? start)];
  for (const [d, value] of Object.entries(values)) x[d] = value;
  sample = { ...sample, x: x.every((value, d) => value === start[d]) ? null : x };
  changed();
}

/** Undo all changes to the row. */
export function back() {
  sample = { ...sample, x: null };
  changed();
}

/** Look at another plane: { plane, across, up }. */
export function turn(how) {
  sample = { ...sample, ...how };
  changed();
}
