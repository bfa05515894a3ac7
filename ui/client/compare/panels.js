// Figures of a comparison at the selected epoch, a small panel for each variant: firing levels, entropy, confusion matrices, and on data
// with two features the plane of the first seed's model.

/** @import { Figure, Properties } from "../core/types.js" */
/** @import { ComparisonState, EpochDetails, PlaneDetails, Training } from "./types.js" */

import { classParts, green, inks, variantColour } from "../core/colours.js";
import { fontSize, panelAxes, panelGrid, panelLayout, smallSize } from "../core/layout.js";
import { counted, percent, plotlyNames, plotlyText, truncatedNames } from "../core/text.js";
import { confusionMap } from "../charts/evaluation.js";
import { spread } from "./curves.js";

const TALL = 230; // pixels of a panel
const WIDTH = 1000; // of a figure that is not on a page
const LONGEST_NAME = 12;
const STEPS = 40; // of an ellipse
const OPACITY = 0.35; // of the colour of a class
const FIRST = "a".charCodeAt(0);

/** @param {ComparisonState} now */
const titlesOf = ({ about }) => about.variants.map(({ name }) => plotlyText(name, 80));

/**
 * The looks of a variant's trainings at the selected epoch: the latest ones up to it.
 * @param {Training[]} trainings
 * @param {number} epoch
 */
export function detailsAt(trainings, epoch) {
  return trainings.filter((one) => one.looks).map((one) => {
    const looks = /** @type {EpochDetails} */ (one.looks), at = Math.max(0, looks.epoch.findLastIndex((t) => t <= epoch));
    return { epoch: looks.epoch[at], at, firing: looks.firing[at], entropy: looks.entropy[at], confusion: looks.confusion?.[at] ?? null };
  });
}

/** @typedef {ReturnType<typeof detailsAt>} Found */

/**
 * Of which epoch and how many seeds a figure is.
 * @param {Found[]} found
 */
function when(found) {
  const all = found.flat(), counts = found.map((looks) => looks.length);
  if (!all.length) return "";
  const [low, high] = [Math.min(...counts), Math.max(...counts)];
  return `After epoch ${Math.max(...all.map((one) => one.epoch))}, ${low === high ? "" : `${low} to `}${counted(high, "seed")} each.`;
}

/**
 * @param {ComparisonState} now
 * @param {string} title
 * @param {number} width
 * @param {number} [tall]
 * @returns {Figure}
 */
function empty(now, title, width, tall = TALL) {
  const caption = "It appears when the first training has ended.", hidden = { visible: false };
  const drawn = panelLayout(now.dark, titlesOf(now), width, tall, { x: hidden, y: hidden, xTitle: "", yTitle: "" });
  return { data: [], layout: drawn, name: `${title}. ${caption}`, caption };
}

/**
 * Average firing levels in falling order, mean over seeds, with the line of equal shares.
 * @param {ComparisonState} now
 * @param {number} [width]
 * @returns {Figure}
 */
