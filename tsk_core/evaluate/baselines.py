"""What simple classifiers predict for the test rows, with the same encoding, with default or with tuned settings.

majority                       the most frequent class of the training rows
logistic_regression            scikit-learn's, with its L2 penalty (C = 1)
weighted_logistic_regression   the same, rare classes weighing as much as common ones
random_forest                  scikit-learn's, 100 trees

A baseline that would take longer than the training is left out, and a note says so. Estimates decide, from the numbers of rows,
columns and classes alone: two runs with the same seed have the same baselines, however busy the machine is.
"""

import hashlib
import math
import time
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from tsk_core.data.folds import Fold
from tsk_core.evaluate.scorings import scoring_of

BASELINES = {  # key -> title
    "majority": "majority class",
    "logistic_regression": "logistic regression",
    "weighted_logistic_regression": "class-weighted logistic regression",
    "random_forest": "random forest",
}
_FOREST = "RandomForestClassifier"
_ESTIMATORS: dict[str, tuple[str, dict[str, object]]] = {  # of scikit-learn, which only those load who fit one
    "logistic_regression": ("LogisticRegression", {"C": 1.0, "max_iter": 1000}),
    "weighted_logistic_regression": ("LogisticRegression", {"C": 1.0, "class_weight": "balanced", "max_iter": 1000}),
    "random_forest": (_FOREST, {"n_estimators": 100, "max_features": "sqrt", "class_weight": None}),
}
# Measured on one core of 2020 with the tables of the paper; the slowest of them counts.
LOGISTIC_SECONDS = 2.5e-7  # for each row, column and class
FOREST_SECONDS = 7e-6  # for each row, √column and level (log2 of the rows) of 100 trees
FOREST_START = 0.08  # seconds that 100 trees take on any table
MOST_KEPT, MOST_BYTES_KEPT = 64, 32e6  # predictions of baselines that a process remembers
FOREST_BYTES = 2e8  # at most; a tree has up to 1.3 nodes a row, each of 64 bytes and 8 more a class


Tuned = Mapping[str, Mapping[str, Any]]  # key -> what differs from the settings above


class Predicted(NamedTuple):
    """Of N rows. classes: (C,) names, sorted, of the training rows. probabilities: (N, C)."""

    classes: np.ndarray
    probabilities: np.ndarray

    @property
    def labels(self) -> np.ndarray:
        """The name of each row's most probable class, (N,)."""
        labels: np.ndarray = self.classes[self.probabilities.argmax(1)]
        return labels

    def of(self, classes: np.ndarray) -> np.ndarray:
        """The probabilities by these classes, sorted: (N, len(classes)). One without training rows has 0."""
        probabilities = np.zeros((len(self.probabilities), len(classes)))
        probabilities[:, np.searchsorted(classes, self.classes)] = self.probabilities
        return probabilities


def baselines(
    Z_train: np.ndarray,
    y_train: np.ndarray,
    Z_test: np.ndarray,
    seed: int = 0,
    most_seconds: float = math.inf,
    tuned: Tuned | None = None,
) -> tuple[dict[str, Predicted], list[str]]:
    """What each baseline predicts for the test rows, and a note for each one that is left out.

    Z_*: the model's own encoding, normalised float64, shape [N, D]. y_train: class names, shape [N]. seed: of the forest.
    most_seconds: a baseline whose ``estimated_seconds`` are more is left out, unless it is tuned.
    tuned: settings found by a search (``tuned_baselines``); class weights are among them, so that a tuned logistic regression is
        the only one.
    """
    names, counts = np.unique(y_train, return_counts=True)
    predicted, notes = {"majority": Predicted(names, np.tile(counts / counts.sum(), (len(Z_test), 1)))}, []
    rows, columns = Z_train.shape
    for key, (estimator, _) in _ESTIMATORS.items():
        settings = (tuned or {}).get(key)
        if key == "weighted_logistic_regression" and "logistic_regression" in (tuned or {}):
            continue
        if settings is None and estimated_seconds(key, rows, columns, len(names)) > most_seconds:
            notes.append(f"The baseline {BASELINES[key]} is left out: on this table it would take longer than the training.")
        elif estimator == _FOREST and bytes_of_forest(rows, len(names)) > FOREST_BYTES:
            notes.append(f"The baseline {BASELINES[key]} is left out: on this table it could take more memory than is free.")
        else:
            predicted[key] = _predictions(key, seed, settings or {}, Z_train, y_train, Z_test)
    return predicted, notes


