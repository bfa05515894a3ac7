// What the server sends, the state of the page, and what views and figures are made of, for the type checker alone.

import type { RuleBase } from "./rule_texts.js";

export * from "./rule_texts.js";

/** One epoch; the fields are explained in tsk_core/epoch.py. */
export interface Epoch {
  stage: "training" | "hold-out";
  epoch: number;
  ce: number;
  l2: number;
  shrinkage: number;
  sharpness: number;
  covering: number;
  l1: number;
  conditions: number | null;
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
  initialFiring: number[] | null;
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

/** How strong the conditions are, bytes [R][F] in base64, and the class of each rule; see tsk_core/live/series.py. */
export interface Strengths {
  epoch: number;
  end?: boolean;
  strengths: string;
  classes: number[] | null;
}

/**
 * What is known of a run besides its epochs. label: what the comparison is called, such as "λ 0"; sameTestRows: whether it is
 * tested on the rows of the run shown. jitter: where the test scores jitter, over how many epochs to smooth them, and a
 * sentence. steps: gradient steps of an epoch. trainings: in how many separate ones the rules are learnt, where they are
 * several. goal: the cross-entropy that the run's preset speaks of, and what distinguishes it, such as "with BN".
 */
export interface About extends Counts {
  sameTestRows?: boolean;
  jitter?: { window: number; text: string } | null;
  epochs?: number;
  steps?: number | null;
  trainings?: number;
  goal?: { below: number; label: string } | null;
  ended?: boolean;
  revisited?: boolean;
  /** Whether UR is part of the loss. */
  regularised?: boolean;
  label?: string;
  /** Of the comparison: the key of the setting that distinguishes it, where it is one alone; which scores differ by more than chance. */
  changed?: string | null;
  clear?: { rca: boolean };
  baseline?: number | null;
  classes?: string[] | null;
}

/**
 * The rules at one epoch in original units: [R], [R][D], [R][D], [R][C][D+1]. A sigma of null: the antecedent was dropped. scale, shift:
 * γ and β of layer normalisation, [R], where the model has it.
 */
export interface Snapshot {
  epoch: number;
  end?: boolean;
  log_weight: number[];
  centers: number[][];
  sigmas: (number | null)[][];
  consequents: number[][][];
  scale?: number[];
  shift?: number[];
}

/**
 * A column of the model: a number, or one category of a feature. impute: what a missing value is replaced by. date: how the number came
 * about where the table has dates, see tsk_core/explain/labels.py.
 */
/** levels: of ordered categories, lowest first; the column is the rank of one, from 0. */
export interface BaseColumn {
  feature: string;
  kind: string;
  category?: string | number | boolean | null;
  impute?: string | number | boolean | null;
  date?: { format: string; scale: string; origin: string; midnights?: boolean };
  levels?: string[];
}

/** of: under "layer-relu", the normalisation whose firing levels it normalises. */
export interface Normalisation {
  kind: string;
  epsilon: number;
  of?: Normalisation;
}

/** What all snapshots of a run share. log_prior: [C], added to the scores before the softmax, where the model has class weights. */
export interface Base {
  columns: BaseColumn[];
  classes: string[];
  normalisation: Normalisation;
  log_prior?: number[];
}

/**
 * A part of a message, see ui/live/__init__.py. kind: which list or value it is about. of: of which run or experiment. since: of a list,
 * the number of its first entry; of a value, the moment it changed. version: a list of another one replaces what there was.
 */
export interface Part {
  kind: string;
  of?: string;
  version?: string;
  since: number;
  payload: any;
}

/** The new entries of a list, and what they share. */
export interface ListPayload<T> {
  list: T[];
  base?: Base;
  classes?: string[];
  features?: string[];
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

/** Where something stands that goes on: the share that is done, where it is known, a sentence, and perhaps more. */
export interface Standing {
  share: number | null;
  text: string;
  lines?: { text: string; bold: boolean; share?: number | null }[];
  table?: { columns: string[]; rows: string[][] };
}

/** What this page knows of a run. said: what its "about" is made of. */
export interface Run {
  run: string | null;
  /** Of its table, where they come beside the page; a file has them among the options of its views. */
  rows: Rows | null;
  epochs: Epoch[];
  about: About;
  said?: { about?: About; pair?: About };
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
 * ruleOrder, notation: of the tab Rules. ablation: of which run, and each step, the last one in force; see model/conditions.js.
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
  /** The rules, by index from 0, under the pointer, and kept by a click: the charts of the stage dim the others. */
  pointed: number | null;
  kept: number | null;
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

/** What the painter is given. text: of the points, see paint/painting.js. version: grows where the server puts others in their place. */
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
  /** The address of a recorded training. */
  demonstration?: string;
  /** Of what a view is that is not of the run shown. */
  of?: string;
  /** Which part of it, where not all. */
  part?: string;
  /** Of the scores: whether the run shown has not ended, so that the page has none of its own; whether the page is presented. */
  live?: boolean;
  presenting?: boolean;
  /** The ticket with which those who watch follow the selected epoch, see ui/live/stage.py. */
  lead?: string;
  /** Of the settings in sight: what is known of them, and with what the page lets them be trained without a press. */
  knobs?: object[];
  token?: string;
  calls?: string[];
  paint?: PaintGiven;
  send?: (name: string, value: unknown) => void;
}

export type Point = [number, number];
