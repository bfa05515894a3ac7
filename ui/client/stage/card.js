// The card of the kept rule, over the stage beside its large picture: its sentence, what was measured of it, and rows for which it fires.

/** @import { MountOptions, State, View } from "../core/types.js" */
/** @import { Model, Scene } from "../model/types.js" */

import { classColours } from "../core/colours.js";
import { button, childrenOf, columnHeading, element, keepingFocus, withSwatch } from "../core/elements.js";
import { percent, truncated } from "../core/text.js";
import { ablationOf, isTrue } from "../model/conditions.js";
import { firingOf } from "../model/inference.js";
import { sceneOf, selectRow } from "../model/selection.js";
import { cards } from "../rules/cards.js";
import { keep, markedRule } from "./marking.js";
import { ruleSentence, sentenceOf, textOf } from "./sentence.js";

const LISTED = 20; // rows
const QUICK = 1e6; // memberships that are computed at each frame of a replay, at most
const TITLES = ["Row", "Part", "Class", "Firing level", "Sentence is true"];
/** @type {WeakMap<Model, { rows: object, rule: number, levels: number[] }>} */
const known = new WeakMap(); // of the rule asked for last

/** @param {HTMLElement} parent @param {MountOptions} options @returns {View} */
export function card(parent, options) {
  parent.setAttribute("aria-label", "The kept rule");
  button(parent, "tsk-stage-close", "×", "Let go of the rule", () => keep(null));
  const list = element(parent, "ul", "tsk-cards"), plain = element(parent, "p", "tsk-sentence"), rows = element(parent, "div", "tsk-stage-rows-of-rule");
  return {
    draw(now) {
      const rule = markedRule({ ...now, pointed: null });
      parent.hidden = rule === null;
      if (rule === null) return;
      drawText(list, plain, now, options, rule);
      const scene = sceneOf(now, options), size = scene?.table.rows ? scene.table.rows.x.length * scene.model.R * scene.model.D : 0;
      if (now.future || size <= QUICK) drawRows(rows, scene, now, rule); // else as soon as the replay rests
    },
  };
}

/**
 * @param {HTMLElement} list of cards
 * @param {HTMLElement} plain where there is no text of the rule yet
 * @param {State} now
 * @param {MountOptions} options
 * @param {number} rule
 */
function drawText(list, plain, now, options, rule) {
  const text = textOf(now, rule), firing = now.epoch?.firing ?? [], found = text ? null : sentenceOf(now, options, rule);
  const style = { dark: now.dark, notation: now.notation, most: Math.max(...firing), rules: firing.length, run: null, model: null };
  cards(list, text ? [text] : [], { ...style, out: ablationOf(now, now.shown.run) });
  list.hidden = !text;
  plain.hidden = Boolean(text);
  plain.textContent = found ? ruleSentence(found, rule) : `Rule ${rule + 1}`;
}

/**
 * The rows for which a rule fires most, by index, with its firing level; those first for which it is highest.
 * @param {Scene} scene
 * @param {number} rule
 */
export function rowsOfRule({ table: { rows }, model }, rule) {
  if (!rows || rule >= model.R) return [];
  const kept = known.get(model), same = kept?.rows === rows && kept.rule === rule;
  const levels = same ? kept.levels : rows.x.map((x) => firingOf(model, x)[rule]);
  known.set(model, { rows, rule, levels });
  return levels.map((level, n) => ({ n, level })).sort((a, b) => b.level - a.level || a.n - b.n).slice(0, LISTED);
}

/**
 * @param {HTMLElement} place
 * @param {Scene | null} scene
 * @param {State} now
 * @param {number} rule
 */
function drawRows(place, scene, now, rule) {
  const found = scene ? rowsOfRule(scene, rule) : [], text = textOf(now, rule), rows = scene?.table.rows;
  place.hidden = !found.length;
  if (!scene || !rows || !found.length) return;
  element(place, "p", "tsk-title").textContent = `The ${found.length} rows for which it fires most`;
  const table = element(place, "table", "tsk-table"), { classes } = scene.table, colours = classColours(classes, now.dark);
  if (!table.tHead) table.createTHead().insertRow().append(...TITLES.map(columnHeading));
  const body = table.tBodies[0] ?? table.createTBody();
  keepingFocus(body, () => childrenOf(body, "tr", found.length).forEach((line, k) => {
    const { n, level } = found[k], holds = text && !text.dead && isTrue({ ...scene, x: rows.x[n] }, text);
    const cells = childrenOf(line, "td", TITLES.length);
    const go = button(cells[0], "tsk-cell", `${rows.row[n] + 1}`, `Select row ${rows.row[n] + 1}`, () => selectRow(scene, n));
    go.setAttribute("aria-pressed", String(n === scene.index));
    cells[2].replaceChildren(withSwatch(colours[rows.y[n]], "tsk-class", [truncated(classes[rows.y[n]])]));
    [[1, rows.part[n] === 1 ? "test" : "training"], [3, percent(level)], [4, holds === null ? "–" : holds ? "yes" : "no"]].forEach(([at, words]) => {
      cells[Number(at)].textContent = String(words);
    });
  }));
}