export function firingPanels(now, width = WIDTH) {
  const title = "Average firing levels of the rules, in falling order", { about, dark } = now;
  const found = now.trainings.map((trainings) => detailsAt(trainings, now.epoch));
  if (!found.some((looks) => looks.length)) return empty(now, title, width);
  const factors = about.band === "ci" ? about.factors : null;
  const panels = found.map((looks) => {
    const R = Math.max(0, ...looks.map(({ firing }) => firing.length));
    return Array.from({ length: R }, (_, k) => spread(looks.map(({ firing }) => firing[k]), factors));
  });
  const whole = now.trainings.flat().flatMap(({ looks }) => looks?.firing ?? []).flat();
  const most = 1.08 * whole.reduce((a, b) => Math.max(a, b), 0), widest = Math.max(...panels.map((ranks) => ranks.length));
  const data = panels.map((ranks, v) => ({
    type: "bar", x: ranks.map((_, k) => k + 1), y: ranks.map(({ mean }) => mean),
    marker: { color: variantColour(about.variants[v].colour, dark) },
    error_y: {
      array: ranks.map(({ half }) => half ?? 0), color: inks(dark).ink, thickness: 1, width: 2, visible: ranks.some(({ half }) => half),
    },
    hovertemplate: "rank %{x}: %{y:.4f}<extra></extra>", ...panelAxes(v),
  }));
  const x = { range: [0.3, widest + 0.7], showgrid: false, tickformat: "d" };
  const axes = { x, y: { range: [0, most] }, xTitle: "Rank of the rule", yTitle: "Firing level f̄" };
  const shapes = panels.map((ranks, v) => equalShare(ranks.length, v, dark)).flat();
  const tops = panels.flatMap((ranks, v) => {
    const [first, last] = [ranks[0], ranks.at(-1)].map((rank) => percent(rank?.mean ?? 0));
    return ranks.length ? [`${about.variants[v].name}: the most active rule has ${first}, the least ${last}`] : [];
  });
  const caption = `${when(found)} Bars: mean over seeds. ${about.bandText.replace("Band", "Whiskers")} Dashed: equal shares, 1/R.`;
  return { data, layout: { ...panelLayout(dark, titlesOf(now), width, TALL, axes), shapes, bargap: 0.15 }, name: `${title}. ${when(found)} ${tops.join("; ")}.`, caption };
}

/** @param {number} R @param {number} v @param {boolean} dark */
function equalShare(R, v, dark) {
  if (!R) return [];
  const { xaxis, yaxis } = panelAxes(v);
  return [{ type: "line", xref: `${xaxis} domain`, yref: yaxis, x0: 0, x1: 1, y0: 1 / R, y1: 1 / R, line: { color: green(dark), dash: "dash", width: 1.5 } }];
}

/**
 * Share of training rows by entropy of their firing levels, over log R; mean over seeds.
 * @param {ComparisonState} now
 * @param {number} [width]
 * @returns {Figure}
 */
export function entropyPanels(now, width = WIDTH) {
  const title = "Entropy of the firing levels", { about, dark } = now;
  const found = now.trainings.map((trainings) => detailsAt(trainings, now.epoch));
  if (!found.some((looks) => looks.length)) return empty(now, title, width);
  const panels = found.map((looks) => meanShares(looks.map(({ entropy }) => entropy)));
  const every = now.trainings.flat().flatMap(({ looks }) => looks?.entropy ?? []).map((counts) => Math.max(...sharesOf(counts)));
  const most = 1.05 * every.reduce((a, b) => Math.max(a, b), 0), bins = Math.max(1, ...panels.map((shares) => shares.length));
  const data = panels.map((shares, v) => ({
    type: "bar", x: shares.map((_, k) => (k + 0.5) / bins), y: shares, width: 1 / bins, marker: { color: variantColour(about.variants[v].colour, dark), line: { width: 0 } },
    hovertemplate: "E/log R ≈ %{x:.2f}: %{y:.1%}<extra></extra>", ...panelAxes(v),
  }));
  const axes = { x: { range: [0, 1], showgrid: false }, y: { range: [0, most], tickformat: ".0%" }, xTitle: "Entropy / log R", yTitle: "Training rows" };
  const means = panels.flatMap((shares, v) => (shares.length ? [`${about.variants[v].name} ${shares.reduce((sum, share, k) => sum + (share * (k + 0.5)) / bins, 0).toFixed(2)}`] : []));
  const caption = `${when(found)} At 0, one rule alone fires for a row; at 1, all rules fire equally. Mean: ${means.join(", ")}.`;
  return { data, layout: { ...panelLayout(dark, titlesOf(now), width, TALL, axes), bargap: 0 }, name: `${title}. ${caption}`, caption };
}

/** @param {number[]} counts */
function sharesOf(counts) {
  const all = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => (all ? count / all : 0));
}

