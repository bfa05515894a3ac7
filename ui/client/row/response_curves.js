// Response curves: the probability (or score) of each class along one feature, all others held at the row, with the row's own value, the
// data as a rug, how the curve of one class spreads over the rows, and the feature's own field to move the row.

/** @import { Figure, MountOptions, Properties, View } from "../core/types.js" */
/** @import { Feature, Model, Scene } from "../model/types.js" */

import { classColours, inks } from "../core/colours.js";
import { choice, classChoice, element, hideChoice } from "../core/elements.js";
import { explaining } from "../core/explaining.js";
import { HEIGHT, layout, straightLine } from "../core/layout.js";
import { drawIn, setListener } from "../core/plotly.js";
import { fixed, minus, percent, plotlyNames, plotlyText, truncated } from "../core/text.js";
import { unhurried } from "../core/unhurried.js";
import { featureText, valueText } from "../model/columns.js";
import { explain, probabilityOf, scoresOn } from "../model/inference.js";
import { changeRow, chooseCurve, rowLines, rowName, sceneOf, watch } from "../model/selection.js";
import { changeable, plainField } from "./what_if.js";

const CONFIG = { edits: { shapePosition: true } };
/** @type {[import("../model/types.js").CurveChoice["scale"], string][]} */
const SCALES = [["probability", "probability"], ["score", "score, less its mean over the classes"]];
const STEPS = 80; // places along a number
const SPREAD = 150; // rows whose curves the spread is of
const LINES = 6; // classes that have a line: those with the largest values along it
const FOOT = -0.06; // of the axis, where the rug lies
/** @type {WeakMap<Model, Map<string, Curves["spread"]>>} */
const kept = new WeakMap();
const NAME = 24; // characters of a class

/**
 * The values at each place: us [K], lines [C][K] at the row, and low, middle, high [K] of the class `band` over rows (10%, 50%, 90%).
 * @typedef {{
 *   us: number[], lines: number[][], band: number, spread: { low: number[], middle: number[], high: number[], rows: number } | null,
 * }} Curves
 */

/**
 * A view: the prediction along one feature, the others held at the row. options: { data, rows } of ui/explore/rules_tab.py.
 * @param {Element} parent
 * @param {MountOptions} options
 * @returns {View}
 */
export function responseCurves(parent, options) {
  const title = element(parent, "h4", "tsk-title"), bar = element(parent, "div", "tsk-curve-bar", { role: "group", "aria-label": "Response curves" });
  const node = element(parent, "div", "tsk-chart", { role: "img" }), grid = element(parent, "div", "tsk-fields");
  const caption = element(parent, "p", "tsk-caption"), tools = element(parent, "div", "tsk-tools");
  const explainCurves = explaining(tools, parent, "curves", "Response curves", options);
  node.style.minHeight = `${HEIGHT}px`; // so that nothing moves when the figure appears
  /** @type {{ of: unknown, name: string, field: (scene: Scene) => void } | null} */
  let built = null;
  /** @type {Scene | null} */
  let last = null;
  /** @type {unknown[]} */
  let drawn = []; // what the figure was made of
  const calm = unhurried((/** @type {[Scene, Feature]} */ [scene, feature]) => { // in a replay, the plane goes first
    const found = curvesOf(scene, feature);
    explainCurves(() => curveLines(scene, feature, found));
    return drawCurves(node, caption, scene, feature, found);
  });
  return {
    node,
    watch,
    draw(now) {
      const scene = last = sceneOf(now, options), features = scene?.table.features.filter(changeable) ?? [];
      /** @type {HTMLElement} */ (parent).hidden = !scene || !features.length;
      if (!scene || !features.length) return;
      const feature = features.find(({ name }) => name === scene.curve.feature) ?? mostTelling(scene);
      title.textContent = "Response curves";
      choices(bar, scene, features.map(({ name }) => name), feature.name);
      if (built?.of !== scene.table || built.name !== feature.name) {
        grid.replaceChildren();
        built = { of: scene.table, name: feature.name, field: plainField(grid, scene.table, feature, () => last, `${feature.name}, of the row`) };
      }
      built.field(scene);
      if (node.clientWidth === 0) return; // in a hidden tab
      const of = [scene.model, scene.table, scene.x, scene.curve, feature.name, scene.dark, node.clientWidth];
      if (of.every((one, k) => one === drawn[k])) return; // another epoch, and the same rules
      drawn = of;
      calm([scene, feature]);
    },
  };
}

/** The feature that separates the classes best, a number if there is one. @param {Scene} scene */
function mostTelling({ table: { ranked, features } }) {
  const some = ranked.map((k) => features[k]).filter(changeable);
  return some.find(({ kind }) => kind === "number") ?? some[0];
}

