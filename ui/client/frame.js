// The plane that samples are seen in: where rows and rules lie on it, and how its places are rows again.

import { shortName } from "./columns.js";
import { largest, scoresOf } from "./model.js";

const MARGIN = 0.06; // beyond the outermost rows, as a share of the range
const CORNERS = 48; // of an ellipse
const JUDGED = 200; // rows that a plane is judged by

/**
 * The frame of a scene: { origin, across, up: [D] each, us, vs: places of the grid's middle cells, x, y: { title, range, values },
 * place(x) → [a, b], steps(a, b) → [u, v], outline(r) → { polygon } or { band: "x"|"y", from, to } or null, center(r) → [a, b] or null }.
 *
 * A place is origin + u·across + v·up. What is drawn are its coordinates on the axes, `x.values` and `y.values` of u and v.
 */
export function frameOf(at, cells) {
  return at.plane === "components" ? componentFrame(at, cells) : featureFrame(at, cells);
}

/**
 * Of how many rows, as a share, the plane shows at their place what the model decides for them: the places are rows of which all
 * but the plane's two coordinates are those of another one. decided: the class of each row sent.
 */
export function truth({ table, model }, { origin, across, up, place, steps: at }, decided) {
  const step = Math.max(1, Math.ceil(decided.length / JUDGED));
  let same = 0, all = 0;
  for (let n = 0; n < decided.length; n += step, all++) {
    const [u, v] = at(...place(table.rows.x[n], n));
    if (largest(scoresOf(model, Float64Array.from(origin, (value, d) => value + u * across[d] + v * up[d]))) === decided[n]) same++;
  }
  return all ? same / all : null;
}

function featureFrame({ table, snapshot, x, across: i, up: j }, cells) {
  const D = x.length, single = i === j, origin = [...x], sides = [];
  for (const d of single ? [i] : [i, j]) sides.push(side(table.columns[d], x[d], cells));
  if (single) sides.push({ title: "", middle: 0, half: 1, range: [-1, 1], steps: new Float64Array(1) });
  const [a, b] = sides;
  origin[i] = a.middle;
  if (!single) origin[j] = b.middle;
  const unit = (d, length) => Float64Array.from({ length: D }, (_, k) => (k === d ? length : 0));
  return {
    origin, across: unit(i, a.half), up: single ? new Float64Array(D) : unit(j, b.half), us: a.steps, vs: b.steps, x: a, y: b, single,
    place: (row, n = 0) => [row[i], single ? scatter(n) : row[j]],
    steps: (first, second) => [(first - a.middle) / a.half, single ? 0 : (second - b.middle) / b.half],
    center: (r) => labelled(snapshot, r, single ? [i] : [i, j], [a, b]),
    outline: (r) => outlined(snapshot, r, i, single ? null : j),
  };
}

/** One axis along a column: from its lowest to its highest value, and the value looked at if that lies beyond. */
function side(column, value, cells) {
  const low = Math.min(column.low, value), high = Math.max(column.high, value);
  const half = ((high - low) / 2 || Math.abs(low) * 1e-6 || 1) * (1 + 2 * MARGIN), middle = low + (high - low) / 2;
  return { title: shortName(column), middle, half, range: [middle - half, middle + half], steps: steps(-1, 1, cells), column };
}

/** The middles of equal cells from low to high. */
const steps = (low, high, cells) => Float64Array.from({ length: cells }, (_, k) => low + ((k + 0.5) * (high - low)) / cells);

/** With one feature only: rows one above the other, spread out, so that they can be told apart; from −0.7 to 0.7. */
const scatter = (n) => 1.4 * ((n * 0.618034) % 1) - 0.7;

/** Where a rule's number stands: at its centre; in the middle of an axis along which its condition was dropped. */
function labelled({ centers, sigmas }, r, [i, j], [a, b]) {
  const there = [i, j].map((d) => d !== undefined && sigmas[r][d] !== null);
  if (!there.includes(true)) return null;
  return [there[0] ? centers[r][i] : a.middle, j === undefined ? 0.9 : there[1] ? centers[r][j] : b.middle];
}

function outlined({ centers, sigmas }, r, i, j) {
  const [a, b] = [sigmas[r][i], j === null ? null : sigmas[r][j]];
  if (a === null && b === null) return null;
  if (b === null) return { band: "x", from: centers[r][i] - a, to: centers[r][i] + a };
  if (a === null) return { band: "y", from: centers[r][j] - b, to: centers[r][j] + b };
  return { polygon: circle((cos, sin) => [centers[r][i] + a * cos, centers[r][j] + b * sin]) };
}

const circle = (at) => Array.from({ length: CORNERS }, (_, k) => at(Math.cos((2 * Math.PI * k) / CORNERS), Math.sin((2 * Math.PI * k) / CORNERS)));

/** Two principal components: the plane through the data's centre. Rules are projected onto it. */
function componentFrame({ table, snapshot, x }, cells) {
  const { center, scale, axes, share } = table.view;
  const place = (row) => axes.map((axis) => axis.reduce((sum, a, d) => (a ? sum + (a * (row[d] - center[d])) / scale[d] : sum), 0));
  const placed = [...table.rows.x, x].map(place), sides = axes.map((_, k) => componentSide(placed, k, share[k], cells));
  const steer = (axis) => Float64Array.from(axis, (a, d) => a * scale[d]);
  const filled = (r) => snapshot.centers[r].map((m, d) => (snapshot.sigmas[r][d] === null ? center[d] : m));
  return {
    origin: center, across: steer(axes[0]), up: steer(axes[1]), us: sides[0].steps, vs: sides[1].steps, x: sides[0], y: sides[1],
    single: false, place, steps: (first, second) => [first, second], center: (r) => place(filled(r)), outline: (r) => ({ polygon: projected(table.view, snapshot, r, place(filled(r))) }),
  };
}

function componentSide(placed, k, share, cells) {
  const values = placed.map((at) => at[k]), low = Math.min(...values), high = Math.max(...values);
  const more = (high - low || 1) * MARGIN, range = [low - more, high + more];
  return { title: `component ${k + 1} (${(100 * share).toFixed(0)}% of the variance)`, range, steps: steps(...range, cells) };
}

/** The 1-σ ellipse AΣAᵀ about `at`. A condition that was dropped reaches as far as the data do: σ is the column's spread. */
function projected({ scale, axes: [a, b] }, { sigmas }, r, at) {
  let xx = 0, xy = 0, yy = 0;
  for (let d = 0; d < a.length; d++) {
    const variance = sigmas[r][d] === null ? 1 : (sigmas[r][d] / scale[d]) ** 2;
    xx += a[d] * a[d] * variance;
    xy += a[d] * b[d] * variance;
    yy += b[d] * b[d] * variance;
  }
  // Cholesky's factor takes a circle to the ellipse.
  const first = Math.sqrt(xx), second = first ? xy / first : 0, third = Math.sqrt(Math.max(0, yy - second * second));
  return circle((cos, sin) => [at[0] + first * cos, at[1] + second * cos + third * sin]);
}
