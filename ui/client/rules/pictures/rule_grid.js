// The grid of rules and features: each membership over the data, a line that can be dragged to another value, and what fires then.

/** @import { RuleBase, RuleText } from "../../core/types.js" */
/** @import { Feature, Row, Scene } from "../../model/types.js" */

import { ruleColour } from "../../core/colours.js";
import { button, columnHeading, element, keepingFocus } from "../../core/elements.js";
import { path, svg } from "../../core/svg.js";
import { percent, truncated } from "../../core/text.js";
import { extentOf, numberText, valueText } from "../../model/columns.js";
import { explain, featureMembership, inverseWidth, logMembership, logOfStates } from "../../model/inference.js";
import { changeRow, rowName, selectRow, undoChanges } from "../../model/selection.js";
import { histogram, shares } from "./terms.js";

const [RULES, FEATURES] = [8, 5]; // of a page
const [WIDE, TALL] = [120, 44]; // of a cell, in its own units; it is stretched to its place
const POINTS = 60; // of a curve
const MOST = 12; // categories that are drawn

/**
 * What moves when the row changes.
 * @typedef {(x: Row) => void} Update
 */

/**
 * The grid in `parent`. Returns a function that draws it.
 * @param {HTMLElement} parent
 */
export function ruleGrid(parent) {
  const page = { rules: 0, features: 0 };
  /** @type {{ key: unknown[], update: (scene: Scene) => void } | null} */
  let built = null;
  let again = () => {};
  return function draw(/** @type {Scene} */ scene, /** @type {RuleBase} */ base) {
    const key = [scene.table, scene.snapshot, base, page.rules, page.features, scene.dark];
    again = () => draw(scene, base);
    if (!built || key.some((value, k) => value !== built?.key[k])) {
      keepingFocus(parent, () => { built = { key, update: build(parent, scene, base, page, () => again()) }; });
    }
    built?.update(scene);
  };
}

/**
 * @param {HTMLElement} parent
 * @param {Scene} scene
 * @param {RuleBase} base
 * @param {{ rules: number, features: number }} page which is turned
 * @param {() => void} again draws the grid
 */
function build(parent, scene, base, page, again) {
  const living = base.rules.filter(({ rule, dead }) => !dead && scene.snapshot.log_weight[rule - 1] > -Infinity);
  const features = byUse(scene, living).filter(({ count }) => count).map(({ feature }) => feature);
  const rules = paged(living, page, "rules", RULES), columns = paged(features, page, "features", FEATURES);
  parent.replaceChildren();
  const bar = element(parent, "div", "tsk-page"), status = element(parent, "p", "tsk-grid-result", { role: "status" });
  pageButtons(bar, page, "rules", living.length, RULES, again);
  pageButtons(bar, page, "features", features.length, FEATURES, again);
  button(bar, "tsk-another", "Another row", "Show another row, drawn at random", () => {
    const rows = scene.table.rows?.row.length ?? 0;
    if (rows) selectRow(scene, Math.floor(Math.random() * rows));
  }).disabled = !scene.table.rows;
  const undo = button(bar, "tsk-grid-undo", "Undo changes", "Undo the changes to the row", undoChanges);
  const frame = element(parent, "div", "tsk-grid-frame"), table = element(frame, "table", "tsk-rule-grid");
  const heads = head(table, scene, columns), lines = rules.map((rule) => body(table, scene, columns, rule));
  return (/** @type {Scene} */ now) => {
    const why = explain(now.model, now.x);
    for (const update of [...heads, ...lines.flatMap(({ updates }) => updates)]) update(now.x);
    for (const line of lines) line.fire(why.firing[line.r]);
    undo.disabled = now.x === now.start;
    status.textContent = resultText(now, why);
  };
}

/**
 * The features with how many sentences of some rules have them, those of most sentences first.
 * @param {Scene} scene
 * @param {RuleText[]} rules
 */
