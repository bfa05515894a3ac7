// The page of those who watch a run (ui/live/watching.py): scores, epoch slider and tabs, as on the page of whoever shows it.

/** @import { ChartDeclaration, MountOptions, Part } from "./core/types.js" */

import { button, element, tabs } from "./core/elements.js";
import { watch } from "./core/live.js";
import { setOptions, subscribe } from "./core/store.js";
import { comeBack, following, keepUp, leave } from "./charts/following.js";
import { load, mount } from "./client.js";

/**
 * What the page is given. tickets: of the runs and of what the lecturer shows; each tab has those of its lists.
 * @typedef {{ name: string, views: string[], note: string, tickets: string[] }} Tab
 * @typedef {{
 *   run: string, charts: ChartDeclaration[], explanations: string, samples: Partial<MountOptions>,
 *   tabs: Tab[], tickets: string[], parts: Part[],
 * }} Content
 */

/** @type {Content} */
const { run, charts, explanations, samples, tabs: all, tickets, parts } = JSON.parse(document.getElementById("content")?.textContent ?? "");
const dark = matchMedia("(prefers-color-scheme: dark)");

/**
 * The line that says whose epoch is selected, and the button back to the lecturer's.
 * @param {Element} parent
 */
function leader(parent) {
  const line = element(parent, "div", "tsk-leader"), words = element(line, "span", "tsk-leader-text", { role: "status" });
  const back = button(line, "tsk-toggle", "Follow the lecturer", "Follow the lecturer's epoch slider again", comeBack);
  return () => {
    const { led, away } = following();
    const text = away ? "You look elsewhere." : led ? "In step with the lecturer." : "The lecturer does not share an epoch yet.";
    if (words.textContent !== text) words.textContent = text;
    back.hidden = !away;
  };
}

/** @param {Element} main */
function draw(main) {
  subscribe(keepUp); // first, so that what is drawn is in step
  const scores = element(main, "div", "tsk-watch-scores"), epochs = element(main, "div", "tsk-watch-epochs");
  mount(scores, { views: ["tiles", "standing"], live: true, of: run });
  mount(epochs, { views: ["epochs"] });
  for (const kind of ["input", "click"]) { // before the slider or a button does what it does
    epochs.addEventListener(kind, ({ target }) => {
      if (target instanceof Element && target.matches(".tsk-epochs :is(.tsk-slider, button)")) leave();
    }, true);
  }
  const show = leader(main);
  subscribe(show);
  show();
  tabs(main, all.map(({ name }) => name), (name, panel) => {
    const { views, note, tickets: own } = /** @type {Tab} */ (all.find((one) => one.name === name));
    watch({ key: "watch", tickets: [...tickets, ...own], parts: [], drawn: {} }, () => {});
    if (note) element(panel, "p", "tsk-note").textContent = note;
    return mount(panel, { views, explanations, ...samples });
  });
}

load(charts).then(() => {
  watch({ key: "watch", tickets, parts, drawn: {} }, () => {});
  setOptions({ dark: dark.matches });
  dark.addEventListener("change", () => setOptions({ dark: dark.matches }));
  draw(/** @type {Element} */ (document.getElementById("watch")));
});
