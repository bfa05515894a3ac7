/** The shapes that the modules of this folder share, for the type checker alone. */

import type { BaseColumn } from "../core/messages.js";
import type { Model } from "../model/types.js";

/** What a row can be changed in; see features.js. */
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

/** What is around one row of a model; see margins.js. z [R], outputs [R·C]: of the row. wanted: a class, null for any other. */
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
