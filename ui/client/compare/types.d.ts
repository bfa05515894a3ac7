// A comparison, as the server sends it and as its charts draw it, for the type checker alone.

import type { Point } from "../core/types.js";

/** Which epochs the charts of a comparison show: all, the first 20, the second half. */
export type Span = "all" | "early" | "late";

export type Quantity = "ce" | "rca" | "bca" | "grad_antecedents" | "grad_consequents";

/** What a training did by epoch, from epoch 0 on. */
export type Curves = { epoch: number[] } & Record<Quantity, (number | null)[]>;

/** A training at up to 20 epochs: firing levels in falling order, counts of rows by entropy, confusion matrix of the test rows. */
export interface EpochDetails {
  epoch: number[];
  firing: number[][];
  entropy: number[][];
  confusion: number[][][] | null;
}

/** The plane of two features at these epochs, in raw units: a letter for each cell's class, row by row from below, and the rules. */
export interface PlaneDetails {
  x: [number, number];
  y: [number, number];
  names: string[];
  size: number;
  classes: string[];
  centers: Point[][];
  sigmas: Point[][];
}

/** A record of a comparison: one epoch of several trainings, or a training that ended; see ui/experiments/runs.py. */
export type ComparisonRecord =
  | ({ at: number[]; epoch: number } & Record<Quantity, (number | null)[]>)
  | { point: number; curves?: Curves; looks?: EpochDetails | null; plane?: PlaneDetails | null; scores?: Record<string, number[] | null>; message?: string };

/**
 * What is known of a comparison besides its records. colour: index of a variant's colour. epochs: of the longest training. factors: by
 * the number of seeds, what makes half of a 95% interval of a standard deviation. bandText: what the bands are, in a sentence.
 */
export interface CompareAbout {
  variants: { name: string; colour: number }[];
  seeds: number;
  splits: number;
  firstSeed: number;
  epochs: number;
  band: "sd" | "ci";
  bandText: string;
  factors: (number | null)[];
  classes: string[];
  ended: boolean;
}

/** One training of a comparison. done: whether it has ended; its curves are then whole. */
export interface Training {
  number: number;
  variant: number;
  seed: number;
  split: number;
  curves: Curves;
  looks: EpochDetails | null;
  plane: PlaneDetails | null;
  scores: Record<string, number[] | null> | null;
  message: string;
  done: boolean;
}

/** What the charts of a comparison draw. trainings: by variant. newest: the last epoch of all. atEnd: whether it is selected. */
export interface ComparisonState {
  experiment: string | null;
  about: CompareAbout;
  dark: boolean;
  trainings: Training[][];
  newest: number;
  epoch: number;
  atEnd: boolean;
  span: Span;
}
