// The planes of a comparison on data with two features: what the model of the first seed predicts at each place, with its rules.

/** @import { Figure, Properties } from "../core/types.js" */
/** @import { ComparisonState, PlaneDetails } from "./types.js" */

import { classParts, inks, variantColour } from "../core/colours.js";
import { panelAxes, panelGrid, panelLayout } from "../core/small_multiples.js";
import { plotlyText } from "../core/text.js";

const WIDTH = 1000;
const STEPS = 40; // of an ellipse
const FIRST = "a".charCodeAt(0);

/**
 * @param {ComparisonState} now
 * @param {number} [width]
 * @returns {Figure}
 */
export function planePanels(now, width = WIDTH) {
  const title = "Predicted classes and rules in the plane of the two features", { about, dark } = now;
  const titles = about.variants.map(({ name }) => plotlyText(name, 30)), { columns } = panelGrid(titles.length, width);
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
  const seed = found.find((one) => one)?.seed, classes = about.classes.map((name) => plotlyText(name, 20)).join(", ");
  const caption = `After epoch ${reached}, seed ${seed}. The colour is the predicted class (${classes}). A dot is a rule's centre, its outline reaches one σ.`;
  return { data, layout: panelLayout(dark, titles, width, tall, axes), name: `${title}. ${caption}`, caption };
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
  const places = (/** @type {number[]} */ [low, high]) => cells.map((k) => low + ((k + 0.5) / size) * (high - low));
  return {
    type: "heatmap", z, x: places(x), y: places(y), zmin: -0.5, zmax: C - 0.5, colorscale, showscale: false, opacity: 0.35, zsmooth: false,
    text: z.map((row) => row.map((c) => plotlyText(about.classes[c] ?? "", 24))), hovertemplate: "%{text}<extra></extra>", ...panelAxes(v),
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
