// The tuning of settings as the server sends it, for the type checker alone.

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

/** A search as ui/tuning/tuning_run.py sends it; its trials with the best first. */
export interface Search {
  ended: boolean;
  trials: Trial[];
}
