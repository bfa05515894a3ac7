"""Precision, recall, specificity and F1 of each class with bootstrap intervals, those of RCA and BCA, and the AUC.

All follow from the confusion matrix but the AUC, which follows from the probabilities.
"""

import numpy as np

from tsk_core.evaluate.intervals import RESAMPLES, percentile_interval, resampled_counts

__all__ = ["area_under_curve", "intervals_and_classes"]

BLOCK = 100  # resamples at a time, so that a hundred classes need no more than 8 MB


def intervals_and_classes(confusion: np.ndarray, classes: list[str], seed: int) -> dict[str, object]:
    """{"intervals": {"rca", "bca": [low, high]}, "by_class": one dictionary a class}, JSON-ready; empty without test rows.

    A class has its name ("class"), its test "rows", and "precision", "recall" (sensitivity), "specificity" and "f1", in [0, 1] or
    None where not defined, each with "<name>_interval": its 95% bootstrap interval over test rows, [low, high] or None.
    confusion: (C, C) counts, row the true class, column the predicted one.
    """
    if not confusion.sum():
        return {}
    values = _measures(*_margins(confusion[None].astype(float)))
    spread = _resampled_measures(confusion, np.random.default_rng(seed))
    by_class = [
        {"class": name, "rows": int(confusion[k].sum()), **_of_class(values, spread, k)} for k, name in enumerate(classes)
    ]
    intervals = {score: interval for score in ("rca", "bca") if (interval := percentile_interval(spread[score]))}
    return {"intervals": {score: list(interval) for score, interval in intervals.items()}, "by_class": by_class}


def area_under_curve(y: np.ndarray, probabilities: np.ndarray, classes: list[str]) -> float | None:
    """The AUC in [0, 1]; None where fewer than two classes have test rows.

    Two classes: the area under the ROC curve. Several: the mean of each class's area against all others (macro average). A class
    without test rows is left out, and so are rows whose probabilities are not finite.
    y: (N,) class names. probabilities: (N, C).
    """
    from sklearn.metrics import roc_auc_score  # imported here: the import is slow

    known = np.isfinite(probabilities).all(1)
    y, probabilities = np.asarray(y)[known], probabilities[known]
    present = [k for k, name in enumerate(classes) if (y == name).any()]
    if not present or len(np.unique(y)) < 2:
        return None
    scored = present[:1] if len(classes) == 2 else present
    return float(np.mean([roc_auc_score(y == classes[k], probabilities[:, k]) for k in scored]))


def _resampled_measures(confusion: np.ndarray, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Every measure of each resample of the test rows, (resamples,) or (resamples, C)."""
    C = len(confusion)
    cells = np.flatnonzero(confusion)
    blocks = []
    for _ in range(RESAMPLES // BLOCK):
        counts = np.zeros((BLOCK, C * C))
        counts[:, cells] = resampled_counts(confusion.ravel()[cells], rng, BLOCK)
        blocks.append(_margins(counts.reshape(BLOCK, C, C)))
    return _measures(*(np.concatenate(parts) for parts in zip(*blocks, strict=True)))


def _margins(confusion: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows classified correctly, rows of each class, rows predicted as each class; (S, C) each, of S matrices (S, C, C)."""
    return np.diagonal(confusion, axis1=1, axis2=2).copy(), confusion.sum(2), confusion.sum(1)


def _measures(correct: np.ndarray, rows: np.ndarray, predicted: np.ndarray) -> dict[str, np.ndarray]:
    """RCA and BCA (S,), the others (S, C); NaN where a denominator is 0."""
    total = rows.sum(1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        recall = correct / rows
        return {
            "rca": correct.sum(1) / total[:, 0],
            "bca": np.nanmean(recall, axis=1),
            "precision": correct / predicted,
            "recall": recall,
            "specificity": 1 - (predicted - correct) / (total - rows),
            "f1": 2 * correct / (rows + predicted),
        }


def _of_class(values: dict[str, np.ndarray], spread: dict[str, np.ndarray], k: int) -> dict[str, float | list[float] | None]:
    found: dict[str, float | list[float] | None] = {}
    for name in ("precision", "recall", "specificity", "f1"):
        value, interval = float(values[name][0, k]), percentile_interval(spread[name][:, k])
        found |= {name: None if np.isnan(value) else value, f"{name}_interval": interval and list(interval)}
    return found
