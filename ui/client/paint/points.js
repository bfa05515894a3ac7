// Painted points and their text, as in tsk_core/data/painted/points.py: the version, then four letters a point, which are 10 bits for
// x1, 10 bits for x2 and 4 bits for the class in base64url.

/** @typedef {readonly [number, number, number]} Painted x1 and x2 as whole numbers from 0 to STEPS, and the index of the class */

export const STEPS = 1000;
const VERSION = "1.", LETTERS = 4;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** @param {readonly Painted[]} points */
export const textOf = (points) => VERSION + points.map(([x, y, c]) => {
  const bits = (x << 14) | (y << 4) | c;
  return [18, 12, 6, 0].map((shift) => ALPHABET[(bits >> shift) & 63]).join("");
}).join("");

/**
 * The points of a text that the server made.
 * @param {string} text
 * @returns {Painted[]}
 */
export function pointsOf(text) {
  const letters = text.slice(VERSION.length), points = /** @type {Painted[]} */ ([]);
  for (let k = 0; k + LETTERS <= letters.length; k += LETTERS) {
    const bits = [...letters.slice(k, k + LETTERS)].reduce((sum, letter) => (sum << 6) | ALPHABET.indexOf(letter), 0);
    points.push([bits >> 14, (bits >> 4) & 1023, bits & 15]);
  }
  return points;
}

/**
 * The place of the grid nearest to coordinates in [0, 1]; of those outside, at the edge.
 * @param {number} x1
 * @param {number} x2
 * @param {number} c
 * @returns {Painted}
 */
export function pointAt(x1, x2, c) {
  /** @param {number} value */
  const step = (value) => Math.round(Math.min(1, Math.max(0, value)) * STEPS);
  return [step(x1), step(x2), c];
}

/**
 * Points around a place, normally distributed.
 * @param {number} x1
 * @param {number} x2
 * @param {number} c
 * @param {number} radius of the spray, two standard deviations
 * @param {number} count
 * @param {() => number} random
 */
export function sprayed(x1, x2, c, radius, count, random) {
  return Array.from({ length: count }, () => {
    const far = (radius / 2) * Math.sqrt(-2 * Math.log(1 - random())), angle = 2 * Math.PI * random();
    return pointAt(x1 + far * Math.cos(angle), x2 + far * Math.sin(angle), c);
  });
}

/**
 * The points that lie farther from a place than a radius; the same list where none is nearer.
 * @param {readonly Painted[]} points
 * @param {number} x1
 * @param {number} x2
 * @param {number} radius
 */
export function erased(points, x1, x2, radius) {
  const left = points.filter(([x, y]) => Math.hypot(x / STEPS - x1, y / STEPS - x2) > radius);
  return left.length === points.length ? points : left;
}

/**
 * As "Points: 12 blue, 9 orange."; and what their number means.
 * @param {readonly Painted[]} points
 * @param {{ classes: string[], most: number, inLink: number }} given
 */
export function countsText(points, { classes, most, inLink }) {
  const counts = classes.map((name, c) => [points.filter((point) => point[2] === c).length, name]).filter(([count]) => count);
  const listed = counts.map(([count, name]) => `${count} ${name}`).join(", ");
  const few = counts.length < 2 ? " A classifier needs two classes." : "";
  const many = points.length >= most ? ` There are ${most} at most.` : points.length > inLink ? ` A link has room for ${inLink}.` : "";
  return `${listed ? `Points: ${listed}.` : "No points."}${few}${many}`;
}
