// The plane that samples are seen in: where rows and rules lie on it, and which rows its places stand for.

/** @import { Components, Point, Snapshot } from "../core/types.js" */
/** @import { Axis, Frame, Outline, Plane, PlaneView, Row, Scene, Table } from "./types.js" */

import { shortName } from "./columns.js";
import { predict } from "./inference.js";

const MARGIN = 0.06; // beyond the outermost rows, as a share of the range
const CORE = 0.9; // of the rows of each class, the middle ones along an axis
const DENSE = 1 / 3; // of the whole range; where the core takes less, the first frame shows the core alone
const CORNERS = 96; // of an ellipse
/** @type {WeakMap<Components, WeakMap<object, Point>>} */
const projections = new WeakMap(); // of rows, which each epoch asks for

/**
 * The plane of a scene: place (u, v) is the row origin + u·across + v·up. `coordinates` gives a row's coordinates on the axes, `steps`
 * turns coordinates into u and v, `center` and `outline` are those of rule r, and `us`, `vs` are the middles of the grid's cells, which
 * cover what `scene.view` shows of the plane.
 * @param {Scene} scene
 * @param {number} cells
 * @returns {Frame}
 */
export function frameOf(scene, cells) {
  return scene.plane === "components" && scene.table.view ? componentFrame(scene, scene.table.view, cells) : featureFrame(scene, cells);
}

/**
 * The share of rows for which the plane shows, at their place, the class that the model predicts for them. The place of a row stands
 * for a row that has all values but two from another one. null without rows.
 * @param {Scene} scene
 * @param {Plane & Pick<Frame, "coordinates" | "steps">} frame
 * @param {number[]} predicted the class of each row
 * @param {number} [most] of so many rows, spread evenly
 */
export function agreement({ table: { rows }, model }, { origin, across, up, coordinates, steps }, predicted, most = Infinity) {
  if (!rows || !predicted.length) return null;
  const step = Math.max(1, Math.ceil(predicted.length / most));
  let same = 0, all = 0;
  for (let n = 0; n < predicted.length; n += step, all++) {
    const [u, v] = steps(...coordinates(rows.x[n], n));
    const place = Array.from(origin, (value, d) => value + u * across[d] + v * up[d]);
    if (predict(model, place) === predicted[n]) same++;
  }
  return same / all;
}

/** @param {Scene} scene @param {number} cells @returns {Frame} */
function featureFrame({ table, snapshot, x, view, across: i, up: j }, cells) {
  const single = i === j, origin = [...x];
  const first = featureAxis(table, i, x[i], cells, viewOf(view, "x"));
  const second = single ? { axis: NO_AXIS, middle: 0, half: 1 } : featureAxis(table, j, x[j], cells, viewOf(view, "y"));
  origin[i] = first.middle;
  if (!single) origin[j] = second.middle;
  /** @param {number} d @param {number} length */
  const unit = (d, length) => Float64Array.from(x, (_, k) => (k === d ? length : 0));
  return {
    origin, across: unit(i, first.half), up: single ? new Float64Array(x.length) : unit(j, second.half),
    us: first.axis.steps, vs: second.axis.steps, x: first.axis, y: second.axis, single,
    coordinates: (row, n = 0) => [row[i], single ? scatter(n) : row[j]],
    steps: (a, b) => [(a - first.middle) / first.half, single ? 0 : (b - second.middle) / second.half],
    center: (r) => numberPlace(snapshot, r, i, single ? null : j, [first.middle, second.middle]),
    outline: (r) => featureOutline(snapshot, r, i, single ? null : j),
  };
}

/** @type {Axis} */
const NO_AXIS = { title: "", range: [-1, 1], whole: [-1, 1], steps: new Float64Array(1) };

/**
 * One axis along a column: from its lowest to its highest value, and the row's own value if that lies beyond.
 * @param {Table} table
 * @param {number} d
 * @param {number} value
 * @param {number} cells
 * @param {Point | "all" | null} view
 */
