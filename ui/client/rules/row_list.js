// A table of rows at hand, each of which opens in the tab Samples.

/** @import { Rows } from "../core/messages.js" */
/** @import { State } from "../core/types.js" */

import { button, element } from "../core/elements.js";
import { capitalised, rowsByPart } from "../core/text.js";
import { selectRow } from "../model/selection.js";
import { tableRow } from "./pictures/table.js";
import { availableRows, ruleScene } from "./context.js";

const MOST = 25; // rows that are listed

/**
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
  const changes = found.some(({ after }) => after !== undefined), head = document.createElement("thead"), body = document.createElement("tbody");
  const name = (/** @type {number | undefined} */ c) => (c === undefined ? "" : now.shown.base?.classes[c] ?? "");
  head.append(tableRow("th", ["Row", "Part", "True class", ...(changes ? ["Predicted before", "Predicted now"] : [])]));
  for (const { index, before, after } of found.slice(0, MOST)) {
    const cells = ["", rows.part[index] ? "test" : "training", name(rows.y[index]), ...(changes ? [name(before), name(after)] : [])];
    const row = tableRow("td", cells), number = rows.row[index] + 1;
    button(row.cells[0], "tsk-cell", String(number), `Open row ${number} in the tab Samples`, () => {
      const scene = ruleScene(now);
      if (scene) selectRow(scene, index);
      openSamples(row);
    });
    body.append(row);
  }
  table.replaceChildren(head, body);
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
