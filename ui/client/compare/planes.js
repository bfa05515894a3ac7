// The planes of a comparison on data with two features: what the model of the first seed predicts at each place, with its rules.

/** @import { Figure, Properties } from "../core/types.js" */
/** @import { ComparisonState, PlaneDetails } from "./types.js" */

import { classParts, inks, variantColour } from "../core/colours.js";
import { fontSize, smallSize } from "../core/layout.js";
import { panelAxes, panelGrid, panelLayout } from "../core/small_multiples.js";
import { plotlyNames, plotlyText, truncatedNames } from "../core/text.js";

const WIDTH = 1000;
const STEPS = 40; // of an ellipse
const OPACITY = 0.35; // of the colour of a class
const FIRST = "a".charCodeAt(0);

/**
 * @param {ComparisonState} now
 * @param {number} [width]
 * @returns {Figure}
 */
export function planePanels(now, width = WIDTH) {
  const title = "Predicted classes and rules in the plane of the two features", { about, dark } = now;
  const titles = about.variants.map(({ name }) => plotlyText(name, 80)), { columns } = panelGrid(titles.length, width);
  const tall = Math.min(330, Math.max(200, width / columns - 40));
  const found = now.trainings.map((trainings) => trainings.find((one) => one.plane));
  const first = found.find((one) => one)?.plane;
  if (!first) {
    const caption = "It appears when the first training has ended.", hidden = { visible: false };
    const axes = { x: hidden, y: hidden, xTitle: "", yTitle: "" };
    return { data: [], layout: panelLayout(dark, titles, width, tall, axes), name: `${title}. ${caption}`, caption };
  }
  const data = found.flatMap((one, v) => {
    if (!one?.plane || !one.looks) return [];
    const at = Math.max(0, one.looks.epoch.findLastIndex((t) => t <= now.epoch));
    return [regions(one.plane, at, v, now), ...rules(one.plane, at, v, now)];
  });
  const reached = found.reduce((most, one) => Math.max(most, one?.looks?.epoch.findLast((t) => t <= now.epoch) ?? 0), 0);
  const bare = { showgrid: false, zeroline: false }, [xTitle, yTitle] = first.names.map((name) => plotlyText(name, 24));
  const axes = { x: { range: first.x, ...bare }, y: { range: first.y, ...bare }, xTitle, yTitle };
  const seed = found.find((one) => one)?.seed, drawn = panelLayout(dark, titles, width, tall, axes);
  const caption = `After epoch ${reached}, seed ${seed}. The colour of a place is its predicted class.`;
  const room = 2.4 * fontSize(), margin = { .../** @type {Properties} */ (drawn.margin), t: room }, height = Number(drawn.height) + room;
  const key = { orientation: "h", x: 0, y: 1, yanchor: "bottom", itemclick: false, itemdoubleclick: false, font: { size: smallSize() } };
  const name = `${title}. ${caption} Classes: ${truncatedNames(about.classes, 24).join(", ")}.`;
  const traces = [...data.map((trace) => ({ ...trace, showlegend: false })), ...legend(now)];
  return { data: traces, layout: { ...drawn, showlegend: true, legend: key, margin, height }, name, caption };
}

/**
 * The key: the colour of each class, and what is drawn of a rule.
 * @param {ComparisonState} now
 * @returns {Properties[]}
 */
function legend({ about, dark }) {
  const { ink } = inks(dark), line = { color: ink, width: 1 };
  /** @param {string} name @param {Properties} drawn */
  const entry = (name, drawn) => ({ x: [null], y: [null], name, hoverinfo: "skip", showlegend: true, ...drawn });
  const names = plotlyNames(about.classes, 40);
  const classes = classParts(about.classes, dark).map((parts, c) => entry(names[c], {
    mode: "markers", marker: { symbol: "square", size: 11, color: `rgba(${parts.join(",")},${OPACITY})`, line },
  }));
  return [
    ...classes, entry("centre of a rule", { mode: "markers", marker: { size: 8, color: "rgba(0,0,0,0)", line } }),
    entry("its reach, 1 σ", { mode: "lines", line: { color: ink, width: 1.2 } }),
  ];
}

/**
 * @param {PlaneDetails} plane
 * @param {number} at
 * @param {number} v
 * @param {ComparisonState} now
 * @returns {Properties}
 */
function regions({ x, y, size, classes }, at, v, { about, dark }) {
  const letters = classes[Math.min(at, classes.length - 1)], C = Math.max(1, about.classes.length);
  const cells = Array.from({ length: size }, (_, k) => k);
  const z = cells.map((row) => cells.map((column) => letters.charCodeAt(row * size + column) - FIRST));
  const colours = classParts(about.classes, dark).map((parts) => `rgb(${parts.join(",")})`);
  const colorscale = colours.flatMap((colour, c) => [[c / C, colour], [(c + 1) / C, colour]]);
  const names = plotlyNames(about.classes, 24);
  const places = (/** @type {number[]} */ [low, high]) => cells.map((k) => low + ((k + 0.5) / size) * (high - low));
  return {
    type: "heatmap", z, x: places(x), y: places(y), zmin: -0.5, zmax: C - 0.5, colorscale, showscale: false, opacity: OPACITY, zsmooth: false,
    text: z.map((row) => row.map((c) => names[c] ?? "")), hovertemplate: "%{text}<extra></extra>", ...panelAxes(v),
  };
}

/**
 * @param {PlaneDetails} plane
 * @param {number} at
 * @param {number} v
 * @param {ComparisonState} now
 * @returns {Properties[]}
 */
function rules({ centers, sigmas }, at, v, { about, dark }) {
  const look = Math.min(at, centers.length - 1), x = [], y = [];
  for (let r = 0; r < centers[look].length; r += 1) {
    const [a, b] = centers[look][r], [wide, high] = sigmas[look][r];
    for (let k = 0; k <= STEPS; k += 1) {
      const angle = (2 * Math.PI * k) / STEPS;
      x.push(a + wide * Math.cos(angle));
      y.push(b + high * Math.sin(angle));
    }
    x.push(null);
    y.push(null);
  }
  const colour = variantColour(about.variants[v].colour, dark), { ink } = inks(dark);
  return [
    { x, y, mode: "lines", connectgaps: false, line: { color: ink, width: 1.2 }, opacity: 0.7, hoverinfo: "skip", ...panelAxes(v) },
    {
      x: centers[look].map(([a]) => a), y: centers[look].map(([, b]) => b), mode: "markers",
      marker: { color: colour, size: 8, line: { color: ink, width: 1 } },
      hovertemplate: "centre of a rule: %{x:.3g}, %{y:.3g}<extra></extra>", ...panelAxes(v),
    },
  ];
}
