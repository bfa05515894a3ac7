// The figure of the plane: the predicted class at each place, the rows, and each rule's centre and reach.

/** @import { Figure, Point, Properties } from "../core/types.js" */
/** @import { Axis, Frame, Scene } from "../model/types.js" */

import { classColours, classParts, inks, ruleColour } from "../core/colours.js";
import { fontSize, layout, planeHeight, smallSize } from "../core/layout.js";
import { counted, percent, plotlyText, rowsByPart } from "../core/text.js";
import { columnName, levelTicks } from "../model/columns.js";
import { surface } from "../model/inference.js";
import { predictedOf } from "../model/selection.js";
import { predictedRegion } from "../charts/overlays.js";

export const MOST_RULES = 50; // that are drawn, the most active ones; more would be a tangle
const AROUND = 90; // pixels of the figure's width and height outside the plane, about
/** @type {[string, string, number][]} how rows are drawn: name, symbol, width of its line */
const MARKS = [["training row", "circle-open", 1.5], ["test row", "circle", 1], ["misclassified", "x-thin", 1.5]];

/**
 * @param {Scene} scene
 * @param {Frame} frame
 * @param {number} width pixels
 * @param {boolean} [explained] whether the selected row, or a typical one, is explained beside it
 * @returns {Figure}
 */
export function planeFigure(scene, frame, width, explained = true) {
  const order = mostActive(scene), { rows } = scene.table, predicted = predictedOf(scene);
  const wrong = predicted.filter((c, n) => c !== rows?.y[n]).length;
  const counts = rows ? `${rowsByPart(rows.part, rows.row.map((_, n) => n))}, ${wrong} of them misclassified, ` : "";
  const x = axis(frame.x), y = { ...axis(frame.y), ...(frame.single ? { visible: false } : {}) };
  const rules = ruleNumbers(scene, frame, order, width);
  const { columns } = scene.table;
  const painted = scene.plane === "features" ? predictedRegion(scene, columns[scene.across].feature, columns[scene.up].feature) : [];
  const selected = selectionTraces(scene, frame, explained);
  const data = [...legend(scene), ...rowTraces(scene, frame, predicted), rules, ...painted, ...selected];
  const name = `Plane of ${axesText(scene)}: the predicted class at each place, ${counts}and ${counted(order.length, "rule")}.`;
  const more = {
    height: planeHeight(), hovermode: "closest", dragmode: "pan", xaxis: x, yaxis: y, images: [surfaceImage(scene, frame)], shapes: outlines(scene, frame, order),
    legend: { orientation: "h", y: 1.02, yanchor: "bottom", x: 0, itemclick: false, itemdoubleclick: false, font: { size: smallSize() } },
  };
  return { data, layout: layout(scene.dark, plotlyText(frame.x.title), plotlyText(frame.y.title), more), name };
}

/**
 * An axis with the range that model/selection.js keeps; Plotly must not keep another of its own, and it changes the list that it is given.
 * @param {Axis} axis
 */
function axis({ range, column }) {
  const levels = column?.levels && levelTicks(column.levels);
  const ticks = levels ?? (column && column.kind !== "number" ? { tickvals: [0, 1], ticktext: ["no", "yes"] } : {});
  return { range: [...range], autorange: false, uirevision: String(range), showgrid: false, zeroline: false, ...ticks };
}

/** @param {Scene} scene */
function axesText({ plane, table: { columns }, across, up }) {
  if (plane === "components") return "two principal components";
  return across === up ? columnName(columns[across]) : `${columnName(columns[across])} and ${columnName(columns[up])}`;
}

/**
 * The firing levels of the rules at the selected epoch; null where they are those of another model.
 * @param {Scene} scene
 */
const firingOf = ({ model, firing }) => (firing?.length === model.R ? firing : null);

/**
 * The rules to draw, by index, the most active ones.
 * @param {Scene} scene
 */
function mostActive(scene) {
  const { log_weight } = scene.snapshot, firing = firingOf(scene);
  const rules = log_weight.map((_, r) => r).filter((r) => log_weight[r] > -Infinity); // the others are taken out
  if (firing) rules.sort((a, b) => firing[b] - firing[a]);
  return rules.slice(0, MOST_RULES);
}

/**
 * The opacity of a rule: the more it fires, the bolder.
 * @param {Scene} scene
 * @param {number} r
 */
