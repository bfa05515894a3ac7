// What is taken out, what that changes at once, and the way back.

/** @import { Rows } from "../core/messages.js" */
/** @import { Ablation, State } from "../core/types.js" */
/** @import { Effect } from "./ablation_effect.js" */

import { button, element } from "../core/elements.js";
import { difference, percent, rowsByPart, signed, threeDecimals } from "../core/text.js";
import { ablationOf, ablationText, clearAblation, isEmpty, undoAblation } from "../model/ablation.js";
import { currentEffect } from "./context.js";
import { rowList } from "./row_list.js";

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

/**
 * @param {Ablation} out
 * @param {{ rows: Rows, effect: Effect } | null} found
 */
function whatText(out, found) {
  if (isEmpty(out)) return "All rules and conditions are back.";
  const text = `Taken out: ${ablationText(out)}.`;
  if (!found) return `${text} The rows or the model are not available here, so nothing is computed.`;
  const { rows: { part }, effect: { before, same, changed } } = found;
  if (!before) return `${text} There are no test rows here.`;
  const stay = before.n - changed.filter(({ index }) => part[index] === 1).length;
  return `${text} The prediction stays the same for ${stay} of ${before.n} test rows (${percent(same)}).`;
}

/**
 * @param {Rows} rows
 * @param {Effect} effect
 */
function rowsNote({ tests = 0 }, { before }) {
  const n = before?.n ?? 0;
  if (tests <= n) return n ? `Measured on all ${n.toLocaleString("en")} test rows.` : "";
  return `Measured on the ${n.toLocaleString("en")} of ${tests.toLocaleString("en")} test rows that the page has; rare classes have more than their share of them.`;
}

/**
 * @param {HTMLTableElement} table
 * @param {Effect | null} effect
 */
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

/**
 * @param {HTMLElement} panel
 * @param {State} now
 * @param {Ablation} out
 */
function buttons(panel, now, out) {
  const bar = element(panel, "div", "tsk-effect-bar", { role: "group", "aria-label": "Taken out" }), { run } = now.shown;
  const back = button(bar, "tsk-undo", "Undo", "Undo the last step", undoAblation);
  back.disabled = !now.ablation.steps.length;
  button(bar, "tsk-all-back", "Put all back", "Put all rules and conditions back", () => clearAblation(run)).disabled = isEmpty(out);
}
