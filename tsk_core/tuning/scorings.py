"""What a search may maximise, by the names of scikit-learn's scorers, computed from class probabilities."""

from collections.abc import Callable

import numpy as np
import sklearn.metrics as metrics

from tsk_core.errors import SettingError

__all__ = ["SCORINGS", "Scoring", "score_of"]

Scoring = Callable[[np.ndarray, np.ndarray], float]  # of class indices (N,) and class probabilities (N, C); larger is better


def score_of(name: str) -> Scoring | None:
    """How the score of this name is computed; None for those that training measures itself. SettingError for another name."""
    if not isinstance(name, str) or name not in SCORINGS:
        raise SettingError(f"scoring is {str(name)[:40]!r}; it must be one of {', '.join(SCORINGS)}.")
    return SCORINGS[name]


def _of_classes(score: Callable[[np.ndarray, np.ndarray], float]) -> Scoring:
    return lambda y, probabilities: float(score(y, probabilities.argmax(1)))


def _f1(average: str) -> Callable[[np.ndarray, np.ndarray], float]:
    return lambda y, predicted: metrics.f1_score(y, predicted, average=average, zero_division=0.0)


def _negative_log_loss(y: np.ndarray, probabilities: np.ndarray) -> float:
    return -float(metrics.log_loss(y, probabilities, labels=np.arange(probabilities.shape[1])))


def _area_under_roc(y: np.ndarray, probabilities: np.ndarray) -> float:
    """Of the second of two classes; of more, the mean over the classes, each against all others.

    A class that no row has, or every row, has no area: it does not count. Without any other, no order is better than chance: 0.5.
    """
    n_classes = probabilities.shape[1]
    counted = [k for k in ([1] if n_classes == 2 else range(n_classes)) if 0 < (y == k).sum() < len(y)]
    areas = [metrics.roc_auc_score(y == k, probabilities[:, k]) for k in counted]
    return float(np.mean(areas)) if areas else 0.5


SCORINGS: dict[str, Scoring | None] = {
    "balanced_accuracy": None,
    "accuracy": None,
    "roc_auc": _area_under_roc,
    "neg_log_loss": _negative_log_loss,
    "f1_macro": _of_classes(_f1("macro")),
    "f1_weighted": _of_classes(_f1("weighted")),
    "matthews_corrcoef": _of_classes(metrics.matthews_corrcoef),
}
