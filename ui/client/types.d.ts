// The shapes that the modules of this folder share, for the type checker alone: the page never loads this file.

import type { CurveChoice, Wanted } from "./row/types.js";

/** One epoch; the fields are explained in ui/live/message.py. */
export interface Epoch {
  stage: "training" | "hold-out";
  epoch: number;
  ce: number;
  l2: number;
  shrinkage: number;
  ur: number;
  rcaTrain: number | null;
  bcaTrain: number | null;
  rcaValidation: number | null;
  bcaValidation: number | null;
  rcaTest: number | null;
  bcaTest: number | null;
  gradAntecedents: number;
  gradConsequents: number;
  seconds: number;
  firing: number[];
  dead: number[];
  idle: number[];
  entropy: number[];
}

/** Test rows in bins of the predicted probability; null where a bin is empty. */
export interface Bins {
  count: number[];
  confidence: (number | null)[];
  accuracy: (number | null)[];
}

/** Counts of test rows, true classes × predicted classes, and the calibration; null where they were not kept. */
export interface Counts {
  confusion?: number[][] | null;
  reliability?: Bins | null;
  ece?: number | null;
}

export interface Evaluation extends Counts {
  epoch: number;
}

/**
 * What is known of a run besides its epochs. label: what the comparison is called, such as "λ 0"; sameTestRows: whether it is tested
 * on the rows of the run shown. jitter: where the test scores jitter, over how many epochs to smooth them, and a sentence. steps:
 * gradient steps of an epoch. goal: the cross-entropy that the run's preset speaks of, and what distinguishes it, such as "with BN".
 */
export interface About extends Counts {
  sameTestRows?: boolean;
  jitter?: { window: number; text: string } | null;
  epochs?: number;
  steps?: number | null;
  goal?: { below: number; label: string } | null;
  ended?: boolean;
  revisited?: boolean;
  label?: string;
  baseline?: number | null;
  classes?: string[] | null;
}

/** The rules at one epoch in original units: [R], [R][D], [R][D], [R][C][D+1]. A sigma of null: the antecedent was dropped. */
export interface Snapshot {
  epoch: number;
  end?: boolean;
  log_weight: number[];
  centers: number[][];
  sigmas: (number | null)[][];
  consequents: number[][][];
}

/**
 * A column of the model: a number, or one category of a feature. impute: what a missing value is replaced by. date: how the number came
 * about where the table has dates, see tsk_core/explain/dates.py.
 */
export interface BaseColumn {
  feature: string;
  kind: string;
  category?: string | number | boolean | null;
  impute?: string | number | boolean | null;
  date?: { format: string; scale: string; origin: string };
}

export interface Normalisation {
  kind: string;
  epsilon: number;
}

/** What all snapshots of a run share. */
export interface Base {
  columns: BaseColumn[];
  classes: string[];
  normalisation: Normalisation;
}

/**
 * A rule in words. rule: its number, from 1. features: of its conditions. support: its mean firing level. measured: lines about it.
 * numbers: its conditions without words, such as "size is between 1 and 2". confidence: in each class of the base.
 */
export interface RuleText {
  rule: number;
  if: string[];
  features: string[];
  then: string;
  dead: boolean;
  support: number;
  measured: string[];
  numbers?: string[];
  confidence?: number[] | null;
  claims?: Claims | null;
}

/** How often a like rule came back in `of` trainings, and its mean Dice; with other seeds, and on bootstrap samples. */
export interface ComesBack {
  times: number;
  of: number;
  dice: number;
  bootstrap?: ComesBack;
}

/**
 * What a rule claims and whether the training rows bear it out; see ui/live/rule_texts.py. prior: share of the class among all rows.
 * interval: of the confidence, 95%. coverage: share of rows with at least half of its raw firing. mostly: two classes where it names
 * none. literal: whether the whole system says the rule's class at its centre; centreClass: what it says there.
 */
export interface Claims {
  confidence: number;
  interval?: Point | null;
  prior: number;
  lift: number;
  certainty: number;
  coverage?: number | null;
  dominance: number;
  confusedWith?: { class: string; share: number }[] | null;
  mostly?: string[] | null;
  literal?: boolean | null;
  centreClass?: string | null;
  stability?: ComesBack | null;
}

/** How well a way of reading the printed rules describes the model. */
export interface Reading {
  name: string;
  fidelity: number;
  accuracy: number | null;
  text: string;
}

/** Rules (from 0) and conditions (a rule and a feature) that are taken out of the run shown. */
export interface TakenOut {
  rules: readonly number[];
  conditions: readonly (readonly [number, string])[];
}