function featureAxis({ columns, rows }, d, value, cells, view) {
  const column = columns[d], low = Math.min(column.low, value), high = Math.max(column.high, value);
  const half = ((high - low) / 2 || Math.abs(low) * 1e-6 || 1) * (1 + 2 * MARGIN), middle = low + (high - low) / 2;
  const whole = /** @type {Point} */ ([middle - half, middle + half]), values = column.kind === "number" ? rows?.x.map((row) => row[d]) : [];
  const range = rangeOf(view, whole, values ?? [], value, rows?.y), [from, to] = range.map((end) => (end - middle) / half);
  /** @type {Axis} */
  const axis = { title: shortName(column), range, whole, steps: middles(from, to, cells), column };
  return { axis, middle, half };
}

/** @param {PlaneView} view @param {"x" | "y"} side */
const viewOf = (view, side) => (!view || view === "all" ? view : view[side]);

/**
 * What an axis shows: the range that was chosen, or at first that of the middle rows where these take a small part of the whole. Of
 * each class: all rows of a rare one may lie apart.
 * @param {Point | "all" | null} view
 * @param {Point} whole
 * @param {number[]} values of the rows
 * @param {number} value of the selected row, which is always inside
 * @param {number[]} [classes] of the rows
 * @returns {Point}
 */
function rangeOf(view, whole, values, value, classes = []) {
  if (view) return view === "all" ? whole : view;
  const ends = [...new Set(classes.slice(0, values.length))].map((c) => core(values.filter((_, n) => classes[n] === c)));
  const from = Math.min(...ends.map(([low]) => low)), to = Math.max(...ends.map(([, high]) => high));
  if (!(to > from) || to - from >= DENSE * (whole[1] - whole[0])) return whole;
  const low = Math.min(from, value), high = Math.max(to, value), margin = 2 * MARGIN * (high - low);
  return [Math.max(whole[0], low - margin), Math.min(whole[1], high + margin)];
}

/**
 * The range of the middle ones of some values.
 * @param {number[]} values
 */
function core(values) {
  const sorted = Float64Array.from(values).sort(), last = sorted.length - 1;
  return [(1 - CORE) / 2, (1 + CORE) / 2].map((share) => sorted[Math.round(share * last)]);
}

/**
 * The middles of equal cells from low to high.
 * @param {number} low
 * @param {number} high
 * @param {number} cells
 */
export const middles = (low, high, cells) => Float64Array.from({ length: cells }, (_, k) => low + ((k + 0.5) * (high - low)) / cells);

/**
 * With a single feature, rows are spread vertically, from −0.7 to 0.7, so that they can be told apart.
 * @param {number} n
 */
const scatter = (n) => 1.4 * ((n * 0.618034) % 1) - 0.7;

/**
 * Where a rule's number stands: at its centre; in the middle of an axis along which its antecedent was dropped.
 * @param {Snapshot} snapshot
 * @param {number} r
 * @param {number} i
 * @param {number | null} j
 * @param {Point} middle
 * @returns {Point | null}
 */
function numberPlace({ centers, sigmas }, r, i, j, middle) {
  const kept = [sigmas[r][i] !== null, j !== null && sigmas[r][j] !== null];
  if (!kept.includes(true)) return null;
  const second = j === null ? 0.9 : kept[1] ? centers[r][j] : middle[1];
  return [kept[0] ? centers[r][i] : middle[0], second];
}

/**
 * @param {Snapshot} snapshot
 * @param {number} r
 * @param {number} i
 * @param {number | null} j
 * @returns {Outline | null}
 */
function featureOutline({ centers, sigmas }, r, i, j) {
  const a = sigmas[r][i], b = j === null ? null : sigmas[r][j], x = centers[r][i], y = centers[r][j ?? i];
  if (a === null && b === null) return null;
  if (b === null) return { band: "x", from: x - Number(a), to: x + Number(a) };
  if (a === null) return { band: "y", from: y - b, to: y + b };
  return { polygon: circle((cos, sin) => [x + a * cos, y + b * sin]) };
}

