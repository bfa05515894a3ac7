// Heights over equal bins as one outline, drawn over bars: those of a comparison or of an earlier epoch.

/** @import { Properties } from "../core/types.js" */

import { inks } from "../core/colours.js";

const FOOT = 0.03; // of the highest, below which there is no halo: it would cover the feet of the bars, which then seem to float

/**
 * The heights from one edge to another in the colour of text, on a halo that separates them from bars of any colour. top: the height of
 * the bars. Hovering a bin's middle shows its height.
 * @param {number[]} heights
 * @param {number} from
 * @param {number} to
 * @param {boolean} dark
 * @param {{ name: string, dash?: string, top?: number, hover: string }} style
 */
export function histogramOutline(heights, from, to, dark, { name, dash = "solid", top = 0, hover }) {
  const { ink, paper } = inks(dark), n = heights.length, width = (to - from) / n;
  const middles = heights.map((_, k) => from + (k + 0.5) * width);
  const all = n ? [heights[0], ...heights, heights[n - 1]] : [];
  const x = n ? [from, from, ...middles, to, to] : [], y = n ? [0, ...all, 0] : [];
  const customdata = n ? [all[0], ...all, all[n + 1]] : [];
  /** @param {Properties} style */
  const trace = (style) => ({ x, y, mode: "lines", name, legendgroup: name, visible: n > 0, ...style });
  const around = halo(heights, from, width, FOOT * Math.max(top, ...heights));
  return [
    trace({ ...around, line: { color: paper, width: 4.5 }, connectgaps: false, showlegend: false, hoverinfo: "skip" }),
    trace({ line: { color: ink, shape: "hvh", width: 1.75, dash }, customdata, hovertemplate: `${hover}<extra></extra>` }),
  ];
}

/**
 * The same outline where it is above the foot of the figure, each of its sides down to there; null between its pieces.
 * @param {number[]} heights
 * @param {number} from
 * @param {number} width of a bin
 * @param {number} foot
 */
function halo(heights, from, width, foot) {
  /** @type {(number | null)[]} */
  const x = [];
  /** @type {(number | null)[]} */
  const y = [];
  heights.forEach((height, k) => {
    if (height <= foot) return;
    const left = from + k * width, right = left + width, begins = !(heights[k - 1] > foot), ends = !(heights[k + 1] > foot);
    x.push(...(begins ? [left] : []), left, right, ...(ends ? [right, null] : []));
    y.push(...(begins ? [foot] : []), height, height, ...(ends ? [foot, null] : []));
  });
  return { x, y };
}
