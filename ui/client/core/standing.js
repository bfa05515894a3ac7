// A view: where something stands that goes on, as the server says it (ui/live): a bar, a sentence, and perhaps more lines and a table.

/** @import { MountOptions, Standing, View } from "./types.js" */

import { element, fillTable } from "./elements.js";
import { onValue } from "./feed.js";

/** @type {Map<string, Standing>} */
const standings = new Map(); // by what they are of

onValue("standing", (said, of) => { standings.set(of, said); });

/**
 * options.of: of what. options.part: the sentence ("text") or the rest ("lines") alone. Nothing is drawn before it is known.
 * @param {Element} parent
 * @param {MountOptions} options
 * @returns {View}
 */
export function standing(parent, { of, part }) {
  const row = element(parent, "div", "tsk-standing", { role: "status" }), words = element(row, "span", "tsk-standing-text");
  const bar = element(row, "progress", "tsk-standing-bar", { max: 1 });
  const lines = element(parent, "div", "tsk-standing-lines"), table = element(parent, "table", "tsk-standing-table");
  return {
    draw() {
      const now = standings.get(String(of)), listed = part === "text" ? [] : now?.lines ?? [];
      row.hidden = !now?.text || part === "lines";
      words.textContent = now?.text ?? "";
      setShare(bar, now?.share, now?.text ?? "");
      lines.hidden = !listed.length;
      lines.replaceChildren(...listed.map(lineOf));
      table.hidden = !now?.table || part === "text";
      if (now?.table) fillTable(table, now.table.columns, now.table.rows);
    },
  };
}

/** @param {{ text: string, bold: boolean, share?: number | null }} line */
function lineOf({ text, bold, share }) {
  const line = document.createElement("p");
  line.className = bold ? "tsk-bold" : "tsk-caption";
  element(line, "span", "tsk-standing-words").textContent = text;
  if (share != null) setShare(element(line, "progress", "tsk-standing-bar", { max: 1 }), share, text);
  return line;
}

/** @param {HTMLProgressElement} bar @param {number | null | undefined} share @param {string} name */
function setShare(bar, share, name) {
  bar.hidden = share == null;
  bar.value = share ?? 0;
  bar.setAttribute("aria-label", name);
}