/** @param {(cos: number, sin: number) => Point} at */
function circle(at) {
  return Array.from({ length: CORNERS }, (_, k) => at(Math.cos((2 * Math.PI * k) / CORNERS), Math.sin((2 * Math.PI * k) / CORNERS)));
}

/**
 * Two principal components: the plane through the data's centre. Rules are projected onto it.
 * @param {Scene} scene
 * @param {Components} components
 * @param {number} cells
 * @returns {Frame}
 */
function componentFrame({ table, snapshot, x, view }, components, cells) {
  const { center, scale, axes, share } = components, known = projections.get(components) ?? new WeakMap();
  projections.set(components, known);
  /** @param {Row} row @returns {Point} */
  const coordinates = (row) => {
    const place = known.get(row) ?? [projected(axes[0], row), projected(axes[1], row)];
    known.set(row, place);
    return place;
  };
  /** @param {number[]} axis @param {Row} row */
  const projected = (axis, row) => axis.reduce((sum, a, d) => (a ? sum + (a * (row[d] - center[d])) / scale[d] : sum), 0);
  const points = [...(table.rows?.x ?? []), x].map(coordinates);
  const [first, second] = [0, 1].map((k) => componentAxis(points.map((point) => point[k]), k, share[k], cells, viewOf(view, k ? "y" : "x"), table.rows?.y));
  /** @param {number[]} axis */
  const direction = (axis) => Float64Array.from(axis, (a, d) => a * scale[d]);
  /** @param {number} r */
  const middle = (r) => coordinates(snapshot.centers[r].map((m, d) => (snapshot.sigmas[r][d] === null ? center[d] : m)));
  return {
    origin: center, across: direction(axes[0]), up: direction(axes[1]), us: first.steps, vs: second.steps, x: first, y: second,
    single: false, coordinates, steps: (a, b) => [a, b], center: middle,
    outline: (r) => ({ polygon: projectedEllipse(scale, axes, snapshot.sigmas[r], middle(r)) }),
  };
}

/**
 * @param {number[]} values of the rows, the selected one last
 * @param {number} k
 * @param {number} share of the variance
 * @param {number} cells
 * @param {Point | "all" | null} view
 * @param {number[]} [classes] of the rows
 * @returns {Axis}
 */
function componentAxis(values, k, share, cells, view, classes) {
  const low = Math.min(...values), high = Math.max(...values), margin = (high - low || 1) * MARGIN;
  const title = `component ${k + 1} (${(100 * share).toFixed(0)}% of the variance)`, whole = /** @type {Point} */ ([low - margin, high + margin]);
  const range = rangeOf(view, whole, values.slice(0, -1), values[values.length - 1], classes);
  return { title, range, whole, steps: middles(...range, cells) };
}

/**
 * The 1-σ ellipse AΣAᵀ about `at`. A dropped antecedent reaches as far as the data do: its σ is the column's spread.
 * @param {number[]} scale
 * @param {number[][]} axes
 * @param {(number | null)[]} sigmas of the rule
 * @param {Point} at
 */
function projectedEllipse(scale, [a, b], sigmas, at) {
  let xx = 0, xy = 0, yy = 0;
  sigmas.forEach((sigma, d) => {
    const variance = sigma === null ? 1 : (sigma / scale[d]) ** 2;
    xx += a[d] * a[d] * variance;
    xy += a[d] * b[d] * variance;
    yy += b[d] * b[d] * variance;
  });
  // Cholesky's factor maps a circle to the ellipse.
  const first = Math.sqrt(xx), second = first ? xy / first : 0, third = Math.sqrt(Math.max(0, yy - second * second));
  return circle((cos, sin) => [at[0] + first * cos, at[1] + second * cos + third * sin]);
}
