// The shapes that the modules of this folder share, for the type checker alone: the page never loads this file.

/** One epoch; the fields are explained in ui/live/message.py. */
export interface Epoch {
  stage: "training" | "hold-out";
  epoch: number;
  ce: number;
  l2: number;
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

/** What is known of a run besides its epochs. label: what the comparison is called, such as "λ 0". */
export interface About extends Counts {
  epochs?: number;
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

/** A column of the model: a number, or one category of a feature. impute: what a missing value is replaced by. */
export interface BaseColumn {
  feature: string;
  kind: string;
  category?: string | number | boolean | null;
  impute?: string | number | boolean | null;
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

/** A rule in words. rule: its number, from 1. support: its mean firing level. measured: lines about it. */
export interface RuleText {
  rule: number;
  if: string[];
  then: string;
  dead: boolean;
  support: number;
  measured: string[];
}

/** All rules in words at one epoch, the most active first. end: whether they are those of the model kept. */
export interface RuleBase {
  epoch: number;
  end?: boolean;
  summary: string[];
  rules: RuleText[];
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

/** How the charts are shown. future: whether epochs after the selected one are drawn. speed: epochs a second, of the replay. */
export interface Options {
  dark: boolean;
  order: string;
  future: boolean;
  speed: number;
}

/** What the views draw. index: of the selected epoch among those of the run shown, −1 for none. */
export interface State extends Options {
  shown: Run;
  comparison: Run;
  index: number;
  epoch: Epoch | null;
  newest: boolean;
}

/** What a chart's figure is made of. title: as declared in ui/charts.py. width: pixels, where it is drawn on a page. */
export interface FigureInput extends State {
  title: string;
  width?: number;
}

/** A trace or a layout for Plotly. */
export type Properties = Record<string, unknown>;

/** name: the figure in a sentence, for screen readers. caption: the text below it. */
export interface Figure {
  data: Properties[];
  layout: Properties;
  name: string;
  caption?: string;
}

export type FigureOf = (input: FigureInput) => Figure;

/** A chart as ui/charts.py declares it: `name` is the function in `module` that makes its figure. */
export interface ChartDeclaration {
  name: string;
  title: string;
  module: string;
}

/** node: what has to be drawn again when its width changes. watch: calls its argument on changes outside the store. */
export interface View {
  draw: (state: State) => void;
  node?: HTMLElement;
  watch?: (draw: () => void) => () => void;
}

export interface MountOptions {
  views: string[];
  data?: string;
  rows?: Rows | null;
  note?: string;
}

/** Rows of the run's data, as tsk_core.explain.rows_to_show gives them. part: 0 training, 1 test. */
export interface Rows {
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

/** What the tab Samples shows; see samples.js. */
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
  firing: number[] | null;
  dark: boolean;
}

export interface Axis {
  title: string;
  range: [number, number];
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
