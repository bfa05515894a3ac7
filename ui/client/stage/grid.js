// The grid of rules and features: a row for each rule, a column for each feature, and in each cell the membership function over the range
// of the feature, which moves from epoch to epoch. At the right the class of the rule and its average firing level.

/** @import { Point, Rows, RuleText, State } from "../core/types.js" */
/** @import { Feature, Scene, Table } from "../model/types.js" */
/** @import { Context } from "../plane/canvas.js" */

import { classColours, inks, ruleColour } from "../core/colours.js";
import { element } from "../core/elements.js";
import { lineWidth, smallSize } from "../core/layout.js";
import { counted, minus, percent, truncated } from "../core/text.js";
import { extentOf, valueText } from "../model/columns.js";
import { inverseWidth, logMembership, logOfStates } from "../model/inference.js";
import { ordered } from "../charts/firing.js";
import { fitted } from "../plane/axes.js";
import { FONT, measure, sizeTo } from "../plane/canvas.js";
import { ABOVE, writeName } from "../plane/drawing.js";
import { histogram, shares } from "../rules/pictures/terms.js";
import { keep, markedRule, point } from "./marking.js";
import { textsOf } from "./sentence.js";

export const GRID_TEXT = "Each row is a rule, the one that fires most first; each column a feature, the one that separates the classes most first. "
  + "A curve is the rule's condition: its membership function over the range of the feature. An empty cell is no condition. The grey bars "
  + "below are the rows of the table. At the right: the class of the rule and its average firing level f̄; the line is an equal share.";
const MOST_RULES = 20;
const MOST_CATEGORIES = 12; // that are drawn of a feature, the most frequent ones
const [LEAST_WIDE, MOST_WIDE, LEAST_TALL, MOST_TALL] = [70, 190, 18, 64]; // pixels of a cell
const [GAP, EDGE] = [8, 4]; // pixels between columns, and around numbers
const AHEAD = 1.25; // times the firing level of the rule before it: a rule with less stays behind it, so that rows do not jump
const FAINT = 0.22; // opacity of the rules that are not marked
const STEPS = Array.from({ length: 25 }, (_, k) => -3 + k / 4); // of a curve, in widths from its centre
const LEVELS = STEPS.map((step) => Math.exp(logMembership(step, 0, inverseWidth(1))));
/** @type {WeakMap<Table, Map<Feature, { k: number, share: number }[]>>} */
const categories = new WeakMap();

/**
 * Where everything stands. rules, features: those drawn; moreRules, moreFeatures: the others. left, wide: of the columns; top, tall: of
 * the rows. Right of the columns: the class, and from `bars` on the firing levels.
 * @typedef {{
 *   width: number, height: number, size: number, left: number, wide: number, top: number, tall: number, then: number, bars: number,
 *   rules: number[], moreRules: number, features: Feature[], moreFeatures: Feature[],
 * }} Grid
 */
/**
 * What else is drawn of an epoch. texts: the rules in words. top: the firing level at which a bar ends.
 * @typedef {{ scene: Scene, marked: number | null, texts: RuleText[], firing: number[] | null, top: number }} Shown
 */

/**
 * The grid in `parent`. Returns a function that draws it.
 * @param {HTMLElement} parent
 */
export function ruleGrid(parent) {
  const canvas = element(parent, "canvas", "tsk-canvas"), label = element(parent, "div", "tsk-spot");
  let order = /** @type {number[]} */ ([]), drawn = /** @type {{ grid: Grid, shown: Shown } | null} */ (null);
  label.hidden = true;
  const ruleAt = (/** @type {MouseEvent} */ { offsetY }) => (
    drawn?.grid.rules[Math.floor((offsetY - drawn.grid.top) / drawn.grid.tall)] ?? null);
  canvas.onpointermove = (event) => {
    const rule = ruleAt(event), text = drawn && rule !== null ? cellText(drawn, rule, event.offsetX) : "";
    point(rule);
    writeName(label, text ? { at: [event.offsetX, event.offsetY], text: () => text } : null, parent.clientWidth);
  };
  canvas.onpointerleave = () => {
    point(null);
    writeName(label, null, 0);
  };
  canvas.onclick = (event) => keep(ruleAt(event));
  return (/** @type {Scene} */ scene, /** @type {State} */ now) => {
    order = orderOf(scene, now, order);
    const grid = gridOf(scene, order, featuresOf(scene, now), parent.clientWidth, parent.clientHeight);
    drawn = { grid, shown: shownOf(scene, now) };
    const scale = devicePixelRatio, context = canvas.getContext("2d");
    sizeTo(canvas, grid, scale);
    if (context) {
      context.setTransform(scale, 0, 0, scale, 0, 0);
      paintGrid(context, grid, drawn.shown);
    }
    parent.setAttribute("aria-label", nameOf(grid));
  };
}

