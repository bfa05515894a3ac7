// The Gaussian membership function, the only place where it is written in JavaScript: μ(x) = exp(−(x − m)² / (2 σ²)).

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
