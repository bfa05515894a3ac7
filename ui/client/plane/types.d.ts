// The picture of a plane, for the type checker alone. All lengths are pixels, from the top left.

import type { Point } from "../core/types.js";
import type { Frame, Scene } from "../model/types.js";

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * A line, a shape or a text. path: as in SVG, around `at` where it has one. inside: cut off at the edges of the plot. align: of a text, about
 * `at`, which is its middle from top to bottom. turned: read from below.
 */
export interface Mark {
  path?: string;
  at?: Point;
  fill?: string;
  stroke?: string;
  width?: number;
  dash?: number[];
  opacity?: number;
  inside?: boolean;
  text?: string;
  size?: number;
  align?: "start" | "middle" | "end";
  turned?: boolean;
}

/** What the pointer finds. text: what it is. row, rule: its index, where it is one. chosen: whether a click chooses it. */
export interface Spot {
  at: Point;
  text: () => string;
  row?: number;
  rule?: number;
  chosen?: boolean;
}

/** Which rules are drawn strongly, by index. levels: firing levels [R] where the pointer is, or on average. */
export interface Emphasis {
  marked: number | null;
  strong: number[];
  levels: ArrayLike<number> | null;
}

/** letters: opacity of its number. tinted: whether its reach is. */
export interface RuleStyle {
  opacity: number;
  letters: number;
  width: number;
  tinted: boolean;
}

/**
 * What a plane on the stage has besides. beside: the same scene with the comparison's model, called `label`. point: tells which rule the
 * pointer is on; keep: which one was clicked, null for none.
 */
export interface Linked {
  marked: number | null;
  beside: Scene | null;
  label: string;
  point: (rule: number | null) => void;
  keep: (rule: number | null) => void;
}

/** What the model predicts on a grid, row by row from the bottom; x, y: what the grid covers. */
export interface Surface {
  predicted: Uint16Array;
  probability: Float64Array;
  columns: number;
  x: Point;
  y: Point;
}

/** What stays as it is from one epoch to the next: the axes, the legend and the rows. */
export interface Still {
  width: number;
  height: number;
  plot: Box;
  marks: Mark[];
  rows: (Spot & { row: number })[];
}

/** ground: where its surface lies. still, marks: one over the other. spots: likewise. name: the picture in a sentence, for screen readers. */
export interface Picture {
  width: number;
  height: number;
  plot: Box;
  ground: Box | null;
  still: Mark[];
  marks: Mark[];
  spots: Spot[];
  name: string;
}

/** An entry of the legend: what it shows, around 0, and its name. */
export interface Key {
  marks: Mark[];
  name: string;
}

/**
 * How a picture is made. size: of its letters. measure: the width of a text in letters of a size. classes: whether the legend has them.
 * above: pixels that are left free above it. linked: on the stage.
 */
export interface Paper {
  width: number;
  height: number;
  size: number;
  small: number;
  measure: (text: string, size: number) => number;
  classes: boolean;
  above?: number;
  linked?: Linked | null;
}

/** A surface that is asked for. */
export interface Wanted {
  scene: Scene;
  frame: Frame;
}
