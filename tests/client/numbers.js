// Numbers for tests: made by chance that is the same each time, compared with a tolerance, and the contrast of two colours.

import assert from "node:assert/strict";

/** A generator of numbers from 0 to 1 (mulberry32). */
export function chance(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6D2B79F5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const range = (count, of = (k) => k) => Array.from({ length: count }, (_, k) => of(k));

export const sum = (values) => values.reduce((all, value) => all + value, 0);

export const mean = (values) => sum(values) / values.length;

/** Fails unless all numbers are close, in lists of lists too. */
export function assertClose(found, expected, tolerance = 1e-9) {
  if (expected?.length === undefined) {
    const close = found === expected || Math.abs(found - expected) <= tolerance * Math.max(1, Math.abs(expected));
    return assert.ok(close, `${found} is not ${expected}`);
  }
  assert.equal(found.length, expected.length);
  expected.forEach((value, k) => assertClose(found[k], value, tolerance));
}

/** Places of the numbers from the largest to the smallest; equal ones in their order. */
export const falling = (values) => values.map((_, k) => k).sort((a, b) => values[b] - values[a] || a - b);

/** Red, green and blue of "#RRGGBB" or "rgb(r,g,b)", 0 to 255. */
export function parts(colour) {
  if (colour.startsWith("rgb(")) return colour.match(/\d+/g).map(Number);
  return [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16));
}

/** Of two colours, 1 to 21, as the Web Content Accessibility Guidelines define it. */
export function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(rgb) {
  const [r, g, b] = rgb.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export const mixed = (above, below, opacity) => above.map((part, k) => opacity * part + (1 - opacity) * below[k]);
