"""RCA, BCA and AUC: the one place that computes them. Their intervals, and the scores of each class, are in ``evaluate``."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np


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


def area_under_curve(y: np.ndarray, probabilities: np.ndarray, classes: Sequence[Any]) -> float | None:
    """The AUC in [0, 1]; None where fewer than two classes have test rows.

    Two classes: the area under the ROC curve. Several: the mean of each class's area against all others (macro average). A class
    without test rows is left out, and so are rows whose probabilities are not finite.
    y: (N,) names or positions of classes, as in ``classes``. probabilities: (N, C). Computed from ranks (Mann and Whitney), since
    scikit-learn's checks of its input take ten times as long, and a search scores after each epoch.
    """
    from scipy.stats import rankdata  # imported here: the import is slow

    known = np.isfinite(probabilities).all(1)
    y, probabilities = np.asarray(y)[known], probabilities[known].round(12)  # equal rows tie, whatever the last bits
    present = [k for k, name in enumerate(classes) if (y == name).any()]
    if not present or len(np.unique(y)) < 2:
        return None
    scored = present[:1] if len(classes) == 2 else present
    ranks, members = rankdata(probabilities[:, scored], axis=0), y[:, None] == np.asarray(classes)[scored]
    own = members.sum(0)
    return float((((ranks * members).sum(0) - own * (own + 1) / 2) / (own * (len(y) - own))).mean())


def _accuracy(y: np.ndarray, correct: np.ndarray) -> Accuracy:
    if not len(y):
        return Accuracy(None, None)
    rows = np.bincount(y)
    recalled = np.bincount(y[correct], minlength=len(rows))
    present = rows > 0
    return Accuracy(float(correct.mean()), float((recalled[present] / rows[present]).mean()))
