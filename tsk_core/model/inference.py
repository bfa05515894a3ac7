"""Firing levels and class scores of plain rules in float64, in blocks of rows so that memory stays bounded."""

from collections.abc import Iterator

import torch
from torch import Tensor

from tsk_core.model.firing import log_membership
from tsk_core.model.rules import Rules

__all__ = ["blocks", "class_scores", "infer"]

_BLOCK_FLOATS = 2_000_000  # 16 MB of float64 at once


def infer(rules: Rules, x: Tensor, *, exact: bool = True) -> tuple[Tensor, Tensor]:
    """Normalised firing levels (M, B, R) and class scores (M, B, C) of one block of rows.

    x: (B, D), the same rows for every model. ``exact`` sums ``log_membership``; without it the square is expanded into
    matrix products, some five times faster and good to about 1e-9 at the smallest σ that training allows.
    """
    x = x.double()
    M, R, D = rules.centers.shape
    if exact:
        memberships = log_membership(x.view(1, -1, 1, D), rules.centers.unsqueeze(1), rules.sigmas.unsqueeze(1))  # (M, B, R, D)
        z = rules.log_weights.unsqueeze(1) + memberships.sum(-1)
    else:
        inverse = rules.sigmas.square().reciprocal()
        slope = rules.centers * inverse
        constant = rules.log_weights - 0.5 * (rules.centers * slope).sum(-1)
        z = constant.unsqueeze(1) + x @ slope.transpose(1, 2) - 0.5 * (x.square() @ inverse.transpose(1, 2))
    if rules.epsilon:
        firing = z.exp()
        firing = firing / (firing.sum(-1, keepdim=True) + rules.epsilon)
    else:
        firing = torch.softmax(z, -1)
    rule_scores = torch.baddbmm(
        rules.biases.view(M, 1, -1), x.expand(M, -1, -1), rules.weights.view(M, -1, D).transpose(1, 2)
    ).view(M, x.shape[0], R, -1)
    return firing, (firing.unsqueeze(2) @ rule_scores).squeeze(2)


def blocks(rules: Rules, x: Tensor, *, exact: bool = True) -> Iterator[tuple[slice, Tensor, Tensor]]:
    """Yield (rows, firing, scores) over all rows of x, (N, D), block by block."""
    M, R, D = rules.centers.shape
    per_row = M * R * ((D if exact else 1) + rules.biases.shape[-1] + 2)
    size = max(1, _BLOCK_FLOATS // per_row)
    for start in range(0, len(x), size):
        rows = slice(start, min(start + size, len(x)))
        yield rows, *infer(rules, x[rows], exact=exact)


def class_scores(rules: Rules, x: Tensor, *, exact: bool = True) -> Tensor:
    """Class scores (N, C), float64, of the first model for rows x, (N, D)."""
    scores = torch.empty(len(x), rules.biases.shape[-1], dtype=torch.float64, device=x.device)
    for rows, _, block in blocks(rules, x, exact=exact):  # filled in place: pieces to join later would fragment the memory
        scores[rows] = block[0]
    return scores