function opacityOf(scene, r) {
  const firing = firingOf(scene);
  return firing ? 0.15 + 0.85 * Math.min(1, firing[r] / Math.max(...firing)) : 0.8;
}

/**
 * The surface as an image below the points: the colour of the predicted class, paler where the model is less certain.
 * @param {Scene} scene
 * @param {Frame} frame
 */
function surfaceImage(scene, frame) {
  const { predicted, probability } = surface(scene.model, frame, frame.us, frame.vs);
  const canvas = document.createElement("canvas"), [width, height] = [frame.us.length, frame.vs.length];
  Object.assign(canvas, { width, height });
  const cells = new ImageData(width, height);
  const colours = classParts(scene.table.classes, scene.dark), chance = 1 / colours.length;
  predicted.forEach((c, k) => {
    const [column, row] = [k % width, height - 1 - Math.floor(k / width)]; // images begin at their top
    const sure = Math.max(0, (probability[k] - chance) / (1 - chance)); // with class weights the class can be less likely than chance
    cells.data.set([...colours[c], 255 * (0.08 + 0.42 * sure)], 4 * (row * width + column));
  });
  canvas.getContext("2d")?.putImageData(cells, 0, 0);
  const [x, y] = [frame.x.range, frame.y.range], size = { sizex: x[1] - x[0], sizey: y[1] - y[0], sizing: "stretch" };
  return { source: canvas.toDataURL(), xref: "x", yref: "y", x: x[0], y: y[1], ...size, layer: "below" };
}

/**
 * Training rows hollow, test rows filled, with a rim that separates them from a background of their own colour; a cross on those
 * that are misclassified.
 * @param {Scene} scene
 * @param {Frame} frame
 * @param {number[]} predicted
 */
function rowTraces({ table: { rows, classes }, dark }, frame, predicted) {
  if (!rows) return [];
  const { ink, paper } = inks(dark), points = rows.x.map((row, n) => frame.coordinates(row, n));
  const texts = rows.row.map((number, n) => {
    const part = rows.part[n] ? "test" : "training";
    return `row ${number + 1} (${part}): true class ${plotlyText(classes[rows.y[n]])}, predicted ${plotlyText(classes[predicted[n]])}`;
  });
  /** @param {number[]} indices @param {Properties} marker */
  const trace = (indices, marker) => ({
    x: indices.map((n) => points[n][0]), y: indices.map((n) => points[n][1]), mode: "markers", rows: indices, marker, showlegend: false,
    text: indices.map((n) => texts[n]), hovertemplate: "%{text}<extra></extra>",
  });
  const palette = classColours(classes, dark), all = rows.row.map((_, n) => n), [size, rim] = all.length > 400 ? [6, 0.5] : [8, 1];
  /** @param {number[]} indices */
  const colours = (indices) => indices.map((n) => palette[rows.y[n]]);
  const [train, test] = [0, 1].map((part) => all.filter((n) => rows.part[n] === part));
  const wrong = all.filter((n) => predicted[n] !== rows.y[n]);
  return [
    trace(train, { size: size + 2.5, symbol: "circle-open", color: ink, opacity: 0.7, line: { width: rim } }),
    trace(train, { size, symbol: "circle-open", color: colours(train), line: { width: 1.5 } }),
    trace(test, { size, color: colours(test), line: { width: rim, color: ink } }),
    trace(wrong, { size: size + 4, symbol: "x-thin", line: { width: 4, color: paper } }), // else no cross would be seen on a black dot
    trace(wrong, { size: size + 3, symbol: "x-thin", line: { width: 1.5, color: ink } }),
  ];
}

/**
 * Entries of the legend: how rows are drawn. The classes stand below the figure, as only there long names of many have room.
 * @param {Scene} scene
 */
function legend({ table: { rows }, dark }) {
  const { ink } = inks(dark);
  return (rows ? MARKS : []).map(([name, symbol, width]) => ({
    x: [null], y: [null], mode: "markers", name, hoverinfo: "skip", marker: { symbol, size: 9, color: ink, line: { width, color: ink } },
  }));
}

/**
 * Each rule's number at its centre, bolder ones above; of numbers that would overlap, only that of the most active rule.
 * @param {Scene} scene
 * @param {Frame} frame
 * @param {number[]} order
 * @param {number} width
 */
