// What the charts of the stage share: a title over a drawing that fills the rest of its place, and scales that stay calm while an epoch
// follows the other. A replay draws them at each frame, so that they change attributes and keep their elements.

/** @import { Epoch, Run, State, View } from "../core/types.js" */

import { element } from "../core/elements.js";
import { smallSize } from "../core/layout.js";
import { svg } from "../core/svg.js";

const BACK = 0.1; // of the epochs of a training, which a scale takes in before the selected one
const STEPS = [1, 1.5, 2, 3, 4, 6, 8, 10]; // where scales end, times a power of ten
const TICKS = 4; // of an axis, at most

/**
 * Where a chart is drawn. say: its title, and what stands small beside it. size: of small letters; width and height: of the drawing, all
 * in pixels.
 * @typedef {{ say: (title: string, note: string) => void, node: SVGSVGElement, size: number, width: number, height: number }} Place
 */

/** @type {WeakMap<Element, View>} */
const panels = new WeakMap(); // mounted again, a view goes on as it was

/**
 * A view with a title; it is drawn again when its size changes.
 * @param {Element} parent
 * @param {() => (place: Place, now: State) => void} begin makes the function that draws
 * @returns {View}
 */
export function panel(parent, begin) {
  const known = panels.get(parent);
  if (known) return known;
  const head = element(parent, "p", "tsk-stage-title"), title = element(head, "span", "tsk-stage-finding");
  const note = element(head, "span", "tsk-stage-note"), frame = element(parent, "div", "tsk-stage-drawing");
  const say = (/** @type {string} */ text, /** @type {string} */ more) => {
    if (title.textContent !== text) title.textContent = text;
    if (note.textContent !== more) note.textContent = note.title = more;
  };
  const place = { say, node: svg(frame, "svg", {}), size: smallSize(), width: 0, height: 0 }, draw = begin();
  let latest = /** @type {State | null} */ (null);
  const show = () => { if (latest && place.width > 0 && place.height > 0) draw(place, latest); };
  new ResizeObserver(([{ contentRect: { width, height } }]) => {
    Object.assign(place, { width, height, size: smallSize() });
    put(place.node, { width, height, viewBox: `0 0 ${width} ${height}`, "font-size": place.size });
    show();
  }).observe(frame);
  const view = { draw(/** @type {State} */ now) { latest = now; show(); } };
  panels.set(parent, view);
  return view;
}

/**
 * Set the attributes that are not as they are to be; an attribute set again would be drawn again.
 * @param {Element} node
 * @param {Record<string, string | number>} attributes
 */
export function put(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (node.getAttribute(name) !== String(value)) node.setAttribute(name, String(value));
  }
}

/**
 * The child of an SVG element with this class, made where there is none, with these attributes.
 * @template {keyof SVGElementTagNameMap} T
 * @param {Element} parent
 * @param {T} tag
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {string} [text]
 */
export function part(parent, tag, name, attributes, text) {
  const found = /** @type {SVGElementTagNameMap[T] | null} */ (parent.querySelector(`:scope > .${name}`));
  const node = found ?? svg(parent, tag, { class: name });
  put(node, attributes);
  if (text !== undefined && node.textContent !== text) node.textContent = text;
  return node;
}

/**
 * The end of a scale from 0 that takes in the selected epoch, those after it and a few before it: a replay shortens it once the highest
 * epochs have passed, and it never goes back and forth.
 * @param {Run} run
 * @param {Epoch | null} selected
 * @param {(epoch: Epoch) => number} highest of an epoch
 * @param {number} least that the scale takes in
 */
export function calmTop({ epochs, about }, selected, highest, least) {
  const last = (about.ended ? null : about.epochs) ?? epochs.at(-1)?.epoch ?? 0, from = (selected?.epoch ?? 0) - BACK * last;
  return roundedUp(epochs.reduce((top, epoch) => (epoch.epoch >= from ? Math.max(top, highest(epoch)) : top), least));
}

/**
 * The next number that a scale can end at.
 * @param {number} value above 0
 */
export function roundedUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * (STEPS.find((step) => step * power >= value * (1 - 1e-9)) ?? 10);
}

/**
 * Round numbers from 0 to the end of a scale.
 * @param {number} top
 */
export function ticksOf(top) {
  const power = 10 ** Math.floor(Math.log10(top / TICKS));
  const step = power * ([1, 2, 2.5, 5].find((one) => one * power * TICKS >= top * (1 - 1e-9)) ?? 10);
  return Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, k) => k * step);
}

/**
 * The axis at the left: numbers, and a thin line across at each.
 * @param {Element} parent
 * @param {number[]} ticks
 * @param {(value: number) => string} text
 * @param {(value: number) => number} y
 * @param {{ left: number, right: number, size: number }} box
 */
export function leftAxis(parent, ticks, text, y, { left, right, size }) {
  const axis = part(parent, "g", "tsk-stage-axis", { "aria-hidden": "true" });
  const lines = ticks.map((value) => `M${left},${y(value).toFixed(1)}H${right}`).join("");
  part(axis, "path", "tsk-stage-grid", { d: lines });
  const labels = part(axis, "g", "tsk-stage-ticks", { "text-anchor": "end" });
  while (labels.children.length > ticks.length) labels.lastElementChild?.remove();
  ticks.forEach((value, k) => {
    const label = labels.children[k] ?? svg(labels, "text", {});
    put(label, { x: left - 5, y: y(value) + 0.35 * size });
    if (label.textContent !== text(value)) label.textContent = text(value);
  });
}

/**
 * The outline of a histogram as the value of the attribute d of a path; "" for none.
 * @param {number[]} heights
 * @param {(k: number) => number} x of the left edge of a bin
 * @param {(height: number) => number} y
 */
export function outlinePath(heights, x, y) {
  if (!heights.length) return "";
  const steps = heights.map((height, k) => `V${y(height).toFixed(1)}H${x(k + 1).toFixed(1)}`);
  return `M${x(0).toFixed(1)},${y(0).toFixed(1)}${steps.join("")}V${y(0).toFixed(1)}`;
}

/**
 * The outline of another run or epoch, on a halo that separates it from bars of any colour.
 * @param {Element} parent
 * @param {string} name
 * @param {string} d
 */
export function outline(parent, name, d) {
  part(parent, "path", `${name}-halo`, { d, "aria-hidden": "true" }).classList.add("tsk-stage-halo");
  part(parent, "path", name, { d, "aria-hidden": "true" }).classList.add("tsk-stage-outline");
}