/** @param {number[][]} histograms */
export function meanShares(histograms) {
  const shares = histograms.map(sharesOf), [first = []] = shares;
  return first.map((_, k) => shares.reduce((sum, one) => sum + one[k], 0) / shares.length);
}

/**
 * Confusion matrices, summed over seeds.
 * @param {ComparisonState} now
 * @param {number} [width]
 * @returns {Figure}
 */
export function confusionPanels(now, width = WIDTH) {
  const title = "Confusion matrices of the test rows", { about, dark } = now;
  const found = now.trainings.map((trainings) => detailsAt(trainings, now.epoch).filter(({ confusion }) => confusion));
  if (!found.some((looks) => looks.length)) {
    const none = now.trainings.flat().some(({ looks }) => looks && !looks.confusion);
    const caption = "With more than 12 classes no confusion matrices are kept.";
    return none ? { ...empty(now, title, width), caption, name: `${title}. ${caption}` } : empty(now, title, width);
  }
  const names = plotlyNames(about.classes, LONGEST_NAME), size = smallSize();
  const sums = found.map((looks) => total(looks.map(({ confusion }) => /** @type {number[][]} */ (confusion))));
  const data = sums.map((counts, v) => heatmap(counts, names, v, dark, width));
  const ticks = { tickvals: names.map((_, c) => c), ticktext: names, showgrid: false, zeroline: false, tickfont: { size } };
  const axes = { x: { ...ticks, tickangle: -40 }, y: { ...ticks, autorange: "reversed" }, xTitle: "Predicted class", yTitle: "" };
  const right = sums.flatMap((counts, v) => {
    const all = counts.flat().reduce((a, b) => a + b, 0), hits = counts.reduce((sum, row, c) => sum + row[c], 0);
    return all ? [`${about.variants[v].name} ${percent(hits / all)}`] : [];
  });
  const longest = Math.max(...names.map((name) => name.length)), tall = Math.min(460, Math.max(TALL - 30, 26 * names.length));
  const drawn = panelLayout(dark, titlesOf(now), width, tall, axes);
  const margin = { l: Math.min(120, 14 + 0.62 * size * longest), r: 8, t: 0, b: 0.45 * size * longest };
  const caption = `${when(found)} Counts are summed over the seeds; a row is a true class. Correct: ${right.join(", ")}.`;
  return { data, layout: { ...drawn, margin, height: Number(drawn.height) + margin.b }, name: `${title}. ${caption}`, caption };
}

/** @param {number[][][]} matrices */
function total(matrices) {
  const [first = []] = matrices;
  return first.map((row, c) => row.map((_, k) => matrices.reduce((sum, counts) => sum + counts[c][k], 0)));
}

/**
 * @param {number[][]} counts
 * @param {string[]} names
 * @param {number} v
 * @param {boolean} dark
 * @param {number} width
 * @returns {Properties}
 */
function heatmap(counts, names, v, dark, width) {
  const text = counts.map((row) => row.map(String)), texttemplate = names.length <= (width < 600 ? 5 : 8) ? "%{text}" : "";
  return { ...confusionMap(counts, names, dark, Math.min(smallSize(), fontSize())), xgap: 1, ygap: 1, text, texttemplate, ...panelAxes(v) };
}

/**
 * What the model of the first seed predicts at each place of the plane of two features, with its rules.
 * @param {ComparisonState} now
 * @param {number} [width]
 * @returns {Figure}
 */
export function planePanels(now, width = WIDTH) {
  const title = "Predicted classes and rules in the plane of the two features", { about, dark } = now;
  const titles = titlesOf(now), { columns } = panelGrid(titles.length, width);
  const tall = Math.min(330, Math.max(200, width / columns - 40));
  const found = now.trainings.map((trainings) => trainings.find((one) => one.plane));
  const first = found.find((one) => one)?.plane;
  if (!first) return empty(now, title, width, tall);
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