export function byUse({ table }, rules) {
  /** @type {Map<string, number>} */
  const uses = new Map();
  for (const name of rules.flatMap((rule) => rule.features)) uses.set(name, (uses.get(name) ?? 0) + 1);
  return table.features.map((feature) => ({ feature, count: uses.get(feature.name) ?? 0 })).sort((a, b) => b.count - a.count);
}

/**
 * @template T
 * @param {T[]} all
 * @param {{ rules: number, features: number }} page
 * @param {"rules" | "features"} what
 * @param {number} most
 */
function paged(all, page, what, most) {
  const at = Math.min(page[what], Math.max(0, Math.ceil(all.length / most) - 1));
  return all.slice(at * most, (at + 1) * most);
}

/**
 * @param {HTMLElement} bar
 * @param {{ rules: number, features: number }} page
 * @param {"rules" | "features"} what
 * @param {number} count
 * @param {number} most
 * @param {() => void} again
 */
function pageButtons(bar, page, what, count, most, again) {
  if (count <= most) return;
  const last = Math.ceil(count / most) - 1, group = element(bar, "span", `tsk-page-${what}`);
  const turn = (/** @type {number} */ by) => () => {
    Object.assign(page, { [what]: Math.min(last, Math.max(0, page[what] + by)) });
    again();
  };
  button(group, "tsk-before", "◀", `Previous ${what}`, turn(-1)).disabled = page[what] <= 0;
  const at = Math.min(page[what], last);
  element(group, "span", "tsk-label").textContent = ` ${what} ${at * most + 1} to ${Math.min(count, (at + 1) * most)} of ${count} `;
  button(group, "tsk-after", "▶", `Next ${what}`, turn(1)).disabled = at >= last;
}

/**
 * The names of the features, each with a slider or a select that does what dragging does.
 * @param {HTMLTableElement} table
 * @param {Scene} scene
 * @param {Feature[]} features
 * @returns {Update[]}
 */
function head(table, scene, features) {
  const line = table.createTHead().insertRow();
  line.append(columnHeading("Rule"));
  const updates = features.map((feature) => {
    const place = columnHeading(truncated(feature.name, 32)), value = element(place, "span", "tsk-value");
    place.title = feature.name;
    line.append(place);
    if (scene.table.columns[feature.columns[0]].levels) return levelSelect(place, scene, feature);
    return feature.kind === "number" ? slider(place, value, scene, feature) : select(place, scene, feature);
  });
  line.append(columnHeading("Firing level"), columnHeading("THEN"));
  return updates;
}

/**
 * @param {HTMLElement} place
 * @param {HTMLElement} value
 * @param {Scene} scene
 * @param {Feature} feature
 * @returns {Update}
 */
function slider(place, value, { table }, { name, columns: [d] }) {
  const column = table.columns[d];
  const node = element(place, "input", "tsk-slider", { type: "range", min: column.low, max: column.high, step: "any", "aria-label": name });
  node.disabled = column.low === column.high;
  node.oninput = () => changeRow({ [d]: Number(numberText(Number(node.value), column, 200)) });
  return (x) => {
    node.value = String(x[d]);
    value.textContent = valueText(x[d], column);
    node.setAttribute("aria-valuetext", value.textContent);
  };
}

/**
 * @param {HTMLElement} place
 * @param {Scene} scene
 * @param {Feature} feature
 * @returns {Update}
 */
function select(place, { table }, { name, columns }) {
  const node = element(place, "select", "tsk-select", { "aria-label": name });
  node.replaceChildren(new Option("none of these", ""), ...columns.map((d) => new Option(String(table.columns[d].category), String(d))));
  node.onchange = () => changeRow(Object.fromEntries(columns.map((d) => [d, Number(String(d) === node.value)])));
  return (x) => { node.value = String(columns.find((d) => x[d] > 0.5) ?? ""); };
}

/**
 * @param {HTMLElement} place
 * @param {Scene} scene
 * @param {Feature} feature
 * @returns {Update}
 */
