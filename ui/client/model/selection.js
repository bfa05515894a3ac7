// The sample that the tab Samples shows: the selected row, the changes to it, and the plane it is seen in. Kept as long as the page.

/** @import { Base, MountOptions, Rows, Snapshot, State } from "../core/types.js" */
/** @import { CurveChoice, Explanation, Model, PlaneKind, PlaneView, RowFilter, Scene, Table } from "./types.js" */

import { observable } from "../core/feed.js";
import { atEpoch, bothSides } from "../core/store.js";
import { capitalised, fixed, subscript, minus, namedValues, roundedPercent, truncated, written } from "../core/text.js";
import { nearestRank, tableOf } from "./columns.js";
import { ablatedSnapshot } from "./conditions.js";
import { explain, largest, modelOf, predict } from "./inference.js";
import { agreement, frameOf } from "./plane_frame.js";

const JUDGED = 200; // rows that a plane is judged by
const FAIR = 0.7; // of the rows; a plane that agrees with the model for fewer (see `agreement`) shows little of it
const [BY_FIRST, BY_LAST, BY_READER] = [1, 2, 3]; // models; the first one may predict a single class, which any plane shows
const NAME = 24; // characters of a class
const SHOWN = 3; // classes besides the predicted one whose terms are written

// Not part of the store, since dragging a slider need not draw the other figures of the page again.
const { subscribe, changed } = observable();
export { subscribe as watch };

/**
 * row: its number in the data, since another run on the same data may show other rows; null for none. x: the row with its changes. grid:
 * whether the stage shows the grid of rules and features; judged: by what that was decided. locked: names of features that no suggested
 * change may touch. wantedClass: the class that such a change has to lead to, null for any other. scoreClass: the class whose score is
 * taken apart, null for the predicted one. filters: conditions on the rows to find, all of which have to hold.
 * @typedef {{
 *   key: string, row: number | null, x: number[] | null, plane: PlaneKind | null, grid: boolean, judged: number, across: number | null,
 *   up: number | null, view: PlaneView, locked: string[], wantedClass: number | null, scoreClass: number | null, filters: RowFilter[],
 *   curve: CurveChoice,
 * }} Sample
 */
/** @type {Sample} */
let sample = newSample("");
/** @type {{ base: Base, rows: Rows | null, table: Table } | null} */
let current = null; // the table, and what it was made of
/** @type {WeakMap<object, Model>} */
const models = new WeakMap();
/** @type {WeakMap<Model, { rows: Rows, classes: number[] }>} */
const predictions = new WeakMap();

/**
 * @param {string} key of the data
 * @returns {Sample}
 */
function newSample(key) {
  return {
    key, row: null, x: null, plane: null, grid: false, judged: 0, across: null, up: null, view: null,
    locked: [], wantedClass: null, scoreClass: null, filters: [],
    curve: { feature: null, scale: "probability", band: null },
  };
}

/**
 * What the tab shows, null before the first snapshot.
 *
 * index: of the selected row, null for none. start [D]: that row, or a typical one. x [D]: the same with its changes.
 * plane: "features" (columns `across` and `up`, the others as in x) or "components". grid: whether the stage shows the grid of rules and
 * features instead.
 * @param {State} now
 * @param {MountOptions} options
 * @returns {Scene | null}
 */
export function sceneOf(now, options) {
  const snapshot = ablatedSnapshot(atEpoch(now.shown.snapshots, now), now), base = now.shown.base;
  if (!snapshot || !base) return null;
  const D = base.columns.length, table = tableFor(base, rowsOf(options, now, D), snapshot), key = `${options.data} ${D}`;
  if (sample.key !== key) sample = newSample(key);
  const { index, start } = selectedRow(table), [first, second] = mostSeparating(table);
  const { locked, wantedClass, scoreClass, filters, curve } = sample;
  /** @type {Scene} */
  const scene = {
    table, snapshot, model: modelFor(base, snapshot), index, start, x: sample.x ?? start, plane: "features", grid: false,
    across: sample.across ?? first, up: sample.up ?? second, view: sample.view, firing: now.epoch?.firing ?? null,
    dark: now.dark, prediction: now.prediction,
    locked, wantedClass, scoreClass, filters, curve,
  };
  if (table.rows) judge(scene, now.newest && now.shown.about.ended ? BY_LAST : BY_FIRST);
  return { ...scene, plane: table.view ? sample.plane ?? "features" : "features", grid: sample.grid };
}

/**
 * Decide which picture comes first, by a first model and once more by the last one of a run.
 * @param {Scene} scene
 * @param {number} by
 */
function judge(scene, by) {
  if (sample.judged >= by) return;
  const { plane, grid } = firstPicture(scene);
  Object.assign(sample, { judged: by, grid, plane: sample.plane ?? plane });
}

/**
 * What the scene is of, as "row 17 with your changes" or "a typical row".
 * @param {Scene} scene
 */
