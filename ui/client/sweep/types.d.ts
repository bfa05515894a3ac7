// A sweep as the server sends it, for the type checker alone.

import type { Predicted } from "../core/types.js";

/** An axis of a sweep. title: with its symbol. short: what stands before a value. texts, ticks: of its values, ticks shorter, for below the axis. log: whether its scale is logarithmic. */
export interface SweepAxis {
  key: string;
  title: string;
  short: string;
  log: boolean;
  values: number[];
  texts: string[];
  ticks: string[];
}

/**
 * A cell of a sweep. n: trainings so far of `of`. mean, low, high: of the figure shown, and the ends of its band; null where there are
 * none. close: not separated from the highest, though others are. lines: what it says. row: its texts in the table. seeds: seed, value, whether it diverged.
 */
export interface SweepCell {
  variant: number;
  name: string;
  values: number[];
  n: number;
  of: number;
  diverged: number;
  mean: number | null;
  low: number | null;
  high: number | null;
  highest: boolean;
  close: boolean;
  lines: string[];
  row: string[];
  seeds: [number, number, boolean][];
}

/** A sweep as ui/sweep/panel.py sends it. band: what the band is. levels: baselines. chosen: the variant whose runs are listed. */
export interface Sweep {
  prediction?: Predicted | null;
  axes: SweepAxis[];
  cells: SweepCell[];
  figure: { name: string; title: string; short: string; digits: number; share: boolean };
  levels: { name: string; value: number }[];
  band: string;
  draw: "map" | "lines" | "parallel";
  columns: string[];
  sentence: string;
  caption: string;
  chosen: number | null;
}
