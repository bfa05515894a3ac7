// What the pointer does on a picture of a plane: it names what it is near, selects rows, drags the plane, and zooms with the wheel.

/** @import { Point } from "../core/types.js" */
/** @import { Frame } from "../model/types.js" */
/** @import { Box, Spot } from "./types.js" */

const NEAR = 16; // pixels from a spot within which it is found
const STILL = 4; // pixels that a press may move and be a click
const FASTEST = 20; // of a turn of the wheel
const SETTLED = 200; // milliseconds after the last turn of the wheel

/** @typedef {{ x: Point, y: Point }} Ranges of the axes */
/**
 * drawn: the picture. find: what is at a place. look: shows these ranges while they change. settle: tells that they no longer do. hover:
 * names a spot, null for none; at: where the pointer is, null for nowhere.
 * @typedef {{
 *   drawn: () => { plot: Box, frame: Frame } | null, find: (at: Point) => Spot | null,
 *   look: (ranges: Ranges) => void, settle: () => void, hover: (spot: Spot | null, at: Point | null) => void,
 *   click: (spot: Spot | null) => void, reset: () => void,
 * }} Actions
 */

/**
 * The spot that is nearest to a place, of several the one drawn last; null where none is near.
 * @param {Spot[]} spots
 * @param {Point} place
 */
export function nearest(spots, [x, y]) {
  let best = NEAR, found = /** @type {Spot | null} */ (null);
  for (const spot of spots) {
    const away = Math.hypot(spot.at[0] - x, spot.at[1] - y);
    if (away <= best) [best, found] = [away, spot];
  }
  return found;
}

/**
 * The ranges after the plane was dragged from one place of the plot to another.
 * @param {Frame} frame
 * @param {Box} plot
 * @param {Point} from
 * @param {Point} to
 * @returns {Ranges}
 */
export function dragged({ x, y, single }, plot, from, to) {
  const across = ((from[0] - to[0]) / plot.width) * (x.range[1] - x.range[0]);
  const up = single ? 0 : ((to[1] - from[1]) / plot.height) * (y.range[1] - y.range[0]);
  return { x: [x.range[0] + across, x.range[1] + across], y: [y.range[0] + up, y.range[1] + up] };
}

/**
 * The ranges after a turn of the wheel, which leaves what is under the pointer where it is.
 * @param {Frame} frame
 * @param {Box} plot
 * @param {Point} place
 * @param {number} turn pixels, as the browser has it
 * @returns {Ranges}
 */
export function zoomed({ x, y, single }, plot, [left, top], turn) {
  const factor = Math.exp(Math.max(-FASTEST, Math.min(FASTEST, turn)) / 200);
  const shares = [(left - plot.left) / plot.width, 1 - (top - plot.top) / plot.height];
  /** @param {Point} range @param {number} share @returns {Point} */
  const around = ([low, high], share) => {
    const still = low + share * (high - low);
    return [still + factor * (low - still), still + factor * (high - still)];
  };
  return { x: around(x.range, shares[0]), y: single ? y.range : around(y.range, shares[1]) };
}

/**
 * Follow the pointer on a canvas.
 * @param {HTMLCanvasElement} canvas
 * @param {Actions} actions
 */
export function followPointer(canvas, actions) {
  const { drawn, find, hover, click, look, settle, reset } = actions;
  /** @type {{ from: Point, plot: Box, frame: Frame, moved: boolean } | null} */
  let press = null;
  const point = (/** @type {Spot | null} */ spot, /** @type {Point | null} */ at) => {
    hover(spot, at);
    canvas.style.cursor = press?.moved ? "grabbing" : spot?.chosen ? "pointer" : "grab";
  };
  const end = () => {
    if (press?.moved) settle();
    press = null;
  };
  canvas.onpointerdown = (event) => {
    const now = drawn(), from = placeOf(event);
    if (event.button !== 0 || !event.isPrimary || !now || !isIn(now.plot, from)) return;
    canvas.setPointerCapture(event.pointerId);
    press = { from, plot: now.plot, frame: now.frame, moved: false };
  };
  canvas.onpointermove = (event) => {
    const at = placeOf(event);
    if (press && event.isPrimary) {
      press.moved ||= Math.hypot(at[0] - press.from[0], at[1] - press.from[1]) > STILL;
      if (press.moved) look(dragged(press.frame, press.plot, press.from, at));
    }
    if (press?.moved) point(null, null);
    else point(find(at), at);
  };
  canvas.onpointerup = (event) => {
    const at = placeOf(event), spot = find(at);
    if (press && !press.moved) click(spot);
    end();
    point(spot, at);
  };
  canvas.onpointercancel = end;
  canvas.onpointerleave = () => hover(null, null);
  canvas.ondblclick = reset;
  followWheel(canvas, actions);
}

/** @param {HTMLCanvasElement} canvas @param {Actions} actions */
function followWheel(canvas, { drawn, look, settle, hover }) {
  let turning = 0;
  canvas.addEventListener("wheel", (event) => {
    const now = drawn(), at = placeOf(event);
    if (!now || !isIn(now.plot, at)) return;
    event.preventDefault(); // else the page scrolls, too
    hover(null, null);
    look(zoomed(now.frame, now.plot, at, event.deltaY));
    clearTimeout(turning);
    turning = window.setTimeout(settle, SETTLED);
  }, { passive: false });
}

/** @param {MouseEvent} event @returns {Point} */
const placeOf = ({ offsetX, offsetY }) => [offsetX, offsetY];

/** @param {Box} plot @param {Point} place */
const isIn = ({ left, top, width, height }, [x, y]) => x >= left && x <= left + width && y >= top && y <= top + height;
