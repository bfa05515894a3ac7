// Texts and numbers as figures and tables write them.

/** @import { State } from "./types.js" */

const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g; // characters that change the order in which those after them are shown

/**
 * Text on one line, of at most so many characters.
 * @param {unknown} text
 * @param {number} [most]
 */
export function truncated(text, most = 40) {
  const characters = [...String(text).replace(/\s+/g, " ").replace(DIRECTIONS, "\ufffd")];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : characters.join("");
}

/**
 * Names that stand side by side, likewise; those that would look the same show the characters that tell them apart.
 * ui/text.py does the same.
 * @param {string[]} names
 * @param {number} most
 */
export function truncatedNames(names, most) {
  const whole = names.map((name) => [...truncated(name, Infinity)]), shown = names.map((name) => truncated(name, most));
  /** @param {number[]} group names that look the same, by index */
  const tellApart = (group) => {
    const at = differsAt(group.map((k) => whole[k]));
    if (at === null) return;
    for (const k of group) shown[k] = around(whole[k], at, most);
    for (const alike of byValue(group, shown)) if (alike.length < group.length) tellApart(alike);
  };
  for (const alike of byValue(names.map((_, k) => k), shown)) tellApart(alike);
  return shown;
}

/**
 * Where the first difference of some texts is, if they differ.
 * @param {string[][]} texts
 */
function differsAt(texts) {
  const longest = Math.max(0, ...texts.map((text) => text.length));
  for (let at = 0; at < longest; at++) if (texts.some((text) => text[at] !== texts[0][at])) return at;
  return null;
}

/**
 * A text's beginning, and its end or, where the end does not have the character at this place, the text from that one's word on.
 * @param {string[]} text
 * @param {number} at
 * @param {number} most
 */
function around(text, at, most) {
  if (text.length <= most) return text.join("");
  const half = Math.ceil((most - 1) / 2), third = Math.floor(most / 3), room = most - third - 2;
  const word = text.lastIndexOf(" ", at - 1) + 1, from = at - word < room / 2 ? word : at;
  /** @param {number} head */
  const withEnd = (head) => [...text.slice(0, head), "…", ...text.slice(head + 1 - most)].join("");
  if (at >= text.length - (most - 1 - half)) return withEnd(half);
  if (from >= text.length - (most - 1 - third)) return withEnd(third);
  return [...text.slice(0, third), "…", ...text.slice(from, from + room), "…"].join("");
}

/**
 * The groups of indices at which the same value stands, of two or more.
 * @param {number[]} indices
 * @param {string[]} values
 */
function byValue(indices, values) {
  /** @type {Map<string, number[]>} */
  const groups = new Map();
  for (const k of indices) groups.set(values[k], [...(groups.get(values[k]) ?? []), k]);
  return [...groups.values()].filter((group) => group.length > 1);
}

/**
 * Text on one line, escaped for Plotly, whose text is a kind of HTML.
 * @param {unknown} text
 * @param {number} [most]
 */
export function plotlyText(text, most = 40) {
  return truncated(text, most).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/**
 * Names that stand side by side, escaped for Plotly.
 * @param {string[]} names
 * @param {number} most
 */
export const plotlyNames = (names, most) => truncatedNames(names, most).map((name) => plotlyText(name));

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
 * What the comparison is called, such as "λ 0".
 * @param {State} state
 */
export const comparisonLabel = ({ comparison }) => truncated(comparison.about.label ?? "comparison", 60);

/** The same, escaped for Plotly. @param {State} state */
export const comparisonName = (state) => plotlyText(comparisonLabel(state), 60);

/**
 * A number with so many digits after the point, as Python writes it: what lies exactly between two goes to the even one. Never "-0.00".
 * @param {number} value
 * @param {number} digits
 */
export function fixed(value, digits) {
  const size = Math.abs(value), doubled = size * 2 ** (digits + 1), halves = doubled * 5 ** digits; // exact where it lies between two
  const between = Number.isInteger(doubled) && halves % 2 === 1, even = 2 * Math.round((halves - 1) / 4);
  const text = (between ? even / 10 ** digits : size).toFixed(digits);
  return value < 0 && Number(text) ? `-${text}` : text;
}

/** A number's text with a minus sign in place of the hyphen. @param {string} text */
export const minus = (text) => text.replace("-", "−");

/**
 * A difference with its sign, as "+0.12" or "−0.10"; "0.00", without one, where nothing else is left of it, as in tsk_core/numbers.py.
 * @param {number} value
 * @param {number} digits
 */
export function signed(value, digits) {
  const text = fixed(Math.abs(value), digits);
  return `${Number(text) === 0 ? "" : value < 0 ? "−" : "+"}${text}`;
}

/**
 * A score less another one, both as they are displayed.
 * @param {number} score
 * @param {number} other
 */
export const difference = (score, other) => Number(threeDecimals(score)) - Number(threeDecimals(other));

/** @param {number | null | undefined} value */
export const threeDecimals = (value) => (value == null ? "–" : fixed(value, 3));

/**
 * The result of a calculation that stands beside it, rounded as its other numbers are.
 * @param {number} share
 */
export const roundedPercent = (share) => `${fixed(100 * share, 1)}%`;

/**
 * A share as a percentage: "100%" only for 1, and "0%" only for 0, as in tsk_core/numbers.py.
 * @param {number} share
 * @param {number} [digits]
 */
export function percent(share, digits = 1) {
  if (share === 0 || share === 1) return `${100 * share}%`;
  const least = 10 ** -digits, text = fixed(100 * share, digits);
  if (share > 0 && Number(text) === 0) return `under ${least}%`;
  return share < 1 && Number(text) === 100 ? `over ${(100 - least).toFixed(digits)}%` : `${text}%`;
}

/**
 * As "1 rule" and "1,000 rules".
 * @param {number} n
 * @param {string} noun
 */
export const counted = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;

/** @param {string} text */
export const capitalised = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;

/**
 * How many of some rows are of which part, as "8 test rows and 13 training rows"; "no rows" for none.
 * @param {ArrayLike<number>} part of all rows: 1 test, 0 training
 * @param {number[]} rows by index
 */
export function rowsByPart(part, rows) {
  const tests = rows.filter((n) => part[n] === 1).length, counts = /** @type {[number, string][]} */ ([[tests, "test"], [rows.length - tests, "training"]]);
  return joined(counts.filter(([n]) => n > 0).map(([n, of]) => counted(n, `${of} row`))) || "no rows";
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
