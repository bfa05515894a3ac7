// Taking rules and conditions out: the button that does it, a panel that says what that changes and leads back, and the rows whose
// prediction changes.

/** @import { Ablation, Rows, State } from "../core/types.js" */
/** @import { Effect } from "./context.js" */

import { button, element, fillTable, tableRow } from "../core/elements.js";
import { svg } from "../core/svg.js";
import { capitalised, difference, percent, rowsByPart, signed, threeDecimals } from "../core/text.js";
import { ablationOf, ablationText, clearAblation, isEmpty, undoAblation } from "../model/conditions.js";
import { selectRow } from "../model/selection.js";
import { availableRows, currentEffect, ruleScene } from "./context.js";

const LID = "M1 8 C4 3 12 3 15 8 C12 13 4 13 1 8 Z", PUPIL = "M8 5.5 A2.5 2.5 0 1 0 8 10.5 A2.5 2.5 0 1 0 8 5.5 Z", STROKE = "M2 14 L14 2";
const MOST = 25; // rows that are listed

/**
 * The panel above the rules; hidden while nothing was taken out.
 * @param {HTMLElement} parent
 * @param {State} now
 */
export function ablationPanel(parent, now) {
  const { run } = now.shown, out = ablationOf(now, run), none = isEmpty(out);
  const panel = element(parent, "section", "tsk-effect", { "aria-label": "Taken out" });
  panel.hidden = none && !(now.ablation.run === run && now.ablation.steps.length);
  if (panel.hidden) return;
  const found = none ? null : currentEffect(now), changed = found?.effect.changed ?? [];
  element(panel, "p", "tsk-effect-what", { role: "status" }).textContent = whatText(out, found);
  scoresTable(element(panel, "table", "tsk-table"), found?.effect ?? null);
  element(panel, "p", "tsk-caption").textContent = found ? rowsNote(found.rows, found.effect) : "";
  buttons(panel, now, out);
  const list = element(panel, "details", "tsk-affected");
  list.hidden = !changed.length;
  const which = rowsByPart(found?.rows.part ?? [], changed.map(({ index }) => index));
  element(list, "summary", "tsk-summary").textContent = `Changed predictions: ${which}`;
  rowList(list, now, changed);
}

/** @param {Ablation} out @param {{ rows: Rows, effect: Effect } | null} found */
function whatText(out, found) {
  if (isEmpty(out)) return "All rules and conditions are back.";
  const text = `Taken out: ${ablationText(out)}.`;
  if (!found) return `${text} The rows or the model are not available here, so nothing is computed.`;
  const { rows: { part }, effect: { before, same, changed } } = found;
  if (!before) return `${text} There are no test rows here.`;
  const stay = before.n - changed.filter(({ index }) => part[index] === 1).length;
  return `${text} The prediction stays the same for ${stay} of ${before.n} test rows (${percent(same)}).`;
}

/** @param {Rows} rows @param {Effect} effect */
function rowsNote({ tests = 0 }, { before }) {
  const n = before?.n ?? 0;
  if (tests <= n) return n ? `Measured on all ${n.toLocaleString("en")} test rows.` : "";
  return `Measured on the ${n.toLocaleString("en")} of ${tests.toLocaleString("en")} test rows that the page has; rare classes have more than their share of them.`;
}

/** @param {HTMLTableElement} table @param {Effect | null} effect */
function scoresTable(table, effect) {
  const { before, after } = effect ?? {};
  table.hidden = !before || !after;
  if (!before || !after) return;
  const rows = [["Accuracy (RCA)", before.rca, after.rca], ["Balanced accuracy (BCA)", before.bca, after.bca]];
  const head = ["Test rows", "With all rules", "Without", "Change"];
  const lines = [head, ...rows.map(([name, old, now]) => [`${name}`, threeDecimals(Number(old)), threeDecimals(Number(now)), signed(difference(Number(now), Number(old)), 3)])];
  table.replaceChildren(...lines.map((cells, k) => {
    const line = document.createElement("tr");
    for (const [c, text] of cells.entries()) line.appendChild(document.createElement(k && c ? "td" : "th")).textContent = text;
    return line;
  }));
}