/**
 * The rules in the order of the rows, without those that are taken out: of the last epoch known, so that a replay does not reorder them.
 * @param {Scene} scene
 * @param {State} now
 * @param {number[]} before the order before
 */
function orderOf({ snapshot: { log_weight } }, now, before) {
  const last = now.future ? now.shown.epochs.at(-1) : now.epoch;
  const byActivity = last && (now.order === "active" ? calmOrder(before, last.firing) : ordered(now, last));
  return (byActivity ?? log_weight.map((_, r) => r)).filter((r) => log_weight[r] > -Infinity);
}

/**
 * The most active rules first. While a run trains, only a rule that is clearly ahead overtakes another.
 * @param {number[]} before
 * @param {number[]} levels
 */
export function calmOrder(before, levels) {
  const all = levels.map((_, r) => r);
  if (before.length !== all.length) return all.sort((a, b) => levels[b] - levels[a]);
  const order = [...before];
  for (let k = 1; k < order.length; k += 1) {
    for (let j = k; j > 0 && levels[order[j]] > AHEAD * levels[order[j - 1]]; j -= 1) [order[j - 1], order[j]] = [order[j], order[j - 1]];
  }
  return order;
}

/**
 * The features in the order of the columns; those last on which no rule has a condition at the end.
 * @param {Scene} scene
 * @param {State} now
 */
function featuresOf({ table: { ranked, features }, snapshot }, { shown }) {
  const { sigmas } = shown.snapshots.at(-1) ?? snapshot;
  const used = (/** @type {number} */ k) => features[k].columns.some((d) => sigmas.some((own) => own[d] !== null));
  return [...ranked.filter(used), ...ranked.filter((k) => !used(k))].map((k) => features[k]);
}

/**
 * @param {Scene} scene
 * @param {number[]} order of the rules
 * @param {Feature[]} features in their order
 * @param {number} width
 * @param {number} height
 * @returns {Grid}
 */
export function gridOf({ table: { classes } }, order, features, width, height) {
  const size = smallSize(), line = 1.4 * size, left = 2.6 * size, bars = Math.min(72, 0.12 * width);
  const names = Math.min(0.22 * width, Math.max(6 * size, ...classes.map((name) => measure(truncated(name, 18), size) + 3 * EDGE)));
  const room = Math.max(LEAST_WIDE, width - left - names - bars - GAP);
  const columns = features.slice(0, Math.max(1, Math.floor(room / LEAST_WIDE)));
  const wide = Math.min(MOST_WIDE, room / Math.max(1, columns.length));
  const lines = Math.max(...columns.map(({ name }) => linesOf(name, wide - GAP, size).length)), top = ABOVE + lines * line + EDGE;
  const below = 3 * line + (order.length > MOST_RULES ? line : 0), most = Math.floor((height - top - below) / LEAST_TALL);
  const rules = order.slice(0, Math.max(1, Math.min(MOST_RULES, most)));
  const tall = Math.min(MOST_TALL, (height - top - below) / Math.max(1, rules.length)), then = left + columns.length * wide + GAP;
  return {
    width, height, size, left, wide, top, tall, then, bars: then + names,
    rules, moreRules: order.length - rules.length, features: columns, moreFeatures: features.slice(columns.length),
  };
}

/** @param {Scene} scene @param {State} now @returns {Shown} */
function shownOf(scene, now) {
  const firing = scene.firing?.length === scene.model.R ? scene.firing : null, last = now.shown.epochs.at(-1)?.firing ?? [];
  return {
    scene, firing, marked: markedRule(now), texts: textsOf(now),
    top: Math.max(2 / scene.model.R, ...last, ...(firing ?? [])),
  };
}

