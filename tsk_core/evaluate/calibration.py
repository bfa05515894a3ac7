"""Calibration of a model's probabilities: are 80% of the rows with a probability of 80% classified correctly?

Source: Guo, Pleiss, Sun, Weinberger, On calibration of modern neural networks (2017), eq. 2 and 3.
"""

from typing import TypedDict

import numpy as np

__all__ = ["BINS", "Calibration", "reliability"]

BINS = 10  # of equal width, from 0 to 1


class Bins(TypedDict):
    """Of each bin: its rows, their mean confidence and accuracy."""

    count: list[int]
    confidence: list[float | None]
    accuracy: list[float | None]


class Calibration(TypedDict):
    """What ``reliability`` gives."""

    reliability: Bins
    ece: float | None


def reliability(confidence: np.ndarray, correct: np.ndarray) -> Calibration:
    """JSON-ready: {"reliability": {"count", "confidence", "accuracy"}, "ece"}.

    confidence: (N,) probability of each row's predicted class, in [0, 1]. correct: (N,) bool, whether that class is the true one.
    Bin k holds the rows with k/10 ≤ p < (k + 1)/10, the last one p = 1 too. Of each bin: its rows, and their mean confidence and
    accuracy (None where it has no rows). Rows whose probability is NaN, because their scores left float64's range, are left out.
    ece = Σ_k n_k/N |accuracy_k − confidence_k|; None without rows.
    """
    known = np.isfinite(confidence)
    confidence, correct = confidence[known], correct[known]
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    count = np.bincount(bins, minlength=BINS)
    sums = [np.bincount(bins, weights=values, minlength=BINS) for values in (confidence, correct)]
    difference = np.abs(sums[1] - sums[0]).sum()
    means = [[float(total / n) if n else None for total, n in zip(of, count, strict=True)] for of in sums]
    return {
        "reliability": {"count": count.tolist(), "confidence": means[0], "accuracy": means[1]},
        "ece": float(difference / count.sum()) if count.sum() else None,
    }
