// Predictions of the page Learn, for the type checker alone.

/**
 * What is to be predicted. id: of the lesson, under which a drawing is kept. labels: one for each value of bars and curves. start: where the
 * values stand at first. line: a height drawn across. ranges, points, classes: what lies under a region. value: the locked prediction.
 */
export interface Question {
  id?: string;
  kind: "choice" | "bars" | "curve" | "region";
  options: string[];
  labels: string[];
  x: string;
  y: string;
  low: number;
  high: number;
  start: number[] | null;
  line: { at: number; text: string } | null;
  grid: number;
  features: string[];
  ranges?: [number, number][];
  points?: { x: number; y: number; c: number }[];
  classes?: string[];
  value: number[] | null;
  locked: boolean;
}

/** The drawing of a question. touched: whether the learner changed anything. */
export interface Drawing {
  values: number[];
  touched: boolean;
}

/** Draws a question and lets it be changed: calls `change` with the new values. */
export type Editor = (parent: Element, question: Question, drawing: Drawing, change: (values: number[]) => void, dark: boolean) => void;
