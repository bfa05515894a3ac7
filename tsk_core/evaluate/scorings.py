"""What a search may maximise, by the names of scikit-learn's scorers, computed from class probabilities."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from tsk_core.errors import SettingError
from tsk_core.metrics import accuracy, area_under_curve

__all__ = ["SCORINGS", "Scoring", "scoring_of"]


class Scoring(NamedTuple):
    """title: in sentences and on axes. score: of class indices (N,) and class probabilities (N, C); larger is better."""

    title: str
    score: Callable[[np.ndarray, np.ndarray], float]


def scoring_of(name: str) -> Scoring:
    """The scoring of this name; SettingError for another one."""
    if not isinstance(name, str) or name not in SCORINGS:
        raise SettingError(f"scoring is {str(name)[:40]!r}; it must be one of {', '.join(SCORINGS)}.")
    return SCORINGS[name]


def _accuracy(y: np.ndarray, probabilities: np.ndarray) -> float:
    return accuracy(y, probabilities.argmax(1)).numbers[0]


def _balanced_accuracy(y: np.ndarray, probabilities: np.ndarray) -> float:
    return accuracy(y, probabilities.argmax(1)).numbers[1]


def _f1(average: str) -> Callable[[np.ndarray, np.ndarray], float]:
    def score(y: np.ndarray, probabilities: np.ndarray) -> float:
        from sklearn.metrics import f1_score  # imported here: the import is slow

        return float(f1_score(y, probabilities.argmax(1), average=average, zero_division=0.0))

    return score


def _matthews(y: np.ndarray, probabilities: np.ndarray) -> float:
    from sklearn.metrics import matthews_corrcoef

    return float(matthews_corrcoef(y, probabilities.argmax(1)))


def _negative_log_loss(y: np.ndarray, probabilities: np.ndarray) -> float:
    from sklearn.metrics import log_loss

    return -float(log_loss(y, probabilities, labels=np.arange(probabilities.shape[1])))


def _area_under_roc(y: np.ndarray, probabilities: np.ndarray) -> float:
    """See ``area_under_curve``; where all rows have one class, no order of them is better than chance: 0.5."""
    area = area_under_curve(y, probabilities, range(probabilities.shape[1]))
    return 0.5 if area is None else area


SCORINGS = {
    "balanced_accuracy": Scoring("BCA", _balanced_accuracy),
    "accuracy": Scoring("RCA", _accuracy),
    "roc_auc": Scoring("AUC", _area_under_roc),
    "neg_log_loss": Scoring("negative log loss", _negative_log_loss),
    "f1_macro": Scoring("macro F1", _f1("macro")),
    "f1_weighted": Scoring("weighted F1", _f1("weighted")),
    "matthews_corrcoef": Scoring("MCC", _matthews),
}