function levelSelect(place, { table }, { name, columns: [d] }) {
  const node = element(place, "select", "tsk-select", { "aria-label": name });
  node.replaceChildren(...(table.columns[d].levels ?? []).map((text, rank) => new Option(text, String(rank))));
  node.onchange = () => changeRow({ [d]: Number(node.value) });
  return (x) => { node.value = String(x[d]); };
}

/**
 * A rule: its memberships, its firing level, and its class.
 * @param {HTMLTableElement} table
 * @param {Scene} scene
 * @param {Feature[]} features
 * @param {RuleText} rule
 */
function body(table, scene, features, rule) {
  const line = (table.tBodies[0] ?? table.createTBody()).insertRow(), r = rule.rule - 1, colour = ruleColour(r, scene.dark);
  const { columns } = scene.table;
  line.append(Object.assign(document.createElement("th"), { textContent: `Rule ${rule.rule}`, scope: "row" }));
  const move = (/** @type {number} */ d, /** @type {number} */ value) => changeRow({ [d]: Number(numberText(value, columns[d], 200)) });
  const updates = features.map((feature) => {
    return cell(line.insertCell(), scene, feature, r, { colour, printed: rule.features.includes(feature.name), move });
  });
  const place = line.insertCell(), bar = element(place, "div", "tsk-bar", { "aria-hidden": "true" });
  const part = bar.appendChild(document.createElement("i")), text = element(place, "span", "tsk-value");
  part.style.background = colour;
  line.insertCell().textContent = truncated(rule.then, 24);
  const fire = (/** @type {number} */ level) => {
    part.style.width = `${100 * level}%`;
    text.textContent = percent(level);
  };
  return { r, updates, fire };
}

/** @param {Scene} scene @param {ReturnType<typeof explain>} why */
function resultText(scene, why) {
  const { table, index, x, start } = scene;
  const truth = index === null || !table.rows || x !== start ? "" : ` (true class ${table.classes[table.rows.y[index]]})`;
  return `The lines mark ${rowName(scene)}${truth}. The model predicts ${table.classes[why.predicted]} with probability ${percent(why.probabilities[why.predicted])}.`;
}

/**
 * The membership function over the histogram of the feature, and a line at the row's value.
 * @param {Element} parent
 * @param {Scene} scene
 * @param {Feature} feature
 * @param {number} r
 * @param {{ colour: string, printed: boolean, move: (d: number, value: number) => void }} style printed: whether the rule's sentence
 * has a condition on the feature. move: called with a column and a value while a line is dragged
 * @returns {Update}
 */
function cell(parent, scene, feature, r, style) {
  const picture = svg(parent, "svg", { viewBox: `0 0 ${WIDE} ${TALL}`, preserveAspectRatio: "none", role: "img", class: "tsk-cell-picture" });
  const shown = feature.kind === "number" ? numberCell(picture, scene, feature.columns[0], r, style) : categoryCell(picture, scene, feature, r, style);
  return (x) => {
    const level = featureMembership(scene.snapshot, r, feature.columns, scene.table.columns[feature.columns[0]], x);
    picture.setAttribute("aria-label", `Rule ${r + 1}, ${feature.name}: membership ${level.toFixed(2)}`);
    shown(x);
  };
}

/**
 * @param {Element} picture
 * @param {Scene} scene
 * @param {number} d
 * @param {number} r
 * @param {Parameters<typeof cell>[4]} style
 * @returns {Update}
 */
