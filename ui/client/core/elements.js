// Elements of the page: buttons, choices, tables, tabs.

import { truncated } from "./text.js";

let lists = 0; // so far, for their names in the document

/**
 * The child of `parent` with this class, made where there is none.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {Element} parent
 * @param {T} tag
 * @param {string} className
 * @param {Record<string, string | number>} [attributes]
 * @returns {HTMLElementTagNameMap[T]}
 */
export function element(parent, tag, className, attributes = {}) {
  const found = [...parent.children].find((child) => child.classList.contains(className));
  const node = /** @type {HTMLElementTagNameMap[T]} */ (found ?? document.createElement(tag));
  if (!found) {
    node.className = className;
    parent.appendChild(node);
  }
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  return node;
}

/**
 * The heading of a table's column.
 * @param {string} text
 */
export const columnHeading = (text) => Object.assign(document.createElement("th"), { textContent: text, scope: "col" });

/**
 * A button that shows `text`; `name` says to every reader what it does.
 * @param {Element} parent
 * @param {string} className
 * @param {string} text
 * @param {string} name
 * @param {() => void} press
 */
export function button(parent, className, text, name, press) {
  const node = element(parent, "button", className, { type: "button", "aria-label": name, title: name });
  node.textContent = text;
  node.onclick = press;
  return node;
}

/**
 * Draw what is in `place` again. The focus stays with the button of the same name, or goes to the next one that can be pressed.
 * @param {HTMLElement} place
 * @param {() => void} draw
 */
export function keepingFocus(place, draw) {
  const active = document.activeElement, inside = active !== null && active !== place && place.contains(active);
  const name = active?.getAttribute("aria-label");
  draw();
  if (!inside) return;
  const named = [.../** @type {NodeListOf<HTMLButtonElement>} */ (place.querySelectorAll("button, input, select"))];
  const found = named.find((one) => one.getAttribute("aria-label") === name);
  if (found === document.activeElement) return;
  const usable = found?.disabled ? named.find((one) => one.parentElement === found.parentElement && !one.disabled) : found;
  const next = usable ?? (place.contains(document.activeElement) ? null : named.find(({ disabled }) => !disabled));
  next?.focus({ preventScroll: true });
}

/**
 * Explain what stands in an element, to whoever points at it, taps it, or reaches it with the keyboard.
 * @param {HTMLElement} node
 * @param {string} text
 */
export function withExplanation(node, text) {
  node.classList.add("tsk-explained");
  node.dataset.explanation = text;
  node.setAttribute("aria-description", text);
  node.tabIndex = 0;
}

/**
 * Text with a colour swatch before it, on one line with it: square for a class, round for a rule, as both use the same few colours.
 * @param {string} colour
 * @param {string} kind
 * @param {(Node | string)[]} words
 */
export function withSwatch(colour, kind, words) {
  const node = document.createElement("span"), swatch = node.appendChild(document.createElement("i"));
  node.className = "tsk-named";
  swatch.className = `tsk-swatch ${kind}`;
  swatch.style.background = colour;
  node.append(...words);
  return node;
}

/**
 * A button that is pressed or not. Returns a function that shows which, and returns the button.
 * @template State
 * @param {Element} parent
 * @param {string} className
 * @param {string} text
 * @param {string} name
 * @param {(state: State) => boolean} of
 * @param {(pressed: boolean) => void} change
 */
export function toggle(parent, className, text, name, of, change) {
  const node = button(parent, className, text, name, () => change(node.getAttribute("aria-pressed") !== "true"));
  node.classList.add("tsk-toggle");
  return (/** @type {State} */ state) => {
    node.setAttribute("aria-pressed", String(of(state)));
    return node;
  };
}

/**
 * A select with a label before it.
 * @param {Element} parent
 * @param {string} className
 * @param {string} label
 * @param {(readonly [string | number, string])[]} options values and their texts
 * @param {string | number} value
 * @param {(value: string) => void} change
 */
export function choice(parent, className, label, options, value, change) {
  const frame = element(parent, "label", className);
  element(frame, "span", "tsk-label").textContent = label;
  const node = element(frame, "select", "tsk-select");
  const stays = node.options.length === options.length
    && options.every(([key, text], k) => node.options[k].value === String(key) && node.options[k].textContent === text);
  if (!stays) node.replaceChildren(...options.map(([key, text]) => new Option(text, String(key))));
  node.value = String(value);
  node.onchange = () => change(node.value);
  return node;
}

