// The drawing of the rule list: what lies where, as elements of an SVG with their attributes, the same on the page, in a file and in print.

/** @import { ListedColumn, ListedCondition, ListedRule } from "../core/types.js" */
/** @import { Column, Grid, Row } from "./readable.js" */

import { path } from "../core/svg.js";
import { signed } from "../core/text.js";
import { HALF, inverseWidth, logMembership } from "../model/inference.js";

const [SIZE, LINE, PAD] = [11, 13, 5]; // pixels: of letters, between lines, around a cell
const [PLACE, NARROWEST, WIDEST, SUPPORT] = [60, 62, 126, 128]; // widths of columns
const [LINES, HEAD_LINES] = [4, 5];
const CURVE = 20; // pixels that a membership function is high, with what parts it from the text
const [STEPS, MOST_CATEGORIES] = [40, 14];
// Widths of a sans-serif letter, as shares of its size; the first that it belongs to.
const FULL = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}！-～]/u;
const WIDTHS = /** @type {[RegExp, number][]} */ ([[FULL, 1.05], [/[A-ZMWmw%@—…]/, 0.72], [/[\s.,:;'|!ijlIft()[\]]/, 0.34], [/./su, 0.57]]);

/**
 * An element of the drawing. title: what a pointer at it is told.
 * @typedef {{ tag: string, attributes: Record<string, string | number>, text?: string, title?: string }} Mark
 * @typedef {{ width: number, height: number, marks: Mark[] }} Drawing
 * @typedef {{ classes: string[], ink: string, grid: string }} Colours
 */

/**
 * @param {Grid} grid
 * @param {Colours} colours of the classes, of text, and of lines
 * @returns {Drawing}
 */
export function drawing(grid, colours) {
  const widths = grid.columns.map((column, k) => columnWidth(column, grid.rows.map(({ cells }) => cells[k])));
  const then = clamped(Math.max(...grid.rows.map(({ item }) => textWidth(item.class, SIZE + 1) * 1.06)) + 2 * PAD + 16, 84, 150);
  const lefts = [...widths, then, SUPPORT].reduce((all, width) => [...all, all[all.length - 1] + width], [PLACE]);
  const width = lefts[lefts.length - 1], [thenAt, supportAt] = lefts.slice(-3);
  const { marks, height: head } = headMarks(grid, { lefts, widths, thenAt, supportAt }, colours.ink);
  const most = Math.max(1, ...grid.rows.map(({ place, item }) => (place === null ? 0 : item.true)));
  let top = head;
  for (const row of grid.rows) {
    const drawn = rowMarks(row, { top, lefts, widths, thenAt, supportAt, then, most }, grid.columns, colours);
    marks.push(ruler(top, width, colours.grid), ...drawn.marks);
    top += drawn.height;
  }
  marks.push(ruler(top, width, colours.grid));
  for (const left of lefts.slice(0, -1)) {
    marks.push({ tag: "path", attributes: { d: path([[left, head], [left, top]]), stroke: colours.grid, "stroke-opacity": 0.3 } });
  }
  return { width, height: top + 1, marks };
}

/**
 * The names of the columns.
 * @param {Grid} grid
 * @param {{ lefts: number[], widths: number[], thenAt: number, supportAt: number }} place
 * @param {string} ink
 */
function headMarks({ columns, of, total }, { lefts, widths, thenAt, supportAt }, ink) {
  const names = columns.map(({ name }, k) => wrapped(name, widths[k] - 2 * PAD, SIZE, HEAD_LINES));
  const rows = [`Of ${total.toLocaleString("en")}`, of.replace(/^.* of the /, "")], all = [["Rule"], ...names, ["THEN", "score"], rows];
  const height = Math.max(...all.map((lines) => lines.length)) * LINE + 2 * PAD;
  const places = [PAD, ...lefts.slice(0, columns.length).map((left) => left + PAD), thenAt + PAD, supportAt + PAD];
  const top = (/** @type {string[]} */ lines) => height - PAD - LINE * (lines.length - 1) - 3;
  const marks = all.flatMap((lines, k) => textMarks(lines, places[k], top(lines), ink, columns[k - 1]?.name));
  return { marks, height };
}

/**
 * As wide as its words and ranges.
 * @param {Column} column
 * @param {(ListedCondition | null)[]} cells
 */
function columnWidth({ name, over }, cells) {
  const texts = [name, ...cells.flatMap((cell) => (cell ? [cell.range, cell.word] : []))];
  const word = Math.max(...texts.flatMap(tokens).map((token) => textWidth(token.trimEnd(), SIZE)));
  const lines = over.categories ? 2.6 : 1; // that a range takes; a name of a category may break
  const wide = Math.max(...cells.map((cell) => (cell ? textWidth(cell.range, SIZE) / lines : 0)));
  return Math.ceil(clamped(Math.max(word, wide) + 2 * PAD + 2, NARROWEST, WIDEST));
}

/**
 * @typedef {{ top: number, lefts: number[], widths: number[], thenAt: number, supportAt: number, then: number, most: number }} Place
 * @param {Row} row
 * @param {Place} place
 * @param {Column[]} columns
 * @param {Colours} colours
 */
function rowMarks(row, { top, lefts, widths, ...place }, columns, { classes, ink, grid }) {
  const colour = classes[row.then] ?? grid, title = sentence(row);
  const support = supportTexts(row.item).flatMap((one) => wrapped(one, SUPPORT - 2 * PAD, SIZE, LINES));
  const inner = widths.map((width) => width - 2 * PAD);
  const texts = row.cells.map((cell, k) => (cell ? cellLines(cell, inner[k]) : []));
  const height = 2 * PAD + Math.max(LINE * support.length + 10, LINE * 3, ...texts.map((lines) => CURVE + LINE * lines.length));
  /** @type {Mark[]} */
  const marks = [{ tag: "rect", attributes: { x: 0, y: top + 1, width: 4, height: height - 1, fill: colour } }];
  marks.push(...textMarks(row.place === null ? ["otherwise"] : [`${row.place}.`, `rule ${row.item.rule}`], PAD + 4, top + PAD + SIZE, ink, title));
  row.cells.forEach((cell, k) => {
    if (!cell) return;
    marks.push(...picture(columns[k].over, cell, { x: lefts[k] + PAD, y: top + PAD, width: inner[k] }, colour, grid));
    marks.push(...textMarks(texts[k], lefts[k] + PAD, top + PAD + CURVE + SIZE, ink, cell.text));
  });
  const x = place.thenAt + PAD + 15, named = wrapped(row.item.class, place.then - 2 * PAD - 16, SIZE + 1, 2);
  marks.push({ tag: "rect", attributes: { x: x - 15, y: top + PAD + 2, width: 10, height: 10, rx: 2, fill: colour, stroke: grid } });
  marks.push(...textMarks(named, x, top + PAD + SIZE, ink, title, { "font-weight": 600, "font-size": SIZE + 1 }));
  marks.push(...textMarks([scoreText(row.item.score)].filter(Boolean), x, top + PAD + SIZE + LINE * named.length, ink, title));
  const at = { x: place.supportAt + PAD, y: top + PAD, width: SUPPORT - 2 * PAD };
  if (row.place !== null) marks.push(...supportBar(row.item, at, place.most, colour, grid));
  marks.push(...textMarks(support, at.x, at.y + 8 + SIZE, ink, title));
  return { height, marks };
}

/** The word and the range of a condition. @param {ListedCondition} cell @param {number} width */
const cellLines = ({ word, range }, width) => [word, range].filter(Boolean).flatMap((one) => wrapped(one, width, SIZE, LINES));

/**
 * @param {string[]} lines
 * @param {number} x
 * @param {number} y of the first
 * @param {string} fill
 * @param {string} [title]
 * @param {Record<string, string | number>} [more]
 * @returns {Mark[]}
 */
const textMarks = (lines, x, y, fill, title, more = {}) => lines.map((line, k) => ({
  tag: "text", text: line, title, attributes: { x: round(x), y: round(y + k * LINE), fill, "font-size": SIZE, ...more },
}));

/** @param {number} y @param {number} width @param {string} stroke @returns {Mark} */
const ruler = (y, width, stroke) => ({ tag: "path", attributes: { d: path([[0, y], [width, y]]), stroke, fill: "none" } });

/** @param {Row} row */
function sentence({ item: { conditions, class: named }, place }) {
  if (place === null) return `Otherwise: ${named}`;
  return `IF ${conditions.map(({ text: one }) => one).join(" AND ") || "anything"} THEN ${named}`;
}

/**
 * How many rows the sentence is true of, as a bar, and how many of these have its class, filled.
 * @param {Row["item"]} item
 * @param {{ x: number, y: number, width: number }} place
 * @param {number} most rows of a sentence
 * @param {string} colour
 * @param {string} grid
 * @returns {Mark[]}
 */
function supportBar({ true: count, right }, { x, y, width }, most, colour, grid) {
  const scale = width / most, frame = { x, y, height: 6 };
  return [
    { tag: "rect", attributes: { ...frame, width: round(count * scale), fill: "none", stroke: grid } },
    { tag: "rect", attributes: { ...frame, width: round((right ?? 0) * scale), fill: colour } },
  ];
}

/**
 * The membership function over the feature's range, filled more where it is at least a half; of categories a square each.
 * @param {ListedColumn} over
 * @param {ListedCondition} condition
 * @param {{ x: number, y: number, width: number }} place
 * @param {string} colour
 * @param {string} grid
 * @returns {Mark[]}
 */
function picture(over, { center, sigma, levels }, place, colour, grid) {
  const base = place.y + CURVE - 4;
  if (over.categories) return levels && levels.length <= MOST_CATEGORIES ? squares(levels, over.categories, place, colour, grid) : [];
  if (center === undefined || sigma === undefined) return [];
  const { low, high } = over, span = high - low || 1, inverse = inverseWidth(sigma), half = HALF * Math.abs(sigma);
  const area = (/** @type {number} */ from, /** @type {number} */ to) => {
    const at = Array.from({ length: STEPS + 1 }, (_, k) => from + ((to - from) * k) / STEPS);
    const points = at.map((value) => /** @type {[number, number]} */ ([
      place.x + (place.width * (value - low)) / span, base - (CURVE - 6) * Math.exp(logMembership(value, center, inverse)),
    ]));
    return `${path([[points[0][0], base], ...points, [points[STEPS][0], base]])}Z`;
  };
  const from = clamped(center - half, low, high), to = clamped(center + half, low, high);
  return [
    { tag: "path", attributes: { d: area(low, high), fill: colour, "fill-opacity": 0.25 } },
    ...(to > from ? [{ tag: "path", attributes: { d: area(from, to), fill: colour, "fill-opacity": 0.85 } }] : []),
    { tag: "path", attributes: { d: path([[place.x, base], [place.x + place.width, base]]), stroke: grid, fill: "none" } },
  ];
}

/**
 * @param {number[]} levels
 * @param {string[]} names
 * @param {{ x: number, y: number, width: number }} place
 * @param {string} colour
 * @param {string} grid
 * @returns {Mark[]}
 */
function squares(levels, names, { x, y, width }, colour, grid) {
  const step = Math.min(14, width / levels.length), side = Math.max(1, step - 2);
  return levels.map((level, k) => ({
    tag: "rect", title: names[k],
    attributes: {
      x: round(x + k * step), y: y + 3, width: round(side), height: 10, fill: colour, "fill-opacity": level >= 0.5 ? 0.85 : 0.08, stroke: grid,
    },
  }));
}

/** @param {number} value @param {number} low @param {number} high */
const clamped = (value, low, high) => Math.min(high, Math.max(low, value));

/** @param {number} value */
const round = (value) => Math.round(value * 100) / 100;

/**
 * About how wide a text is drawn, in pixels.
 * @param {string} text
 * @param {number} size of the letters
 */
export function textWidth(text, size) {
  return size * [...text].reduce((sum, letter) => sum + (WIDTHS.find(([of]) => of.test(letter))?.[1] ?? 0), 0);
}

/** Where a text may break: after a space, and inside a name after what parts its words; not inside a number. @param {string} text */
const tokens = (text) => text.split(/(?<=[\s_/])|(?<=\p{L}[-.])/u).filter(Boolean);

/**
 * A text in lines of at most so many pixels; the last of too many ends with "…".
 * @param {string} text
 * @param {number} width
 * @param {number} size
 * @param {number} most lines
 */
export function wrapped(text, width, size, most) {
  const fits = (/** @type {string} */ line) => textWidth(line.trimEnd(), size) <= width;
  /** @type {string[]} */
  const lines = [];
  let line = "";
  for (const token of tokens(text).flatMap((part) => (fits(part) ? [part] : [...part]))) { // a word longer than a line breaks anywhere
    if (line && !fits(line + token)) {
      lines.push(line.trimEnd());
      line = "";
    }
    line += token;
  }
  if (line.trim()) lines.push(line.trimEnd());
  if (lines.length <= most) return lines;
  const last = [...lines[most - 1]];
  while (last.length && !fits(`${last.join("")}…`)) last.pop();
  return [...lines.slice(0, most - 1), `${last.join("")}…`];
}

/**
 * What a row says of the test rows, a line each.
 * @param {ListedRule} item
 */
export function supportTexts({ rule, class: named, true: count, right, taken, takenRight }) {
  const lines = [rule === null ? `left: ${number(count)}` : `true of ${number(count)}`];
  if (right !== null && count) lines.push(`${number(right)} are ${named}`);
  if (taken !== count) lines.push(`first for ${number(taken)}${takenRight === null || !taken ? "" : `, ${number(takenRight)} right`}`);
  return lines;
}

/** A score with its sign, "" without one. @param {number | null} score */
export const scoreText = (score) => (score === null ? "" : signed(score, 2));

/** @param {number} value */
const number = (value) => value.toLocaleString("en");