export function rowName({ table, index, x, start }) {
  const row = index === null || !table.rows ? "a typical row" : `row ${table.rows.row[index] + 1}`;
  return x === start ? row : `${row} with your changes`;
}

/**
 * The same scene with the comparison's model at the selected epoch, or its last one before; null where the browser has none that takes
 * the same columns and classes.
 * @param {Scene} scene
 * @param {State} now
 * @returns {Scene | null}
 */
export function sceneBeside(scene, now) {
  const [side] = bothSides(now) ?? [], { base } = now.comparison, snapshot = side && atEpoch(side.shown.snapshots, side);
  if (!snapshot || !base || !now.shown.base || describe(base) !== describe(now.shown.base)) return null;
  return { ...scene, snapshot, model: modelFor(base, snapshot), firing: side.epoch?.firing ?? null };
}

/** @param {Base} base */
const describe = ({ columns, classes }) => JSON.stringify([columns.map(({ feature, category }) => [feature, category]), classes]);

/**
 * The rows that the server sent, if they are of a table with so many columns.
 * @param {MountOptions} options
 * @param {State} now
 * @param {number} D
 */
function rowsOf(options, { shown }, D) {
  const rows = options.rows ?? shown.rows;
  return rows?.x[0]?.length === D ? rows : null;
}

/** @param {Base} base @param {Rows | null} rows @param {Snapshot} snapshot */
function tableFor(base, rows, snapshot) {
  if (current?.base !== base || current.rows !== rows) current = { base, rows, table: tableOf(base, rows, snapshot) };
  return current.table;
}

/**
 * The model of a snapshot, as arrays.
 * @param {Base} base
 * @param {Snapshot} snapshot
 */
export function modelFor(base, snapshot) {
  const model = models.get(snapshot) ?? modelOf(snapshot, base);
  models.set(snapshot, model);
  return model;
}

/**
 * The plane to begin with: two features, whose axes have units, unless they show little of the model and two components show more; and
 * whether the grid comes first, as both show little.
 * @param {Scene} scene
 * @returns {{ plane: PlaneKind, grid: boolean }}
 */
function firstPicture(scene) {
  if (scene.table.columns.length < 3) return { plane: "features", grid: false };
  /** @param {PlaneKind} plane */
  const share = (plane) => agreement(scene, frameOf({ ...scene, plane, view: "all" }, 2), predictedOf(scene), JUDGED) ?? 0;
  const features = share("features");
  if (features >= FAIR) return { plane: "features", grid: false };
  const components = share("components");
  return { plane: components > features ? "components" : "features", grid: components < FAIR };
}

/**
 * The index of the selected row among those available, null for none, and its values, or a typical row's.
 * @param {Table} table
 */
function selectedRow({ rows, typical }) {
  const index = rows && sample.row !== null ? rows.row.indexOf(sample.row) : -1;
  return rows && index >= 0 ? { index, start: rows.x[index] } : { index: null, start: typical };
}

/**
 * The columns of the two features that separate the classes best, in the order of the table; twice the same where there is only one.
 * @param {Table} table
 */
function mostSeparating({ ranked, features, columns }) {
  const best = ranked.slice(0, 2).sort((k, l) => k - l);
  const [a, b] = best.map((k) => features[k].columns.find((d) => columns[d].high > columns[d].low) ?? features[k].columns[0]);
  return [a, b ?? a];
}

/**
 * The index of the class that the model predicts for each row.
 * @param {Scene} scene
 * @returns {number[]}
 */
export function predictedOf({ model, table: { rows } }) {
  if (!rows) return [];
  const kept = predictions.get(model);
  if (kept?.rows === rows) return kept.classes;
  const classes = rows.x.map((x) => predict(model, x));
  predictions.set(model, { rows, classes });
  return classes;
}

/**
 * Select the row with this index among those available; null selects a typical one.
 * @param {Scene} scene
 * @param {number | null} index
 */
export function selectRow({ table: { rows } }, index) {
  sample = { ...sample, row: rows && index !== null ? rows.row[index] : null, x: null };
  changed();
}

/**
 * Change columns of the row, which may have more changes than the scene that is drawn.
 * @param {Record<number, number>} values by column
 */
export function changeRow(values) {
  if (!current) return;
  const { start } = selectedRow(current.table), x = [...(sample.x ?? start)];
  for (const [d, value] of Object.entries(values)) {
    const { levels } = current.table.columns[Number(d)];
    x[Number(d)] = levels ? nearestRank(value, levels) : value;
  }
  sample = { ...sample, x: x.every((value, d) => value === start[d]) ? null : x };
  changed();
}

/** Undo all changes to the row. */
export function undoChanges() {
  sample = { ...sample, x: null };
  changed();
}

/**
 * Select another plane or other axes.
 * @param {Partial<Pick<Sample, "plane" | "across" | "up">>} choice
 */
export function selectPlane(choice) {
  sample = { ...sample, ...choice, judged: BY_READER, view: null };
  changed();
}

/**
 * Show the grid of rules and features on the stage, or the plane.
 * @param {boolean} grid
 */