/**
 * @param {HTMLElement} node
 * @param {HTMLElement} caption
 * @param {Scene} scene
 * @param {Feature} feature
 * @param {Curves} curves
 */
async function drawCurves(node, caption, scene, feature, curves) {
  const figure = curveFigure(scene, feature, curves);
  caption.textContent = figure.caption ?? "";
  const drawn = await drawIn(node, figure, caption, CONFIG);
  if (drawn) follow(drawn, feature, Boolean(scene.table.columns[feature.columns[0]].levels));
}

/**
 * A click on a curve, and the row's line where it is dragged to, change the row.
 * @param {import("../core/plotly.js").Drawn} node
 * @param {Feature} feature
 * @param {boolean} ordered
 */
function follow(node, { kind, columns: [d] }, ordered) {
  const numeric = kind === "number";
  setListener(node, "plotly_click", numeric ? ({ points: [{ x }] }) => changeRow({ [d]: Number(x) }) : undefined);
  setListener(node, "plotly_relayout", numeric && !ordered ? (/** @type {Record<string, unknown>} */ event) => {
    const x = event["shapes[0].x0"];
    if (typeof x === "number") changeRow({ [d]: x });
  } : undefined);
}

/**
 * @param {HTMLElement} bar
 * @param {Scene} scene
 * @param {string[]} names
 * @param {string} chosen
 */
function choices(bar, scene, names, chosen) {
  const { table: { classes, rows }, curve } = scene;
  choice(bar, "tsk-along", "Along", names.map((name) => [name, truncated(name)]), chosen, (feature) => chooseCurve({ feature }));
  choice(bar, "tsk-scale", "Show", SCALES, curve.scale, (scale) => chooseCurve({ scale: scale === "score" ? "score" : "probability" }));
  hideChoice(classChoice(bar, "tsk-band", "Spread of", "the predicted class", classes, curve.band, (band) => chooseCurve({ band })), !rows);
}

/** @param {Scene} scene @param {Feature} feature @returns {Curves} */
export function curvesOf(scene, feature) {
  const { model, x, curve, table } = scene, places = placesOf(scene, feature), band = curve.band ?? explain(model, x).predicted;
  const lines = valuesAlong(scene, x, feature, places, table.classes.map((_, c) => c)).map((values) => [...values]);
  return { us: places.map((values, k) => (isNumber(scene, feature) ? values[0] : k)), lines, band, spread: spreadOf(scene, feature, band) };
}

/**
 * Whether a feature has a range, rather than categories.
 * @param {Scene} scene
 * @param {Feature} feature
 */
const isNumber = (scene, feature) => feature.kind === "number" && !isOrdered(scene, feature);

/**
 * Whether its categories have an order.
 * @param {Scene} scene
 * @param {Feature} feature
 */
const isOrdered = ({ table }, { columns: [d] }) => Boolean(table.columns[d].levels);

/**
 * The names of a feature's categories.
 * @param {Scene} scene
 * @param {Feature} feature
 */
const statesOf = ({ table }, { columns }) => table.columns[columns[0]].levels ?? columns.map((d) => String(table.columns[d].category));

/**
 * The values of the feature's columns at each place.
 * @param {Scene} scene
 * @param {Feature} feature
 */
function placesOf({ table, x, start }, { kind, columns }) {
  if (kind !== "number") return columns.map((_, k) => columns.map((__, j) => Number(j === k)));
  const [d] = columns, { levels } = table.columns[d];
  if (levels) return levels.map((_, rank) => [rank]);
  const low = Math.min(table.columns[d].low, start[d], x[d]), high = Math.max(table.columns[d].high, start[d], x[d]);
  return Array.from({ length: STEPS + 1 }, (_, k) => [low + ((high - low || 1) * k) / STEPS]);
}

/**
 * The probability or centred score of each of some classes along the places, for a row: as many lists as classes.
 * @param {Scene} scene
 * @param {number[]} row
 * @param {Feature} feature
 * @param {number[][]} places
 * @param {number[]} classes
 */
function valuesAlong({ model, curve }, row, { kind, columns }, places, classes) {
  const [d] = columns, none = new Float64Array(model.D), across = none.map((_, k) => Number(k === d));
  const scoresAt = kind === "number" ? scoresOn(model, { origin: row, across, up: none }) : null;
  const values = classes.map(() => new Float64Array(places.length));
  places.forEach((place, k) => {
    const scores = scoresAt ? scoresAt(place[0] - row[d], 0) : explain(model, withValues(row, columns, place)).scores;
    const mean = curve.scale === "score" ? scores.reduce((a, b) => a + b, 0) / scores.length : 0;
    classes.forEach((c, j) => { values[j][k] = curve.scale === "score" ? scores[c] - mean : probabilityOf(model, scores, c); });
  });
  return values;
}