/** How conditions are written. */
export type Notation = "words" | "numbers" | "formula";

/**
 * All rules in words at one epoch, by dominance where it is known, else the most active first. end: whether they are those of the model
 * kept. uncovered: training rows of which no rule's conditions hold well enough.
 */
export interface RuleBase {
  epoch: number;
  end?: boolean;
  summary: string[];
  printed?: Reading[];
  uncovered?: { rows: number; of: number; text: string } | null;
  rules: RuleText[];
  classes?: string[];
  printed?: Reading[] | null;
  uncovered?: { rows: number; of: number; text: string } | null;
}

/** The new part of a list. since: how many entries the browser has; error: why the list cannot be read. */
export interface ListMessage<T> {
  since: number;
  list: T[];
  base?: Base;
  classes?: string[];
  more?: boolean;
  error?: string;
}

/** What is new of a run; see ui/live/message.py. */
export interface RunMessage {
  run: string;
  since: number;
  after?: number | null;
  fields: string[];
  epochs: unknown[][];
  about: About;
  snapshots?: ListMessage<Snapshot>;
  ruleBases?: ListMessage<RuleBase>;
  evaluations?: ListMessage<Evaluation>;
}

export interface Message {
  dark: boolean;
  shown: RunMessage | null;
  comparison: RunMessage | null;
}

/** What this page knows of a run. */
export interface Run {
  run: string | null;
  epochs: Epoch[];
  about: About;
  snapshots: Snapshot[];
  ruleBases: RuleBase[];
  evaluations: Evaluation[];
  base: Base | null;
  classes: string[];
  error: string;
}

/** The horizontal axis of the figures by epoch. */
export type Across = "epochs" | "steps" | "seconds";

/**
 * How the charts are shown. future: whether epochs after the selected one are drawn. speed: epochs a second, of the replay.
 * logLoss: whether the axis of the loss is logarithmic. beside: whether the comparison is drawn beside the run rather than over it.
 * ruleOrder, notation: of the tab Rules. takenOut: of which run, and each step, the last one in force; see rules/taken_out.js.
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
  takenOut: { run: string | null; steps: TakenOut[] };
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
 * What a chart's figure is made of. title: as declared in ui/charts.py. width: pixels, where it is drawn on a page. other: the run
 * drawn beside it, which has to have the same scales.
 */
export interface FigureInput extends State {
  title: string;
  width?: number;
  other?: Run;
}

/** A trace or a layout for Plotly. */
export type Properties = Record<string, unknown>;

/** name: the figure in a sentence, for screen readers. caption: the text below it. headline: large letters over it. */
export interface Figure {
  data: Properties[];
  layout: Properties;
  name: string;
  caption?: string;
  headline?: string;
}

export type FigureOf = (input: FigureInput) => Figure;

/** A chart as ui/charts.py declares it: `name` is the function in `module` that makes its figure. */
export interface ChartDeclaration {
  name: string;
  title: string;
  module: string;
  options: string[];
  beside: boolean;
}

/** One candidate of a search for good settings. validations: folds. own: whether it has the settings of the page. */
export interface Trial {
  number: number;
  score: number;
  sd: number | null;
  validations: number;
  state: "training" | "dropped" | "finished";
  settings: string;
  own: boolean;
}

/** A search as ui/tuning/search.py sends it; its trials with the best first. */
export interface Search {
  ended: boolean;
  trials: Trial[];
}

/** node: what has to be drawn again when its width changes. watch: calls its argument on changes outside the store. */
export interface View {
  draw: (state: State) => void;
  node?: HTMLElement;
  watch?: (draw: () => void) => () => void;
}

/** run: whose rows these are. calls: names of what `send` may tell the server. */
export interface MountOptions {
  views: string[];
  data?: string;
  rows?: Rows | null;
  note?: string;
  run?: string;
  calls?: string[];
  send?: (name: string, value: unknown) => void;
}

/** Rows of the run's data, as tsk_core.explain.rows_to_show gives them. part: 0 training, 1 test. tests: test rows, drawn or not. */
export interface Rows {
  tests?: number;
  row: number[];
  part: number[];
  y: number[];
  x: number[][];
  columns: Range[];
  view: Components | null;
}

export interface Range {
  low: number;
  high: number;
}

/** Two principal components: `axes` [2][D] of the standardised columns, each with its share of the variance. */
export interface Components {
  center: number[];
  scale: number[];
  axes: number[][];
  share: number[];
}

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

