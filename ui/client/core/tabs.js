// Tabs, as the authoring practices of ARIA describe them: one tab is open, the arrow keys move between them.

import { element } from "./elements.js";

let lists = 0; // so far, for their names in the document

/**
 * A list of tabs with a panel each, the first one open. open: is called with the name of a tab and its panel when it opens, and
 * returns what to call when it closes.
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
