"""Predictions for new rows: treated as the training table was, with probabilities and the rule that decided each."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tsk_core.data.clean import Recipe
from tsk_core.data.clean.names import fresh_name
from tsk_core.errors import ModelFileError, RunError

__all__ = ["predicted", "trained"]


def trained(run_or_model: str, store: Any) -> tuple[Any, Recipe | None]:
    """A fitted classifier, and how its table was cleaned (None for a model saved by itself).

    run_or_model: the id of a run in ``store`` (a RunStore), the folder of one, or what ``TSKClassifier.save`` wrote.
    Raises RunError or ModelFileError where there is none.
    """
    from tsk_core.classifier import TSKClassifier

    path = Path(run_or_model)
    if path.exists() and not (path / "config.json").exists():
        return TSKClassifier.load(path), None
    if not path.exists() and any(sign in run_or_model for sign in "/\\."):
        raise ModelFileError(f"There is no run and no saved model at '{run_or_model[:200]}'.")
    if path.exists() and path.resolve().parent != store.folder.resolve():
        raise RunError(f"'{run_or_model[:200]}' is a run of another folder; set TSK_RUNS_DIR to the folder it lies in.")
    run = path.name
    return store.result(run).classifier, store.recipe(run)


def predicted(classifier: Any, recipe: Recipe | None, table: pd.DataFrame) -> pd.DataFrame:
    """The raw table with new columns: "predicted", "p(<class>)" for each class, and "rule" (from 1), the one that decided.

    A rule decides a row where it adds most to the score of the predicted class, over what it adds to the other classes on
    average: f̄_r (y_r^c − mean_k y_r^k). A cell that cannot be read is a gap. Raises DataError where a column is missing.
    """
    X = table if recipe is None else recipe.apply(table)
    added = {"predicted": classifier.predict(X)}
    added |= {f"p({name})": values for name, values in zip(classifier.classes_, classifier.predict_proba(X).T, strict=True)}
    added["rule"] = _deciding_rules(classifier, X)
    taken = set(table.columns)
    return table.assign(**{fresh_name(name, taken): np.asarray(values) for name, values in added.items()})


def _deciding_rules(classifier: Any, X: pd.DataFrame, block: int = 4096) -> np.ndarray:
    """The number of the rule that decided, from 1, int64 (N,)."""
    found = np.empty(len(X), dtype=np.int64)
    for start in range(0, len(X), block):
        rows = X.iloc[start : start + block]
        shares = classifier.contributions(rows).contribution  # (n, R, C)
        best = shares.sum(1).argmax(1)
        leads = np.take_along_axis(shares, best[:, None, None], 2)[..., 0] - shares.mean(2)
        found[start : start + block] = leads.argmax(1) + 1
    return found
