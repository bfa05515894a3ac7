"""RCA and BCA, and what rules do on the training rows after each epoch."""

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from tsk_core.epoch import ENTROPY_BINS
from tsk_core.model import Rules, class_scores

__all__ = ["Accuracy", "accuracy", "evaluate", "firing_summary"]

FIRING_ROWS = 20_000  # firing and entropy are measured on at most so many training rows


@dataclass(frozen=True)
class Accuracy:
    """RCA (share of rows decided right), BCA (mean of per-class recalls) and, where asked, mean cross-entropy."""

    rca: float
    bca: float
    cross_entropy: float = math.nan


def accuracy(y: np.ndarray | Tensor, decided: np.ndarray | Tensor, n_classes: int) -> Accuracy:
    """RCA and BCA of decisions; both (N,) class indices. A class absent from ``y`` is left out of BCA."""
    y, decided = torch.as_tensor(y), torch.as_tensor(decided)
    rows = torch.bincount(y, minlength=n_classes)
    right = torch.bincount(y[y == decided], minlength=n_classes)
    present = rows > 0
    recalls = right[present].double() / rows[present]
    return Accuracy(int(right.sum()) / int(rows.sum()), float(recalls.mean()))


def evaluate(rules: Rules, x: Tensor, y: Tensor, class_weight: Tensor | None = None) -> Accuracy:
    """Accuracy and (class-weighted) cross-entropy of one model on normalised rows x, (N, D); y: (N,) class indices."""
    scores = class_scores(rules, x, exact=False)
    result = accuracy(y.cpu(), scores.argmax(1).cpu(), scores.shape[1])
    weight = None if class_weight is None else class_weight.double()
    return Accuracy(result.rca, result.bca, float(torch.nn.functional.cross_entropy(scores, y, weight=weight)))


def firing_summary(firing: Tensor) -> tuple[Tensor, Tensor]:
    """Sum over rows of the firing levels (R,) and counts of rows by firing entropy (ENTROPY_BINS,), bins from 0 to log R.

    firing: (N, R). E = −Σ f̄ log f̄ (paper Eq. 13); R = 1 has no entropy and all rows count in the first bin.
    """
    entropy = -torch.xlogy(firing, firing).sum(1)
    largest = math.log(firing.shape[1])
    bins = torch.zeros(len(entropy), dtype=torch.long, device=firing.device)
    if largest > 0:
        bins = (entropy * (ENTROPY_BINS / largest)).long().clamp_(0, ENTROPY_BINS - 1)
    return firing.sum(0), torch.bincount(bins, minlength=ENTROPY_BINS)
