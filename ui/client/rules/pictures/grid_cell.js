// A cell of the grid of rules and features: the membership function over the histogram of the feature, and a line at the row's value.

/** @import { Feature, Row, Scene } from "../../model/types.js" */

import { extentOf } from "../../model/columns.js";
import { featureMembership, inverseWidth, logOfStates, logMembership } from "../../model/membership.js";
import { histogram, shares } from "./histogram.js";
import { svg } from "../../core/svg.js";
import { path } from "./path.js";

const [WIDE, TALL] = [120, 44]; // of a cell, in its own units; it is stretched to its place
const POINTS = 60; // of a curve
const MOST = 12; // categories that are drawn

/**
 * What moves when the row changes.
 * @typedef {(x: Row) => void} Update
 */

/**
 * @param {Element} parent
 * @param {Scene} scene
 * @param {Feature} feature
 * @param {number} r
 * @param {{ colour: string, printed: boolean, move: (d: number, value: number) => void }} style printed: whether the rule's sentence
 * has a condition on the feature. move: called with a column and a value while a line is dragged
 * @returns {Update}
 */
export function cell(parent, scene, feature, r, style) {
  const picture = svg(parent, "svg", { viewBox: `0 0 ${WIDE} ${TALL}`, preserveAspectRatio: "none", role: "img", class: "tsk-cell-picture" });
  const shown = feature.kind === "number" ? numberCell(picture, scene, feature.columns[0], r, style) : categoryCell(picture, scene, feature, r, style);
  return (x) => {
    const level = featureMembership(scene.snapshot, r, feature.columns, scene.table.columns[feature.columns[0]], x);
    picture.setAttribute("aria-label", `Rule ${r + 1}, ${feature.name}: membership ${level.toFixed(2)}`);
    shown(x);
  };
}

/**
 * @param {Element} picture
 * @param {Scene} scene
 * @param {number} d
 * @param {number} r
 * @param {Parameters<typeof cell>[4]} style
 * @returns {Update}
 */
function numberCell(picture, { table, snapshot }, d, r, { colour, printed, move }) {
  const { low, high } = extentOf(table.columns[d]), range = high - low || 1;
  const counts = table.rows ? histogram(table.rows, d, table.columns[d].levels) : [];
  const top = Math.max(1, ...counts), width = WIDE / Math.max(1, counts.length);
  counts.forEach((n, k) => svg(picture, "rect", {
    x: k * width, y: TALL * (1 - (0.9 * n) / top), width: 0.92 * width, height: (TALL * 0.9 * n) / top, class: "tsk-bin",
  }));
  const sigma = snapshot.sigmas[r][d];
  if (sigma !== null) {
    const points = Array.from({ length: POINTS + 1 }, (_, k) => {
      const level = Math.exp(logMembership(low + (k / POINTS) * range, snapshot.centers[r][d], inverseWidth(sigma)));
      return /** @type {[number, number]} */ ([(k / POINTS) * WIDE, TALL * (1 - 0.95 * level)]);
    });
    const area = /** @type {[number, number][]} */ ([[0, TALL], ...points, [WIDE, TALL]]);
    if (printed) svg(picture, "path", { d: `${path(area)}Z`, fill: colour, "fill-opacity": 0.3 });
    svg(picture, "path", { d: path(points), fill: "none", stroke: colour, "stroke-width": printed ? 2 : 1, "vector-effect": "non-scaling-stroke" });
  }
  const line = svg(picture, "line", { y1: 0, y2: TALL, class: "tsk-row-line", "vector-effect": "non-scaling-stroke" });
  draggable(/** @type {SVGElement} */ (picture), (share) => move(d, low + share * range));
  return (x) => {
    const at = WIDE * Math.min(1, Math.max(0, (x[d] - low) / range));
    line.setAttribute("x1", String(at));
    line.setAttribute("x2", String(at));
  };
}

/**
 * @param {SVGElement} picture
 * @param {(share: number) => void} moved to this share of the width
 */
function draggable(picture, moved) {
  picture.classList.add("tsk-draggable");
  /** @param {PointerEvent} event */
  const follow = (event) => {
    const box = picture.getBoundingClientRect();
    moved(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)));
  };
  picture.onpointerdown = (event) => {
    picture.setPointerCapture(event.pointerId);
    follow(event);
  };
  picture.onpointermove = (event) => { if (picture.hasPointerCapture(event.pointerId)) follow(event); };
}

/**
 * A bar for each category, as high as its membership, before the share of rows that have it.
 * @param {Element} picture
 * @param {Scene} scene
 * @param {Feature} feature
 * @param {number} r
 * @param {Parameters<typeof cell>[4]} style
 * @returns {Update}
 */
function categoryCell(picture, scene, feature, r, { colour, printed }) {
  const { rows } = scene.table, all = rows ? shares(rows, feature.columns) : feature.columns.map(() => 0);
  const chosen = feature.columns.map((_, k) => k).sort((a, b) => all[b] - all[a]).slice(0, MOST).sort((a, b) => a - b);
  const own = chosen.map((k) => feature.columns[k]), frequent = chosen.map((k) => all[k]), width = WIDE / own.length;
  const logs = logOfStates(scene.snapshot, r, feature.columns, null), top = Math.max(...logs);
  const marks = own.map((d, k) => {
    const level = Math.exp(logs[chosen[k]] - top);
    const bar = { x: (k + 0.1) * width, width: 0.8 * width };
    svg(picture, "rect", { ...bar, y: TALL * (1 - 0.9 * frequent[k]), height: TALL * 0.9 * frequent[k], class: "tsk-bin" });
    const drawn = { y: TALL * (1 - 0.95 * level), height: TALL * 0.95 * level, fill: colour, "fill-opacity": printed ? 0.3 : 0, stroke: colour };
    const membershipBar = svg(picture, "rect", { ...bar, ...drawn, "vector-effect": "non-scaling-stroke" });
    svg(membershipBar, "title", {}).textContent = `${String(scene.table.columns[d].category)}: ${level.toFixed(2)}`;
    return svg(picture, "line", { x1: (k + 0.5) * width, x2: (k + 0.5) * width, y1: 0, y2: TALL, class: "tsk-row-line", "vector-effect": "non-scaling-stroke" });
  });
  return (x) => marks.forEach((mark, k) => { mark.setAttribute("visibility", x[own[k]] > 0.5 ? "visible" : "hidden"); });
}
