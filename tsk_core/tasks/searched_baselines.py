"""Baselines for a model whose settings were searched for: with settings searched for as long."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from tsk_core.data.folds import folds
from tsk_core.errors import DataError
from tsk_core.evaluate.tuned_baselines import tuned_baselines
from tsk_core.runs.search import Search
from tsk_core.tasks.context import Context

if TYPE_CHECKING:
    import pandas as pd

    from tsk_core.estimators.classifier import TSKClassifier
    from tsk_core.estimators.classifier_cv import TSKClassifierCV

__all__ = ["BASELINES_STAGE", "search_of", "searched_baselines"]

BASELINES_STAGE = "baselines"  # of the progress while settings of baselines are looked for


def search_of(found: "TSKClassifierCV") -> Search:
    """What is kept of a search that has ended."""
    best = found.trials_[found.best_index_]
    counts = len(found.trials_), found.n_splits_, best.validations
    return Search(found.readable, *counts, found.budget, best.score, best.sd, scoring=best.scoring)


def searched_baselines(
    search: Search,
    classifier: "TSKClassifier",
    train: "tuple[pd.DataFrame, np.ndarray]",
    given: Mapping[str, Any],
    context: Context,
    done: int,
) -> Search:
    """The search with baselines: as many settings on as many folds of the training rows, at most as many seconds each.

    classifier: fitted, whose encoding they share. given: "groups" or "time" of the training rows, by which folds are made. A stop
    ends it; what was found by then counts. Where it has baselines, and where no folds can be made, it is
    returned as it is. done: steps of the task.
    """
    if search.baselines:
        return search
    together = {name: given[name] for name in ("groups", "time") if name in given}
    try:
        parts = folds(train[1], search.folds, classifier.seed_, **together)
    except DataError:
        return search
    context.progress(done, BASELINES_STAGE, False)
    found = tuned_baselines(
        classifier.encode(train[0]), train[1], parts, most=search.tried, seconds=search.seconds, scoring=search.scoring,
        seed=classifier.seed_, stopped=lambda: bool(context.checkpoint()), clock=context.clock,
    )  # fmt: skip
    return search.with_baselines(found)
