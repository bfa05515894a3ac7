"""What a search may maximise, by the names of scikit-learn's scorers, computed from class probabilities.

A search scores each candidate on each fold after each epoch. scikit-learn checks its input for longer than many an epoch takes
(docs/decisions/0012), so each formula stands here; a test compares them with scikit-learn's.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from tsk_core.errors import SettingError
from tsk_core.metrics import accuracy, area_under_curve


class Scoring(NamedTuple):
    """title: in sentences and on axes. measure: of class indices (N,), class probabilities (N, C) and predicted classes (N,)."""

    title: str
    measure: Callable[[np.ndarray, np.ndarray, np.ndarray], float]

    def score(self, y: np.ndarray, probabilities: np.ndarray, predicted: np.ndarray | None = None) -> float:
        """Larger is better. predicted: the most probable class if not given; with class weights it can be another one."""
        return self.measure(y, probabilities, probabilities.argmax(1) if predicted is None else predicted)


def scoring_of(name: str) -> Scoring:
    """The scoring of this name; SettingError for another one."""
    if not isinstance(name, str) or name not in SCORINGS:
        raise SettingError(f"scoring is {str(name)[:40]!r}; it must be one of {', '.join(SCORINGS)}.")
    return SCORINGS[name]


def _accuracy(y: np.ndarray, probabilities: np.ndarray, predicted: np.ndarray) -> float:
    return accuracy(y, predicted).numbers[0]


def _balanced_accuracy(y: np.ndarray, probabilities: np.ndarray, predicted: np.ndarray) -> float:
    return accuracy(y, predicted).numbers[1]


def _confusion(y: np.ndarray, predicted: np.ndarray, C: int) -> np.ndarray:
    """Rows by class and predicted class, (C, C)."""
    return np.bincount(C * y + predicted, minlength=C * C).reshape(C, C)


def _f1_macro(y: np.ndarray, probabilities: np.ndarray, predicted: np.ndarray) -> float:
    """The mean over the classes that some row has or is predicted to have."""
    f1, _, either = _f1_by_class(y, predicted, probabilities.shape[1])
    return float(f1[either > 0].mean())


def _f1_weighted(y: np.ndarray, probabilities: np.ndarray, predicted: np.ndarray) -> float:
    """The mean over rows of the F1 of their class."""
    f1, rows, _ = _f1_by_class(y, predicted, probabilities.shape[1])
    return float((f1 * rows).sum() / rows.sum())


def _f1_by_class(y: np.ndarray, predicted: np.ndarray, C: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of each class: 2 TP / (2 TP + FP + FN), its rows, and those and the predicted ones together; (C,) each."""
    counts = _confusion(y, predicted, C)
    rows, either = counts.sum(1), counts.sum(1) + counts.sum(0)
    return 2 * counts.diagonal() / np.maximum(either, 1), rows, either


def _matthews(y: np.ndarray, probabilities: np.ndarray, predicted: np.ndarray) -> float:
    """The correlation of classes and predicted classes (Gorodkin 2004); 0 where either is the same in all rows."""
    counts = _confusion(y, predicted, probabilities.shape[1]).astype(np.float64)
    n, rows, called = counts.sum(), counts.sum(1), counts.sum(0)
    spread = (n**2 - rows @ rows) * (n**2 - called @ called)
    return float((n * counts.trace() - rows @ called) / np.sqrt(spread)) if spread else 0.0


def _negative_log_loss(y: np.ndarray, probabilities: np.ndarray, predicted: np.ndarray) -> float:
    least = np.finfo(probabilities.dtype).eps
    return float(np.log(probabilities[np.arange(len(y)), y].clip(least, 1 - least)).mean())


def _area_under_roc(y: np.ndarray, probabilities: np.ndarray, predicted: np.ndarray) -> float:
    """See ``area_under_curve``; where all rows have one class, no order of them is better than chance: 0.5."""
    area = area_under_curve(y, probabilities, range(probabilities.shape[1]))
    return 0.5 if area is None else area


SCORINGS = {
    "balanced_accuracy": Scoring("BCA", _balanced_accuracy),
    "accuracy": Scoring("RCA", _accuracy),
    "roc_auc": Scoring("AUC", _area_under_roc),
    "neg_log_loss": Scoring("negative log loss", _negative_log_loss),
    "f1_macro": Scoring("macro F1", _f1_macro),
    "f1_weighted": Scoring("weighted F1", _f1_weighted),
    "matthews_corrcoef": Scoring("MCC", _matthews),
}
