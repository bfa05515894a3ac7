// Rules in words as the server sends them, see tsk_core/live/messages.py.

/**
 * A rule in words. rule: its number, from 1. features: of its conditions. support: its mean firing level. measured: lines about it.
 * numbers: its conditions without words, such as "size is between 1 and 2". ranges: their ends as printed, null for a category.
 * mostly: the classes where it names no single one. headline, remarks: of how many rows the sentence is true; right: the share of
 * these with its class, and its interval. confidence: in each class of the base.
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
  ranges?: ([number | null, number | null] | null)[];
  mostly?: string[];
  headline?: string;
  remarks?: string[];
  right?: number | null;
  interval?: [number, number] | null;
  confidence?: number[] | null;
  stability?: ComesBack | null;
}

/** How often a like rule came back in `of` trainings with other seeds, and by chance. compared: by how many conditions, if not all shown. */
export interface ComesBack {
  times: number;
  of: number;
  chance: number;
  compared?: number | null;
}

/** How well predictions by the printed text agree with the model's. name: the way to predict by it. */
export interface TextFidelity {
  name: string;
  fidelity: number;
  accuracy: number | null;
  text: string;
}

/**
 * All rules in words at one epoch, by dominance where it is known, else the most active first. end: whether they are those of the model
 * kept. uncovered: test rows, else training rows, of which no sentence is true.
 */
export interface RuleBase {
  epoch: number;
  end?: boolean;
  summary: string[];
  rules: RuleText[];
  classes?: string[];
  printed?: TextFidelity[] | null;
  uncovered?: { rows: number; of: number; text: string } | null;
  list?: RuleList | null;
}

/** A condition of a rule list; see tsk_core/explain/readable/rule_list.py. */
export interface ListedCondition {
  feature: string;
  text: string;
  range: string;
  word: string;
  level: number;
  center?: number;
  sigma?: number;
  levels?: number[];
}

/** A sentence of a rule list, and how many test rows it is about; rule and score: null for "otherwise". */
export interface ListedRule {
  rule: number | null;
  class: string;
  score: number | null;
  true: number;
  right: number | null;
  taken: number;
  takenRight: number | null;
  conditions: ListedCondition[];
}

/** What the cells of a feature are drawn over: the range of a number, or the names of categories. */
export type ListedColumn = { low: number; high: number; categories?: undefined } | { categories: string[] };

/** The rule list of a readable rule base; see tsk_core/explain/readable/rule_list.py. */
export interface RuleList {
  features: string[];
  columns: Record<string, ListedColumn>;
  of: string;
  rows: number;
  lines: string[];
  note: string;
  items: ListedRule[];
}
