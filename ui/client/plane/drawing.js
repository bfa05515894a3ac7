// A plane as it stands on the page: its canvas, which is drawn again when what it shows changes, and what it is saved as.

/** @import { Point } from "../core/types.js" */
/** @import { Frame, Scene } from "../model/types.js" */
/** @import { Ranges } from "./pointer.js" */
/** @import { Linked, Paper, Picture, Spot } from "./types.js" */

import { element } from "../core/elements.js";
import { fontSize, lineWidth, planeHeight, smallSize } from "../core/layout.js";
import { LEAST_HEIGHT, LETTERS, WIDTH, fileName } from "../core/plotly.js";
import { frameOf } from "../model/plane_frame.js";
import { selectRow, selectView } from "../model/selection.js";
import { measure, paintOn, sizeTo, surfaceImage, svgOf } from "./canvas.js";
import { emphasisOf, levelsAt, outlineAt } from "./emphasis.js";
import { planePicture, ruleText, stillOf } from "./picture.js";
import { followPointer, nearest } from "./pointer.js";
import { surfaces } from "./surface.js";

export const CELLS = 80; // of the surface, along each axis
export const ABOVE = 28; // pixels above a picture on the stage, for its controls
const MOST_CLASSES = 10; // that the legend names on the stage
const CLOSE = 5; // pixels of a row within which it is meant, and no outline
const FINE = 3; // pixels of a print for one of the page, at least
const [BESIDE, NARROW] = [12, 0.7]; // of a spot's name: pixels from the spot, and its share of the width at most
const LATER = 60_000; // milliseconds after which a saved file is forgotten here
/** @type {WeakMap<Element, Drawing>} */
const drawings = new WeakMap(); // by their places, since views are mounted again on the same ones
let printing = false;

globalThis.addEventListener?.("beforeprint", () => print(true));
globalThis.addEventListener?.("afterprint", () => print(false));

/** @param {boolean} begins */
function print(begins) {
  printing = begins;
  for (const node of document.querySelectorAll(".tsk-drawn")) drawings.get(node)?.render();
}

/**
 * The drawing of a plane in a place.
 * @param {HTMLElement} node
 */
export function drawingIn(node) {
  const found = drawings.get(node) ?? new Drawing(node);
  drawings.set(node, found);
  return found;
}

/** A plane drawn in a place. */
class Drawing {
  /** @type {{ scene: Scene, explained: boolean, linked: Linked | null } | null} explained: see `planePicture` */
  #given = null;
  /** @type {{ at: Point, row?: number } | null} */
  #pointer = null; // on the stage, where it changes which rules are drawn strongly
  #waiting = false; // for a frame, to draw that
  /** @type {Ranges | null} */
  #looked = null; // at these ranges, while they change
  /** @type {{ picture: Picture, scene: Scene, frame: Frame } | null} what is drawn */
  shown = null;
  #surfaceOf = surfaces(() => this.render());
  #imageOf = remembering(surfaceImage);
  #stillOf = remembering(drawnStill);

  /** @param {HTMLElement} node */
  constructor(node) {
    node.classList.add("tsk-drawn");
    this.node = node;
    this.canvas = element(node, "canvas", "tsk-canvas");
    const label = element(node, "div", "tsk-spot");
    label.hidden = true;
    followPointer(this.canvas, {
      drawn: () => this.shown && { ...this.shown.picture, frame: this.shown.frame },
      find: (at) => this.#find(at),
      look: (ranges) => {
        this.#looked = ranges;
        this.render();
      },
      settle: () => {
        const ranges = this.#looked;
        this.#looked = null;
        if (ranges) selectView(ranges);
      },
      hover: (spot, at) => {
        writeName(label, spot, this.node.clientWidth);
        this.#point(spot, at);
      },
      click: (spot) => {
        const { linked } = this.#given ?? {}, row = spot?.row ?? null;
        if (this.shown && (row !== null || (linked && !spot))) selectRow(this.shown.scene, row);
        if (row === null) linked?.keep(spot?.rule ?? null);
      },
      reset: () => selectView(null),
    });
  }

  /**
   * @param {Scene} scene
   * @param {boolean} explained
   * @param {Linked | null} [linked] on the stage
   */
  draw(scene, explained, linked = null) {
    this.#given = { scene, explained, linked };
    this.render();
  }

