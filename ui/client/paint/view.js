// The view of the painter: tools and classes, the plane, and how many points each class has. A class has a shape beside its colour.

/** @import { MountOptions, PaintGiven, View } from "../core/types.js" */
/** @import { Painted, Tool } from "./painting.js" */

import { classColours, inks } from "../core/colours.js";
import { button, element } from "../core/elements.js";
import { svg } from "../core/svg.js";
import { Painting, RADIUS, STEPS, countsText } from "./painting.js";

const HELD = 60; // milliseconds between two sprays while the pointer rests
const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const [SMALL, LARGE] = [0.02, 0.1]; // moves of the crosshair
/** @type {[Tool, string, string, string][]} */
const TOOLS = [["point", "Point", "p", "Place points"], ["spray", "Spray", "s", "Spray points"], ["erase", "Erase", "e", "Erase points"]];
const HELP = "Plane to paint on. The arrow keys move a crosshair, faster with Shift; Space paints there. The keys 1 to 8 choose the class,"
  + " P, S and E choose point, spray and eraser, and U undoes.";
const now = new Painting(); // of this page
const [LEFT, BELOW, MARGIN] = [30, 30, 10]; // pixels beside the plane
const LINES = [0, 0.25, 0.5, 0.75, 1];

const star = Array.from({ length: 10 }, (_, k) => {
  const far = k % 2 ? 0.5 : 1.15, angle = (Math.PI * k) / 5 - Math.PI / 2;
  return `${(far * Math.cos(angle)).toFixed(2)} ${(far * Math.sin(angle)).toFixed(2)}`;
});

/** Paths around 0, about 2 wide; one for each class. */
const MARKS = [
  "M-.95 0A.95 .95 0 1 1 .95 0A.95 .95 0 1 1 -.95 0Z", // circle
  "M-.85-.85H.85V.85H-.85Z", // square
  "M0-1.1L1.05 .8H-1.05Z", // triangle
  "M0-1.2L1.2 0L0 1.2L-1.2 0Z", // diamond
  "M-.4-1.1H.4V-.4H1.1V.4H.4V1.1H-.4V.4H-1.1V-.4H-.4Z", // plus
  `M${star.join("L")}Z`, // star
  "M0 1.1L1.05-.8H-1.05Z", // triangle on its tip
  "M-1.1-.65L-.65-1.1L0-.45L.65-1.1L1.1-.65L.45 0L1.1 .65L.65 1.1L0 .45L-.65 1.1L-1.1 .65L-.45 0Z", // cross
];

/**
 * A view: the painter. options: { paint } of ui/explore/painter.py, and the call "points".
 * @param {Element} parent
 * @param {MountOptions} options
 * @returns {View}
 */
export function paint(parent, options) {
  const given = /** @type {PaintGiven} */ (options.paint);
  now.adopt(given, (value) => options.send?.("points", value));
  const tools = element(parent, "div", "tsk-paint-tools", { role: "group", "aria-label": "Tools" });
  const classes = element(parent, "div", "tsk-paint-classes", { role: "group", "aria-label": "Class" });
  const canvas = element(parent, "canvas", "tsk-paint-plane", { role: "application", tabindex: 0, "aria-label": HELP });
  const place = element(parent, "p", "tsk-paint-place", { role: "status" });
  const counts = element(parent, "p", "tsk-caption", { role: "status", "aria-live": "polite" });
  const showTools = toolButtons(tools), showClasses = classButtons(classes, given);
  takePointer(canvas);
  takeKeys(canvas, place, given.classes);
  return {
    node: canvas,
    watch: now.watch,
    draw({ dark }) {
      showTools();
      showClasses(dark);
      const radius = now.tool === "point" ? 0 : RADIUS;
      drawPlane(canvas, now.points, { classes: given.classes, cursor: now.keyboard ? now.cursor : null, radius, dark });
      const text = countsText(now.points, given);
      if (counts.textContent !== text) counts.textContent = text; // else it would be read out again
    },
  };
}

/** @param {Element} bar */
function toolButtons(bar) {
  const nodes = TOOLS.map(([tool, text, , name]) => button(bar, `tsk-paint-${tool}`, text, name, () => {
    now.tool = tool;
    now.changed();
  }));
  const undo = button(bar, "tsk-paint-undo", "Undo", "Undo the last stroke", () => now.undo());
  const clear = button(bar, "tsk-paint-clear", "Clear", "Remove all points", () => now.clear());
  return () => {
    TOOLS.forEach(([tool], k) => nodes[k].setAttribute("aria-pressed", String(now.tool === tool)));
    undo.disabled = !now.undoable;
    clear.disabled = !now.points.length;
  };
}

