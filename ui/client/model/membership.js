// The Gaussian membership function, the only place where it is written in JavaScript: μ(x) = exp(−(x − m)² / (2 σ²)).

/** @import { Snapshot } from "../core/messages.js" */

export const HALF = Math.sqrt(2 * Math.LN2); // σ from the centre to where the membership is a half

/**
 * 1/(√2 σ), which stands for the width in what follows: 0 where the antecedent was dropped and μ is 1 everywhere.
 * @param {number | null} sigma
 */
export const inverseWidth = (sigma) => (sigma === null ? 0 : 1 / (Math.SQRT2 * Math.abs(sigma)));

/**
 * (x − m)/(√2 σ). Its square is −log μ(x).
 * @param {number} x
 * @param {number} center m
 * @param {number} inverse of the width
 */
export const scaledDistance = (x, center, inverse) => (x - center) * inverse;

/**
 * log μ(x).
 * @param {number} x
 * @param {number} center
 * @param {number} inverse
 */
export function logMembership(x, center, inverse) {
  const distance = scaledDistance(x, center, inverse);
  return -distance * distance;
}

/**
 * log μ of a feature in rule r: the sum over its columns.
 * @param {Pick<Snapshot, "centers" | "sigmas">} snapshot
 * @param {number} r
 * @param {number[]} columns of the feature
 * @param {(d: number) => number} value of each of them
 */
const logOfFeature = ({ centers, sigmas }, r, columns, value) => columns.reduce((sum, d) => (
  sum + logMembership(value(d), centers[r][d], inverseWidth(sigmas[r][d]))), 0);

/**
 * log μ of each category of a feature, or of each rank of an ordered one.
 * @param {Pick<Snapshot, "centers" | "sigmas">} snapshot
 * @param {number} r
 * @param {number[]} columns of the feature
 * @param {string[] | null | undefined} levels of ordered categories
 */
export const logOfStates = (snapshot, r, columns, levels) => (levels
  ? levels.map((_, rank) => logOfFeature(snapshot, r, columns, () => rank))
  : columns.map((chosen) => logOfFeature(snapshot, r, columns, (d) => Number(d === chosen))));

/**
 * The membership of a row in a rule's condition on a feature, in [0, 1]; of a category relative to the likeliest one.
 * @param {Pick<Snapshot, "centers" | "sigmas">} snapshot
 * @param {number} r
 * @param {number[]} columns of the feature
 * @param {{ kind?: string, levels?: string[] | null }} column the first of them
 * @param {ArrayLike<number>} x
 */
export function featureMembership(snapshot, r, columns, { kind, levels }, x) {
  const here = logOfFeature(snapshot, r, columns, (d) => x[d]);
  if (kind === "number" && !levels) return Math.exp(here);
  return Math.exp(Math.min(0, here - Math.max(...logOfStates(snapshot, r, columns, levels))));
}