/**
 * @param {Context} context
 * @param {Grid} grid
 * @param {Shown} shown
 */
export function paintGrid(context, grid, shown) {
  const { width, height, rules, features, left, wide, top, tall, size } = grid, { scene, marked } = shown, { ink } = inks(scene.dark);
  context.globalAlpha = 1;
  context.clearRect(0, 0, width, height);
  const text = writer(context, size, ink);
  features.forEach((feature, k) => {
    linesOf(feature.name, wide - GAP, size).reverse().forEach((part, row) => {
      text(part, [left + k * wide, top - (0.9 + 1.25 * row) * size], wide - GAP);
    });
    paintRows(context, grid, scene, feature, k);
    cut(context, { left: left + k * wide, top, width: wide - GAP, height: tall * rules.length }, () => rules.forEach((r, row) => {
      context.globalAlpha = marked === null || r === marked ? 1 : FAINT;
      paintCell(context, scene, feature, r, { left: left + k * wide, top: top + row * tall, width: wide - GAP, height: tall });
    }));
  });
  rules.forEach((r, row) => {
    context.globalAlpha = marked === null || r === marked ? 1 : FAINT;
    paintRule(context, grid, shown, r, top + row * tall);
  });
  context.globalAlpha = 1;
  paintHeads(grid, text);
}

/** What writes a text, as much of it as there is room for. @param {Context} context @param {number} size @param {string} fill */
const writer = (context, size, fill) => (/** @type {string} */ text, /** @type {Point} */ [x, y], /** @type {number} */ room, align = "left") => {
  Object.assign(context, { fillStyle: fill, font: `${size}px ${FONT}`, textAlign: align });
  context.fillText(fittedTo(text, Math.floor(room), size), x, y + 0.35 * size);
};

/** @type {Map<string, string>} */
const fits = new Map();

/** @param {string} text @param {number} room @param {number} size */
function fittedTo(text, room, size) {
  const key = `${room} ${size} ${text}`, found = fits.get(key) ?? fitted(text, room, size, measure);
  if (fits.size > 1000) fits.clear();
  fits.set(key, found);
  return found;
}

/**
 * A name in one line, or in two where it has more words than one holds.
 * @param {string} name
 * @param {number} room
 * @param {number} size
 */
function linesOf(name, room, size) {
  if (fittedTo(name, Math.floor(room), size) === name) return [name];
  const words = name.split(" ");
  let count = 1;
  while (count < words.length - 1 && measure(words.slice(0, count + 1).join(" "), size) <= room) count += 1;
  return [words.slice(0, count), words.slice(count)].map((part) => part.join(" ")).filter(Boolean);
}

/** @param {Grid} grid @param {ReturnType<typeof writer>} text */
function paintHeads({ top, size, then, bars, width, height, left, moreRules, moreFeatures }, text) {
  text("THEN", [then, top - 0.9 * size], bars - then);
  text("f̄", [bars, top - 0.9 * size], width - bars);
  const names = moreFeatures.slice(0, 8).map(({ name }) => name).join(", ");
  const others = moreFeatures.length ? `+ ${counted(moreFeatures.length, "feature")}: ${names}` : "";
  const parts = [moreRules ? `+ ${counted(moreRules, "rule")}` : "", others].filter(Boolean);
  text(parts.join("  ·  "), [left, height - 0.8 * size], width - left);
}

/**
 * The rows of the table over a feature, below its column: how many at which value.
 * @param {Context} context
 * @param {Grid} grid
 * @param {Scene} scene
 * @param {Feature} feature
 * @param {number} k of the column
 */
function paintRows(context, { left, wide, top, tall, rules, size }, scene, feature, k) {
  const { table: { rows, columns }, dark } = scene, column = columns[feature.columns[0]], own = wide - GAP, line = 1.4 * size;
  const x = left + k * wide, bottom = top + tall * rules.length + line, { grey, ink } = inks(dark);
  const counts = rows ? rowsOf(scene, rows, feature) : [], most = Math.max(1e-9, ...counts), each = own / Math.max(1, counts.length);
  Object.assign(context, { fillStyle: grey, globalAlpha: 0.5 });
  counts.forEach((n, at) => context.fillRect(x + at * each, bottom - (0.9 * line * n) / most, 0.9 * each, (0.9 * line * n) / most));
  context.globalAlpha = 1;
  const { low, high } = column, text = writer(context, 0.92 * size, ink), y = bottom + 0.6 * size;
  if (feature.kind !== "number") {
    if (each < 2 * size) return;
    categoriesOf(scene.table, feature).forEach(({ k: one }, at) => (
      text(String(columns[feature.columns[one]].category), [x + (at + 0.5) * each, y], each - 2, "center")));
    return;
  }
  text(minus(valueText(low, column, 100)), [x, y], own / 2 - 2);
  text(minus(valueText(high, column, 100)), [x + own, y], own / 2 - 2, "right");
}

