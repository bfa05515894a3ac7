// Texts and numbers as figures and tables write them.

/** @import { State } from "./types.js" */

/**
 * Text on one line, of at most so many characters.
 * @param {unknown} text
 * @param {number} [most]
 */
export function truncated(text, most = 40) {
  const characters = [...String(text).replace(/\s+/g, " ")];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : characters.join("");
}

/**
 * The same, escaped for Plotly, whose text is a kind of HTML.
 * @param {unknown} text
 * @param {number} [most]
 */
export function plotlyText(text, most = 40) {
  return truncated(text, most).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/**
 * Text for Plotly in lines of at most so many characters, or one word each.
 * @param {string} text escaped
 * @param {number} most
 */
export function inLines(text, most) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/**
 * What the figures call the comparison, such as "λ 0".
 * @param {State} state
 */
export const comparisonName = ({ comparison }) => plotlyText(comparison.about.label ?? "comparison", 60);

/** @param {number | null | undefined} value */
export const threeDecimals = (value) => (value == null ? "–" : value.toFixed(3));

/**
 * The result of a calculation that stands beside it, rounded as its other numbers are.
 * @param {number} share
 */
export const roundedPercent = (share) => `${(100 * share).toFixed(1)}%`;

/**
 * A share as a percentage: "100%" only for 1, and "0%" only for 0, as in tsk_core/numbers.py.
 * @param {number} share
 * @param {number} [digits]
 */
export function percent(share, digits = 1) {
  if (share === 0 || share === 1) return `${100 * share}%`;
  const least = 10 ** -digits, text = (100 * share).toFixed(digits);
  if (share > 0 && Number(text) === 0) return `under ${least}%`;
  return share < 1 && Number(text) === 100 ? `over ${(100 - least).toFixed(digits)}%` : `${text}%`;
}

/** @param {string} text */
export const capitalised = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;

/**
 * How many of some rows are of which part, as "8 test rows and 13 training rows"; "no rows" for none.
 * @param {ArrayLike<number>} part of all rows: 1 test, 0 training
 * @param {number[]} rows by index
 */
export function rowsByPart(part, rows) {
  const tests = rows.filter((n) => part[n] === 1).length, counts = /** @type {[number, string][]} */ ([[tests, "test"], [rows.length - tests, "training"]]);
  return joined(counts.filter(([n]) => n > 0).map(([n, of]) => `${n.toLocaleString("en")} ${of} row${n === 1 ? "" : "s"}`)) || "no rows";
}

/**
 * "1 and 2", "1, 2 and 3"; at most so many of them.
 * @param {(string | number)[]} values
 * @param {number} [most]
 */
export function joined(values, most = 12) {
  const words = values.slice(0, most).map(String);
  if (values.length > most) return `${words.join(", ")} and ${values.length - most} more`;
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
