// The rule list of a readable rule base on one screen: the grid as a drawing that can be saved and printed, and the same as sentences.

/** @import { ListedColumn, ListedCondition, ListedRule, MountOptions, RuleBase, RuleList, View } from "../core/types.js" */
/** @import { Drawing } from "./readable_drawing.js" */

import { classColours, inks } from "../core/colours.js";
import { button, choice, element } from "../core/elements.js";
import { explaining } from "../core/explaining.js";
import { atEpoch } from "../core/store.js";
import { svg } from "../core/svg.js";
import { listLines } from "./numbers.js";
import { drawing } from "./readable_drawing.js";
import { gridModel } from "./strengths.js";

const SMALLEST = 0.72; // of its size, to which the drawing shrinks before it scrolls
const CAPTION = "Where the sentences are read alone, the first rule whose conditions all hold decides. A curve is a membership over the range of the training rows, darker where it is at least a half: where the condition holds. A square is a category, filled where it is named. A bar: the rows that a sentence is true of, filled those of its class.";

/**
 * A row. place: in the rule list, from 1; null for "otherwise". then: its class by its index. cells: a condition for each column.
 * @typedef {{ place: number | null, item: ListedRule, then: number, cells: (ListedCondition | null)[] }} Row
 * @typedef {{ name: string, over: ListedColumn }} Column
 * @typedef {{ columns: Column[], rows: Row[], text: string, of: string, total: number }} Grid
 */

/**
 * A view: the grid, below 640 pixels the sentences alone, which screen readers read everywhere.
 * @param {Element} parent
 * @param {Partial<MountOptions>} [options]
 * @returns {View}
 */
export function readable(parent, options = {}) {
  const node = element(parent, "section", "tsk-readable"), title = element(node, "h4", "tsk-title"), bar = element(node, "div", "tsk-order-bar");
  const frame = element(node, "div", "tsk-readable-frame", { tabindex: 0, role: "region" }), lines = element(node, "ul", "tsk-readable-lines");
  const caption = element(node, "p", "tsk-caption");
  const explain = explaining(element(node, "div", "tsk-tools"), node, "readable", "Rules as a grid", options);
  let byClass = false, drawn = /** @type {unknown[]} */ ([]);
  return {
    node,
    draw(now) {
      const base = atEpoch(now.shown.ruleBases, now), list = base?.list, key = [list, now.dark, byClass];
      node.hidden = !list;
      if (!base || !list || key.every((value, k) => value === drawn[k])) return;
      drawn = key;
      const again = () => this.draw(now), name = `run-${String(now.shown.run).slice(0, 8)}-rules`;
      choice(bar, "tsk-order", "Rows", [["list", "in the order of the list"], ["class", "by class"]], byClass ? "class" : "list", (value) => {
        byClass = value === "class";
        again();
      });
      button(bar, "tsk-toggle", "SVG", "Save this figure as SVG", () => saveSvg(onPaper(base, list, byClass), name));
      button(bar, "tsk-print", "Print", "Print this figure on a landscape page", () => print(onPaper(base, list, byClass), list));
      caption.textContent = [list.note, CAPTION].filter(Boolean).join(" ");
      title.textContent = listGrid(list, base.classes ?? []).text;
      frame.setAttribute("aria-label", `The rules as a grid. ${title.textContent} The sentences follow.`);
      frame.replaceChildren(figure(base, list, byClass, now.dark));
      lines.replaceChildren(...list.lines.map(listItem));
      explain(() => listLines(list));
    },
  };
}

/**
 * @param {RuleBase} base
 * @param {RuleList} list
 * @param {boolean} byClass
 * @param {boolean} dark
 */
function figure(base, list, byClass, dark) {
  const classes = base.classes ?? [], { ink } = inks(dark), grid = dark ? "#8A8A8A" : "#9A9A9A";
  const made = imageOf(drawing(listGrid(list, classes, byClass), { classes: classColours(classes, dark), ink, grid }));
  made.setAttribute("aria-hidden", "true");
  const width = Number(made.getAttribute("width"));
  Object.assign(made.style, { minWidth: `${SMALLEST * width}px`, maxWidth: `${width}px` });
  return made;
}

/** The figure in black on white. @param {RuleBase} base @param {RuleList} list @param {boolean} byClass */
function onPaper({ classes = [] }, list, byClass) {
  return imageOf(drawing(listGrid(list, classes, byClass), { classes: classColours(classes, false), ink: "#000000", grid: "#808080" }));
}

/** @param {Drawing} made */
function imageOf({ width, height, marks }) {
  const place = document.createElement("div");
  const image = svg(place, "svg", {
    xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}`, "font-family": "Helvetica, Arial, sans-serif",
  });
  for (const { tag, attributes, text, title } of marks) {
    const node = svg(image, /** @type {keyof SVGElementTagNameMap} */ (tag), attributes, text);
    if (title) svg(node, "title", {}).textContent = title;
  }
  return image;
}

/** @param {SVGSVGElement} image @param {string} name */
function saveSvg(image, name) {
  const address = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(image)], { type: "image/svg+xml" }));
  Object.assign(document.createElement("a"), { href: address, download: `${name}.svg` }).click();
  setTimeout(() => URL.revokeObjectURL(address));
}

/**
 * Only the figure and its sentences: client.css hides the page while they are printed.
 * @param {SVGSVGElement} image
 * @param {RuleList} list
 */
function print(image, list) {
  const sheet = element(document.body, "div", "tsk-sheet"), text = document.createElement("ul");
  text.append(...list.lines.map(listItem));
  sheet.replaceChildren(image, text);
  window.addEventListener("afterprint", () => sheet.remove(), { once: true });
  window.print();
}

/** @param {string} line */
const listItem = (line) => Object.assign(document.createElement("li"), { textContent: line });

/**
 * The rule list as a grid: a row for each sentence, a column for each feature that one of them uses.
 * @param {RuleList} list
 * @param {string[]} classes
 * @param {boolean} byClass whether rows of a class stand together; "otherwise" is the last row all the same
 * @returns {Grid}
 */
export function listGrid(list, classes, byClass = false) {
  const rules = list.items.filter(({ rule }) => rule !== null), thenOf = (/** @type {ListedRule} */ item) => classes.indexOf(item.class);
  const levels = rules.map(({ conditions }) => list.features.map((name) => {
    const own = conditions.find(({ feature }) => feature === name);
    return own ? Math.max(own.level, 1e-3) : 0; // a condition counts, however little it restricts
  }));
  const model = gridModel({ features: list.features, classes, levels, then: rules.map(thenOf) });
  const columns = model.columns.filter(({ used }) => used).map(({ name }) => ({ name, over: list.columns[name] }));
  /** @type {Row[]} */
  const rows = list.items.map((item, k) => ({
    place: item.rule === null ? null : k + 1, item, then: thenOf(item),
    cells: columns.map(({ name }) => item.conditions.find(({ feature }) => feature === name) ?? null),
  }));
  if (byClass) rows.sort((a, b) => Number(a.place === null) - Number(b.place === null) || a.then - b.then); // else in the order they have
  return { columns, rows, text: model.text, of: list.of, total: list.rows };
}