/** A snapshot as arrays, see model.js. */
export interface Model {
  R: number;
  D: number;
  C: number;
  epoch: number;
  epsilon: number;
  logWeight: Float64Array;
  centers: Float64Array;
  inverse: Float64Array;
  constants: Float64Array;
  slopes: Float64Array;
}

/** One row of numbers, in original units. */
export type Row = ArrayLike<number>;

/** A plane through the space of rows: origin + u·across + v·up. */
export interface Plane {
  origin: Row;
  across: Row;
  up: Row;
}

/** Why a row gets its class; see model.js. */
export interface Explanation {
  firing: Float64Array;
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

/** What the tab Samples shows; see samples.js. The fields from `locked` on are choices of the visitor, explained there. */
export interface Scene {
  table: Table;
  snapshot: Snapshot;
  model: Model;
  index: number | null;
  start: number[];
  x: number[];
  plane: PlaneKind;
  across: number;
  up: number;
  view: PlaneView;
  firing: number[] | null;
  dark: boolean;
  locked: string[];
  goal: number | null;
  label: number | null;
  wanted: Wanted[];
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

export type Point = [number, number];

/** What a rule covers: an ellipse, or a band along an axis where its other condition was dropped. */
export type Outline = { polygon: Point[] } | { band: "x" | "y"; from: number; to: number };

/** The plane of a scene and its coordinates; see frame.js. */
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

/** A line or a label laid over a figure. */
export interface Marks {
  shapes: Properties[];
  annotations: Properties[];
}

/** Which epochs the charts of a comparison show: all, the first 20, the second half. */
export type Span = "all" | "early" | "late";

export type Quantity = "ce" | "rca" | "bca" | "grad_antecedents" | "grad_consequents";

/** What a training did by epoch, from epoch 0 on. */
export type Curves = { epoch: number[] } & Record<Quantity, (number | null)[]>;

/** A training at up to 20 epochs: firing levels in falling order, counts of rows by entropy, confusion matrix of the test rows. */
export interface Looks {
  epoch: number[];
  firing: number[][];
  entropy: number[][];
  confusion: number[][][] | null;
}

/** The plane of two features at these epochs, in raw units: a letter for each cell's class, row by row from below, and the rules. */
export interface PlaneLooks {
  x: [number, number];
  y: [number, number];
  names: string[];
  size: number;
  classes: string[];
  centers: Point[][];
  sigmas: Point[][];
}

/** A record of a comparison: one epoch of several trainings, or a training that ended. */
export type CompareLine =
  | ({ at: number[]; epoch: number } & Record<Quantity, (number | null)[]>)
  | { point: number; curves?: Curves; looks?: Looks | null; plane?: PlaneLooks | null; scores?: Record<string, number[] | null>; message?: string }
  | { baselines: unknown };

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

/** See ui/compare/feed.py. */
export interface CompareMessage {
  experiment: string;
  since: number;
  upto: number;
  lines: CompareLine[];
  about: CompareAbout;
  dark: boolean;
}

/** One training of a comparison. done: whether it has ended; its curves are then whole. */
export interface Training {
  number: number;
  variant: number;
  seed: number;
  split: number;
  curves: Curves;
  looks: Looks | null;
  plane: PlaneLooks | null;
  scores: Record<string, number[] | null> | null;
  message: string;
  done: boolean;
}

/** What the charts of a comparison draw. trainings: by variant. newest: the last epoch of all. atEnd: whether it is selected. */
export interface Compared {
  experiment: string | null;
  about: CompareAbout;
  dark: boolean;
  trainings: Training[][];
  newest: number;
  epoch: number;
  atEnd: boolean;
  span: Span;
  playing: boolean;
}

/** An axis of a sweep. title: with its symbol. short: what stands before a value. texts: of its values. log: whether its scale is logarithmic. */
export interface SweepAxis {
  key: string;
  title: string;
  short: string;
  log: boolean;
  values: number[];
  texts: string[];
}

/**
 * A cell of a sweep. n: trainings so far of `of`. mean, low, high: of the figure shown, and the ends of its band; null where there are
 * none. close: not clearly worse than the best. lines: what it says. row: its texts in the table. seeds: seed, value, whether it diverged.
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
  best: boolean;
  close: boolean;
  lines: string[];
  row: string[];
  seeds: [number, number, boolean][];
}

/** A sweep as ui/sweep/message.py sends it. moment: seconds, when it was made. band: what the band is. levels: baselines. chosen: the variant whose runs are listed. */
export interface Sweep {
  experiment: string;
  moment: number;
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
