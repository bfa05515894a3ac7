"""Baselines with settings found by cross-validation: what to compare a tuned model with.

Each tries as many settings on as many folds as the model's search did, or as many as its seconds allow: scikit-learn's defaults
first, then others of its grid in random order (``ParameterSampler``). Scored as the model's search.
"""

import math
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

import numpy as np

from tsk_core.data.folds import Fold
from tsk_core.evaluate.baselines import FOREST_BYTES, bytes_of_forest, estimated_seconds, fitted_baseline
from tsk_core.evaluate.scorings import scoring_of

__all__ = ["TunedBaseline", "tuned_baselines"]

GRIDS: dict[str, dict[str, list[Any]]] = {
    "logistic_regression": {"C": [10.0**power for power in range(-4, 5)], "class_weight": [None, "balanced"]},
    "random_forest": {
        "n_estimators": [100, 300],
        "max_depth": [None, 4, 8, 16],
        "min_samples_leaf": [1, 2, 5, 10],
        "max_features": ["sqrt", 0.3, 1.0],
        "class_weight": [None, "balanced"],
    },
}
# The settings among them that ``baselines`` has where none are found.
DEFAULTS: dict[str, dict[str, Any]] = {
    "logistic_regression": {"C": 1.0, "class_weight": None},
    "random_forest": {
        "n_estimators": 100, "max_depth": None, "min_samples_leaf": 1, "max_features": "sqrt", "class_weight": None,
    },
}  # fmt: skip


@dataclass(frozen=True)
class TunedBaseline:
    """settings: of scikit-learn's estimator, which differ from ``baselines``' own. tried: combinations with a score.

    folds: of each. seconds: of the search. score: mean over the folds, optimistic, as the best of ``tried``; of BCA, or of
    what the search maximises.
    """

    settings: dict[str, Any]
    tried: int
    folds: int
    seconds: float
    score: float

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return asdict(self)


def tuned_baselines(
    Z: np.ndarray,
    y: np.ndarray,
    folds: Sequence[Fold],
    *,
    most: int,
    seconds: float,
    scoring: str = "balanced_accuracy",
    seed: int = 0,
    stopped: Callable[[], bool] = lambda: False,
    clock: Callable[[], float] = time.monotonic,
) -> dict[str, TunedBaseline]:
    """By key of ``BASELINES``; a baseline whose first settings would already take too long is left out.

    Z: encoded training rows, normalised, (N, D); y: their class names, (N,). folds: of these rows. most: settings of each
    baseline. seconds: for each. scoring: a name of ``SCORINGS``. stopped: asked between two fits; what was found by then counts.
    clock: seconds that count.
    """
    found, classes = {}, len(np.unique(y))
    for key in GRIDS:
        began, best, tried = clock(), None, 0
        for settings in _candidates(key, most, seed):
            trees = settings.get("n_estimators", 100) / 100
            if key == "random_forest" and trees * bytes_of_forest(len(y), classes) > FOREST_BYTES:
                continue
            expected = trees * len(folds) * estimated_seconds(key, len(y), Z.shape[1], classes)
            if stopped() or clock() - began + expected > seconds:
                break
            score = _score(key, settings, Z, y, folds, scoring, seed, stopped)
            if score is None:
                break
            tried += 1
            best = max(best or (-math.inf, {}), (score, settings), key=lambda pair: pair[0])
        if best is not None:
            found[key] = TunedBaseline(best[1], tried, len(folds), round(clock() - began, 2), best[0])
    return found


def _candidates(key: str, most: int, seed: int) -> Iterator[dict[str, Any]]:
    """At most so many settings, the usual ones first."""
    from sklearn.model_selection import ParameterGrid, ParameterSampler  # imported here: the import is slow

    yield {}
    drawn = ParameterSampler(GRIDS[key], min(len(ParameterGrid(GRIDS[key])), most), random_state=seed)
    yield from islice((settings for settings in drawn if settings != DEFAULTS[key]), most - 1)


def _score(
    key: str,
    settings: Mapping[str, Any],
    Z: np.ndarray,
    y: np.ndarray,
    folds: Sequence[Fold],
    scoring: str,
    seed: int,
    stopped: Callable[[], bool],
) -> float | None:
    """Mean score over the folds; None where it was stopped."""
    scores, names = [], np.unique(y)
    for fold in folds:
        if stopped():
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # a fold lacks a class
            predicted = fitted_baseline(key, seed, settings, Z[fold.train], y[fold.train], Z[fold.test])
        scores.append(scoring_of(scoring).score(np.searchsorted(names, y[fold.test]), predicted.of(names)))
    return float(np.mean(scores))
