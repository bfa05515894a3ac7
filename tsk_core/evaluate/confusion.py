"""The confusion matrix of a model, its scores by class with intervals, and how well its probabilities are calibrated."""

import math
from typing import TypedDict

import numpy as np

from tsk_core.evaluate.intervals import Interval, Shares, Units, intervals_of, mean_interval, resamples

# Precision, recall, specificity and F1 of each class, RCA and BCA, each with its 95% interval.
#
# All follow from three counts of each class and each unit: its rows, those predicted as it, and those that are both.
# A unit is a row, or rows that belong together (``units``). Intervals: ``shares``. F1 = 2J/(1 + J) of the share J of correct rows
# among those that are of the class or predicted as it, and has the interval of J.


_MEASURES = ("precision", "recall", "specificity", "f1")


def intervals_and_classes(
    true: np.ndarray, predicted: np.ndarray, classes: list[str], units: Units, seed: int
) -> dict[str, object]:
    """{"intervals": {"rca", "bca": [low, high]}, "by_class": one dictionary a class}, JSON-ready; empty without test rows.

    A class has its name ("class"), its test "rows", and "precision", "recall" (sensitivity), "specificity" and "f1", in [0, 1] or
    None where not defined, each with "<name>_interval": its 95% interval over test rows, [low, high] or None.
    true, predicted: (N,) class positions. units: of these rows. seed: of the resamples.
    """
    if not len(true):
        return {}
    counts, alone = _counts(true, predicted, units, len(classes)), units.kind == "rows"
    shares = _shares(counts, alone)
    drawn = {} if alone else _shares(resamples(counts, np.random.default_rng(seed)), alone)
    spread = {name: drawn[name].each if drawn else None for name in shares}
    found = {name: intervals_of(shares[name], spread[name]) for name in shares}
    scores = {"rca": found["rca"][0], "bca": mean_interval(shares["recall"], spread["recall"])}
    by_class: list[dict[str, object]] = [
        {"class": name, "rows": int((true == k).sum())} | _of_class({m: (shares[m].values[k], found[m][k]) for m in _MEASURES})
        for k, name in enumerate(classes)
    ]
    return {"intervals": {score: list(interval) for score, interval in scores.items() if interval}, "by_class": by_class}


def _counts(true: np.ndarray, predicted: np.ndarray, units: Units, n_classes: int) -> np.ndarray:
    """Of each unit, (G, 3C): rows of each class classified correctly, rows, rows predicted. Of single rows the sums, (1, 3C)."""
    alone = units.kind == "rows"
    G, unit = (1, np.zeros(len(true), int)) if alone else (units.count, units.codes)

    def counted(classes: np.ndarray, which: np.ndarray) -> np.ndarray:
        return np.bincount((unit * n_classes + classes)[which], minlength=G * n_classes).reshape(G, n_classes).astype(float)

    every = np.ones(len(true), bool)
    return np.concatenate([counted(true, true == predicted), counted(true, every), counted(predicted, every)], axis=1)


def _shares(counts: np.ndarray, alone: bool) -> dict[str, Shares]:
    """RCA, one share, and the measures of classes; of F1 the share J. counts: (G, 3C) of units or of resamples."""
    correct, rows, predicted = np.split(counts, 3, axis=1)
    total = rows.sum(1, keepdims=True)
    return {
        "rca": Shares(correct.sum(1, keepdims=True), total, alone),
        "recall": Shares(correct, rows, alone),
        "precision": Shares(correct, predicted, alone),
        "specificity": Shares(total - rows - predicted + correct, total - rows, alone),
        "f1": Shares(correct, rows + predicted - correct, alone),
    }


def _of_class(measures: dict[str, tuple[float, Interval | None]]) -> dict[str, object]:
    """Each measure and its interval, as metrics.json has them."""
    found: dict[str, object] = {}
    for name, (value, interval) in measures.items():
        numbers = [float(number) for number in (value, *(interval or ()))]
        if name == "f1":
            numbers = [2 * share / (1 + share) for share in numbers]
        found |= {name: None if np.isnan(value) else numbers[0], f"{name}_interval": numbers[1:] or None}
    return found


# Calibration of a model's probabilities: are 80% of the rows with a probability of 80% classified correctly?
#
# Source: Guo, Pleiss, Sun, Weinberger, On calibration of modern neural networks (2017), eq. 2 and 3.


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


class Evaluation(Calibration):
    """What ``evaluation`` gives."""

    confusion: list[list[int]]


def evaluation(true: np.ndarray, predicted: np.ndarray, confidence: np.ndarray, classes: list[str]) -> Evaluation:
    """{"confusion": counts [C][C], row the true class, column the predicted one, **``calibration.reliability``}.

    true, predicted: (N,) class names, all of ``classes``. confidence: (N,) probability of the predicted class, in [0, 1].
    """
    index = {name: at for at, name in enumerate(classes)}
    counts = np.zeros((len(classes), len(classes)), dtype=int)
    np.add.at(counts, ([index[str(name)] for name in true], [index[str(name)] for name in predicted]), 1)
    return {"confusion": counts.tolist(), **reliability(confidence, true == predicted)}


# Temperature scaling: one number that makes probabilities neither too sure nor too unsure, and leaves each row's class as it is.
#
# Source: Guo, Pleiss, Sun, Weinberger, On calibration of modern neural networks (2017), section 4.2.


LEAST, MOST = 0.05, 20.0


def temperature(scores: np.ndarray, y: np.ndarray, log_prior: np.ndarray | float = 0.0) -> float:
    """The T in [0.05, 20] at which softmax(scores / T + log_prior) has the lowest log loss; 1 without rows.

    scores: (N, C), of rows that the model was not trained on; those that are not finite do not count. y: (N,) class indices.
    log_prior: (N, C), of ``train.table.log_prior``; 0 without class weights.
    The log loss is convex in 1/T, so there is one minimum.
    """
    from scipy.optimize import minimize_scalar
    from scipy.special import log_softmax

    known = np.isfinite(scores).all(1)
    priors = np.broadcast_to(log_prior, scores.shape)[known]
    scores, y = scores[known], y[known]
    if not len(y):
        return 1.0

    def log_loss(log_t: float) -> float:
        return -float(log_softmax(scores / math.exp(log_t) + priors, axis=1)[np.arange(len(y)), y].mean())

    found = minimize_scalar(log_loss, bounds=(math.log(LEAST), math.log(MOST)), method="bounded", options={"xatol": 1e-4})
    return math.exp(found.x)
