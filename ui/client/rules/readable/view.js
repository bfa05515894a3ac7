// The rule list of a readable rule base on one screen: the grid as a drawing that can be saved and printed, and the same as sentences.

/** @import { RuleBase, RuleList } from "../../core/messages.js" */
/** @import { MountOptions, View } from "../../core/types.js" */
/** @import { Drawing } from "./drawing.js" */

import { classColours, inks } from "../../core/colours.js";
import { button, choice, element } from "../../core/elements.js";
import { explaining } from "../../core/explaining.js";
import { atEpoch } from "../../core/store.js";
import { listLines } from "../explained.js";
import { svg } from "../../core/svg.js";
import { drawing } from "./drawing.js";
import { listGrid } from "./grid.js";

const SMALLEST = 0.72; // of its size, to which the drawing shrinks before it scrolls
const CAPTION = "Where the sentences are read alone, the first rule whose conditions all hold decides. A curve is a membership over the range of the training rows, darker where it is at least a half: where the condition holds. A square is a category, filled where it is named. A bar: the rows that a sentence is true of, filled those of its class.";

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
      lines.replaceChildren(...list.lines.map(item));
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
  text.append(...list.lines.map(item));
  sheet.replaceChildren(image, text);
  window.addEventListener("afterprint", () => sheet.remove(), { once: true });
  window.print();
}

/** @param {string} line */
const item = (line) => Object.assign(document.createElement("li"), { textContent: line });