function ruleNumbers(scene, frame, order, width) {
  const { dark } = scene, { paper, ink } = inks(dark), size = 1.45 * fontSize(), firing = firingOf(scene);
  const placed = order.flatMap((r) => {
    const at = frame.center(r);
    return at ? [{ r, at }] : [];
  });
  const free = withoutOverlap(placed.map(({ at }) => at), frame, width, size);
  const drawn = placed.map((rule, k) => ({ ...rule, numbered: free[k] })).reverse();
  return {
    x: drawn.map(({ at }) => at[0]), y: drawn.map(({ at }) => at[1]), mode: "markers+text", text: drawn.map(({ r, numbered }) => (numbered ? `${r + 1}` : "")),
    textfont: { size: smallSize(), color: ink }, showlegend: false, cliponaxis: false,
    marker: {
      size: drawn.map(({ numbered }) => (numbered ? size : 0.5 * size)), color: paper, opacity: drawn.map(({ r }) => opacityOf(scene, r)),
      line: { width: 3, color: drawn.map(({ r }) => ruleColour(r, dark)) },
    },
    hovertext: drawn.map(({ r }) => `rule ${r + 1}${firing ? `: ${percent(firing[r])} of the firing` : ""}`), hovertemplate: "%{hovertext}<extra></extra>",
  };
}

/**
 * Whether the number at each point is drawn: if none before it is nearer than so many pixels.
 * @param {Point[]} points
 * @param {Frame} frame
 * @param {number} width
 * @param {number} pixels
 */
function withoutOverlap(points, { x, y }, width, pixels) {
  const sizes = [[width, x.range], [planeHeight(), y.range]];
  const scale = sizes.map(([all, range]) => (Number(all) - AROUND) / span(/** @type {Point} */ (range)));
  /** @type {Point[]} */
  const kept = [];
  return points.map((point) => {
    const free = kept.every((other) => Math.hypot(scale[0] * (point[0] - other[0]), scale[1] * (point[1] - other[1])) >= pixels);
    if (free) kept.push(point);
    return free;
  });
}

/** @param {Point} range */
const span = ([low, high]) => high - low;

/** @param {Scene} scene @param {Frame} frame @param {number[]} order */
function outlines(scene, frame, order) {
  return order.flatMap(/** @returns {Properties[]} */ (r) => {
    const outline = frame.outline(r), style = { opacity: opacityOf(scene, r), line: { color: ruleColour(r, scene.dark), width: 2 } };
    if (!outline) return [];
    if ("polygon" in outline) return [{ type: "path", path: `M${outline.polygon.map(([x, y]) => `${x},${y}`).join("L")}Z`, ...style }];
    const { band, from, to } = outline, ends = { [`${band}0`]: from, [`${band}1`]: to };
    const other = band === "x" ? { yref: "paper", y0: 0, y1: 1 } : { xref: "paper", x0: 0, x1: 1 };
    return [{ type: "rect", ...ends, ...other, ...style, line: { ...style.line, dash: "dot" } }];
  });
}

/**
 * A ring on the selected row, and a diamond where its changes move it to.
 * @param {Scene} scene
 * @param {Frame} frame
 * @param {boolean} explained
 */
function selectionTraces({ table: { rows }, index, start, x, dark }, frame, explained) {
  const { ink, paper } = inks(dark), changed = x !== start, none = index === null;
  const from = frame.coordinates(start, index ?? 0), to = frame.coordinates(x, index ?? 0);
  const line = { color: ink, dash: "dot", width: 2 };
  const path = { x: [from[0], to[0]], y: [from[1], to[1]], mode: "lines", line, hoverinfo: "skip", showlegend: false, visible: changed };
  /** @param {Point} at @param {boolean} visible @param {Properties} marker @param {string} text @param {string} [name] in the legend */
  const trace = ([a, b], visible, marker, text, name) => ({
    x: [a], y: [b], mode: "markers", marker, visible, name, showlegend: Boolean(name), text: [text], hovertemplate: "%{text}<extra></extra>",
  });
  const ring = { symbol: "circle-open", size: 17, color: ink, line: { width: 3 } };
  const diamond = { symbol: "diamond", size: 13, color: ink, line: { width: 2, color: paper } };
  return [
    path,
    trace(from, !none, ring, none ? "" : `row ${Number(rows?.row[index]) + 1}, selected`),
    trace(to, changed || (none && explained), diamond, none ? "a typical row" : "the row with your changes", none ? "typical row" : "your changes"),
  ];
}
