// The view of the plane: the selects of its axes, the drawing (drawing.js), and a caption that explains it. It is zoomed and panned by
// visible buttons, the wheel and dragging; a double click goes back to what was seen first.

/** @import { MountOptions, Point, State, View } from "../core/types.js" */
/** @import { Frame, PlaneKind, PlaneView, Scene } from "../model/types.js" */

import { classColours } from "../core/colours.js";
import { button, choice, element, hideChoice, withSwatch } from "../core/elements.js";
import { explaining } from "../core/explaining.js";
import { planeHeight } from "../core/layout.js";
import { formatButtons } from "../core/plotly.js";
import { setOptions } from "../core/store.js";
import { comparisonLabel, percent, truncatedNames } from "../core/text.js";
import { shortName } from "../model/columns.js";
import { agreement, frameOf } from "../model/plane_frame.js";
import {
  predictedOf, rowLines, rowName, rowsLine, sceneBeside, sceneOf, selectPlane, selectView, watch,
} from "../model/selection.js";
import { comparisonSide, sideBySideButton } from "../charts/chart.js";
import { CELLS, drawingIn } from "./drawing.js";
import { MOST_RULES } from "./picture.js";

/** @type {[PlaneKind, string][]} */
const PLANES = [["features", "two features"], ["components", "two principal components"]];
let opened = ""; // the last run that came with its comparison beside it; whoever takes that away is left alone
const ZOOM = 1.6; // by a press
const PAN = 0.25; // of what is seen, by a press

/** @type {[string, string, string, (range: Point, vertical: boolean) => Point][]} class, text, name, effect on each range */
const BUTTONS = [
  ["tsk-zoom-in", "+", "Zoom in", (range) => scaled(range, 1 / ZOOM)],
  ["tsk-zoom-out", "−", "Zoom out", (range) => scaled(range, ZOOM)],
  ["tsk-pan-left", "←", "Move left", (range, vertical) => moved(range, vertical ? 0 : -PAN)],
  ["tsk-pan-right", "→", "Move right", (range, vertical) => moved(range, vertical ? 0 : PAN)],
  ["tsk-pan-up", "↑", "Move up", (range, vertical) => moved(range, vertical ? PAN : 0)],
  ["tsk-pan-down", "↓", "Move down", (range, vertical) => moved(range, vertical ? -PAN : 0)],
];

/**
 * A view: the plane, with the choice of its axes. options: { data, rows, beside } of ui/explore/rules_tab.py.
 * @param {Element} parent
 * @param {MountOptions} options
 * @returns {View}
 */
export function plane(parent, options) {
  const bar = element(parent, "div", "tsk-axes", { role: "group", "aria-label": "Axes of the plane" });
  const place = element(parent, "div", "tsk-place"), side = element(place, "div", "tsk-own"), own = element(side, "p", "tsk-side-name");
  const node = element(side, "div", "tsk-chart", { role: "img" }), key = element(parent, "p", "tsk-key");
  const caption = element(parent, "p", "tsk-caption");
  const tools = element(parent, "div", "tsk-tools"), explained = options.views.includes("reasons"), agreementOf = remembered();
  formatButtons(tools, (format) => { drawingIn(node).save(format); });
  const explain = explaining(tools, parent, "plane", "Plane", options);
  openBeside(options);
  node.style.minHeight = `${planeHeight()}px`; // so that nothing moves when the figure appears
  return {
    node,
    watch,
    draw(now) {
      const scene = sceneOf(now, options), other = scene && sceneBeside(scene, now);
      bar.hidden = place.hidden = key.hidden = tools.hidden = !scene;
      parent.classList.toggle("tsk-wide", other !== null);
      if (!scene) {
        caption.textContent = waitingText(now);
        return;
      }
      const frame = frameOf(scene, CELLS), text = captionText(scene, frame, explained, agreementOf);
      if (caption.textContent !== text) caption.textContent = text;
      nameClasses(key, scene);
      explain(() => [...rowLines(scene), ...rowsLine(scene, predictedOf(scene))]);
      axisChoices(bar, scene);
      viewButtons(bar, frame, scene.view);
      sideBySideButton(bar, ({ snapshots }) => snapshots.length)(now);
      own.textContent = other ? `This run, after epoch ${scene.snapshot.epoch}` : "";
      const left = comparisonSide(place, other && `${comparisonLabel(now)}, after epoch ${other.snapshot.epoch}`);
      if (node.clientWidth === 0) return; // in a hidden tab
      if (other && left) drawingIn(element(left, "div", "tsk-chart", { role: "img" })).draw(other, explained);
      drawingIn(node).draw(scene, explained);
    },
  };
}

/** A run that comes with its comparison beside it. @param {MountOptions} options */
function openBeside({ beside }) {
  if (!beside || beside === opened) return;
  opened = beside;
  setOptions({ beside: true });
}

/** `agreement`, computed anew only for another model or plane: a replay has several epochs of each. */
export function remembered() {
  /** @type {unknown[]} */
  let key = [];
  /** @type {number | null} */
  let share = null;
  return (/** @type {Scene} */ scene, /** @type {Frame} */ frame) => {
    const { model, table, x, plane: kind, across, up } = scene, now = [model, table, x, kind, across, up];
    if (now.some((part, k) => part !== key[k])) [key, share] = [now, agreement(scene, frame, predictedOf(scene))];
    return share;
  };
}

