// The tuning of settings as the server sends it, for the type checker alone.

/**
 * One candidate of a search for good settings. validations: folds. own: whether it has the settings of the page. error: standard error
 * of the score. conditions: of a readable rule base with so many rules, of which each has `most` conditions at most; else null.
 * agreement, literal: shares of rows where its strongest rule predicts as the model does, and where that rule's sentence is true.
 */
export interface Trial {
  number: number;
  score: number;
  sd: number | null;
  validations: number;
  error: number | null;
  conditions: number | null;
  rules: number;
  most: number;
  agreement: number | null;
  literal: number | null;
  state: "training" | "dropped" | "finished";
  settings: string;
  own: boolean;
}

/**
 * A search as ui/tuning/tuning_run.py sends it; its trials with the best first. curve: of a search for a readable rule base, the
 * numbers of those that no shorter one beats, fewest conditions first; else null. chosen: the number of the trial whose settings are
 * used. measure: what the scores are, as "BCA"; "" before the first.
 */
export interface Search {
  ended: boolean;
  trials: Trial[];
  curve: number[] | null;
  chosen: number | null;
  measure: string;
}