/** @param {Element} bar @param {PaintGiven} given */
function classButtons(bar, { classes }) {
  const nodes = classes.map((name, c) => {
    const node = button(bar, `tsk-paint-class-${c}`, "", `Class ${name}`, () => choose(c));
    node.setAttribute("aria-keyshortcuts", String(c + 1));
    return node;
  });
  const name = element(bar, "span", "tsk-paint-name", { "aria-hidden": "true" });
  /** @type {boolean | null} */
  let drawn = null; // whether the marks have dark colours: one that is replaced while it is pressed gets no click
  return (/** @type {boolean} */ dark) => {
    const colours = classColours(classes, dark);
    if (drawn !== dark) nodes.forEach((node, c) => drawMark(node, c, colours[c]));
    drawn = dark;
    nodes.forEach((node, c) => {
      node.setAttribute("aria-pressed", String(now.class === c && now.tool !== "erase"));
    });
    name.textContent = now.tool === "erase" ? "" : classes[now.class];
  };
}

/** @param {number} c */
function choose(c) {
  now.class = c;
  if (now.tool === "erase") now.tool = "point";
  now.changed();
}

/** @type {HTMLCanvasElement | null} */
let plane = null; // the one on the page; while somebody paints, another may take its place
/** @type {{ pointer: number, held: number } | null} */
let stroke = null;

/**
 * Paint with the mouse, a pen or a finger, also where it leaves the plane while it is pressed.
 * @param {HTMLCanvasElement} canvas
 */
function takePointer(canvas) {
  if (!plane) listen();
  plane = canvas;
  canvas.onpointerdown = (event) => {
    if (event.button) return;
    release();
    canvas.setPointerCapture(event.pointerId); // moves beyond the window count, too
    now.keyboard = false;
    now.cursor = at(event);
    now.begin();
    now.paint(...now.cursor);
    const held = window.setInterval(() => {
      if (plane?.isConnected) now.paint(...now.cursor, true);
      else release();
    }, HELD);
    stroke = { pointer: event.pointerId, held };
  };
}

/** The window hears of each pointer, whatever has become of the plane on which it was pressed. */
function listen() {
  window.addEventListener("pointermove", (event) => {
    if (stroke?.pointer !== event.pointerId) return;
    if (!event.buttons) release();
    else for (const one of coalesced(event)) { // several since the last frame, where the pointer is fast
      now.cursor = at(one);
      now.paint(...now.cursor);
    }
  });
  for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) {
    window.addEventListener(name, ({ pointerId }) => { if (stroke?.pointer === pointerId) release(); }, true);
  }
  window.addEventListener("blur", release);
}

function release() {
  if (!stroke) return;
  clearInterval(stroke.held);
  stroke = null;
  now.end();
}

/** @param {PointerEvent} event */
function coalesced(event) {
  const several = event.getCoalescedEvents?.() ?? [];
  return several.length ? several : [event];
}

/** @param {PointerEvent} event @returns {[number, number]} */
function at({ clientX, clientY }) {
  const canvas = /** @type {HTMLCanvasElement} */ (plane), { left, top } = canvas.getBoundingClientRect();
  return placed(canvas.clientWidth, canvas.clientHeight).place(clientX - left - canvas.clientLeft, clientY - top - canvas.clientTop);
}

/** @param {HTMLCanvasElement} canvas @param {HTMLElement} place @param {string[]} classes */
function takeKeys(canvas, place, classes) {
  canvas.onfocus = () => { if (canvas.matches(":focus-visible")) [now.keyboard] = [true, now.changed()]; };
  canvas.onblur = () => { [now.keyboard] = [false, now.changed()]; };
  canvas.onkeydown = (event) => {
    if (event.altKey || (event.ctrlKey || event.metaKey) !== (event.key === "z")) return;
    const said = pressed(event, classes);
    if (said === null) return;
    place.textContent = said;
    event.preventDefault();
    event.stopPropagation(); // the keys of the presenter stay out of it
    now.keyboard = true;
    now.changed();
  };
}

/**
 * Do what a key does; returns what is said of it, null where it does nothing.
 * @param {KeyboardEvent} event
 * @param {string[]} classes
 */
function pressed({ key, shiftKey }, classes) {
  const move = MOVES[/** @type {keyof typeof MOVES} */ (key)], tool = TOOLS.find(([, , letter]) => letter === key.toLowerCase());
  if (move) {
    const step = shiftKey ? LARGE : SMALL, moved = now.cursor.map((value, k) => Math.min(1, Math.max(0, value + step * move[k])));
    now.cursor = [moved[0], moved[1]];
    return now.cursor.map((value, k) => `x${k + 1} ${value.toFixed(2)}`).join(", ");
  }
  if (key === " " || key === "Enter") {
    now.begin();
    now.paint(...now.cursor);
    now.end();
    return "";
  }
  if (classes[Number(key) - 1]) {
    choose(Number(key) - 1);
    return classes[now.class];
  }
  if (tool) {
    now.tool = tool[0];
    return tool[3];
  }
  if (!["u", "U", "z", "Z", "Backspace"].includes(key)) return null;
  now.undo();
  return "Undone";
}

