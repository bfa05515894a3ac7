// The range of an axis that lies where the data are, with the levels that are near them.

const ROOM = 0.06; // of the range, at both ends
const EARLY = 0.05; // of the epochs of a training
const FAR = 1; // a level that is farther from the data than their own range, this many times, is left out

/**
 * Undefined where there are no data. near: levels that are taken in where they are near the data. always: levels that are taken in.
 * least: the shortest range, so that noise does not fill a figure. within: what no value can leave.
 * @param {(number | null | undefined)[]} values
 * @param {{ near?: number[], always?: number[], least?: number, within?: [number, number] }} [levels]
 * @returns {[number, number] | undefined}
 */
export function dataRange(values, { near = [], always = [], least = 0, within = [-Infinity, Infinity] } = {}) {
  const known = /** @type {number[]} */ (values.filter((value) => value !== null && value !== undefined && Number.isFinite(value)));
  if (!known.length) return undefined;
  const [low, high] = ends(known), span = Math.max(high - low, least, Number.EPSILON);
  const close = near.filter((level) => level >= low - FAR * span && level <= high + FAR * span);
  const [from, to] = ends([low, high, ...close, ...always]), missing = Math.max(0, least - (to - from)) / 2;
  const room = ROOM * Math.max(to - from, least) || ROOM;
  return [Math.max(from - missing, within[0]) - room, Math.min(to + missing, within[1]) + room];
}

/**
 * An axis of this range, which Plotly chooses for it: a range that is set would undo the zoom of a reader whenever it changes.
 * Where nothing is drawn yet, Plotly would choose −1 to 4, so that the range is set.
 * @param {[number, number] | undefined} range
 * @param {boolean} [drawn] whether anything is
 */
export function axisOf(range, drawn = true) {
  if (range && !drawn) return { autorange: false, range };
  return { autorange: true, autorangeoptions: range ? { minallowed: range[0], maxallowed: range[1] } : {} };
}

/**
 * The range of scores by epoch. At the end of a training, whose first epochs often lie far below all others, it is that of the epochs
 * after the first twentieth where these need less than half of the height; which epochs it leaves out is then to be said.
 * @param {{ epoch: number, value: number | null }[]} points
 * @param {boolean} ended
 * @param {number[]} [near] levels that are taken in where they are near
 * @returns {{ range: [number, number], below: string }}
 */
export function scoreRange(points, ended, near = []) {
  const options = { near, least: 0.1, within: /** @type {[number, number]} */ ([0, 1]) }, epochs = points.map(({ epoch }) => epoch);
  const [first, last] = ends(epochs), from = first + EARLY * (last - first + 1);
  /** @param {typeof points} some */
  const rangeOf = (some) => dataRange(some.map(({ value }) => value), options);
  const whole = rangeOf(points) ?? [0, 1], settled = (ended && rangeOf(points.filter(({ epoch }) => epoch >= from))) || whole;
  const height = whole[1] - whole[0], above = points.some(({ value }) => value !== null && value > settled[1]);
  if (above || 2 * (settled[1] - settled[0]) >= height) return { range: whole, below: "" };
  const out = points.filter(({ value }) => value !== null && value < settled[0]).map(({ epoch }) => epoch), [, to] = ends(out);
  return { range: settled, below: `Scores of ${first === to ? `epoch ${first}` : `epochs ${first} to ${to}`} lie below this axis.` };
}

/**
 * @param {number[]} values
 * @returns {[number, number]}
 */
const ends = (values) => values.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [Infinity, -Infinity]);
