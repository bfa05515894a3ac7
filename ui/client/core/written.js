// Numbers in a calculation, written so that a reader who computes it again with the digits on the page gets the result on the page.

import { fixed, joined, minus } from "./text.js";

const [FEWEST, MOST] = [3, 8]; // digits after the point
const SIGNIFICANT = 4; // digits of values that so few after the point do not tell from 0
const TERMS = 6; // of a sum that are written

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
export const index = (n) => [...String(n)].map((digit) => "₀₁₂₃₄₅₆₇₈₉"[Number(digit)]).join("");

/** @param {string} text */
const plain = (text) => Number(text.replaceAll("−", "-"));

/**
 * Names with their values, as "a 0.1, b 0.2 and c 0.3".
 * @param {string[]} names
 * @param {string[]} values
 */
export const namedValues = (names, values) => joined(names.map((name, k) => `${name} ${values[k]}`), TERMS);
