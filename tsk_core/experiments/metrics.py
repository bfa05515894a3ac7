"""What is measured of each training of an experiment, and where its point has it."""

import math
from collections.abc import Mapping
from typing import Any

__all__ = ["ACCURACIES", "METRICS", "SCORES", "metric_of", "score_of"]

ACCURACIES = {"rca": "RCA", "bca": "BCA"}  # of the test rows
METRICS = (*ACCURACIES, "entropy", "dead", "fidelity", "conditions", "seconds_share")
SCORES = {  # accuracies of a training, by the epochs that they are of
    "last": "the last epoch",
    "mean": "the mean of the last epochs",
    "best": "the best epoch by validation",
}


def score_of(point: Mapping[str, Any], score: str, accuracy: str) -> float | None:
    """An accuracy of a point; None where it has none, as "best" without validation rows."""
    pair = (point.get("scores") or {}).get(score)
    return None if pair is None else pair[list(ACCURACIES).index(accuracy)]


def metric_of(point: Mapping[str, Any], metric: str, score: str) -> float | None:
    """A metric of a point as a sweep counts it; None where it is not measured.

    score: of an accuracy. Where a training diverged without one, it counts as 0.
    """
    value = score_of(point, score, metric) if metric in ACCURACIES else point.get(metric)
    if value is not None and math.isfinite(value):
        return value
    return 0.0 if metric in ACCURACIES and point["message"] else None
