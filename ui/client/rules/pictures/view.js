// Pictures of the rule base, each below a line that unfolds it; drawn only while it is open.

/** @import { MountOptions, RuleBase, State, View } from "../../core/types.js" */
/** @import { Scene } from "../../model/types.js" */

import { choice, element, foldedTable } from "../../core/elements.js";
import { explaining } from "../../core/explaining.js";
import { drawIn } from "../../core/plotly.js";
import { atEpoch } from "../../core/store.js";
import { percent, truncated } from "../../core/text.js";
import { watch } from "../../model/selection.js";
import { ruleScene, setRows } from "../context.js";
import { coFiringLines, conditionLines, confidenceLines, productLines } from "../numbers.js";
import { coFiring, confidenceFigure, networkFigure, rowStep } from "./network.js";
import { byUse, ruleGrid } from "./rule_grid.js";
import { termLines, termsFigure } from "./terms.js";

const MOST = 40; // rules of a figure, in the order of the tab
const NO_MODEL = "This picture needs the model in the browser: it is drawn once the model has loaded, unless the model is too large.";
const THRESHOLDS = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/** @typedef {{ scene: Scene | null, base: RuleBase, rules: RuleBase["rules"], now: State }} Shown rules: those that fire and are not out */
/** @typedef {(parent: HTMLElement, explain: (numbers: () => string[]) => void) => (shown: Shown) => void} Picture */

/** @type {[string, string, Picture, string][]} class, title, the picture, its explanation */
const PICTURES = [
  ["tsk-picture-grid", "Rules × features: drag a line to see what fires", gridPicture, "pictureGrid"],
  ["tsk-picture-terms", "All terms of one feature", termsPicture, "pictureTerms"],
  ["tsk-picture-network", "Rules that fire for the same rows", networkPicture, "pictureNetwork"],
  ["tsk-picture-classes", "Rule × class: confidence", classPicture, "pictureClasses"],
];

/**
 * A view: the pictures. options: { data, rows, run } of ui/explore/rules_tab.py.
 * @param {Element} parent
 * @param {MountOptions} options
 * @returns {View}
 */
export function pictures(parent, options) {
  const heading = element(parent, "h4", "tsk-title"), node = element(parent, "div", "tsk-pictures");
  heading.textContent = "Pictures of the rule base";
  /** @type {State | null} */
  let last = null;
  const folds = PICTURES.map(([kind, title, picture, name]) => {
    const fold = element(node, "details", kind);
    element(fold, "summary", "tsk-summary").textContent = title;
    /** @type {((shown: Shown) => void) | null} */
    let draw = null;
    const tools = element(fold, "div", "tsk-tools"), explain = explaining(tools, fold, name, title, options);
    const update = () => {
      if (!fold.open || !last) return;
      draw ??= picture(element(fold, "div", "tsk-picture"), explain);
      const shown = shownOf(last);
      if (shown) draw(shown);
    };
    fold.ontoggle = update;
    return update;
  });
  setRows(options);
  return {
    node,
    watch,
    draw(now) {
      last = now;
      heading.hidden = node.hidden = !atEpoch(now.shown.ruleBases, now)?.rules.length;
      for (const update of folds) update();
    },
  };
}

/** @param {State} now @returns {Shown | null} */
function shownOf(now) {
  const base = atEpoch(now.shown.ruleBases, now), scene = ruleScene(now);
  if (!base) return null;
  const weights = scene?.snapshot.log_weight;
  const rules = base.rules.filter(({ rule, dead }) => !dead && (!weights || weights[rule - 1] > -Infinity));
  return { scene, base, rules, now };
}

/**
 * A figure with its caption.
 * @param {HTMLElement} parent
 */
function figurePlace(parent) {
  const node = element(parent, "div", "tsk-chart", { role: "img" });
  return { node, caption: element(parent, "p", "tsk-caption") };
}

/** @type {Picture} */
function gridPicture(parent, explain) {
  const place = element(parent, "div", "tsk-grid-place"), caption = element(parent, "p", "tsk-caption"), draw = ruleGrid(place);
  return ({ scene, base }) => {
    place.hidden = !scene;
    caption.textContent = scene ? "Bars are the rows at hand; curves the memberships, filled where the sentence of the rule has the condition. A firing level is a rule's share for this row. The row is that of the tab Samples." : NO_MODEL;
    if (scene) draw(scene, base);
    explain(() => (scene ? productLines(scene) : []));
  };
}

