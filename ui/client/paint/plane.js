// The plane that is painted on: its grid, the points, and the crosshair of the keyboard.

/** @import { Painted } from "./points.js" */

import { classColours, inks } from "../core/colours.js";
import { MARKS } from "./marks.js";
import { STEPS } from "./points.js";

const [LEFT, BELOW, MARGIN] = [30, 30, 10]; // pixels beside the plane
const LINES = [0, 0.25, 0.5, 0.75, 1];

/**
 * Where the plane lies on a canvas of this width and height: from a place in [0, 1]² to pixels, and back.
 * @param {number} width
 * @param {number} height
 */
export function placed(width, height) {
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
export function drawPlane(canvas, points, { classes, cursor, radius, dark }) {
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
  for (const at of LINES) {
    const [x, y] = pixel(at, at);
    context.beginPath();
    context.moveTo(x, top);
    context.lineTo(x, bottom);
    context.moveTo(left, y);
    context.lineTo(right, y);
    context.stroke();
    if (at % 0.5) continue;
    context.textAlign = "center";
    context.fillText(String(at), x, bottom + 14);
    context.textAlign = "right";
    context.fillText(String(at), left - 5, y + 4);
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