function numberCell(picture, { table, snapshot }, d, r, { colour, printed, move }) {
  const { low, high } = extentOf(table.columns[d]), range = high - low || 1;
  const counts = table.rows ? histogram(table.rows, d, table.columns[d].levels) : [];
  const top = Math.max(1, ...counts), width = WIDE / Math.max(1, counts.length);
  counts.forEach((n, k) => svg(picture, "rect", {
    x: k * width, y: TALL * (1 - (0.9 * n) / top), width: 0.92 * width, height: (TALL * 0.9 * n) / top, class: "tsk-bin",
  }));
  const sigma = snapshot.sigmas[r][d];
  if (sigma !== null) {
    const points = Array.from({ length: POINTS + 1 }, (_, k) => {
      const level = Math.exp(logMembership(low + (k / POINTS) * range, snapshot.centers[r][d], inverseWidth(sigma)));
      return /** @type {[number, number]} */ ([(k / POINTS) * WIDE, TALL * (1 - 0.95 * level)]);
    });
    const area = /** @type {[number, number][]} */ ([[0, TALL], ...points, [WIDE, TALL]]);
    if (printed) svg(picture, "path", { d: `${path(area)}Z`, fill: colour, "fill-opacity": 0.3 });
    svg(picture, "path", { d: path(points), fill: "none", stroke: colour, "stroke-width": printed ? 2 : 1, "vector-effect": "non-scaling-stroke" });
  }
  const line = svg(picture, "line", { y1: 0, y2: TALL, class: "tsk-row-line", "vector-effect": "non-scaling-stroke" });
  draggable(/** @type {SVGElement} */ (picture), (share) => move(d, low + share * range));
  return (x) => {
    const at = WIDE * Math.min(1, Math.max(0, (x[d] - low) / range));
    line.setAttribute("x1", String(at));
    line.setAttribute("x2", String(at));
  };
}

/**
 * @param {SVGElement} picture
 * @param {(share: number) => void} moved to this share of the width
 */
function draggable(picture, moved) {
  picture.classList.add("tsk-draggable");
  /** @param {PointerEvent} event */
  const follow = (event) => {
    const box = picture.getBoundingClientRect();
    moved(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)));
  };
  picture.onpointerdown = (event) => {
    picture.setPointerCapture(event.pointerId);
    follow(event);
  };
  picture.onpointermove = (event) => { if (picture.hasPointerCapture(event.pointerId)) follow(event); };
}

/**
 * A bar for each category, as high as its membership, before the share of rows that have it.
 * @param {Element} picture
 * @param {Scene} scene
 * @param {Feature} feature
 * @param {number} r
 * @param {Parameters<typeof cell>[4]} style
 * @returns {Update}
 */
function categoryCell(picture, scene, feature, r, { colour, printed }) {
  const { rows } = scene.table, all = rows ? shares(rows, feature.columns) : feature.columns.map(() => 0);
  const chosen = feature.columns.map((_, k) => k).sort((a, b) => all[b] - all[a]).slice(0, MOST).sort((a, b) => a - b);
  const own = chosen.map((k) => feature.columns[k]), frequent = chosen.map((k) => all[k]), width = WIDE / own.length;
  const logs = logOfStates(scene.snapshot, r, feature.columns, null), top = Math.max(...logs);
  const marks = own.map((d, k) => {
    const level = Math.exp(logs[chosen[k]] - top);
    const bar = { x: (k + 0.1) * width, width: 0.8 * width };
    svg(picture, "rect", { ...bar, y: TALL * (1 - 0.9 * frequent[k]), height: TALL * 0.9 * frequent[k], class: "tsk-bin" });
    const drawn = { y: TALL * (1 - 0.95 * level), height: TALL * 0.95 * level, fill: colour, "fill-opacity": printed ? 0.3 : 0, stroke: colour };
    const membershipBar = svg(picture, "rect", { ...bar, ...drawn, "vector-effect": "non-scaling-stroke" });
    svg(membershipBar, "title", {}).textContent = `${String(scene.table.columns[d].category)}: ${level.toFixed(2)}`;
    return svg(picture, "line", { x1: (k + 0.5) * width, x2: (k + 0.5) * width, y1: 0, y2: TALL, class: "tsk-row-line", "vector-effect": "non-scaling-stroke" });
  });
  return (x) => marks.forEach((mark, k) => { mark.setAttribute("visibility", x[own[k]] > 0.5 ? "visible" : "hidden"); });
}