/**
 * Where the plane lies on a canvas of this width and height: from a place in [0, 1]² to pixels, and back.
 * @param {number} width
 * @param {number} height
 */
function placed(width, height) {
  const across = width - LEFT - MARGIN, up = height - BELOW - MARGIN;
  return {
    /** @param {number} x1 @param {number} x2 @returns {[number, number]} */
    pixel: (x1, x2) => [LEFT + x1 * across, MARGIN + (1 - x2) * up],
    /** @param {number} x @param {number} y @returns {[number, number]} */
    place: (x, y) => [(x - LEFT) / across, 1 - (y - MARGIN) / up],
  };
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {readonly Painted[]} points
 * @param {{ classes: string[], cursor: [number, number] | null, radius: number, dark: boolean }} shown cursor: null where the keyboard is
 *   not in use. radius: of the tool around it, 0 for none.
 */
function drawPlane(canvas, points, { classes, cursor, radius, dark }) {
  const { clientWidth: width, clientHeight: height } = canvas, scale = globalThis.devicePixelRatio || 1;
  const context = canvas.getContext("2d");
  if (!context || !width) return;
  Object.assign(canvas, { width: Math.round(width * scale), height: Math.round(height * scale) }); // this clears it, too
  context.scale(scale, scale);
  const { pixel } = placed(width, height), ink = inks(dark);
  drawGrid(context, pixel, ink);
  const colours = classColours(classes, dark), shapes = MARKS.map((path) => new Path2D(path)), size = points.length > 400 ? 3.2 : 4.4;
  for (const [x1, x2, c] of points) {
    const [x, y] = pixel(x1 / STEPS, x2 / STEPS);
    context.setTransform(scale * size, 0, 0, scale * size, scale * x, scale * y);
    context.fillStyle = colours[c];
    context.fill(shapes[c % shapes.length]);
    context.lineWidth = 0.7 / size;
    context.strokeStyle = ink.paper; // a rim parts points of one colour
    context.stroke(shapes[c % shapes.length]);
  }
  context.setTransform(scale, 0, 0, scale, 0, 0);
  if (cursor) drawCrosshair(context, pixel, cursor, radius, ink.ink);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {(x1: number, x2: number) => [number, number]} pixel
 * @param {{ ink: string, grid: string, paper: string }} ink
 */
function drawGrid(context, pixel, ink) {
  const [left, top] = pixel(0, 1), [right, bottom] = pixel(1, 0);
  context.fillStyle = ink.paper;
  context.fillRect(left, top, right - left, bottom - top);
  Object.assign(context, { strokeStyle: ink.grid, lineWidth: 1, fillStyle: ink.ink, font: "12px sans-serif" });
  for (const line of LINES) {
    const [x, y] = pixel(line, line);
    context.beginPath();
    context.moveTo(x, top);
    context.lineTo(x, bottom);
    context.moveTo(left, y);
    context.lineTo(right, y);
    context.stroke();
    if (line % 0.5) continue;
    context.textAlign = "center";
    context.fillText(String(line), x, bottom + 14);
    context.textAlign = "right";
    context.fillText(String(line), left - 5, y + 4);
  }
  context.textAlign = "center";
  context.fillText("x1", (left + right) / 2, bottom + 27);
  context.save();
  context.translate(left - 20, (top + bottom) / 2 - 24);
  context.rotate(-Math.PI / 2);
  context.fillText("x2", 0, 0);
  context.restore();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {(x1: number, x2: number) => [number, number]} pixel
 * @param {[number, number]} cursor
 * @param {number} radius
 * @param {string} ink
 */
function drawCrosshair(context, pixel, cursor, radius, ink) {
  const [x, y] = pixel(...cursor), [left, top] = pixel(0, 1), [right, bottom] = pixel(1, 0);
  Object.assign(context, { strokeStyle: ink, lineWidth: 1 });
  context.beginPath();
  context.moveTo(left, y);
  context.lineTo(right, y);
  context.moveTo(x, top);
  context.lineTo(x, bottom);
  const [rx, ry] = [radius * (right - left), radius * (bottom - top)];
  if (radius) {
    context.moveTo(x + rx, y);
    context.ellipse(x, y, rx, ry, 0, 0, 2 * Math.PI);
  }
  context.stroke();
}

/**
 * Draw the mark of a class on its button.
 * @param {Element} node
 * @param {number} c
 * @param {string} colour
 */
function drawMark(node, c, colour) {
  node.replaceChildren();
  const picture = svg(node, "svg", { viewBox: "-1.5 -1.5 3 3", "aria-hidden": "true" });
  svg(picture, "path", { d: MARKS[c % MARKS.length], fill: colour });
}