/** @param {Scene} scene @param {Rows} rows @param {Feature} feature */
const rowsOf = ({ table }, rows, feature) => (feature.kind === "number"
  ? histogram(rows, feature.columns[0], table.columns[feature.columns[0]].levels) : categoriesOf(table, feature).map(({ share }) => share));

/** The most frequent categories of a feature, by their number among all. @param {Table} table @param {Feature} feature */
function categoriesOf(table, feature) {
  const known = categories.get(table) ?? new Map();
  categories.set(table, known);
  if (!known.has(feature)) {
    const all = table.rows ? shares(table.rows, feature.columns) : feature.columns.map(() => 0);
    const chosen = all.map((share, k) => ({ k, share })).sort((a, b) => b.share - a.share).slice(0, MOST_CATEGORIES);
    known.set(feature, chosen.sort((a, b) => a.k - b.k));
  }
  return /** @type {{ k: number, share: number }[]} */ (known.get(feature));
}

/** @param {Context} context @param {{ left: number, top: number, width: number, height: number }} box @param {() => void} draw */
function cut(context, { left, top, width, height }, draw) {
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  draw();
  context.restore();
}

/**
 * The condition of a rule on a feature.
 * @param {Context} context
 * @param {Scene} scene
 * @param {Feature} feature
 * @param {number} r
 * @param {{ left: number, top: number, width: number, height: number }} box
 */
function paintCell(context, scene, feature, r, { left, top, width, height }) {
  const { snapshot, table, dark, index, x: row } = scene, bottom = top + height - 2, tall = height - 5, { grid, ink } = inks(dark);
  const colour = ruleColour(r, dark), alpha = Number(context.globalAlpha), [d] = feature.columns;
  Object.assign(context, { fillStyle: grid, strokeStyle: colour, lineWidth: 1.5 * lineWidth() });
  context.fillRect(left, bottom, width, 1);
  context.fillStyle = colour;
  if (feature.kind !== "number") return paintCategories(context, scene, feature, r, { left, bottom, width, tall });
  const { low, high } = extentOf(table.columns[d]), per = width / (high - low || 1);
  const sigma = snapshot.sigmas[r][d], center = snapshot.centers[r][d];
  if (sigma !== null && Number.isFinite(center) && Number.isFinite(sigma)) {
    context.beginPath();
    STEPS.forEach((step, k) => {
      const at = /** @type {Point} */ ([left + (center + step * Math.abs(sigma) - low) * per, bottom - LEVELS[k] * tall]);
      if (k) context.lineTo(...at);
      else context.moveTo(...at);
    });
    context.globalAlpha = 0.3 * alpha;
    context.fill();
    context.globalAlpha = alpha;
    context.stroke();
  }
  if (index === null) return;
  context.fillStyle = ink;
  context.fillRect(left + (row[d] - low) * per - 0.5, top + 2, 1, height - 4);
}

/**
 * A bar for each category, as high as its membership.
 * @param {Context} context
 * @param {Scene} scene
 * @param {Feature} feature
 * @param {number} r
 * @param {{ left: number, bottom: number, width: number, tall: number }} box
 */