def estimated_seconds(key: str, rows: int, columns: int, classes: int) -> float:
    """What fitting a baseline of ``BASELINES`` takes, roughly: right within a factor of 5."""
    if key == "majority":
        return 0.0
    if key == "random_forest":
        return FOREST_START + FOREST_SECONDS * rows * math.sqrt(columns) * math.log2(max(2, rows))
    return LOGISTIC_SECONDS * rows * columns * classes


def baseline_settings(seed: int, tuned: Tuned | None = None) -> dict[str, str]:
    """Key -> how the baseline is made, as Python where it is scikit-learn's."""
    settings = {"majority": "the most frequent class of the training rows"}
    for key, (estimator, _) in _ESTIMATORS.items():
        found = _settings(key, seed, (tuned or {}).get(key, {}))
        settings[key] = f"{estimator}({', '.join(f'{name}={value!r}' for name, value in found.items())})"
    return settings


def _settings(key: str, seed: int, changes: Mapping[str, Any]) -> dict[str, object]:
    estimator, settings = _ESTIMATORS[key]
    settings = {**settings, **changes}
    return settings | {"random_state": seed} if estimator == _FOREST else settings


def bytes_of_forest(rows: int, classes: int) -> float:
    """What 100 trees may take; ``FOREST_BYTES`` at most are."""
    return 100 * 1.3 * rows * (64 + 8 * classes)


# A class trains on one table and one split again and again, and the forest alone takes longer than a short training.
_kept: OrderedDict[bytes, Predicted] = OrderedDict()


def _predictions(
    key: str, seed: int, settings: Mapping[str, Any], Z_train: np.ndarray, y_train: np.ndarray, Z_test: np.ndarray
) -> Predicted:
    if not len(Z_test):
        names = np.unique(y_train)
        return Predicted(names, np.empty((0, len(names))))
    content = hashlib.sha256(repr((key, seed, sorted(settings.items()), Z_train.shape, y_train.tolist())).encode())
    for rows in (Z_train, Z_test):
        content.update(np.ascontiguousarray(rows).data)
    known = content.digest()
    if known not in _kept:
        _kept[known] = fitted_baseline(key, seed, settings, Z_train, y_train, Z_test)
        while len(_kept) > 1 and (
            len(_kept) > MOST_KEPT or sum(one.probabilities.nbytes for one in _kept.values()) > MOST_BYTES_KEPT
        ):
            _kept.popitem(last=False)
    return Predicted(*map(np.copy, _kept[known]))


def fitted_baseline(
    key: str, seed: int, settings: Mapping[str, Any], Z_train: np.ndarray, y_train: np.ndarray, Z_test: np.ndarray
) -> Predicted:
    """What a baseline with these changes of its settings predicts for the test rows."""
    from sklearn import ensemble, linear_model
    from sklearn.exceptions import ConvergenceWarning
    from threadpoolctl import threadpool_limits

    names, y = np.unique(y_train, return_inverse=True)  # as numbers: scikit-learn 1.9 takes the name "1" for the number 1
    if len(names) == 1:  # scikit-learn's logistic regression refuses a single class
        return Predicted(names, np.ones((len(Z_test), 1)))
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # 1000 iterations are enough for a baseline
        warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)  # a small table with many classes
        module = ensemble if _ESTIMATORS[key][0] == _FOREST else linear_model
        estimator = getattr(module, _ESTIMATORS[key][0])(**_settings(key, seed, settings))
        return Predicted(names, estimator.fit(Z_train, y).predict_proba(Z_test))


# Baselines with settings found by cross-validation: what to compare a tuned model with.
#
# Each tries as many settings on as many folds as the model's search did, or as many as its seconds allow: scikit-learn's defaults
# first, then others of its grid in random order (``ParameterSampler``). Scored as the model's search.


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
