// Mean and spread over seeds, for drawing; the sentences and the table come from the server, which also sends the factors that make an
// interval of a standard deviation.

const EQUAL = 1e-12; // values that differ by less do not differ

/**
 * The mean of the values that are there, and half the width of the band. factors: by the number of values, of an interval of the mean;
 * null takes one standard deviation. half: null for fewer than two values, and of an interval where all are equal.
 * @param {(number | null | undefined)[]} values
 * @param {(number | null)[] | null} factors
 */
export function spread(values, factors) {
  const known = /** @type {number[]} */ (values.filter((value) => value !== null && value !== undefined)), n = known.length;
  if (!n) return { n, mean: null, half: null };
  const mean = known.reduce((sum, value) => sum + value, 0) / n;
  if (n < 2) return { n, mean, half: null };
  const sd = Math.sqrt(known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1));
  if (factors) return { n, mean, half: sd < EQUAL ? null : sd * (factors[n] ?? 0) };
  return { n, mean, half: sd };
}