  /**
   * The spot at a place; on the stage, also a rule that fires there and on whose outline it is.
   * @param {Point} at
   * @returns {Spot | null}
   */
  #find(at) {
    if (!this.shown) return null;
    const { picture: { spots, plot }, frame, scene } = this.shown, spot = nearest(spots, at);
    const meant = spot && (spot.rule !== undefined || Math.hypot(spot.at[0] - at[0], spot.at[1] - at[1]) <= CLOSE);
    const firing = !this.#given?.linked || meant ? [] : emphasisOf(scene, null, levelsAt(scene, frame, plot, { at })).strong;
    const rule = outlineAt(frame, plot, firing, at);
    if (rule !== null) return { at, rule, chosen: true, text: () => ruleText(scene, rule) };
    return spot && { ...spot, chosen: spot.row !== undefined || Boolean(this.#given?.linked && spot.rule !== undefined) };
  }

  /**
   * Tell the other charts of the stage which rule is pointed at, and draw those strongly that fire there.
   * @param {Spot | null} spot
   * @param {Point | null} at
   */
  #point(spot, at) {
    const { linked } = this.#given ?? {};
    if (!linked) return;
    linked.point((at && spot?.rule) ?? null);
    this.#pointer = at && { at, row: spot?.row };
    if (this.#waiting) return;
    this.#waiting = true;
    requestAnimationFrame(() => {
      this.#waiting = false;
      this.render();
    });
  }

  render() {
    if (!this.#given || !this.node.clientWidth) return;
    const { explained, scene: given, linked } = this.#given, scene = this.#looked ? { ...given, view: this.#looked } : given;
    const frame = frameOf(scene, CELLS), surface = this.#surfaceOf({ scene, frame }, printing);
    if (!surface && this.shown) return; // the picture before stays until there is a surface for this one
    const paper = onPage(this.node, given, linked), scale = printing ? Math.max(FINE, devicePixelRatio) : devicePixelRatio;
    const { table, dark, plane, across, up, index, start, x, prediction } = scene, { size, small, width, height } = paper;
    const seen = String([plane, across, up, frame.x.range, frame.y.range]), beside = linked?.beside && linked.label;
    const as = [scale, size, small, width, height, lineWidth(), beside];
    const key = [table, dark, seen, ...as, index === null, x === start, prediction, explained];
    const kept = this.#stillOf(key, scene, frame, paper, explained, scale);
    const here = this.#pointer && levelsAt(scene, frame, kept.still.plot, this.#pointer);
    const picture = planePicture(kept.still, scene, frame, paper, surface, explained, here);
    this.node.setAttribute("aria-label", picture.name);
    paint(this.canvas, picture, surface && this.#imageOf([surface, dark], surface, table.classes, dark), scale, kept.canvas);
    this.shown = { picture, scene, frame };
  }

  /**
   * Save it as a file, in the colours of a light page.
   * @param {string} format
   */
  async save(format) {
    if (!this.#given) return;
    const { explained } = this.#given, scene = { ...this.#given.scene, dark: false }, frame = frameOf(scene, CELLS), paper = onPaper();
    const still = stillOf(scene, frame, paper, explained), surface = this.#surfaceOf({ scene, frame }, true);
    const picture = planePicture(still, scene, frame, paper, surface, explained);
    const image = surface && surfaceImage(surface, scene.table.classes, false);
    const blob = await (format === "svg" ? svgFile(picture, image) : pngFile(picture, image));
    if (!blob) return;
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: `${fileName("plane")}.${format}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), LATER);
  }
}

/**
 * A function that makes something anew only where the parts of its key are others than the last time.
 * @template {unknown[]} Given
 * @template Made
 * @param {(...given: Given) => Made} make
 * @returns {(key: unknown[], ...given: Given) => Made}
 */
function remembering(make) {
  /** @type {{ key: unknown[], made: Made } | null} */
  let last = null;
  return (key, ...given) => {
    if (!last || key.some((part, k) => part !== last?.key[k])) last = { key, made: make(...given) };
    return last.made;
  };
}

/**
 * On the stage it is as high as its place, and what else would stand below it is in it.
 * @param {HTMLElement} node
 * @param {Scene} scene
 * @param {Linked | null} linked
 * @returns {Paper}
 */
function onPage(node, { table }, linked) {
  const paper = { width: node.clientWidth, size: fontSize(), small: smallSize(), measure };
  if (!linked) return { ...paper, height: planeHeight(), classes: false };
  return { ...paper, height: node.clientHeight, classes: table.classes.length <= MOST_CLASSES, above: ABOVE, linked };
}

/** @returns {Paper} */
const onPaper = () => (
  { width: WIDTH, height: Math.max(LEAST_HEIGHT, planeHeight()), size: LETTERS, small: 0.8 * LETTERS, measure, classes: true });

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Picture} picture
 * @param {CanvasImageSource | null} surface
 * @param {number} scale
 * @param {HTMLCanvasElement | null} [still]
 */
function paint(canvas, picture, surface, scale, still = null) {
  const context = canvas.getContext("2d");
  sizeTo(canvas, picture, scale);
  if (context) paintOn(context, picture, surface, scale, still);
}

/**
 * What stays from one epoch to the next, and a canvas with it.
 * @param {Scene} scene
 * @param {Frame} frame
 * @param {Paper} paper
 * @param {boolean} explained
 * @param {number} scale
 */
function drawnStill(scene, frame, paper, explained, scale) {
  const canvas = document.createElement("canvas"), still = stillOf(scene, frame, paper, explained), { marks, ...rest } = still;
  paint(canvas, { ...rest, still: marks, marks: [], ground: null, spots: [], name: "" }, null, scale);
  return { still, canvas };
}

/**
 * @param {HTMLElement} label
 * @param {Pick<Spot, "at" | "text"> | null} spot
 * @param {number} width of the picture
 */
export function writeName(label, spot, width) {
  label.hidden = !spot;
  if (!spot) return;
  const [x, y] = spot.at, atLeft = x > width / 2;
  label.textContent = spot.text();
  Object.assign(label.style, {
    maxWidth: `${NARROW * width}px`, top: `${y}px`, left: atLeft ? "auto" : `${x + BESIDE}px`, right: atLeft ? `${width - x + BESIDE}px` : "auto",
  });
}

/** @param {Picture} picture @param {HTMLCanvasElement | null} surface */
const svgFile = (picture, surface) => new Blob([svgOf(picture, surface?.toDataURL() ?? "")], { type: "image/svg+xml" });

/** @param {Picture} picture @param {HTMLCanvasElement | null} surface @returns {Promise<Blob | null>} on white */
function pngFile(picture, surface) {
  const canvas = document.createElement("canvas"), context = canvas.getContext("2d");
  paint(canvas, picture, surface, 2);
  if (context) Object.assign(context, { globalAlpha: 1, globalCompositeOperation: "destination-over", fillStyle: "#FFFFFF" });
  context?.fillRect(0, 0, canvas.width, canvas.height);
  return new Promise((done) => { canvas.toBlob(done); });
}