/** @param {number[]} row @param {number[]} columns @param {number[]} values */
function withValues(row, columns, values) {
  const place = [...row];
  columns.forEach((d, k) => { place[d] = values[k]; });
  return place;
}

/**
 * Quantiles over rows, kept until another model, feature, class or scale is chosen: they do not depend on the row.
 * @param {Scene} scene
 * @param {Feature} feature
 * @param {number} band
 * @returns {Curves["spread"]}
 */
function spreadOf(scene, feature, band) {
  const { table: { rows }, model, curve } = scene;
  if (!rows) return null;
  const known = kept.get(model) ?? new Map(), places = placesOf(scene, feature);
  const key = [feature.name, band, curve.scale, rows.row.length, places[0][0], places.at(-1)?.[0]].join("\n");
  kept.set(model, known);
  if (known.has(key)) return known.get(key);
  const step = Math.max(1, Math.ceil(rows.x.length / SPREAD)), some = rows.x.filter((_, n) => n % step === 0);
  const curves = some.flatMap((row) => valuesAlong(scene, row, feature, places, [band]));
  const sorted = places.map((_, k) => Float64Array.from(curves, (values) => values[k]).sort());
  /** @param {number} share */
  const at = (share) => sorted.map((values) => values[Math.round(share * (values.length - 1))]);
  const found = { low: at(0.1), middle: at(0.5), high: at(0.9), rows: some.length };
  if (known.size > 20) known.clear();
  known.set(key, found);
  return found;
}

/**
 * @param {Scene} scene
 * @param {Feature} feature
 * @param {Curves} curves
 * @returns {Figure}
 */
export function curveFigure(scene, feature, curves) {
  const { table, x, curve, dark } = scene, number = isNumber(scene, feature), { lines, us } = curves;
  const colours = classColours(table.classes, dark), peak = lines.map((values) => Math.max(...values));
  const shown = peak.map((_, c) => c).sort((a, b) => peak[b] - peak[a]).slice(0, LINES).sort((a, b) => a - b);
  const all = [...shown.flatMap((c) => lines[c]), ...(curves.spread ? [...curves.spread.low, ...curves.spread.high] : [])];
  const [low, high] = curve.scale === "probability" ? [0, 1] : [Math.min(...all), Math.max(...all)], foot = low + FOOT * (high - low || 1);
  const names = plotlyNames(table.classes, 30);
  const data = [
    ...bandTraces(scene, curves, colours, number),
    ...shown.map((c) => lineTrace(us, lines[c], names[c], colours[c], number, isOrdered(scene, feature))),
    ...(number ? rugTraces(scene, feature.columns[0], [1.3 * foot - 0.3 * low, 0.7 * foot + 0.3 * low], colours) : []),
  ];
  const labels = plotlyNames(statesOf(scene, feature), 18);
  const own = number ? straightLine({ x: x[feature.columns[0]] }, inks(dark).ink, { dash: "dot" }) : { shapes: [] };
  const xaxis = number ? {} : { tickvals: us, ticktext: labels, range: [-0.5, us.length - 0.5] };
  const more = {
    hovermode: number ? "x unified" : "closest", xaxis,
    yaxis: { range: [foot - 0.03 * (high - low || 1), high + 0.03 * (high - low || 1)], tickformat: curve.scale === "probability" ? ".0%" : "~g" },
    shapes: own.shapes, uirevision: `${feature.name} ${curve.scale}`, editrevision: String(x), // the line stands where the row is
  };
  const y = curve.scale === "probability" ? "Probability" : "Score, less the mean over the classes";
  const texts = { name: nameText(scene, feature, curves), caption: captionText(scene, feature, curves, shown.length) };
  return { data, layout: layout(dark, plotlyText(feature.name), y, more), ...texts };
}

/**
 * @param {number[]} us
 * @param {number[]} values
 * @param {string} name
 * @param {string} colour
 * @param {boolean} number
 * @param {boolean} ordered
 * @returns {Properties}
 */
function lineTrace(us, values, name, colour, number, ordered) {
  const line = { color: colour, width: number ? 2.5 : 1.5 };
  const style = number ? { mode: "lines", line } : { mode: ordered ? "lines+markers" : "markers", line, marker: { color: colour, size: 11, line: { width: 1 } } };
  return { x: us, y: values, name, ...style };
}

