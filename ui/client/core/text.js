// Texts and numbers as figures, tables and calculations write them.

/** @import { State } from "./types.js" */

const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g; // characters that change the order in which those after them are shown
const [FEWEST, MOST] = [3, 8]; // digits after the point
const SIGNIFICANT = 4; // digits of values that so few after the point do not tell from 0
const TERMS = 6; // of a sum that are written

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

/** A number without the 0 before its point, as ".21" or "+.004". @param {string} text */
export const withoutZero = (text) => text.replace(/^([+−]?)0\./, "$1.");

// Numbers in a calculation are written so that a reader who computes it again with the digits on the page gets the result on the page.

/** @param {number[]} values */
export const sum = (values) => values.reduce((all, value) => all + value, 0);

/**
 * Values with as few digits after the point, from three on, as `compute` needs to make `result` of them as written; where eight are not
 * enough, as for values near 0, with their first four digits.
 * @param {number[]} values
 * @param {(written: number[]) => string} compute the result of such values, as it is written
 * @param {string} result
 */
export function written(values, compute, result) {
  for (let digits = FEWEST; digits <= MOST; digits += 1) {
    const texts = values.map((value) => minus(fixed(value, digits)));
    if (compute(texts.map(plain)) === result) return texts;
  }
  return values.map((value) => String(Number(value.toPrecision(SIGNIFICANT))).replaceAll("-", "−"));
}

/**
 * Terms and their sum as "0.331 + 0.052 = 0.383".
 * @param {number[]} terms
 * @param {number} [digits] of the sum, after the point
 */
export function sumText(terms, digits = FEWEST) {
  const add = (/** @type {number[]} */ values) => fixed(sum(values), digits);
  const result = add(terms);
  return `${written(terms, add, result).join(" + ")} = ${minus(result)}`;
}

/**
 * The mean of values as "(0.81 + 0.83 + … + 0.80) / 10 = 0.82"; where there are many, the sum of the middle ones is not written.
 * @param {number[]} values
 * @param {number} [digits]
 */
export function meanText(values, digits = FEWEST) {
  const n = values.length, mean = (/** @type {number[]} */ given) => fixed(sum(given) / n, digits);
  const texts = n > TERMS ? values.map((value) => minus(fixed(value, digits))) : written(values, mean, mean(values));
  return n === 1 ? minus(mean(values)) : `(${few(texts).join(" + ")}) / ${n} = ${minus(mean(values))}`;
}

/**
 * The first terms and the last one, with "…" between them where there are many.
 * @param {string[]} texts
 */
export const few = (texts) => (texts.length > TERMS ? [...texts.slice(0, TERMS - 1), "…", texts[texts.length - 1]] : texts);

/**
 * So many times an equal share: "0.212 × 20 = 4.2".
 * @param {number} level
 * @param {number} R
 */
export function timesText(level, R) {
  const times = (/** @type {number[]} */ [value]) => fixed(value * R, 1), result = times([level]);
  return `${written([level], times, result)[0]} × ${R} = ${result}`;
}

/**
 * A small number at the foot of a letter, such as f̄₁₂.
 * @param {number} n
 */
export const subscript = (n) => [...String(n)].map((digit) => "₀₁₂₃₄₅₆₇₈₉"[Number(digit)]).join("");

/** @param {string} text */
const plain = (text) => Number(text.replaceAll("−", "-"));

/**
 * Names with their values, as "a 0.1, b 0.2 and c 0.3".
 * @param {string[]} names
 * @param {string[]} values
 */
export const namedValues = (names, values) => joined(names.map((name, k) => `${name} ${values[k]}`), TERMS);

/**
 * How many conditions the rules have left, in a sentence; empty where none has gone up to the selected epoch.
 * @param {State} now
 */
export function conditionsText({ shown, epoch, index }) {
  const first = shown.epochs[0]?.conditions, left = epoch?.conditions;
  if (first == null || left == null || left >= first) return "";
  const since = shown.epochs.slice(0, index + 1).find(({ conditions }) => conditions === left)?.epoch;
  const all = first.toLocaleString("en"), them = left.toLocaleString("en");
  return `The rules had ${all} conditions in epoch ${shown.epochs[0].epoch}; ${them} ${left === 1 ? "is" : "are"} left since epoch ${since}.`;
}
