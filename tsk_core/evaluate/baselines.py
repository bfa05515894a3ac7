"""Baselines on the same split and the same encoding: what simple classifiers predict for the test rows.

majority                       the most frequent class of the training rows
logistic_regression            scikit-learn's, with its L2 penalty (C = 1)
weighted_logistic_regression   the same, rare classes weighing as much as common ones
random_forest                  scikit-learn's, 100 trees

A baseline that would take longer than the training is left out, and a note says so. Estimates decide, from the numbers of rows,
columns and classes alone: two runs with the same seed have the same baselines, however busy the machine is.
"""

import hashlib
import math
import warnings
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

__all__ = ["BASELINES", "Predicted", "baseline_settings", "baselines", "bytes_of_forest", "estimated_seconds", "fitted_baseline"]

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