/**
 * The spread as a band under the lines, or as error bars for categories; its median dashed.
 * @param {Scene} scene
 * @param {Curves} curves
 * @param {string[]} colours
 * @param {boolean} number
 * @returns {Properties[]}
 */
function bandTraces({ dark }, { us, spread, band }, colours, number) {
  if (!spread) return [];
  const { ink, grey } = inks(dark), name = "10 to 90% of rows", colour = colours[band];
  if (!number) {
    const array = spread.high.map((v, k) => v - spread.middle[k]), arrayminus = spread.middle.map((v, k) => v - spread.low[k]);
    const marker = { symbol: "line-ew-open", size: 14, color: ink };
    return [{ x: us.map((u) => u + 0.15), y: spread.middle, mode: "markers", name, marker, error_y: { array, arrayminus, color: grey, thickness: 1.5 } }];
  }
  const clear = colour.replace("rgb(", "rgba(").replace(")", ", 0.18)"), edge = { mode: "lines", line: { width: 0 }, hoverinfo: "skip" };
  return [
    { x: us, y: spread.low, ...edge, showlegend: false },
    { x: us, y: spread.high, ...edge, fill: "tonexty", fillcolor: clear, name, showlegend: true },
    { x: us, y: spread.middle, mode: "lines", name: "median of rows", line: { color: grey, width: 1.5, dash: "dash" } },
  ];
}

/**
 * A tick below the axis for each row, in the colour of its class; those of a class are one line with gaps, which Plotly draws at once.
 * @param {Scene} scene
 * @param {number} d
 * @param {[number, number]} ends of a tick
 * @param {string[]} colours
 * @returns {Properties[]}
 */
function rugTraces({ table: { rows, classes } }, d, ends, colours) {
  if (!rows) return [];
  return classes.map((_, c) => {
    const own = rows.x.filter((__, n) => rows.y[n] === c);
    const x = own.flatMap((row) => [row[d], row[d], null]), y = own.flatMap(() => [...ends, null]);
    return { x, y, mode: "lines", line: { color: colours[c], width: 1, simplify: false }, opacity: 0.5, showlegend: false, hoverinfo: "skip" };
  });
}

/** @param {Scene} scene @param {Feature} feature @param {Curves} curves */
function nameText(scene, feature, { us, lines, band }) {
  const { table, x, curve, model } = scene;
  const values = lines[band], now = explain(model, x), highest = values.indexOf(Math.max(...values));
  const column = table.columns[feature.columns[0]];
  const place = isNumber(scene, feature) ? valueText(us[highest], column) : statesOf(scene, feature)[highest];
  const what = curve.scale === "probability" ? "Probability" : "Score";
  return `${what} of each class along ${feature.name}: ${table.classes[band]} is highest at ${place}; `
    + `at the row's own ${featureText(table, feature, x)} it has probability ${percent(now.probabilities[band])}.`;
}

/**
 * @param {Scene} scene
 * @param {Feature} feature
 * @param {Curves} curves
 * @param {number} shown
 */
function captionText(scene, feature, { spread, band }, shown) {
  const { table } = scene, number = isNumber(scene, feature);
  const parts = [`The lines show what the model predicts for ${rowName(scene)} with other values of ${truncated(feature.name)}, all else held fixed.`];
  if (number) parts.push("The dotted line is its own value: drag it, click a place, or use the slider below.");
  if (spread) {
    const ticks = number ? " Each tick below is a row, in the colour of its class." : "";
    parts.push(`The band spans the curves of ${truncated(table.classes[band], 24)} for ${spread.rows} training and test rows, without the lowest and the highest tenth.${ticks}`);
    if (number) parts.push("Where there are no ticks, the model extrapolates.");
  }
  if (shown < table.classes.length) parts.push(`${shown} of ${table.classes.length} classes are drawn.`);
  return parts.join(" ");
}

/** @param {Scene} scene @param {Feature} feature @param {Curves} curves */
export function curveLines(scene, feature, { lines, band }) {
  const { table, x, curve } = scene, values = lines[band], name = truncated(table.classes[band], NAME);
  const [low, high] = [Math.min(...values), Math.max(...values)], [scores, softmax] = rowLines(scene);
  const from = curve.scale === "probability" ? percent(low) : minus(fixed(low, 2));
  const to = curve.scale === "probability" ? percent(high) : minus(fixed(high, 2));
  const what = curve.scale === "probability" ? "probability" : "score, less its mean over the classes,";
  return [
    scores, `At its own ${featureText(table, feature, x)}: ${softmax}`,
    `Along the axis, the ${what} of ${name} is ${from} at least and ${to} at most.`,
  ];
}
