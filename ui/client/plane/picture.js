// The picture of the plane, as a list of what is drawn: the rows, each rule's centre and reach, the selected row, and where the surface
// of the predicted classes lies below them. canvas.js draws it.

/** @import { Point, Properties } from "../core/types.js" */
/** @import { Frame, Scene } from "../model/types.js" */
/** @import { Box, Emphasis, Key, Mark, Paper, Picture, RuleStyle, Spot, Still, Surface } from "./types.js" */

import { classColours, inks, ruleColour } from "../core/colours.js";
import { lineWidth } from "../core/layout.js";
import { counted, percent, rowsByPart, truncated, truncatedNames } from "../core/text.js";
import { columnName } from "../model/columns.js";
import { frameOf } from "../model/plane_frame.js";
import { predictedOf } from "../model/selection.js";
import { predictedRegion } from "../charts/overlays.js";
import { layOut, scaleOf } from "./axes.js";
import { emphasisOf, styles } from "./emphasis.js";

export const MOST_RULES = 50; // that are drawn, the most active ones; more would be a tangle
const TINT = 0.16; // opacity of the marked rule's reach
const MANY = 400; // rows from which on they are drawn smaller
/** @type {Record<string, (width: number) => number[]>} */
const DASHES = { dot: (width) => [width, width], dash: (width) => [3 * width, 3 * width] };

/** @typedef {{ x: (value: number) => number, y: (value: number) => number, plot: Box }} Places of coordinates */

/** @param {number} r */
const circle = (r) => `M${-r} 0A${r} ${r} 0 1 1 ${r} 0A${r} ${r} 0 1 1 ${-r} 0Z`;
/** @param {number} r */
const cross = (r) => `M${-r} ${-r}L${r} ${r}M${-r} ${r}L${r} ${-r}`;
/** @param {number} r */
const diamond = (r) => `M0 ${-r}L${r} 0L0 ${r}L${-r} 0Z`;

/**
 * What is drawn the same at each epoch.
 * @param {Scene} scene
 * @param {Frame} frame
 * @param {Paper} paper
 * @param {boolean} [explained] whether the selected row, or a typical one, is explained beside it
 * @returns {Still}
 */
export function stillOf(scene, frame, paper, explained = true) {
  const { ink, grid } = inks(scene.dark), lines = linesOf(scene).map(keyOfLine);
  const { classes, linked = null } = paper, rules = linked ? keysOfRules(scene, linked.beside && linked.label) : [];
  const keys = [...(classes ? keysOfClasses(scene) : []), ...keysOfRows(scene), ...rules, ...lines, ...keysOfSelection(scene, explained)];
  const { plot, marks } = layOut(frame, keys, paper, ink), rows = rowsOn(scene, frame, { ...scaleOf(frame, plot), plot });
  const edge = { path: `M${plot.left} ${plot.top}h${plot.width}v${plot.height}h${-plot.width}Z`, stroke: grid, width: 1 };
  return { width: paper.width, height: paper.height, plot, marks: [edge, ...marks, ...rows.marks], rows: rows.spots };
}

/**
 * @param {Still} still
 * @param {Scene} scene
 * @param {Frame} frame
 * @param {Paper} paper
 * @param {Surface | null} surface that is known, of this plane
 * @param {boolean} [explained]
 * @param {ArrayLike<number> | null} [here] on the stage, firing levels where the pointer is
 * @returns {Picture}
 */
export function planePicture({ width, height, plot, marks, rows }, scene, frame, paper, surface, explained = true, here = null) {
  const { linked = null } = paper, emphasis = linked && emphasisOf(scene, linked.marked, here);
  const order = drawnRules(scene, emphasis), predicted = predictedOf(scene), to = { ...scaleOf(frame, plot), plot };
  const style = emphasis ? styles(emphasis, 2 * lineWidth()) : usualStyle(scene);
  const rules = rulesOn(scene, frame, order, to, paper, style);
  const beside = linked?.beside ? besideOn(linked.beside, to, !here && linked.marked === null) : [];
  const selected = selectionOn(scene, frame, explained, to);
  const wrong = rows.filter(({ row }) => predicted[row] !== scene.table.rows?.y[row]).map(({ at }) => at);
  return {
    width, height, plot, ground: surface && boxOf(surface, to), still: marks,
    marks: [
      ...crosses(wrong, scene), ...beside, ...outlines(scene, frame, [...order].reverse(), to, style), ...rules.marks,
      ...linesOf(scene).map((line) => lineOn(line, to)), ...selected.marks,
    ],
    spots: [...rows, ...rules.spots, ...selected.spots], name: nameOf(scene, predicted, order.length),
  };
}

