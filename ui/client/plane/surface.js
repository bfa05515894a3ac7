// The surface of a plane: what the model predicts on a grid of places. A worker computes it; where a browser has none for us, slices of it
// are computed here, between which the page goes on. While one is computed, the one before is shown.

/** @import { Plane, Scene } from "../model/types.js" */
/** @import { Surface, Wanted } from "./types.js" */

import { inBackground } from "../core/background.js";
import { surface } from "../model/inference.js";

const ROWS = 8; // of the grid, in a slice
const QUICK = 30; // milliseconds of a surface, up to which a picture waits for it

/**
 * A function that gives the surface to be drawn and sees to it that the wanted one comes, which `ready` tells. Until then it gives the one
 * before, if it lies on the same axes; null where the picture should wait: it lies on others, or the wanted one comes at once. Of several
 * that are wanted meanwhile only the last one is computed; one under way is finished, else a replay would give up one after the other.
 * @param {() => void} ready
 * @returns {(wanted: Wanted, atOnce?: boolean) => Surface | null}
 */
export function surfaces(ready) {
  /** @type {(Surface & Wanted) | null} */
  let known = null;
  /** @type {Wanted | null} */
  let last = null; // that was asked for
  let busy = false, took = 0; // milliseconds of the last one
  const next = async () => {
    busy = true;
    for (let wanted = last; wanted && !same(wanted, known); wanted = last) {
      const began = performance.now();
      known = surfaceOf(wanted, await computed(wanted));
      took = performance.now() - began;
      ready();
    }
    busy = false;
  };
  return (wanted, atOnce = false) => {
    const waits = !busy && took <= QUICK; // while one is under way, the picture follows without it
    last = wanted;
    if (atOnce && !same(wanted, known)) known = surfaceOf(wanted, surface(...partsOf(wanted)));
    if (same(wanted, known)) return known;
    if (!busy) next();
    return !waits && ofSamePlane(wanted, known) ? known : null;
  };
}

/**
 * Whether two surfaces lie on the same axes, so that one can be shown for the other a while.
 * @param {Wanted} a
 * @param {Wanted | null} b
 */
const ofSamePlane = ({ scene: a }, b) => (
  b !== null && a.plane === b.scene.plane && a.across === b.scene.across && a.up === b.scene.up
  && (a.table === b.scene.table || axesOf(a.table) === axesOf(b.scene.table)));

/** What the axes and the colours are made of, the same for all runs on the same data. @param {Scene["table"]} table */
const axesOf = ({ columns, classes }) => JSON.stringify([
  columns.map(({ feature, category, low, high }) => [feature, category, low, high]), classes,
]);

/** @param {Wanted} a @param {Wanted | null} b */
const same = (a, b) => b !== null && ofSamePlane(a, b) && a.scene.model === b.scene.model && a.scene.x === b.scene.x
  && String([a.frame.x.range, a.frame.y.range]) === String([b.frame.x.range, b.frame.y.range]);

/** @param {Wanted} wanted @param {Pick<Surface, "predicted" | "probability">} found */
const surfaceOf = ({ scene, frame }, { predicted, probability }) => (
  { scene, frame, predicted, probability, columns: frame.us.length, x: frame.x.range, y: frame.y.range });

/**
 * @param {Wanted} wanted
 * @returns {[Scene["model"], Plane, Float64Array, Float64Array]}
 */
const partsOf = ({ scene: { model }, frame: { origin, across, up, us, vs } }) => [model, { origin, across, up }, us, vs];

/** @param {Wanted} wanted */
function computed(wanted) {
  const parts = partsOf(wanted);
  return inBackground("surface", parts, () => inSlices(...parts));
}

/**
 * @param {Scene["model"]} model
 * @param {Plane} plane
 * @param {Float64Array} us
 * @param {Float64Array} vs
 */
async function inSlices(model, plane, us, vs) {
  const predicted = new Uint16Array(us.length * vs.length), probability = new Float64Array(us.length * vs.length);
  for (let row = 0; row < vs.length; row += ROWS) {
    const found = surface(model, plane, us, vs.subarray(row, row + ROWS));
    predicted.set(found.predicted, row * us.length);
    probability.set(found.probability, row * us.length);
    await new Promise((done) => { setTimeout(done); });
  }
  return { predicted, probability };
}
