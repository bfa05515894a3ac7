// What is painted on this page: it outlives the element, so that no point is lost where the page is drawn again. The text of points is
// as in tsk_core/data/painted/points.py: the version, then four letters a point, which are 10 bits for x1, 10 bits for x2 and 4 bits for
// the class in base64url.

/** @import { PaintGiven } from "../core/types.js" */

import { observable } from "../core/feed.js";

export const RADIUS = 0.07; // of spray and eraser, where the plane is 1 wide
const APART = 0.03; // from one paint to the next, while the pointer is dragged
const SPRAYED = 2; // points at once
const REST = 300; // milliseconds from the end of a stroke until the server is told, if no other begins
const UNDONE = 100; // strokes that can be undone
export const STEPS = 1000;
const VERSION = "1.", LETTERS = 4;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** @typedef {"point" | "spray" | "erase"} Tool */

/** @typedef {readonly [number, number, number]} Painted x1 and x2 as whole numbers from 0 to STEPS, and the index of the class */

/** The points, the tool and the strokes that can be undone. */
export class Painting {
  #changes = observable();
  /** @type {readonly Painted[]} */
  #points = [];
  /** @type {(readonly Painted[])[]} the points before each of the last strokes */
  #before = [];
  #version = -1;
  #most = Infinity;
  #stroke = false;
  /** @type {ReturnType<typeof setTimeout> | 0} */
  #timer = 0;
  /** @type {[number, number] | null} the last place of a stroke that got a point */
  #last = null;
  /** @type {(value: { version: number, text: string }) => void} */
  #send = () => {};
  #random;

  /** @type {Tool} */
  tool = "point";
  class = 0;
  /** @type {[number, number]} */
  cursor = [0.5, 0.5];
  keyboard = false;

  /** @param {() => number} random numbers in [0, 1) */
  constructor(random = Math.random) {
    this.#random = random;
  }

  /** @param {() => void} draw */
  watch = (draw) => this.#changes.subscribe(draw);
  changed = () => this.#changes.changed();

  get points() { return this.#points; }
  get undoable() { return this.#before.length > 0; }

  /**
   * Take what the server gives: its points where it put them in the place of those here, else those here stay, and it is told again
   * where it does not know them.
   * @param {PaintGiven} given
   * @param {(value: { version: number, text: string }) => void} send
   */
  adopt(given, send) {
    [this.#send, this.#most] = [send, given.most];
    if (given.version === this.#version) {
      if (!this.#timer && !this.#stroke && textOf(this.#points) !== given.text) this.#rest();
      return;
    }
    if (this.#points.length) this.#remember();
    clearTimeout(this.#timer);
    [this.#version, this.#timer] = [given.version, 0];
    this.#change(pointsOf(given.text));
  }

  /** A stroke begins. */
  begin() {
    clearTimeout(this.#timer);
    [this.#stroke, this.#last, this.#timer] = [true, null, 0];
    this.#remember();
  }

  /**
   * The stroke is at a place.
   * @param {number} x1
   * @param {number} x2
   * @param {boolean} held whether the pointer rests there
   */
  paint(x1, x2, held = false) {
    if (this.tool === "erase") {
      this.#change(erased(this.#points, x1, x2, RADIUS));
      return;
    }
    const near = this.#last !== null && Math.hypot(x1 - this.#last[0], x2 - this.#last[1]) < APART, spray = this.tool === "spray";
    if (near && !(held && spray)) return;
    this.#last = [x1, x2];
    const added = spray ? sprayed(x1, x2, this.class, RADIUS, SPRAYED, this.#random) : [pointAt(x1, x2, this.class)];
    this.#change([...this.#points, ...added]);
  }

  /** The stroke ends; one that changed nothing is forgotten. */
  end() {
    this.#stroke = false;
    if (this.#before.at(-1) === this.#points) this.#before.pop();
    else this.#rest();
  }

  undo() {
    const earlier = this.#before.pop();
    if (!earlier) return;
    this.#change(earlier);
    this.#rest();
  }

  clear() {
    this.begin();
    this.#change([]);
    this.end();
  }

  #remember() {
    this.#before.push(this.#points);
    this.#before.splice(0, this.#before.length - UNDONE);
  }

  /** @param {readonly Painted[]} next */
  #change(next) {
    this.#points = next.length > this.#most ? next.slice(0, this.#most) : next;
    this.changed();
  }

  #rest() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      this.#send({ version: this.#version, text: textOf(this.#points) });
    }, REST);
  }
}

/** @param {readonly Painted[]} points */
export const textOf = (points) => VERSION + points.map(([x, y, c]) => {
  const bits = (x << 14) | (y << 4) | c;
  return [18, 12, 6, 0].map((shift) => ALPHABET[(bits >> shift) & 63]).join("");
}).join("");

/**
 * The points of a text that the server made.
 * @param {string} text
 * @returns {Painted[]}
 */
export function pointsOf(text) {
  const letters = text.slice(VERSION.length), points = /** @type {Painted[]} */ ([]);
  for (let k = 0; k + LETTERS <= letters.length; k += LETTERS) {
    const bits = [...letters.slice(k, k + LETTERS)].reduce((sum, letter) => (sum << 6) | ALPHABET.indexOf(letter), 0);
    points.push([bits >> 14, (bits >> 4) & 1023, bits & 15]);
  }
  return points;
}

/**
 * The place of the grid nearest to coordinates in [0, 1]; of those outside, at the edge.
 * @param {number} x1
 * @param {number} x2
 * @param {number} c
 * @returns {Painted}
 */
export function pointAt(x1, x2, c) {
  /** @param {number} value */
  const step = (value) => Math.round(Math.min(1, Math.max(0, value)) * STEPS);
  return [step(x1), step(x2), c];
}

/**
 * Points around a place, normally distributed.
 * @param {number} x1
 * @param {number} x2
 * @param {number} c
 * @param {number} radius of the spray, two standard deviations
 * @param {number} count
 * @param {() => number} random
 */
export function sprayed(x1, x2, c, radius, count, random) {
  return Array.from({ length: count }, () => {
    const far = (radius / 2) * Math.sqrt(-2 * Math.log(1 - random())), angle = 2 * Math.PI * random();
    return pointAt(x1 + far * Math.cos(angle), x2 + far * Math.sin(angle), c);
  });
}

/**
 * The points that lie farther from a place than a radius; the same list where none is nearer.
 * @param {readonly Painted[]} points
 * @param {number} x1
 * @param {number} x2
 * @param {number} radius
 */
export function erased(points, x1, x2, radius) {
  const left = points.filter(([x, y]) => Math.hypot(x / STEPS - x1, y / STEPS - x2) > radius);
  return left.length === points.length ? points : left;
}

/**
 * As "Points: 12 blue, 9 orange."; and what their number means.
 * @param {readonly Painted[]} points
 * @param {{ classes: string[], most: number, inLink: number }} given
 */
export function countsText(points, { classes, most, inLink }) {
  const counts = classes.map((name, c) => [points.filter((point) => point[2] === c).length, name]).filter(([count]) => count);
  const listed = counts.map(([count, name]) => `${count} ${name}`).join(", ");
  const few = counts.length < 2 ? " A classifier needs two classes." : "";
  const many = points.length >= most ? ` There are ${most} at most.` : points.length > inLink ? ` A link has room for ${inLink}.` : "";
  return `${listed ? `Points: ${listed}.` : "No points."}${few}${many}`;
}
