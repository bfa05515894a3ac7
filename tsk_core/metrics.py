"""RCA and BCA: the one place that computes them. Needs nothing but NumPy."""

import math
from typing import NamedTuple

import numpy as np

__all__ = ["Accuracy", "accuracy", "accuracy_of_labels"]


class Accuracy(NamedTuple):
    """rca: share of rows classified correctly. bca: mean recall of the classes that have rows. In [0, 1]; None without rows."""

    rca: float | None
    bca: float | None

    @property
    def numbers(self) -> tuple[float, float]:
        """Both; NaN without rows."""
        return (math.nan if self.rca is None else self.rca), (math.nan if self.bca is None else self.bca)


def accuracy(y: np.ndarray, predicted: np.ndarray) -> Accuracy:
    """RCA and BCA of predicted class indices; both (N,), y ≥ 0."""
    return _accuracy(np.asarray(y), np.asarray(y) == np.asarray(predicted))


def accuracy_of_labels(y: np.ndarray, predicted: np.ndarray) -> Accuracy:
    """RCA and BCA of predicted labels of any kind; both (N,)."""
    return _accuracy(np.unique(y, return_inverse=True)[1], np.asarray(y == predicted, bool))


def _accuracy(y: np.ndarray, correct: np.ndarray) -> Accuracy:
    if not len(y):
        return Accuracy(None, None)
    rows = np.bincount(y)
    recalled = np.bincount(y[correct], minlength=len(rows))
    present = rows > 0
    return Accuracy(float(correct.mean()), float((recalled[present] / rows[present]).mean()))