/** @type {Picture} */
function termsPicture(parent, explain) {
  const bar = element(parent, "div", "tsk-order-bar"), { node, caption } = figurePlace(parent), table = element(parent, "details", "tsk-tried");
  /** @type {string | null} */
  let chosen = null;
  const draw = (/** @type {Shown} */ shown) => {
    const { scene, rules } = shown;
    bar.hidden = node.hidden = !scene;
    caption.textContent = scene ? termsCaption(rules.length) : NO_MODEL;
    if (!scene) return;
    const features = byUse(scene, rules).map((one) => one.feature), feature = features.find(({ name }) => name === chosen) ?? features[0];
    choice(bar, "tsk-feature", "Feature", features.map(({ name }) => [name, truncated(name)]), feature.name, (name) => {
      chosen = name;
      draw(shown);
    });
    drawIn(node, termsFigure(scene, feature, rules.slice(0, MOST)), caption);
    explain(() => conditionLines(scene, feature, rules));
    foldedTable(table, "The same as a table", ["Rule", "Centre", "Width σ", "At least a half"], termLines(scene, feature, rules));
  };
  return draw;
}

/** Which rules are drawn, where these are not all. @param {number} count */
const drawnText = (count) => (count > MOST ? ` The first ${MOST} rules are drawn.` : "");

/** @param {number} count */
function termsCaption(count) {
  return `Grey: how the rows at hand are spread. Solid curves are conditions of a sentence, dotted ones are left out of it. Terms that coincide mean the same.${drawnText(count)}`;
}

/** @type {Picture} */
function networkPicture(parent, explain) {
  const bar = element(parent, "div", "tsk-order-bar"), { node, caption } = figurePlace(parent), table = element(parent, "details", "tsk-tried");
  let least = 0.3, edges = /** @type {ReturnType<typeof coFiring>} */ ([]), key = /** @type {unknown[]} */ ([]);
  const draw = (/** @type {Shown} */ shown) => {
    const { scene, base, rules, now } = shown, rows = scene?.table.rows, some = rules.slice(0, MOST);
    bar.hidden = node.hidden = table.hidden = !rows;
    caption.textContent = scene && rows ? networkCaption(Math.ceil(rows.x.length / rowStep(scene)), rules.length) : "This picture needs the model and some rows of the table in the browser.";
    if (!scene || !rows) return;
    choice(bar, "tsk-threshold", "Co-firing of at least", THRESHOLDS.map((level) => [level, String(level)]), least, (level) => {
      least = Number(level);
      draw(shown);
    });
    if (key[0] !== scene.model || key[1] !== base || key[2] !== rows) edges = coFiring(scene, some);
    key = [scene.model, base, rows];
    const drawn = edges.filter(({ level }) => level >= least);
    drawIn(node, networkFigure(some, drawn, now.dark), caption);
    explain(() => coFiringLines(scene, edges[0]));
    const texts = drawn.map(({ a, b, level, kind }) => [`${a + 1} and ${b + 1}`, level.toFixed(2), kind]);
    foldedTable(table, `The same as a table (${drawn.length})`, ["Rules", "Co-firing", "Kind"], texts);
  };
  return draw;
}

/** @param {number} rows @param {number} count */
function networkCaption(rows, count) {
  return `Co-firing of two rules is Σ min(f̄) / Σ max(f̄) over the ${rows.toLocaleString("en")} training and test rows at hand: 1 where both always fire equally. With the same conclusion one of them is redundant; with different ones they are in conflict. The larger a circle, the more the rule fires.${drawnText(count)}`;
}

/** @type {Picture} */
function classPicture(parent, explain) {
  const { node, caption } = figurePlace(parent), table = element(parent, "details", "tsk-tried");
  return ({ rules, base, now }) => {
    const some = rules.slice(0, MOST), classes = base.classes ?? [];
    const known = some.some(({ confidence }) => confidence) && classes.length > 0;
    node.hidden = table.hidden = !known;
    caption.textContent = known
      ? `The share of a rule's firing that falls on training rows of each class; a row adds up to 100%.${drawnText(rules.length)}`
      : "The confidences of these rules are not known.";
    if (!known) return;
    drawIn(node, confidenceFigure(some, classes, now.dark), caption);
    explain(() => confidenceLines({ rules: some, base }));
    const texts = some.map(({ rule, confidence }) => [`rule ${rule}`, ...classes.map((_, c) => (confidence ? percent(confidence[c], 0) : "–"))]);
    foldedTable(table, "The same as a table", ["Rule", ...classes], texts);
  };
}
