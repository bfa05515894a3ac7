"""What is measured after each epoch: accuracy and cross-entropy of rows, and what rules do on the training rows."""

import math

import torch
from torch import Tensor

from tsk_core.epoch import ENTROPY_BINS
from tsk_core.evaluate.metrics import Accuracy, accuracy
from tsk_core.model import Rules, class_scores

__all__ = ["evaluate_rows", "firing_summary"]


def evaluate_rows(rules: Rules, x: Tensor, y: Tensor, class_weight: Tensor | None = None) -> tuple[Accuracy, float]:
    """Accuracy and mean (class-weighted) cross-entropy of one model on normalised rows x, (N, D); y: (N,) class indices."""
    scores = class_scores(rules, x, exact=False)
    weight = None if class_weight is None else class_weight.double()
    cross_entropy = float(torch.nn.functional.cross_entropy(scores, y, weight=weight))
    return accuracy(y.cpu().numpy(), scores.argmax(1).cpu().numpy()), cross_entropy


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
