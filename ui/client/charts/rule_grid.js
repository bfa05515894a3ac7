// A grid of rules × features: a cell for each condition, in the colour of the rule's class, stronger where the condition restricts more.
// `gridModel` says what there is to draw, `ruleGrid` draws it as a table, whose cells fade where it is drawn again.

import { classColours, ruleColour } from "../core/colours.js";
import { columnHeading, element } from "../core/elements.js";
import { counted, truncated } from "../core/text.js";

export const MOST_FEATURES = 50; // in columns; of more, those that any rule still uses

/**
 * Rules to be drawn. levels: how strong each condition is, [R][F] in [0, 1], 0 where there is none. then: the class of each rule by its
 * index, null where it has none. texts: what stands in the cells, [R][F]; left out where nothing does. dead: rules that never fire.
 * @typedef {{
 *   features: string[], classes: string[], levels: ArrayLike<number>[], then: (number | null)[], texts?: string[][], dead?: number[],
 * }} GridInput
 */

/**
 * What the grid shows. columns: features by index; used: by how many rules. rows: in the order of their numbers; a cell for each column.
 * hidden: how many features have no column, and hiddenUsed of them a condition. text: the grid in a sentence.
 * @typedef {{ feature: number, name: string, used: number }} GridColumn
 * @typedef {{ level: number, text: string, title: string }} GridCell
 * @typedef {{ rule: number, then: number | null, name: string, dead: boolean, conditions: number, cells: GridCell[] }} GridRow
 * @typedef {{ columns: GridColumn[], rows: GridRow[], conditions: number, hidden: number, hiddenUsed: number, text: string }} GridModel
 */

/**
 * @param {GridInput} input
 * @returns {GridModel}
 */
export function gridModel({ features, classes, levels, then, texts, dead = [] }) {
  const columns = columnsOf(features, levels);
  const rows = levels.map((own, r) => ({
    rule: r + 1, then: then[r], name: then[r] === null ? "" : classes[Number(then[r])], dead: dead.includes(r), conditions: count(own),
    cells: columns.map(({ feature, name }) => {
      const text = texts?.[r][feature] ?? "";
      return { level: own[feature], text, title: `Rule ${r + 1}, ${name}: ${text || strengthText(own[feature])}` };
    }),
  }));
  const conditions = rows.reduce((sum, row) => sum + row.conditions, 0), hidden = features.length - columns.length;
  const used = features.filter((_, f) => levels.some((own) => own[f] > 0)).length;
  const text = `${counted(rows.length, "rule")} with ${counted(conditions, "condition")} on ${used} of ${counted(features.length, "feature")}.`;
  return { columns, rows, conditions, hidden, hiddenUsed: used - columns.filter((column) => column.used).length, text };
}

/**
 * All features in their order; where there are too many, those of most rules first, and none that no rule uses.
 * @param {string[]} features
 * @param {ArrayLike<number>[]} levels
 * @returns {GridColumn[]}
 */
function columnsOf(features, levels) {
  const columns = features.map((name, feature) => ({ feature, name, used: levels.filter((own) => own[feature] > 0).length }));
  if (columns.length <= MOST_FEATURES) return columns;
  const strength = columns.map(({ feature }) => levels.reduce((sum, own) => sum + own[feature], 0));
  const order = (/** @type {GridColumn} */ a, /** @type {GridColumn} */ b) => b.used - a.used || strength[b.feature] - strength[a.feature];
  return columns.filter(({ used }) => used).sort(order).slice(0, MOST_FEATURES);
}

/** @param {ArrayLike<number>} levels of a rule */
const count = (levels) => Array.from(levels).filter((level) => level > 0).length;

/** The strength s/(1 + s) in words, where s is the spread of the feature over the width σ. @param {number} level */
function strengthText(level) {
  if (level <= 0) return "no condition";
  return level >= 1 ? "σ is far below the feature's spread" : `σ is ${Number(((1 - level) / level).toPrecision(2))} × the feature's spread`;
}

/**
 * The grid in `parent`. Returns a function that draws it.
 * @param {HTMLElement} parent
 */
export function ruleGrid(parent) {
  const frame = element(parent, "div", "tsk-strengths-frame", { role: "region", tabindex: 0 });
  let built = "", update = /** @type {ReturnType<typeof build> | null} */ (null);
  return (/** @type {GridModel} */ model, /** @type {string[]} */ classes, /** @type {boolean} */ dark) => {
    const key = JSON.stringify([model.columns.map(({ name }) => name), model.rows.length]);
    if (!update || key !== built) update = build(frame, model);
    built = key;
    frame.setAttribute("aria-label", `Grid of rules and features. ${model.text}`);
    update(model, classColours(classes, dark), dark);
  };
}

/**
 * The table without its values. Returns a function that fills it in.
 * @param {HTMLElement} frame
 * @param {GridModel} model
 */
function build(frame, { columns, rows }) {
  frame.replaceChildren();
  const table = element(frame, "table", "tsk-strengths"), head = table.createTHead().insertRow(), body = table.createTBody();
  head.append(columnHeading("Rule"));
  const names = columns.map(({ name }) => {
    const place = head.appendChild(columnHeading("")), text = element(place, "span", "tsk-feature-name");
    text.textContent = truncated(name, 24);
    place.title = name;
    return place;
  });
  head.append(columnHeading("Class"));
  const lines = rows.map(({ rule }) => {
    const row = body.insertRow();
    row.append(Object.assign(document.createElement("th"), { textContent: String(rule), scope: "row" }));
    const cells = columns.map(() => {
      const place = row.insertCell();
      return { place, fill: element(place, "i", "tsk-strength"), text: element(place, "span", "tsk-text") };
    });
    return { row, cells, then: row.insertCell() };
  });
  return (/** @type {GridModel} */ model, /** @type {string[]} */ colours, /** @type {boolean} */ dark) => {
    model.columns.forEach(({ used }, k) => names[k].classList.toggle("tsk-unused", !used));
    model.rows.forEach((row, r) => {
      const { cells, then, row: line } = lines[r], colour = row.then === null ? ruleColour(r, dark) : colours[row.then];
      line.classList.toggle("tsk-dead", row.dead);
      row.cells.forEach(({ level, text, title }, k) => {
        const { place, fill, text: written } = cells[k];
        Object.assign(fill.style, { background: colour, opacity: level > 0 ? String(0.1 + 0.9 * level) : "0" });
        place.title = title;
        place.ariaLabel = title;
        written.textContent = text;
      });
      then.textContent = `${truncated(row.name, 24)}${row.dead ? " (never fires)" : ""}`;
      then.style.borderInlineStart = `4px solid ${colour}`;
    });
  };
}
