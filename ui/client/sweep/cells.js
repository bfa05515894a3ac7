// What the figures of a sweep share: its cells by the values of their axes, and what a cell says where somebody points at it.

/** @import { Sweep, SweepCell } from "./types.js" */

import { plotlyText } from "../core/text.js";

/**
 * The cells by their value of an axis, in the order of its values.
 * @param {SweepCell[]} cells
 * @param {number} axis index
 * @param {number[]} values
 */
export const groupsOf = (cells, axis, values) => values.map((value) => cells.filter((cell) => cell.values[axis] === value));

/**
 * The panels of a sweep with more than two axes: along the third, and for each value of the fourth. title: not escaped.
 * @param {Sweep} now
 * @returns {{ title: string, cells: SweepCell[] }[]}
 */
export function panelsOf({ axes, cells }) {
  if (axes.length < 3) return [{ title: "", cells }];
  const [, , third, fourth] = axes;
  const rows = fourth ? groupsOf(cells, 3, fourth.values) : [cells];
  return rows.flatMap((row, j) => groupsOf(row, 2, third.values).map((of, k) => {
    const below = fourth ? `, ${fourth.short} ${fourth.texts[j]}` : "";
    return { title: `${third.short} ${third.texts[k]}${below}`, cells: of };
  }));
}

/**
 * Lines about a cell, for Plotly.
 * @param {SweepCell} cell
 */
export const hoverText = ({ lines }) => lines.map((line) => plotlyText(line, 120)).join("<br>");
