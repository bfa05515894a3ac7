// The drawing of the grid: what lies where, as elements of an SVG with their attributes, the same on the page, in a file and in print.

/** @import { ListedCondition } from "../../core/messages.js" */
/** @import { Column, Grid, Row } from "./grid.js" */

import { path } from "../pictures/path.js";
import { CURVE, clamped, picture, round, supportBar } from "./cell.js";
import { scoreText, supportTexts } from "./grid.js";
import { textWidth, tokens, wrapped } from "./wrapping.js";

const [SIZE, LINE, PAD] = [11, 13, 5]; // pixels: of letters, between lines, around a cell
const [PLACE, NARROWEST, WIDEST, SUPPORT] = [60, 62, 126, 128]; // widths of columns
const [LINES, HEAD_LINES] = [4, 5];

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
    marks.push(line(top, width, colours.grid), ...drawn.marks);
    top += drawn.height;
  }
  marks.push(line(top, width, colours.grid));
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
  const marks = all.flatMap((lines, k) => text(lines, places[k], height - PAD - LINE * (lines.length - 1) - 3, ink, columns[k - 1]?.name));
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
  marks.push(...text(row.place === null ? ["otherwise"] : [`${row.place}.`, `rule ${row.item.rule}`], PAD + 4, top + PAD + SIZE, ink, title));
  row.cells.forEach((cell, k) => {
    if (!cell) return;
    marks.push(...picture(columns[k].over, cell, { x: lefts[k] + PAD, y: top + PAD, width: inner[k] }, colour, grid));
    marks.push(...text(texts[k], lefts[k] + PAD, top + PAD + CURVE + SIZE, ink, cell.text));
  });
  const x = place.thenAt + PAD + 15, named = wrapped(row.item.class, place.then - 2 * PAD - 16, SIZE + 1, 2);
  marks.push({ tag: "rect", attributes: { x: x - 15, y: top + PAD + 2, width: 10, height: 10, rx: 2, fill: colour, stroke: grid } });
  marks.push(...text(named, x, top + PAD + SIZE, ink, title, { "font-weight": 600, "font-size": SIZE + 1 }));
  marks.push(...text([scoreText(row.item.score)].filter(Boolean), x, top + PAD + SIZE + LINE * named.length, ink, title));
  const at = { x: place.supportAt + PAD, y: top + PAD, width: SUPPORT - 2 * PAD };
  if (row.place !== null) marks.push(...supportBar(row.item, at, place.most, colour, grid));
  marks.push(...text(support, at.x, at.y + 8 + SIZE, ink, title));
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
const text = (lines, x, y, fill, title, more = {}) => lines.map((line, k) => ({
  tag: "text", text: line, title, attributes: { x: round(x), y: round(y + k * LINE), fill, "font-size": SIZE, ...more },
}));

/** @param {number} y @param {number} width @param {string} stroke @returns {Mark} */
const line = (y, width, stroke) => ({ tag: "path", attributes: { d: path([[0, y], [width, y]]), stroke, fill: "none" } });

/** @param {Row} row */
function sentence({ item: { conditions, class: named }, place }) {
  if (place === null) return `Otherwise: ${named}`;
  return `IF ${conditions.map(({ text: one }) => one).join(" AND ") || "anything"} THEN ${named}`;
}