function paintCategories(context, { snapshot, table, index, x, dark }, feature, r, { left, bottom, width, tall }) {
  if (feature.columns.every((d) => snapshot.sigmas[r][d] === null)) return;
  const logs = logOfStates(snapshot, r, feature.columns, null), top = Math.max(...logs), some = categoriesOf(table, feature);
  const each = width / some.length, alpha = Number(context.globalAlpha);
  some.forEach(({ k }, at) => {
    const level = Math.exp(logs[k] - top), set = index !== null && x[feature.columns[k]] > 0.5;
    context.globalAlpha = (set ? 0.9 : 0.45) * alpha;
    context.fillRect(left + (at + 0.1) * each, bottom - level * tall, 0.8 * each, level * tall);
    if (set) Object.assign(context, { fillStyle: inks(dark).ink });
    if (set) context.fillRect(left + (at + 0.5) * each - 0.5, bottom - tall, 1, tall);
    context.fillStyle = ruleColour(r, dark);
  });
  context.globalAlpha = alpha;
}

/**
 * The number of a rule at its row's left; its class and its firing level at the right.
 * @param {Context} context
 * @param {Grid} grid
 * @param {Shown} shown
 * @param {number} r
 * @param {number} top of the row
 */
function paintRule(context, { size, left, then, bars, width, tall }, { scene, texts, firing, top: most }, r, top) {
  const { dark, table: { classes }, model: { R } } = scene, { ink, paper, grid } = inks(dark), middle = top + tall / 2;
  context.beginPath();
  context.arc(left / 2 - EDGE / 2, middle, Math.min(0.75 * size, tall / 2 - 1), 0, 2 * Math.PI);
  Object.assign(context, { fillStyle: paper, strokeStyle: ruleColour(r, dark), lineWidth: 2 });
  context.fill();
  context.stroke();
  writer(context, 0.9 * size, ink)(`${r + 1}`, [left / 2 - EDGE / 2, middle], left, "center");
  const text = texts.find(({ rule }) => rule === r + 1), c = text ? classOf(text, classes) : -1;
  if (text) {
    context.fillStyle = c < 0 ? grid : classColours(classes, dark)[c];
    context.fillRect(then, middle - 0.45 * size, 3, 0.9 * size);
    writer(context, size, ink)(text.then, [then + 3 + EDGE, middle], bars - then - 3 - EDGE);
  }
  if (!firing) return;
  const room = width - bars - EDGE;
  context.fillStyle = ruleColour(r, dark);
  context.fillRect(bars, middle - 3, (room * firing[r]) / most, 6);
  context.fillStyle = ink;
  context.fillRect(bars + room / R / most, top + 1, 1, tall - 2);
}

/**
 * The class that a rule's sentence names, by index; −1 where it names none.
 * @param {RuleText} text
 * @param {string[]} classes
 */
const classOf = ({ then, mostly }, classes) => classes.findIndex((name) => name === then || (mostly?.length === 1 && mostly[0] === name));

/**
 * What the pointer is on: a rule, and its condition there.
 * @param {{ grid: Grid, shown: Shown }} drawn
 * @param {number} r
 * @param {number} x pixels
 */
export function cellText({ grid, shown: { scene, firing } }, r, x) {
  const feature = x >= grid.left ? grid.features[Math.floor((x - grid.left) / grid.wide)] : undefined, rule = `rule ${r + 1}`;
  if (!feature) return firing ? `${rule}: ${percent(firing[r])} of the firing` : rule;
  const { snapshot: { centers, sigmas }, table } = scene, [d] = feature.columns, column = table.columns[d], sigma = sigmas[r][d];
  if (feature.columns.every((one) => sigmas[r][one] === null)) return `${rule}: no condition on ${feature.name}`;
  if (feature.kind !== "number" || sigma === null) {
    const logs = logOfStates(scene.snapshot, r, feature.columns, null), best = feature.columns[logs.indexOf(Math.max(...logs))];
    return `${rule}: ${feature.name} is ${table.columns[best].category}`;
  }
  const width = minus(Number(Math.abs(sigma).toPrecision(2)).toString());
  return `${rule}: ${feature.name} near ${minus(valueText(centers[r][d], column, 100))}${column.levels ? "" : ` (σ ${width})`}`;
}

/** The grid in a sentence, for screen readers. @param {Grid} grid */
const nameOf = ({ rules, moreRules, features, moreFeatures }) => (
  `Grid of ${rules.length} of ${counted(rules.length + moreRules, "rule")} and ${features.length} of ${counted(features.length + moreFeatures.length, "feature")}: `
  + `the condition of each rule on each feature, its class and its average firing level. Rows: rules ${rules.map((r) => r + 1).join(", ")}.`);
