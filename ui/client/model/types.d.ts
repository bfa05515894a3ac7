// The model in the browser: its table, the row and the plane that are selected, and changes to a row; for the type checker alone.

import type { BaseColumn, Components, Point, Predicted, Range, Rows, Snapshot } from "../core/types.js";

export type Column = BaseColumn & Range;

/** separation: how far apart it holds the classes. */
export interface Feature {
  name: string;
  kind: string;
  columns: number[];
  separation: number;
}

/** ranked: indices of the features, the one that separates the classes best first. typical [D]: a typical row. */
export interface Table {
  columns: Column[];
  features: Feature[];
  rows: Rows | null;
  view: Components | null;
  typical: number[];
  ranked: number[];
  classes: string[];
}

/** A snapshot as arrays, see inference.js. */
export interface Model {
  R: number;
  D: number;
  C: number;
  epoch: number;
  epsilon: number;
  logEpsilon: number;
  logWeight: Float64Array;
  centers: Float64Array;
  inverse: Float64Array;
  constants: Float64Array;
  slopes: Float64Array;
  logPrior: Float64Array;
  layer: { epsilon: number; scale: number[]; shift: number[] } | null;
}

/** One row of numbers, in original units. */
export type Row = ArrayLike<number>;

/** A plane through the space of rows: origin + u·across + v·up. */
export interface Plane {
  origin: Row;
  across: Row;
  up: Row;
}

/** Why a row gets its class; see inference.js. */
export interface Explanation {
  firing: Float64Array;
  weights: Float64Array;
  contributions: number[][];
  scores: Float64Array;
  probabilities: number[];
  predicted: number;
  entropy: number;
  effective: number;
}

export type PlaneKind = "features" | "components";

/** What is seen of a plane: these ranges of its axes, everything, or (null) what it shows at first. */
export type PlaneView = { x: Point; y: Point } | "all" | null;

/** A condition on rows; see row/filter.js. value: an index of a class, part, rule or column, or a yes (1) or no (0). */
export interface RowFilter {
  what: string;
  low?: number | null;
  high?: number | null;
  value?: number;
}

/**
 * What the response curves show. feature: its name, null for the one that separates the classes best. scale: of the vertical axis. band: the
 * class whose spread over rows is drawn, null for the predicted one.
 */
export interface CurveChoice {
  feature: string | null;
  scale: "probability" | "score";
  band: number | null;
}

/** What the tab Samples shows; see selection.js. The fields from `locked` on are choices of the visitor, explained there. */
export interface Scene {
  table: Table;
  snapshot: Snapshot;
  model: Model;
  index: number | null;
  start: number[];
  x: number[];
  plane: PlaneKind;
  grid: boolean;
  across: number;
  up: number;
  view: PlaneView;
  firing: number[] | null;
  dark: boolean;
  prediction: Predicted | null;
  locked: string[];
  wantedClass: number | null;
  scoreClass: number | null;
  filters: RowFilter[];
  curve: CurveChoice;
}

/** range: what is seen. whole: where all rows lie. */
export interface Axis {
  title: string;
  range: [number, number];
  whole: [number, number];
  steps: Float64Array;
  column?: Column;
}

/** What a rule covers: an ellipse, or a band along an axis where its other condition was dropped. */
export type Outline = { polygon: Point[] } | { band: "x" | "y"; from: number; to: number };

/** The plane of a scene and its coordinates; see plane_frame.js. */
export interface Frame extends Plane {
  us: Float64Array;
  vs: Float64Array;
  x: Axis;
  y: Axis;
  single: boolean;
  coordinates: (row: Row, n?: number) => Point;
  steps: (first: number, second: number) => Point;
  center: (r: number) => Point | null;
  outline: (r: number) => Outline | null;
}

/** What a row can be changed in; see row/margins.js. */
export interface RowFeature {
  name: string;
  columns: number[];
  categories: string[];
  low: number;
  high: number;
  whole: boolean;
  scale: number;
  step: number;
  date?: BaseColumn["date"];
  locked: boolean;
}

/** What is around one row of a model; see row/margins.js. z [R], outputs [R·C]: of the row. wanted: a class, null for any other. */
export interface Margins {
  model: Model;
  x: Float64Array;
  z: Float64Array;
  outputs: Float64Array;
  predicted: number;
  wanted: number | null;
}

/** What a value of a feature adds to z [R] and to the rules' scores [R·C]. */
export interface Shift {
  z: Float64Array;
  y: Float64Array;
}

/** value: that flips the decision, null for none. distance: in standard deviations. least: the least margin found. */
export interface Flip {
  value: number | null;
  distance: number;
  least: number;
}

/** A change that flips the decision. x: the row with it. predicted: the class of that row. */
export interface Change {
  features: RowFeature[];
  x: number[];
  distance: number;
  predicted: number;
}