export function selectGrid(grid) {
  sample = { ...sample, grid, judged: BY_READER };
  changed();
}

/**
 * Zoom and pan: show this part of the plane.
 * @param {PlaneView} view
 */
export function selectView(view) {
  sample = { ...sample, view };
  changed();
}

/**
 * Lock a feature against suggested changes, or unlock it.
 * @param {string} name
 */
export function toggleLock(name) {
  const { locked } = sample;
  sample = { ...sample, locked: locked.includes(name) ? locked.filter((one) => one !== name) : [...locked, name] };
  changed();
}

/**
 * Choose the class that a suggested change has to lead to; null for any other than the predicted one.
 * @param {number | null} wantedClass
 */
export function chooseWantedClass(wantedClass) {
  sample = { ...sample, wantedClass };
  changed();
}

/**
 * Choose the class whose score is taken apart; null for the predicted one.
 * @param {number | null} scoreClass
 */
export function chooseScoreClass(scoreClass) {
  sample = { ...sample, scoreClass };
  changed();
}

/**
 * Change the conditions of the rows to find, which may be newer than those of the scene that is drawn.
 * @param {(filters: RowFilter[]) => RowFilter[]} change
 */
export function changeFilters(change) {
  sample = { ...sample, filters: change(sample.filters) };
  changed();
}

/**
 * Choose what the response curves show.
 * @param {Partial<CurveChoice>} choice
 */
export function chooseCurve(choice) {
  sample = { ...sample, curve: { ...sample.curve, ...choice } };
  changed();
}

/**
 * The row's scores, the probability that softmax makes of them, and what its strongest rule adds.
 * @param {Scene} scene
 */
export function rowLines(scene) {
  const found = explain(scene.model, scene.x), { predicted, scores } = found;
  const names = scene.table.classes.map((name) => truncated(name, NAME));
  const others = names.map((_, c) => c).filter((c) => c !== predicted).sort((a, b) => scores[b] - scores[a]);
  const some = [predicted, ...others.slice(0, SHOWN)];
  const more = others.length > SHOWN ? `, and ${others.length - SHOWN} lower ones` : "";
  const texts = some.map((c) => minus(fixed(scores[c], 2)));
  return [
    `${capitalised(rowName(scene))}: scores ${namedValues(some.map((c) => names[c]), texts)}${more}.`,
    softmaxLine(found, scene.model.logPrior, names[predicted], others), ruleLine(found, scene.model.layer ? "f̃" : "f̄"),
  ];
}

/**
 * p = 1/(1 + Σ exp(y^k − y^c)) over the other classes k, which is the softmax divided by exp y^c; with class weights y + a in place of y,
 * a being the logPrior.
 * @param {Explanation} found
 * @param {Float64Array} logPrior
 * @param {string} name
 * @param {number[]} others the highest first
 */
function softmaxLine({ scores, predicted, probabilities }, logPrior, name, others) {
  const terms = others.map((c) => Math.exp(scores[c] + logPrior[c] - scores[predicted] - logPrior[predicted]));
  const shown = terms.length > SHOWN + 1 ? [...terms.slice(0, SHOWN), terms.slice(SHOWN).reduce((all, term) => all + term, 0)] : terms;
  const result = roundedPercent(probabilities[predicted]);
  const texts = written(shown, (values) => roundedPercent(1 / values.reduce((all, term) => all + term, 1)), result);
  const rest = terms.length > SHOWN + 1 ? ` (the last term: ${terms.length - SHOWN} classes)` : "";
  const exponent = logPrior.some(Boolean) ? "yᵏ + aᵏ − y − a" : "yᵏ − y";
  return `p(${name}) = 1 / (1 + Σ exp(${exponent})) = 1 / (${["1", ...texts].join(" + ")}) = ${result}${rest}.`;
}

/**
 * @param {Explanation} found
 * @param {string} letter of a rule's weight
 */
function ruleLine({ firing, weights, contributions, scores, predicted }, letter) {
  const r = largest(firing), level = weights[r], own = level > 0 ? contributions[r][predicted] / level : 0;
  const product = (/** @type {number[]} */ [f, y]) => fixed(f * y, 2), result = product([level, own]);
  const [f, y] = written([level, own], product, result);
  const added = minus(result), whole = minus(fixed(scores[predicted], 2));
  return `Strongest rule: ${letter}${subscript(r + 1)} · y${subscript(r + 1)} = ${f} · ${y.startsWith("−") ? `(${y})` : y} = ${added} of the score ${whole}.`;
}

/**
 * How many of the rows that are drawn the model misclassifies.
 * @param {Scene} scene
 * @param {number[]} predicted the class of each row
 */
export function rowsLine({ table: { rows } }, predicted) {
  if (!rows?.y.length) return [];
  const wrong = predicted.filter((c, n) => c !== rows.y[n]).length, all = rows.y.length;
  return [`Misclassified: ${wrong} of the ${all} training and test rows drawn, ${wrong}/${all} = ${roundedPercent(wrong / all)}.`];
}
