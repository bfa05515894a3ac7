// What is drawn over a chart: the outline of another run or epoch, and what was predicted on the page Learn, dashed, in the colour of
// text, with the predictions of a class as a band.

/** @import { FigureInput, Predicted, Properties } from "../core/types.js" */

import { ORANGE, inks, withAlpha } from "../core/colours.js";

const FOOT = 0.03; // of the highest, below which there is no halo: it would cover the feet of the bars, which then seem to float
const MARGIN = 0.03; // of the axis, beyond what was predicted

/**
 * @typedef {{ prediction: Predicted | null, dark: boolean }} Shown
 * @typedef {{ range?: [number, number], autorangeoptions?: { minallowed?: number, maxallowed?: number } }} Axis
 */

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

/**
 * The predicted heights over bars that stand at 1, 2, …; none where bars were not predicted.
 * @param {Shown} now
 * @param {number} top of the bars
 * @returns {Properties[]}
 */
export function predictedBars({ prediction, dark }, top) {
  if (!prediction || prediction.kind !== "bars") return [];
  const drawn = [{ name: prediction.label, values: prediction.values, dash: "dash" }];
  if (prediction.class) drawn.push({ name: `${prediction.class.label}: median`, values: prediction.class.median, dash: "dot" });
  return drawn.filter(({ values }) => values.length).flatMap(({ name, values, dash }) => (
    histogramOutline(values, 0.5, values.length + 0.5, dark, { name, dash, top, hover: `${name}: %{customdata:.3f}` })));
}

/**
 * The predicted curve of one of these measures, by epoch.
 * @param {FigureInput} now
 * @param {string[]} measures
 * @returns {Properties[]}
 */
export function predictedByEpoch(now, measures) {
  const { prediction } = now;
  if (!prediction || prediction.kind !== "curve" || !measures.includes(prediction.measure)) return [];
  return predictedCurve(prediction, prediction.labels.map(Number), now.dark);
}

/**
 * A figure with a prediction over it; its axis takes in what was predicted far from what came out.
 * @param {import("../core/types.js").Figure} figure
 * @param {Properties[]} predicted
 */
export function withPrediction(figure, predicted) {
  const yaxis = /** @type {Axis} */ (figure.layout.yaxis), data = [...figure.data, ...predicted];
  const values = predicted.flatMap(({ y }) => /** @type {number[]} */ (y));
  const { minallowed, maxallowed } = yaxis.autorangeoptions ?? {};
  const [low, high] = yaxis.range ?? [minallowed, maxallowed];
  if (!values.length || low === undefined || high === undefined) return { ...figure, data };
  const margin = MARGIN * (Math.max(high, ...values) - Math.min(low, ...values));
  const least = Math.min(low, Math.min(...values) - margin), most = Math.max(high, Math.max(...values) + margin);
  const wide = yaxis.range ? { range: [least, most] } : { autorangeoptions: { minallowed: least, maxallowed: most } };
  return { ...figure, data, layout: { ...figure.layout, yaxis: { ...yaxis, ...wide } } };
}

/**
 * A predicted curve, with the class as a band around its median.
 * @param {Predicted} prediction
 * @param {(number | string)[]} x
 * @param {boolean} dark
 * @returns {Properties[]}
 */
export function predictedCurve({ values, label, class: group }, x, dark) {
  const { ink } = inks(dark), of = group?.label ?? "";
  const band = group ? [
    {
      x: [...x, ...[...x].reverse()], y: [...group.high, ...[...group.low].reverse()], fill: "toself", mode: "lines", line: { width: 0 },
      fillcolor: withAlpha(ORANGE, 0.2), name: `${of}: 10% to 90%`, hoverinfo: "skip",
    },
    {
      x, y: group.median, mode: "lines", name: `${of}: median`, line: { color: ORANGE, dash: "dot", width: 2 },
      hovertemplate: `${of}: %{y:.3g}<extra></extra>`,
    },
  ] : [];
  const marker = { color: ink, size: 6, symbol: "circle-open" };
  const own = { x, y: values, mode: "lines+markers", name: label, line: { color: ink, dash: "dash", width: 2 }, marker };
  return values.length ? [...band, { ...own, hovertemplate: `${label}: %{y:.3g}<extra></extra>` }] : band;
}

/**
 * The border of the painted cells as lines of a figure of these two features, by name; none where no region was predicted.
 * @param {Shown} now
 * @param {string} across
 * @param {string} up
 * @returns {Properties[]}
 */
export function predictedRegion({ prediction, dark }, across, up) {
  if (!prediction || prediction.kind !== "region" || !prediction.ranges || !prediction.grid) return [];
  const [first, second] = prediction.features ?? [];
  if (first !== across || second !== up) return [];
  const { grid, ranges } = prediction, lines = { mode: "lines", hoverinfo: "skip" };
  const own = { ...border(prediction.values, grid, ranges), ...lines, name: prediction.label, line: { color: inks(dark).ink, dash: "dash", width: 2.5 } };
  if (!prediction.class) return [own];
  const half = border(prediction.class.share.map((share) => Number(share >= 0.5)), grid, ranges);
  return [own, { ...half, ...lines, name: `${prediction.class.label}: at least half`, line: { color: ORANGE, dash: "dot", width: 2.5 } }];
}

/**
 * The sides between a painted cell and one that is not, as pieces with null between them.
 * @param {number[]} cells row by row from the bottom
 * @param {number} grid
 * @param {[number, number][]} ranges
 */
export function border(cells, grid, [[left, right], [low, high]]) {
  /** @type {(number | null)[]} */
  const x = [];
  /** @type {(number | null)[]} */
  const y = [];
  /** @param {number} column @param {number} row */
  const at = (column, row) => (column < 0 || row < 0 || column >= grid || row >= grid ? 0 : cells[row * grid + column]);
  /** @param {number} k */
  const across = (k) => left + (k / grid) * (right - left);
  /** @param {number} k */
  const up = (k) => low + (k / grid) * (high - low);
  for (let row = 0; row <= grid; row++) {
    for (let column = 0; column <= grid; column++) {
      if (column < grid && at(column, row) !== at(column, row - 1)) {
        x.push(across(column), across(column + 1), null);
        y.push(up(row), up(row), null);
      }
      if (row < grid && at(column, row) !== at(column - 1, row)) {
        x.push(across(column), across(column), null);
        y.push(up(row), up(row + 1), null);
      }
    }
  }
  return { x, y };
}
