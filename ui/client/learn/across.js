// One measure at the end of several trainings, with the prediction.

/** @import { MountOptions, State, View } from "../core/types.js" */

import { blue } from "../core/colours.js";
import { element } from "../core/elements.js";
import { height, layout } from "../core/layout.js";
import { drawIn } from "../core/plotly.js";
import { plotlyText } from "../core/text.js";
import { predictedBars, predictedCurve } from "../charts/prediction.js";

/**
 * What a lesson shows of several trainings: a value for each label.
 * @typedef {{ name: string, values: (number | null)[] }} Series
 * @typedef {{ labels: string[], x: string, y: string, low?: number, high?: number, series: Series[] }} Across
 */

/**
 * A view: points over the labels, or bars where bars were predicted. options: { across }.
 * @param {Element} parent
 * @param {MountOptions & { across?: Across }} options
 * @returns {View}
 */
export function across(parent, options) {
  const node = element(parent, "div", "tsk-chart", { role: "img" }), caption = element(parent, "p", "tsk-caption");
  node.style.minHeight = `${height()}px`;
  return {
    node,
    draw(state) {
      if (node.clientWidth && options.across) drawIn(node, acrossFigure(state, options.across), caption);
    },
  };
}

/**
 * @param {State} state
 * @param {Across} given
 */
export function acrossFigure(state, { labels, x, y, low, high, series }) {
  const { prediction, dark } = state, bars = prediction?.kind === "bars";
  const places = labels.map((label, k) => (bars ? k + 1 : plotlyText(label)));
  const values = series[0]?.values ?? [], known = values.filter((value) => value !== null);
  const colour = blue(dark), look = bars
    ? { type: "bar", width: 0.6, marker: { color: colour }, textposition: "outside" }
    : { mode: "lines+markers+text", marker: { size: 10, color: colour }, line: { color: colour, width: 2.5 }, textposition: "top center" };
  const data = series.map((one) => ({
    x: places, y: one.values, name: "what came out", ...look, hovertemplate: "%{y:.3g}<extra></extra>", cliponaxis: false,
    text: one.values.map((value) => (value === null ? "" : value.toPrecision(3))),
  }));
  const curve = prediction?.kind === "curve" ? predictedCurve(prediction, places, dark) : [];
  const predicted = bars ? predictedBars(state, Math.max(0, ...known)) : curve;
  const xaxis = bars ? { tickvals: places, ticktext: labels.map((label) => plotlyText(label)), range: [0.4, labels.length + 0.6] } : { type: "category" };
  const yaxis = low === undefined || high === undefined ? { rangemode: "tozero" } : { range: [low, high + 0.08 * (high - low)] };
  const text = known.length ? labels.map((label, k) => `${label}: ${values[k]?.toPrecision(3) ?? "–"}`).join("; ") : "no values yet";
  return { data: [...data, ...predicted], layout: layout(dark, x, y, { xaxis, yaxis }), name: `${y} by ${x}. ${text}.` };
}
