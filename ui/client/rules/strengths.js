// The conditions of the rules at the selected epoch as a grid of rules × features, in which people watch them disappear while a run
// trains: a cell for each condition, in the colour of the rule's class, stronger where the condition restricts more.

/** @import { MountOptions, Run, State, Strengths, View } from "../core/types.js" */

import { classColours, ruleColour } from "../core/colours.js";
import { columnHeading, element } from "../core/elements.js";
import { explaining } from "../core/explaining.js";
import { atEpoch } from "../core/store.js";
import { svg } from "../core/svg.js";
import { conditionsText, counted, truncated } from "../core/text.js";
import { strengthLines } from "./numbers.js";

const [WIDE, TALL] = [160, 24]; // of the line, in pixels
const MEANING = "A cell is a condition, in the colour of its rule's class: the narrower its range, the stronger. It fades as the range widens (σ grows), and vanishes when the rule drops the condition. Sentences also leave out conditions that exclude no row.";
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
 * A view: the grid, folded below a line that says how many conditions there are.
 * @param {Element} parent
 * @param {Partial<MountOptions>} [options]
 * @returns {View}
 */
export function strengths(parent, options = {}) {
  const fold = element(parent, "details", "tsk-conditions-fold");
  if (!fold.dataset.mounted) fold.open = true;
  fold.dataset.mounted = "yes";
  const title = element(fold, "summary", "tsk-summary"), text = element(title, "span", "tsk-text"), line = element(title, "span", "tsk-line");
  const draw = ruleGrid(fold), caption = element(fold, "p", "tsk-caption");
  const explain = explaining(element(fold, "div", "tsk-tools"), fold, "strengths", "Rules × features", options);
  /** @type {unknown[]} */
  let drawn = [];
  return {
    node: fold,
    draw(now) {
      const { shown, dark, epoch } = now, record = atEpoch(shown.strengths, now);
      fold.hidden = !record || !shown.features.length || Boolean(atEpoch(shown.ruleBases, now)?.list); // which has a grid of its own
      const key = [record, epoch, dark, shown.epochs.length];
      if (!record || fold.hidden || key.every((value, k) => value === drawn[k])) return;
      drawn = key;
      const input = gridInput(record, shown, epoch?.dead ?? []), model = gridModel(input);
      text.textContent = `Rules × features: ${model.text}`;
      conditionsLine(line, now);
      draw(model, shown.classes, dark);
      const left = model.hidden ? ` The ${model.hidden} features without a column are used by ${model.hiddenUsed ? "few rules or none" : "no rule"}.` : "";
      caption.textContent = `${MEANING}${left} ${conditionsText(now)}`.trim();
      explain(() => strengthLines(input.features, input.levels));
    },
  };
}

/** @param {Strengths} record @param {Run} run @param {number[]} dead */
function gridInput(record, { features, classes }, dead) {
  const bytes = Uint8Array.from(atob(record.strengths), (c) => c.charCodeAt(0)), F = features.length;
  const levels = Array.from({ length: bytes.length / F }, (_, r) => Array.from(bytes.subarray(r * F, (r + 1) * F), (byte) => byte / 255));
  return { features, classes, levels, then: record.classes ?? levels.map(() => null), dead };
}

/**
 * The number of conditions by epoch as a small line, with a dot at the selected epoch.
 * @param {HTMLElement} place
 * @param {State} now
 */
function conditionsLine(place, { shown, index }) {
  const counts = shown.epochs.map(({ conditions }) => conditions ?? 0), most = Math.max(1, ...counts);
  const across = (WIDE - 4) / Math.max(1, counts.length - 1), up = (TALL - 4) / most;
  const at = (/** @type {number} */ k) => [2 + k * across, TALL - 2 - counts[k] * up];
  place.replaceChildren();
  if (counts.length < 2 || counts.every((one) => one === most)) return;
  const label = `Conditions by epoch: ${counts[0]} at first, ${counts[index]} at the selected epoch.`;
  const picture = svg(place, "svg", { width: WIDE, height: TALL, role: "img", "aria-label": label });
  svg(picture, "polyline", { points: counts.map((_, k) => at(k).map((v) => v.toFixed(1)).join(",")).join(" "), class: "tsk-conditions-line" });
  const [cx, cy] = at(index);
  svg(picture, "circle", { cx, cy, r: 2.5, class: "tsk-conditions-dot" });
}

/**
 * What there is to draw.
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
 * The grid in `parent`, a table whose cells fade where it is drawn again. Returns a function that draws it.
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