/** What the page Learn predicted of these two features. @param {Scene} scene */
function linesOf(scene) {
  const { plane, table: { columns }, across, up } = scene;
  return plane === "features" ? predictedRegion(scene, columns[across].feature, columns[up].feature) : [];
}

/** @param {Scene} scene @param {number[]} predicted @param {number} drawn rules */
function nameOf(scene, predicted, drawn) {
  const { rows } = scene.table, wrong = predicted.filter((c, n) => c !== rows?.y[n]).length;
  const counts = rows ? `${rowsByPart(rows.part, rows.row.map((_, n) => n))}, ${wrong} of them misclassified, ` : "";
  return `Plane of ${axesText(scene)}: the predicted class at each place, ${counts}and ${counted(drawn, "rule")}.`;
}

/** @param {Scene} scene */
function axesText({ plane, table: { columns }, across, up }) {
  if (plane === "components") return "two principal components";
  return across === up ? columnName(columns[across]) : `${columnName(columns[across])} and ${columnName(columns[up])}`;
}

/** @param {Surface} surface @param {Places} to */
function boxOf({ x, y }, to) {
  const [left, top] = [to.x(x[0]), to.y(y[1])];
  return { left, top, width: to.x(x[1]) - left, height: to.y(y[0]) - top };
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
 * Those, on the stage the strong ones first, even where others are more active on average.
 * @param {Scene} scene
 * @param {Emphasis | null} emphasis
 */
function drawnRules(scene, emphasis) {
  const order = mostActive(scene), { log_weight } = scene.snapshot;
  return emphasis ? [...new Set([...emphasis.strong.filter((r) => log_weight[r] > -Infinity), ...order])] : order;
}

/** @param {Scene} scene @returns {(r: number) => RuleStyle} */
const usualStyle = (scene) => (r) => ({ opacity: opacityOf(scene, r), letters: 1, width: 2 * lineWidth(), tinted: false });

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
 * Whether a place is in the plot, or nearer to it than so many pixels.
 * @param {Point} at
 * @param {Box} plot
 * @param {number} beyond
 */
const isSeen = ([x, y], { left, top, width, height }, beyond = 0) => (
  x >= left - beyond && x <= left + width + beyond && y >= top - beyond && y <= top + height + beyond);

/**
 * Training rows hollow, test rows filled, with a rim that separates them from a background of their own colour.
 * @param {Scene} scene
 * @param {Frame} frame
 * @param {Places} to
 * @returns {{ marks: Mark[], spots: Still["rows"] }}
 */
function rowsOn(scene, frame, to) {
  const { table: { rows, classes }, dark } = scene;
  if (!rows) return { marks: [], spots: [] };
  const { ink } = inks(dark), palette = classColours(classes, dark), [size, rim] = sizeOf(scene);
  const dot = circle(size), around = circle(size + 1.25), inside = true;
  const spots = rows.x.flatMap((x, row) => {
    const [u, v] = frame.coordinates(x, row), at = /** @type {Point} */ ([to.x(u), to.y(v)]);
    return isSeen(at, to.plot) ? [{ at, row, text: () => rowText(scene, row) }] : [];
  });
  const [train, test] = [0, 1].map((part) => spots.filter(({ row }) => rows.part[row] === part));
  const marks = [
    ...train.map(({ at }) => ({ path: around, at, stroke: ink, width: rim, opacity: 0.7, inside })),
    ...train.map(({ row, at }) => ({ path: dot, at, stroke: palette[rows.y[row]], width: 1.5, inside })),
    ...test.map(({ row, at }) => ({ path: dot, at, fill: palette[rows.y[row]], stroke: ink, width: rim, inside })),
  ];
  return { marks, spots };
}

/** Half the width of a row, and that of its rim. @param {Scene} scene */
const sizeOf = ({ table: { rows } }) => (Number(rows?.x.length) > MANY ? [3, 0.5] : [4, 1]);

/**
 * A cross on each row that is misclassified.
 * @param {Point[]} wrong
 * @param {Scene} scene
 */
function crosses(wrong, scene) {
  const { ink, paper } = inks(scene.dark), [size] = sizeOf(scene), inside = true;
  return [
    ...wrong.map((at) => ({ path: cross(size + 2), at, stroke: paper, width: 4, inside })), // else none would be seen on a black dot
    ...wrong.map((at) => ({ path: cross(size + 1.5), at, stroke: ink, width: 1.5, inside })),
  ];
}

/** @param {Scene} scene @param {number} n */
function rowText(scene, n) {
  const { rows, classes } = scene.table;
  if (!rows) return "";
  const [own, predicted] = [rows.y[n], predictedOf(scene)[n]].map((c) => truncated(classes[c]));
  return `row ${rows.row[n] + 1} (${rows.part[n] ? "test" : "training"}): true class ${own}, predicted ${predicted}`;
}

/** Of a file; on a page the classes stand below the picture, where long names of many have room. @param {Scene} scene @returns {Key[]} */
function keysOfClasses({ table: { classes }, dark }) {
  const colours = classColours(classes, dark), stroke = inks(dark).grid;
  return truncatedNames(classes, 24).map((name, c) => ({ name, marks: [{ path: "M-5-5H5V5H-5Z", fill: colours[c], stroke }] }));
}

/**
 * Of the stage, where nothing else says what an outline is.
 * @param {Scene} scene
 * @param {string | null} beside name of the comparison
 * @returns {Key[]}
 */
function keysOfRules(scene, beside) {
  const stroke = inks(scene.dark).ink, path = "M-8 0A8 5 0 1 1 8 0A8 5 0 1 1 -8 0Z";
  const own = { name: "reach of a rule (1 σ)", marks: [{ path, stroke, width: 1.5 }] };
  return beside === null ? [own] : [own, { name: truncated(beside, 24), marks: [{ path, stroke, dash: [3, 3], opacity: 0.6 }] }];
}

/**
 * Entries of the legend: how rows are drawn.
 * @param {Scene} scene
 * @returns {Key[]}
 */
function keysOfRows({ table: { rows }, dark }) {
  const { ink } = inks(dark);
  return rows ? [
    { name: "training row", marks: [{ path: circle(4.5), stroke: ink, width: 1.5 }] },
    { name: "test row", marks: [{ path: circle(4.5), fill: ink }] },
    { name: "misclassified", marks: [{ path: cross(4.5), stroke: ink, width: 1.5 }] },
  ] : [];
}

/**
 * Each rule's number at its centre, bolder ones above; of numbers that would overlap, only that of the most active rule.
 * @param {Scene} scene
 * @param {Frame} frame
 * @param {number[]} order
 * @param {Places} to
 * @param {Paper} letters
 * @param {(r: number) => RuleStyle} style
 */
function rulesOn(scene, frame, order, to, { size, small }, style) {
  const { dark } = scene, { ink, paper } = inks(dark), across = 1.45 * size;
  const placed = order.flatMap((r) => {
    const center = frame.center(r), at = /** @type {Point | null} */ (center && [to.x(center[0]), to.y(center[1])]);
    return at && isSeen(at, to.plot) ? [{ r, at }] : [];
  });
  const free = withoutOverlap(placed.map(({ at }) => at), across);
  const drawn = placed.map((rule, k) => ({ ...rule, numbered: free[k] })).reverse();
  return {
    marks: drawn.flatMap(/** @returns {Mark[]} */ ({ r, at, numbered }) => [
      { path: circle(across / (numbered ? 2 : 4)), at, fill: paper, stroke: ruleColour(r, dark), width: 3, opacity: style(r).opacity },
      ...(numbered ? [{ text: `${r + 1}`, at, fill: ink, size: small, opacity: style(r).letters, align: /** @type {const} */ ("middle") }] : []),
    ]),
    spots: drawn.map(({ r, at }) => ({ at, rule: r, text: () => ruleText(scene, r) })),
  };
}

/**
 * Whether the number at each point is drawn: if none before it is nearer than so many pixels.
 * @param {Point[]} points
 * @param {number} pixels
 */
function withoutOverlap(points, pixels) {
  /** @type {Point[]} */
  const kept = [];
  return points.map((point) => {
    const free = kept.every((other) => Math.hypot(point[0] - other[0], point[1] - other[1]) >= pixels);
    if (free) kept.push(point);
    return free;
  });
}

/** What a rule is called where the pointer finds it. @param {Scene} scene @param {number} r */
export function ruleText(scene, r) {
  const firing = firingOf(scene);
  return `rule ${r + 1}${firing ? `: ${percent(firing[r])} of the firing` : ""}`;
}

/**
 * @param {Scene} scene
 * @param {Frame} frame
 * @param {number[]} order
 * @param {Places} to
 * @param {(r: number) => RuleStyle} styleOfRule
 */
function outlines(scene, frame, order, to, styleOfRule) {
  return order.flatMap(/** @returns {Mark[]} */ (r) => {
    const { opacity, width, tinted } = styleOfRule(r), stroke = ruleColour(r, scene.dark), line = outlineOn(frame, r, to, width);
    if (!line) return [];
    return [...(tinted ? [{ path: line.path, fill: stroke, opacity: TINT, inside: true }] : []), { ...line, stroke, opacity }];
  });
}

/**
 * @param {Frame} frame
 * @param {number} r
 * @param {Places} to
 * @param {number} width
 * @returns {Mark | null}
 */
function outlineOn(frame, r, to, width) {
  const outline = frame.outline(r), { left, top, width: wide, height } = to.plot, style = { width, inside: true };
  if (!outline) return null;
  if ("polygon" in outline) return { path: `${pathOf(outline.polygon, to)}Z`, ...style };
  const [a, b] = [outline.from, outline.to].map(to[outline.band]);
  const path = outline.band === "x" ? `M${a} ${top}V${top + height}H${b}V${top}Z` : `M${left} ${a}H${left + wide}V${b}H${left}Z`;
  return { path, ...style, dash: DASHES.dot(width) };
}

/**
 * The comparison's rules that fire most, as thin outlines.
 * @param {Scene} scene
 * @param {Places} to
 * @param {boolean} clear whether they are seen well, as while nobody points at anything
 */
function besideOn(scene, to, clear) {
  const frame = frameOf(scene, 1), { strong } = emphasisOf({ ...scene, index: null }, null, null), width = 1.25 * lineWidth();
  const style = { stroke: inks(scene.dark).ink, dash: DASHES.dash(width), opacity: clear ? 0.6 : 0.25 };
  return strong.flatMap((r) => outlineOn(frame, r, to, width) ?? []).map((line) => ({ ...line, ...style }));
}

/** @param {Point[]} points @param {Places} to */
const pathOf = (points, to) => `M${points.map(([x, y]) => `${to.x(x).toFixed(1)} ${to.y(y).toFixed(1)}`).join("L")}`;

/** @param {Properties} line of `predictedRegion` */
const styleOf = (line) => {
  const { color, dash, width } = /** @type {{ color: string, dash: string, width: number }} */ (line.line), thick = width * lineWidth();
  return { stroke: color, width: thick, dash: DASHES[dash](thick) };
};

/**
 * A line with gaps, as Plotly takes it.
 * @param {Properties} line
 * @param {Places} to
 * @returns {Mark}
 */
function lineOn(line, to) {
  const [xs, ys] = /** @type {(number | null)[][]} */ ([line.x, line.y]);
  const parts = xs.map((x, k) => (x === null ? "" : `${xs[k - 1] == null ? "M" : "L"}${to.x(x).toFixed(1)} ${to.y(Number(ys[k])).toFixed(1)}`));
  return { path: parts.join(""), ...styleOf(line), inside: true };
}

/** @param {Properties} line @returns {Key} */
const keyOfLine = (line) => ({ name: String(line.name), marks: [{ path: "M-8 0H8", ...styleOf(line) }] });

/** The diamond: where the changes move the selected row to, or a typical row. @param {Scene} scene @param {boolean} explained */
const hasDiamond = ({ index, start, x }, explained) => x !== start || (index === null && explained);

/** @param {Scene} scene @param {boolean} explained @returns {Key[]} */
function keysOfSelection(scene, explained) {
  if (!hasDiamond(scene, explained)) return [];
  return [{ name: scene.index === null ? "typical row" : "your changes", marks: [{ path: diamond(6), fill: inks(scene.dark).ink }] }];
}

/**
 * A ring on the selected row, and a diamond where its changes move it to.
 * @param {Scene} scene
 * @param {Frame} frame
 * @param {boolean} explained
 * @param {Places} to
 */
function selectionOn(scene, frame, explained, to) {
  const { table: { rows }, index, start, x, dark } = scene, { ink, paper } = inks(dark);
  const [from, now] = [start, x].map((row) => frame.coordinates(row, index ?? 0));
  const [a, b] = [from, now].map(([u, v]) => /** @type {Point} */ ([to.x(u), to.y(v)])), width = 2 * lineWidth();
  /** @type {Mark[]} */
  const marks = [];
  /** @type {Spot[]} */
  const spots = [];
  if (x !== start) marks.push({ path: pathOf([from, now], to), stroke: ink, width, dash: DASHES.dot(width), inside: true });
  if (index !== null && isSeen(a, to.plot)) {
    marks.push({ path: circle(8.5), at: a, stroke: ink, width: 3 });
    spots.push({ at: a, text: () => `row ${Number(rows?.row[index]) + 1}, selected` });
  }
  if (hasDiamond(scene, explained) && isSeen(b, to.plot)) {
    marks.push({ path: diamond(8.5), at: b, fill: ink, stroke: paper, width: 2 });
    spots.push({ at: b, text: () => (index === null ? "a typical row" : "the row with your changes") });
  }
  return { marks, spots };
}
