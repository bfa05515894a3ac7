"""What records say of rows: accuracy, cross-entropy, firing levels and their entropy, of a whole stack at once.

Every number is what the merged rules give in float64. Models go through in groups and rows in blocks that the cache holds; how
many rows a block has does not depend on how many models there are, so that a model's numbers do not either.
"""

import math
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from tsk_core.epoch import ENTROPY_BINS
from tsk_core.metrics import accuracy
from tsk_core.model import Expanded, Rules

__all__ = ["NOT_MEASURED", "Measured", "conditions", "entropy_counts", "measure"]

BLOCK_ROWS = 1024  # rows of one model at once
BLOCK_FLOATS = 1_000_000  # numbers at once, in all models: eight megabytes
SMALLEST = 1e-300


class Measured(NamedTuple):
    """One model on its rows. cross_entropy: mean, class-weighted. firing: mean levels (R,). entropy: counts (ENTROPY_BINS,).

    conditions: how many its rules have.
    """

    rca: float | None = None
    bca: float | None = None
    cross_entropy: float | None = None
    firing: np.ndarray | None = None
    entropy: np.ndarray | None = None
    conditions: int | None = None


NOT_MEASURED = Measured()


def measure(
    rules: Rules,
    x: Tensor,
    y: Tensor,
    rows: Tensor,
    class_weight: Tensor | None = None,
    row_weight: Tensor | None = None,
    *,
    firing: bool = False,
) -> list[Measured]:
    """Measure each of the M models of ``rules`` on its own rows.

    x: (N, D) normalised inputs; y: (N,) class indices; rows: (M, n) row numbers. class_weight: (M, C), row_weight: (N,), or None;
    a row counts the product of both in the cross-entropy. ``firing`` asks for firing levels and entropy as well.
    """
    M, R, C, D = rules.weights.shape
    per_row = 2 * D + 3 * R + C * R + 3 * C
    size = min(BLOCK_ROWS, max(1, BLOCK_FLOATS // per_row))
    together = max(1, BLOCK_FLOATS // (per_row * size))
    prepared, found = Expanded(rules), []
    for start in range(0, M, together):
        models = slice(start, min(start + together, M))
        weight = None if class_weight is None else class_weight[models].double()
        found += _measure_models(prepared, models, x, y, rows[models], (weight, row_weight), size, firing)
    return found


def _measure_models(
    rules: Expanded,
    models: slice,
    x: Tensor,
    y: Tensor,
    rows: Tensor,
    weights_of: tuple[Tensor | None, Tensor | None],
    size: int,
    with_firing: bool,
) -> list[Measured]:
    (M, n), (class_weight, row_weight) = rows.shape, weights_of
    predicted = torch.empty(M, n, dtype=torch.long, device=rows.device)
    loss, weights, levels, counts = (torch.zeros((), dtype=torch.float64, device=x.device) for _ in range(4))
    for start in range(0, n, size):
        block = rows[:, start : start + size]
        flat = block.reshape(-1)
        firing, scores = rules(x.index_select(0, flat).view(*block.shape, -1), models)
        target = y.index_select(0, flat).view(block.shape)
        predicted[:, start : start + size] = scores.max(1).indices  # argmax takes ten times as long
        surprise = torch.log_softmax(scores, 1).gather(1, target.unsqueeze(1)).squeeze(1).neg_()  # (M, B)
        share = torch.ones_like(surprise) if class_weight is None else class_weight.gather(1, target)
        if row_weight is not None:
            share = share * row_weight.index_select(0, flat).view(block.shape)
        loss, weights = loss + (share * surprise).sum(1), weights + share.sum(1)
        if with_firing:
            levels, counts = levels + firing.sum(2), counts + entropy_counts(firing)
    mean_loss = (loss / weights).tolist()
    truth, guess = y[rows].cpu().numpy(), predicted.cpu().numpy()
    found = [Measured(*accuracy(*pair), ce) for *pair, ce in zip(truth, guess, mean_loss, strict=True)]
    if not with_firing:
        return found
    parts = zip(found, (levels / n).cpu().numpy(), counts.long().cpu().numpy(), strict=True)
    return [one._replace(firing=mean, entropy=count) for one, mean, count in parts]


def conditions(rules: Rules, features: np.ndarray) -> list[int]:
    """How many conditions the rules of each model have; one on a category counts once. features: as ``Table.features``."""
    present = rules.sigmas.isfinite().float() @ torch.nn.functional.one_hot(torch.from_numpy(features)).float().to(
        rules.sigmas.device
    )
    counts: list[int] = (present > 0).sum((1, 2)).tolist()
    return counts


def entropy_counts(firing: Tensor) -> Tensor:
    """Counts of rows by firing entropy, (M, ENTROPY_BINS), equal bins from 0 to log R. firing: (M, R, B).

    E = −Σ f̄ log f̄ (paper Eq. 13); R = 1 has no entropy and all rows count in the first bin.
    """
    M, R, B = firing.shape
    bins = torch.zeros(M, B, dtype=torch.long, device=firing.device)
    if R > 1:
        logs = firing.clamp_min(SMALLEST).log_()  # 0 · log 0 counts as 0; xlogy takes longer
        entropy = -logs.mul_(firing).sum(1)
        bins = (entropy * (ENTROPY_BINS / math.log(R))).long().clamp_(0, ENTROPY_BINS - 1)
    bins += ENTROPY_BINS * torch.arange(M, device=firing.device).unsqueeze(1)
    return torch.bincount(bins.view(-1), minlength=M * ENTROPY_BINS).view(M, ENTROPY_BINS)
