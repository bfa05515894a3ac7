// The large picture of the stage: the plane, or the grid of rules and features, with the controls of both in one line above it.

/** @import { MountOptions, State, View } from "../core/types.js" */
/** @import { Linked } from "../plane/types.js" */
/** @import { Frame, Scene } from "../model/types.js" */

import { button, element } from "../core/elements.js";
import { formatButtons } from "../core/plotly.js";
import { comparisonLabel } from "../core/text.js";
import { frameOf } from "../model/plane_frame.js";
import { sceneBeside, sceneOf, selectGrid } from "../model/selection.js";
import { CELLS, drawingIn } from "../plane/drawing.js";
import { axisChoices, captionText, nameClasses, remembered, viewButtons, waitingText } from "../plane/view.js";
import { GRID_TEXT, ruleGrid } from "./grid.js";
import { keep, markedRule, point } from "./marking.js";

const STRONG_TEXT = "Drawn strongly: the rules that fire where the pointer is, with at least half an equal share; while it is elsewhere, the most "
  + "active ones. Point at a rule to see it alone; click it to keep that.";
const NARROW = 420; // pixels of a line that has no room for the axes
/** @type {WeakMap<Element, () => void>} */
const redraw = new WeakMap(); // of the places whose size is watched
const observer = globalThis.ResizeObserver && new ResizeObserver((entries) => entries.forEach(({ target }) => redraw.get(target)?.()));
for (const kind of ["pointerdown", "focusin"]) globalThis.addEventListener?.(kind, ({ target }) => closeOthers(target));

/**
 * @param {Element} parent
 * @param {MountOptions} options
 * @returns {View}
 */
export function ground(parent, options) {
  const bar = element(parent, "div", "tsk-ground-bar", { role: "group", "aria-label": "Plane or grid" });
  const planeNode = element(parent, "div", "tsk-ground-plane", { role: "img" });
  const gridNode = element(parent, "div", "tsk-ground-grid", { role: "img" }), waiting = element(parent, "p", "tsk-caption");
  const controls = controlsIn(bar, planeNode), drawGrid = ruleGrid(gridNode);
  const draw = (/** @type {State} */ now) => {
    const scene = sceneOf(now, options), grid = Boolean(scene?.grid);
    bar.hidden = !scene;
    planeNode.hidden = !scene || grid;
    gridNode.hidden = !grid;
    waiting.textContent = scene ? "" : waitingText(now);
    if (!scene) return;
    controls(scene);
    if (!parent.clientWidth) return; // in a hidden tab
    if (grid) drawGrid(scene, now);
    else drawingIn(planeNode).draw(scene, false, linkedTo(scene, now));
  };
  observer?.observe(parent);
  return {
    draw(now) {
      redraw.set(parent, () => draw(now));
      draw(now);
    },
  };
}

/** @param {Scene} scene @param {State} now @returns {Linked} */
const linkedTo = (scene, now) => (
  { marked: markedRule(now), beside: sceneBeside(scene, { ...now, beside: true }), label: comparisonLabel(now), point, keep });

/**
 * The line of controls. Returns a function that brings it up to date.
 * @param {HTMLElement} bar
 * @param {HTMLElement} node of the plane
 */
function controlsIn(bar, node) {
  const pictures = element(bar, "div", "tsk-pictures", { role: "group", "aria-label": "Picture" });
  const buttons = [["plane", "Plane", false], ["grid", "Rules × features", true]].map(([kind, text, grid]) => ({
    grid, node: button(pictures, `tsk-show-${kind}`, String(text), String(text), () => selectGrid(Boolean(grid))),
  }));
  const made = /** @type {HTMLElement | null} */ (bar.querySelector(".tsk-axes")); // perhaps in the menu
  const axes = made ?? element(bar, "div", "tsk-axes", { role: "group", "aria-label": "Axes of the plane" });
  const [more, menu] = unfolding(bar, "tsk-more", "⋯", "Zoom, move and save the plane");
  const [about, text] = unfolding(bar, "tsk-about-picture", "i", "About this picture");
  const explain = element(text, "p", "tsk-explain-picture"), key = element(text, "p", "tsk-key"), agreementOf = remembered();
  const moves = element(menu, "div", "tsk-moves");
  formatButtons(menu, (format) => { drawingIn(node).save(format); });
  return (/** @type {Scene} */ scene) => {
    for (const { grid, node: choice } of buttons) choice.setAttribute("aria-pressed", String(grid === scene.grid));
    axes.hidden = more.hidden = scene.grid;
    const narrow = bar.clientWidth < NARROW;
    if (narrow !== menu.contains(axes)) (narrow ? moves.before(axes) : pictures.after(axes)); // else a select would lose the focus
    if (!scene.grid) axisChoices(axes, scene);
    const update = () => {
      const frame = /** @type {Frame} */ (!scene.grid && (more.open || about.open) ? frameOf(scene, CELLS) : null);
      if (more.open && frame) viewButtons(moves, frame, scene.view);
      if (!about.open) return;
      explain.textContent = scene.grid ? GRID_TEXT : `${captionText(scene, frame, false, agreementOf)} ${STRONG_TEXT}`;
      nameClasses(key, scene);
    };
    more.ontoggle = about.ontoggle = update;
    update();
  };
}

/**
 * What unfolds over the picture: a line that opens it, and its content. It closes with Escape, and by a press beside it.
 * @param {HTMLElement} parent
 * @param {string} className
 * @param {string} text
 * @param {string} name
 * @returns {[HTMLDetailsElement, HTMLElement]}
 */
function unfolding(parent, className, text, name) {
  const details = element(parent, "details", className);
  const line = element(details, "summary", "tsk-opener", { "aria-label": name, title: name });
  line.textContent = text;
  details.onkeydown = (event) => {
    if (event.key !== "Escape" || !details.open) return;
    event.stopPropagation();
    details.open = false;
    line.focus();
  };
  return [details, element(details, "div", "tsk-unfolded")];
}

/** What is unfolded and holds something else than what was pressed or has the focus now. @param {EventTarget | null} pressed */
function closeOthers(pressed) {
  const open = /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll(".tsk-ground-bar details[open]"));
  for (const details of open) if (pressed instanceof Element && !details.contains(pressed)) details.open = false;
}
