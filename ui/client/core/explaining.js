// Explain: a button beside a chart, and the panel that it opens below it: what the chart shows, its formula, this run's numbers in the
// formula, and what to try next. The texts come from ui/charts/explanations, the numbers from each folder of charts.

/** @import { Explanation, MountOptions } from "./types.js" */

import { button, childrenOf, element } from "./elements.js";

const NONE = "There are no numbers yet: they come with the first that is drawn.";
const FAILED = "The explanation could not be loaded. Close it and press “Explain” again.";
let panels = 0; // so far, for their names in the document
/** @type {Promise<Record<string, Explanation>> | null} */
let loading = null;

/** @param {string} address of the explanations, which are loaded when the first of them is opened */
function load(address) {
  loading ??= fetch(new URL(address, document.baseURI)).then((answer) => (answer.ok ? answer.json() : Promise.reject(answer.statusText)));
  loading.catch(() => { loading = null; });
  return loading;
}

/**
 * The button in `tools` and the panel in `place`; nothing of both where the page has no explanations. Returns a function that draws the
 * numbers anew; it asks for them, as sentences, only while the panel is open.
 * @param {Element} tools
 * @param {Element} place
 * @param {string} name of the explanation
 * @param {string} title of the chart
 * @param {Partial<MountOptions>} options
 * @returns {(numbers: () => string[]) => void}
 */
export function explaining(tools, place, name, title, { explanations: address }) {
  if (!address) return () => {};
  const before = place.querySelector(":scope > .tsk-explanation");
  const panel = element(place, "section", "tsk-explanation", { tabindex: -1, "aria-label": `Explanation: ${title}` });
  if (!before) Object.assign(panel, { hidden: true, id: `tsk-explanation-${panels += 1}` });
  let numbers = () => /** @type {string[]} */ ([]), explanation = /** @type {Explanation | null} */ (null);
  const close = () => show(false), refresh = () => { if (!panel.hidden && explanation) fill(panel, explanation, numbers(), close); };
  const opener = button(tools, "tsk-explain", "Explain", `Explain: ${title}`, () => show(Boolean(panel.hidden)));
  const show = (/** @type {boolean} */ open) => {
    panel.hidden = !open;
    opener.setAttribute("aria-expanded", String(open));
    (open ? panel : opener).focus({ preventScroll: true });
    if (open) fetchText().then(() => panel.scrollIntoView({ block: "nearest" }));
  };
  const fetchText = () => load(address).then((all) => {
    explanation = all[name];
    refresh();
  }, () => { failed(panel, close); });
  opener.setAttribute("aria-controls", panel.id);
  opener.setAttribute("aria-expanded", String(!panel.hidden));
  for (const node of [opener, panel]) node.onkeydown = (event) => { if (event.key === "Escape" && !panel.hidden) closeBy(event, close); };
  if (!panel.hidden) fetchText(); // mounted again
  return (given) => {
    numbers = given;
    refresh();
  };
}

/** @param {HTMLElement} panel @param {() => void} close */
function failed(panel, close) {
  heading(panel, "", close);
  element(panel, "p", "tsk-shows").textContent = FAILED;
}

/** @param {KeyboardEvent} event @param {() => void} close */
function closeBy(event, close) {
  event.preventDefault();
  event.stopPropagation();
  close();
}

/**
 * @param {HTMLElement} panel
 * @param {Explanation} explanation
 * @param {string[]} numbers
 * @param {() => void} close
 */
function fill(panel, { title, shows, formula, letters, tries }, numbers, close) {
  heading(panel, title, close);
  element(panel, "p", "tsk-shows").textContent = shows;
  const lines = element(panel, "div", "tsk-formula", { tabindex: 0, role: "group", "aria-label": "Formula" });
  if (!lines.childElementCount) lines.append(...formula.map(drawnFormula));
  element(panel, "p", "tsk-letters").textContent = letters;
  element(panel, "p", "tsk-numbers-title").textContent = "This run's numbers";
  list(element(panel, "ul", "tsk-numbers"), numbers.length ? numbers : [NONE]);
  const next = element(panel, "p", "tsk-tries");
  element(next, "strong", "tsk-tries-title").textContent = "Try next";
  element(next, "span", "tsk-tries-text").textContent = ` ${tries}`;
}

/** @param {HTMLElement} panel @param {string} title @param {() => void} close */
function heading(panel, title, close) {
  const head = element(panel, "div", "tsk-explanation-head");
  element(head, "p", "tsk-title").textContent = title;
  button(head, "tsk-explanation-close", "×", "Close the explanation", close);
}

/**
 * The <math> element of a formula. It is parsed as XML, so that what is no formula is no markup of the page either.
 * @param {string} markup
 */
const drawnFormula = (markup) => document.importNode(new DOMParser().parseFromString(markup, "application/xml").documentElement, true);

/**
 * Sentences as entries; those that stay are left alone, so that a reader can select them while a run trains.
 * @param {HTMLElement} node
 * @param {string[]} texts
 */
function list(node, texts) {
  childrenOf(node, "li", texts.length).forEach((item, k) => { if (item.textContent !== texts[k]) item.textContent = texts[k]; });
}
