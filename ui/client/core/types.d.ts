// The state of the page, and what views and figures are made of, for the type checker alone.

import type { About, Base, Epoch, Evaluation, Rows, RuleBase, Snapshot, Strengths } from "./messages.js";

/** What this page knows of a run. fields: of its epochs, in the order in which messages have them. */
export interface Run {
  run: string | null;
  epochs: Epoch[];
  fields: string[];
  about: About;
  snapshots: Snapshot[];
  ruleBases: RuleBase[];
  evaluations: Evaluation[];
  strengths: Strengths[];
  base: Base | null;
  classes: string[];
  features: string[];
  error: string;
}

/** The horizontal axis of the figures by epoch. */
export type Across = "epochs" | "steps" | "seconds";

/** Rules (from 0) and conditions (a rule and a feature) that are taken out of the run shown. */
export interface Ablation {
  rules: readonly number[];
  conditions: readonly (readonly [number, string])[];
}

/** How conditions are written. */
export type Notation = "words" | "numbers" | "formula";

/**
 * How the charts are shown. future: whether epochs after the selected one are drawn. speed: epochs a second, of the replay.
 * logLoss: whether the axis of the loss is logarithmic. beside: whether the comparison is drawn beside the run rather than over it.
 * ruleOrder, notation: of the tab Rules. ablation: of which run, and each step, the last one in force; see model/ablation.js.
 */
export interface Options {
  dark: boolean;
  order: string;
  future: boolean;
  speed: number;
  across: Across;
  logLoss: boolean;
  beside: boolean;
  ruleOrder: string;
  notation: Notation;
  ablation: { run: string | null; steps: Ablation[] };
  prediction: Predicted | null;
}

/**
 * What was predicted on the page Learn. measure: of what. labels: of bars and curves. grid, features, ranges: of a region. class: the
 * predictions of a class, place by place, of a region the share that painted it.
 */
export interface Predicted {
  kind: "bars" | "curve" | "region";
  measure: string;
  labels: string[];
  values: number[];
  label: string;
  grid?: number;
  features?: string[];
  ranges?: [number, number][];
  class: { label: string; median: number[]; low: number[]; high: number[]; share: number[] } | null;
}

/** What the views draw. index: of the selected epoch among those of the run shown, −1 for none. */
export interface State extends Options {
  shown: Run;
  comparison: Run;
  index: number;
  epoch: Epoch | null;
  newest: boolean;
}

/**
 * What a chart's figure is made of. title: as declared in ui/charts/declared.py. width: pixels, where it is drawn on a page. other: the run
 * drawn beside it, which has to have the same scales.
 */
export interface FigureInput extends State {
  title: string;
  width?: number;
  other?: Run;
}

/** A trace or a layout for Plotly. */
export type Properties = Record<string, unknown>;

/** A line or a label laid over a figure. */
export interface Marks {
  shapes: Properties[];
  annotations: Properties[];
}

/** name: the figure in a sentence, for screen readers. caption: the text below it. headline: large letters over it. */
export interface Figure {
  data: Properties[];
  layout: Properties;
  name: string;
  caption?: string;
  headline?: string;
}

export type FigureOf = (input: FigureInput) => Figure;

/** A chart as ui/charts/declared.py declares it: `name` is the function in `module` that makes its figure. */
export interface ChartDeclaration {
  name: string;
  title: string;
  module: string;
  options: string[];
  beside: boolean;
}

/** node: what has to be drawn again when its width changes. watch: calls its argument on changes outside the store. */
export interface View {
  draw: (state: State) => void;
  node?: HTMLElement;
  watch?: (draw: () => void) => () => void;
}

/** What the painter is given. text: of the points, see paint/points.js. version: grows where the server puts others in their place. */
export interface PaintGiven {
  text: string;
  version: number;
  classes: string[];
  most: number;
  inLink: number;
}

/**
 * What Explain says of a chart, see ui/charts/explanations. formula: lines of MathML.
 */
export interface Explanation {
  title: string;
  shows: string;
  formula: string[];
  letters: string;
  tries: string;
}

/** run: whose rows these are. calls: names of what `send` may tell the server. explanations: address of what Explain says, "" for no such button.
 * beside: the run whose comparison is drawn beside it at first. */
export interface MountOptions {
  explanations?: string;
  beside?: string;
  views: string[];
  data?: string;
  rows?: Rows | null;
  note?: string;
  run?: string;
  calls?: string[];
  paint?: PaintGiven;
  send?: (name: string, value: unknown) => void;
}

export type Point = [number, number];
