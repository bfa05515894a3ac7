// A picture as a table, folded away: what screen readers read, and what can be copied.

import { element } from "../../core/elements.js";

/**
 * @param {HTMLDetailsElement} details
 * @param {string} title
 * @param {string[]} head
 * @param {string[][] | null} rows null: there is no table
 */
export function foldedTable(details, title, head, rows) {
  details.hidden = !rows?.length;
  element(details, "summary", "tsk-summary").textContent = title;
  const fill = () => {
    if (!details.open) return;
    const top = document.createElement("thead"), body = document.createElement("tbody");
    top.append(tableRow("th", head));
    body.append(...(rows ?? []).map((cells) => tableRow("td", cells)));
    element(details, "table", "tsk-table").replaceChildren(top, body);
  };
  details.ontoggle = fill;
  fill();
}

/**
 * @param {"th" | "td"} tag
 * @param {string[]} texts
 */
export function tableRow(tag, texts) {
  const row = document.createElement("tr");
  for (const text of texts) row.appendChild(document.createElement(tag)).textContent = text;
  return row;
}
