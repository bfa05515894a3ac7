// Draws a picture (types.d.ts) on a canvas, or writes it as SVG. It knows nothing of models.

/** @import { Mark, Picture, Surface } from "./types.js" */

import { classParts } from "../core/colours.js";

export const FONT = '"Open Sans", verdana, arial, sans-serif'; // as in the other figures, which Plotly draws
/** @type {Map<string, Path2D>} */
const symbols = new Map(); // the paths that many marks share
const MOST = 100; // of them
const BASELINE = 0.35; // of the letters' size, from the middle of a line of text down to where its letters stand
/** @type {CanvasRenderingContext2D | null} */
let ruler = null;

/**
 * Give a canvas this size in pixels of the page, of which each has `scale` of its own.
 * @param {HTMLCanvasElement} canvas
 * @param {{ width: number, height: number }} size
 * @param {number} scale
 */
export function sizeTo(canvas, { width, height }, scale) {
  const [across, down] = [Math.round(scale * width), Math.round(scale * height)];
  if (canvas.width !== across) canvas.width = across; // setting it empties the canvas
  if (canvas.height !== down) canvas.height = down;
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
}

/**
 * What is used of a canvas.
 * @typedef {Pick<CanvasRenderingContext2D, "setTransform" | "clearRect" | "drawImage" | "save" | "restore" | "clip" | "beginPath" | "rect"
 *   | "translate" | "rotate" | "fill" | "stroke" | "fillText" | "fillRect" | "setLineDash" | "moveTo" | "lineTo" | "arc">
 *   & { [style in "fillStyle" | "strokeStyle" | "lineWidth" | "globalAlpha" | "font" | "textAlign"]: unknown }} Context
 */

/**
 * The width of a text in pixels.
 * @param {string} text
 * @param {number} size of its letters
 */
export function measure(text, size) {
  ruler ??= document.createElement("canvas").getContext("2d");
  if (!ruler) return 0.6 * size * text.length;
  ruler.font = `${size}px ${FONT}`;
  return ruler.measureText(text).width;
}

/**
 * Draw a picture in place of what was there.
 * @param {Context} context
 * @param {Picture} picture
 * @param {CanvasImageSource | null} surface
 * @param {number} [scale] pixels of the screen for one of the picture
 * @param {CanvasImageSource | null} [still] what stays, where it was drawn before
 */
export function paintOn(context, { width, height, plot, ground, still: staying, marks }, surface, scale = 1, still = null) {
  context.globalAlpha = 1;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  if (surface && ground) {
    clip(context, plot);
    context.drawImage(surface, ground.left, ground.top, ground.width, ground.height);
    context.restore();
  }
  if (still) context.drawImage(still, 0, 0, width, height);
  let inside = false;
  for (const mark of still ? marks : [...staying, ...marks]) {
    if (Boolean(mark.inside) !== inside) {
      inside = !inside;
      if (inside) clip(context, plot);
      else context.restore();
    }
    context.globalAlpha = mark.opacity ?? 1;
    if (mark.text === undefined) shapeOn(context, mark);
    else textOn(context, mark);
  }
  if (inside) context.restore();
}

/** Cut off what is drawn outside a box, until `restore`. @param {Context} context @param {Picture["plot"]} box */
function clip(context, { left, top, width, height }) {
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
}

/** @param {Context} context @param {Mark} mark */
function shapeOn(context, { path = "", at, fill, stroke, width = 1, dash = [] }) {
  const shape = at ? symbolOf(path) : new Path2D(path), [x, y] = at ?? [0, 0];
  context.translate(x, y);
  if (fill) {
    context.fillStyle = fill;
    context.fill(shape);
  }
  if (stroke) {
    context.strokeStyle = stroke;
    context.lineWidth = width;
    context.setLineDash(dash);
    context.stroke(shape);
  }
  context.translate(-x, -y);
}

/** @param {string} path */
function symbolOf(path) {
  const shape = symbols.get(path) ?? new Path2D(path);
  if (symbols.size > MOST) symbols.clear();
  symbols.set(path, shape);
  return shape;
}

/** @param {Context} context @param {Mark} mark */
function textOn(context, { text = "", at = [0, 0], fill, size = 0, align = "start", turned }) {
  context.save();
  Object.assign(context, { fillStyle: fill, font: `${size}px ${FONT}`, textAlign: align === "middle" ? "center" : align });
  context.translate(...at);
  if (turned) context.rotate(-Math.PI / 2);
  context.fillText(text, 0, BASELINE * size);
  context.restore();
}

/**
 * The surface as an image of one pixel a cell: the colour of the predicted class, paler where the model is less certain.
 * @param {Surface} surface
 * @param {string[]} classes
 * @param {boolean} dark
 */
export function surfaceImage({ predicted, probability, columns }, classes, dark) {
  const canvas = document.createElement("canvas"), height = predicted.length / columns;
  Object.assign(canvas, { width: columns, height });
  const cells = new ImageData(columns, height), colours = classParts(classes, dark), chance = 1 / colours.length;
  for (let k = 0; k < predicted.length; k++) {
    const column = k % columns, row = height - 1 - (k - column) / columns, j = 4 * (row * columns + column); // images begin at their top
    const sure = Math.max(0, (probability[k] - chance) / (1 - chance)); // with class weights the class can be less likely than chance
    [cells.data[j], cells.data[j + 1], cells.data[j + 2]] = colours[predicted[k]];
    cells.data[j + 3] = 255 * (0.08 + 0.42 * sure);
  }
  canvas.getContext("2d")?.putImageData(cells, 0, 0);
  return canvas;
}

/**
 * A picture as the text of an SVG file, on white.
 * @param {Picture} picture
 * @param {string} surface address of its image, "" for none
 */
export function svgOf({ width, height, plot, ground, still, marks }, surface) {
  const whole = { width, height }, cut = { "clip-path": "url(#plot)" };
  const image = surface && ground ? tag("image", { ...placed(ground), ...cut, preserveAspectRatio: "none", href: surface }) : "";
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    tag("clipPath", { id: "plot" }, tag("rect", placed(plot))), tag("rect", { ...whole, fill: "#FFFFFF" }), image,
    ...[...still, ...marks].map((mark) => (mark.inside ? tag("g", cut, markTag(mark)) : markTag(mark))), "</svg>\n",
  ].join("\n");
}

/** @param {Picture["plot"]} box */
const placed = ({ left, top, width, height }) => ({ x: left, y: top, width, height });

/** @param {Mark} mark */
function markTag({ path, at, fill = "none", stroke, width = 1, dash, opacity, text, size = 0, align, turned }) {
  const place = at && `translate(${at.map((part) => part.toFixed(2)).join(" ")})${turned ? " rotate(-90)" : ""}`, own = { fill, opacity, transform: place };
  if (text === undefined) return tag("path", { ...own, d: path, stroke, "stroke-width": stroke && width, "stroke-dasharray": dash?.join(" ") });
  return tag("text", { ...own, y: BASELINE * size, "font-size": size, "font-family": FONT, "text-anchor": align }, escaped(text));
}

/**
 * @param {string} name
 * @param {Record<string, string | number | undefined>} attributes
 * @param {string} [content] escaped
 */
function tag(name, attributes, content = "") {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined && value !== "");
  return `<${name}${given.map(([key, value]) => ` ${key}="${escaped(String(value))}"`).join("")}>${content}</${name}>`;
}

/** @type {Record<string, string>} */
const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"]/g, (one) => ESCAPES[one]);