/** @param {HTMLElement} panel @param {State} now @param {Ablation} out */
function buttons(panel, now, out) {
  const bar = element(panel, "div", "tsk-effect-bar", { role: "group", "aria-label": "Taken out" }), { run } = now.shown;
  const back = button(bar, "tsk-undo", "Undo", "Undo the last step", undoAblation);
  back.disabled = !now.ablation.steps.length;
  button(bar, "tsk-all-back", "Put all back", "Put all rules and conditions back", () => clearAblation(run)).disabled = isEmpty(out);
}

/**
 * The eye: a button that takes a rule or a condition out, and puts it back.
 * @param {Element} parent
 * @param {string} what such as "rule 3"
 * @param {boolean} out
 * @param {() => void} press
 */
export function ablationToggle(parent, what, out, press) {
  const name = out ? `Put ${what} back` : `Take ${what} out`;
  const node = element(parent, "button", "tsk-eye", { type: "button", "aria-pressed": String(out), "aria-label": name, title: name });
  node.onclick = press;
  if (!node.firstChild) {
    const picture = svg(node, "svg", { viewBox: "0 0 16 16", "aria-hidden": "true" });
    for (const d of [LID, PUPIL, STROKE]) svg(picture, "path", { d });
  }
  return node;
}

/**
 * A table of rows at hand, each of which opens in the tab Samples.
 * @param {HTMLElement} parent
 * @param {State} now
 * @param {{ index: number, before?: number, after?: number }[] | null} found rows by index, and the classes predicted before and after;
 * null where no rows are here
 */
export function rowList(parent, now, found) {
  const rows = availableRows(now), note = element(parent, "p", "tsk-caption");
  note.textContent = noteOf(found && found.map(({ index }) => index), rows?.part ?? []);
  const table = element(parent, "table", "tsk-table");
  table.hidden = !found?.length;
  if (found && rows) fill(table, now, rows, found);
}

/**
 * @param {HTMLTableElement} table
 * @param {State} now
 * @param {Rows} rows
 * @param {{ index: number, before?: number, after?: number }[]} found
 */
function fill(table, now, rows, found) {
  const changes = found.some(({ after }) => after !== undefined);
  const name = (/** @type {number | undefined} */ c) => (c === undefined ? "" : now.shown.base?.classes[c] ?? "");
  const lines = found.slice(0, MOST).map(({ index, before, after }) => {
    const cells = ["", rows.part[index] ? "test" : "training", name(rows.y[index]), ...(changes ? [name(before), name(after)] : [])];
    const row = tableRow("td", cells), number = rows.row[index] + 1;
    button(row.cells[0], "tsk-cell", String(number), `Open row ${number} in the tab Samples`, () => {
      const scene = ruleScene(now);
      if (scene) selectRow(scene, index);
      openSamples(row);
    });
    return row;
  });
  fillTable(table, ["Row", "Part", "True class", ...(changes ? ["Predicted before", "Predicted now"] : [])], lines);
}

/**
 * @param {number[] | null} found by index
 * @param {ArrayLike<number>} part of the rows at hand
 */
function noteOf(found, part) {
  if (found === null) return "The rows are not available here.";
  const all = rowsByPart(part, Array.from(part, (_, n) => n)), which = rowsByPart(part, found);
  const more = found.length > MOST ? ` The first ${MOST} are listed.` : "";
  return `${capitalised(which)}, of ${all} at hand.${more}`;
}

/**
 * Show the tab Samples: of the widget that these rows are in, or of the page, whose tabs are Streamlit's.
 * @param {Element} node
 */
function openSamples(node) {
  const place = node.closest(".tsk-notebook") ?? document;
  const tabs = /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll("[role=tab]"));
  [...tabs].find((tab) => tab.textContent?.trim() === "Samples")?.click();
}