/**
 * A select of a class, or of none of them.
 * @param {Element} parent
 * @param {string} className
 * @param {string} label
 * @param {string} none what stands for no class
 * @param {string[]} classes
 * @param {number | null} chosen
 * @param {(c: number | null) => void} change
 */
export function classChoice(parent, className, label, none, classes, chosen, change) {
  const options = classes.map((name, c) => /** @type {[string, string]} */ ([String(c), truncated(name)]));
  return choice(parent, className, label, [["", none], ...options], chosen ?? "", (value) => change(value === "" ? null : Number(value)));
}

/**
 * Hide a choice with its label, or show it.
 * @param {HTMLSelectElement} select
 * @param {boolean} hidden
 */
export function hideChoice(select, hidden) {
  if (select.parentElement) select.parentElement.hidden = hidden;
}

/**
 * So many children of an element, which are reused from one drawing to the next.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {Element} parent
 * @param {T} tag
 * @param {number} count
 */
export function childrenOf(parent, tag, count) {
  while (parent.children.length > count) parent.lastElementChild?.remove();
  while (parent.children.length < count) parent.appendChild(document.createElement(tag));
  return /** @type {HTMLElementTagNameMap[T][]} */ ([...parent.children]);
}

/**
 * A table with this head and these rows, in place of what it had.
 * @param {HTMLTableElement} table
 * @param {string[]} head
 * @param {(string[] | HTMLTableRowElement)[]} rows
 */
export function fillTable(table, head, rows) {
  const top = document.createElement("thead"), body = document.createElement("tbody");
  top.append(tableRow("th", head));
  body.append(...rows.map((row) => (Array.isArray(row) ? tableRow("td", row) : row)));
  table.replaceChildren(top, body);
}

/** @param {"th" | "td"} tag @param {string[]} texts */
export function tableRow(tag, texts) {
  const row = document.createElement("tr");
  for (const text of texts) row.appendChild(document.createElement(tag)).textContent = text;
  return row;
}

/**
 * A picture as a table, folded away: what screen readers read, and what can be copied.
 * @param {HTMLDetailsElement} details
 * @param {string} title
 * @param {string[]} head
 * @param {string[][] | null} rows null: there is no table
 */
export function foldedTable(details, title, head, rows) {
  details.hidden = !rows?.length;
  element(details, "summary", "tsk-summary").textContent = title;
  const fill = () => { if (details.open) fillTable(element(details, "table", "tsk-table"), head, rows ?? []); };
  details.ontoggle = fill;
  fill();
}

/**
 * A list of tabs with a panel each, the first one open, as the authoring practices of ARIA describe them. open: is called with the name
 * of a tab and its panel when it opens, and returns what to call when it closes.
 * @param {Element} parent
 * @param {string[]} names
 * @param {(name: string, panel: HTMLElement) => () => void} open
 * @returns {() => void} closes the one that is open
 */
export function tabs(parent, names, open) {
  const list = element(parent, "div", "tsk-tabs", { role: "tablist" }), id = `tsk-tab-${lists += 1}`;
  let close = () => {};
  const made = names.map((name, k) => {
    const panel = element(parent, "div", `tsk-panel-${k}`, { role: "tabpanel", id: `${id}-${k}-panel`, "aria-labelledby": `${id}-${k}` });
    const tab = element(list, "button", `tsk-tab-${k}`, { type: "button", role: "tab", id: `${id}-${k}`, "aria-controls": panel.id });
    tab.textContent = name;
    tab.onclick = () => select(k);
    tab.onkeydown = ({ key }) => {
      const next = { ArrowRight: k + 1, ArrowLeft: k - 1, Home: 0, End: names.length - 1 }[key];
      if (next !== undefined) select((next + names.length) % names.length).focus();
    };
    return { name, panel, tab };
  });
  /** @param {number} chosen */
  const select = (chosen) => {
    close();
    made.forEach(({ panel, tab }, k) => {
      panel.hidden = k !== chosen;
      tab.tabIndex = k === chosen ? 0 : -1;
      tab.setAttribute("aria-selected", String(k === chosen));
    });
    close = open(made[chosen].name, made[chosen].panel);
    return made[chosen].tab;
  };
  select(0);
  return () => close();
}