/**
 * Each class beside its colour.
 * @param {Element} key
 * @param {Scene} scene
 */
export function nameClasses(key, { table: { classes }, dark }) {
  const colours = classColours(classes, dark), names = truncatedNames(classes, 40);
  key.replaceChildren("Classes: ", ...names.flatMap((name, c) => [withSwatch(colours[c], "tsk-class", [name]), " "]));
}

/** @param {State} state */
export function waitingText({ shown }) {
  if (!shown.about.ended) return "The plane appears with the first rules.";
  return "This run has no rules to draw: it left no model, or one too large for a browser.";
}

/** @param {Element} bar @param {Scene} scene */
export function axisChoices(bar, scene) {
  const { columns, view } = scene.table;
  const kind = choice(bar, "tsk-plane", "Plane", PLANES, scene.plane, (value) => selectPlane({ plane: /** @type {PlaneKind} */ (value) }));
  hideChoice(kind, !view || columns.length < 3);
  for (const [side, other, label] of /** @type {const} */ ([["across", "up", "Across"], ["up", "across", "Up"]])) {
    const names = columns.map((column, d) => /** @type {[number, string]} */ ([d, shortName(column)]));
    const node = choice(bar, `tsk-${side}`, label, names, scene[side], (value) => {
      const d = Number(value), swapped = scene[other] === d ? scene[side] : scene[other]; // the axes swap rather than coincide
      selectPlane({ [side]: d, [other]: swapped });
    });
    hideChoice(node, scene.plane === "components" || columns.length < 2);
  }
}

/** @param {boolean} explained */
function rowsText(explained) {
  const click = explained ? " Click a row to see the reasons for its prediction." : "";
  return `Dots are rows: hollow for training, filled for test, crossed where misclassified.${click}`;
}

/**
 * What the figure shows, for a student.
 * @param {Scene} scene
 * @param {Frame} frame
 * @param {boolean} explained
 * @param {(scene: Scene, frame: Frame) => number | null} agreementOf
 */
export function captionText(scene, frame, explained, agreementOf) {
  const { table, model } = scene;
  const most = model.R > MOST_RULES ? `; only the ${MOST_RULES} most active of ${model.R} are drawn` : "";
  const parts = [
    "The colour is the class that the model predicts at each place, paler where the model is less certain.",
    `Each number is a rule with an outline of its reach (1 σ), bolder the more the rule fires${most}.`,
  ];
  if (table.rows) parts.push(rowsText(explained));
  const out = outside(frame, table.rows?.x ?? []);
  if (out) parts.push(`${out} of the ${table.rows?.x.length} rows drawn lie outside this view: “All rows” shows them.`);
  if (scene.across === scene.up && scene.plane === "features") parts.push("With one feature, the vertical position has no meaning: it only separates the rows.");
  if (table.columns.length < 3) return parts.join(" ");
  parts.push(scene.plane === "components"
    ? "Rows lie in front of and behind this plane through the data's centre, so the prediction for a row can differ from the colour under it."
    : `All other features have the values of ${rowName(scene)}, so the prediction for a row can differ from the colour under it.`);
  const share = agreementOf(scene, frame);
  if (share !== null) parts.push(`Here it differs for ${percent(1 - share, 0)} of the training and test rows drawn.`);
  return parts.join(" ");
}

/** @param {Point} range @param {number} factor @returns {Point} */
function scaled([low, high], factor) {
  const middle = (low + high) / 2, half = ((high - low) / 2) * factor;
  return [middle - half, middle + half];
}

/** @param {Point} range @param {number} share @returns {Point} */
const moved = ([low, high], share) => [low + share * (high - low), high + share * (high - low)];

/**
 * The buttons above the plane. view: what is selected now.
 * @param {Element} parent
 * @param {Frame} frame
 * @param {PlaneView} view
 */
export function viewButtons(parent, frame, view) {
  const bar = element(parent, "div", "tsk-zoom", { role: "group", "aria-label": "Zoom and move" });
  for (const [kind, text, name, effect] of BUTTONS) {
    const x = effect(frame.x.range, false), y = frame.single ? frame.y.range : effect(frame.y.range, true);
    const node = button(bar, kind, text, name, () => selectView({ x, y }));
    node.disabled = frame.single && /up|down/.test(kind);
  }
  const all = button(bar, "tsk-zoom-all", "All rows", "Show all rows", () => selectView("all"));
  all.disabled = [frame.x, frame.y].every(({ range, whole }) => range.every((end, k) => end === whole[k]));
  button(bar, "tsk-zoom-reset", "Reset", "Back to the first view", () => selectView(null)).disabled = view === null;
}

/**
 * How many rows lie outside what is seen.
 * @param {Frame} frame
 * @param {number[][]} rows
 */
function outside({ x, y, coordinates }, rows) {
  return rows.filter((row, n) => {
    const [a, b] = coordinates(row, n);
    return a < x.range[0] || a > x.range[1] || b < y.range[0] || b > y.range[1];
  }).length;
}
