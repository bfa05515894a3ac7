// What is painted on this page: it outlives the element, so that no point is lost where the page is drawn again.

/** @import { PaintGiven } from "../core/types.js" */
/** @import { Painted } from "./points.js" */

import { observable } from "../core/observable.js";
import { erased, pointAt, pointsOf, sprayed, textOf } from "./points.js";

/** @typedef {"point" | "spray" | "erase"} Tool */

export const RADIUS = 0.07; // of spray and eraser, where the plane is 1 wide
const APART = 0.03; // from one paint to the next, while the pointer is dragged
const SPRAYED = 2; // points at once
const REST = 300; // milliseconds from the end of a stroke until the server is told, if no other begins
const UNDONE = 100; // strokes that can be undone

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
