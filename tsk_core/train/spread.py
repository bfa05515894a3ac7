"""Columns that say nothing in the rows that a model trains on, or next to nothing: constant, or but for one row in a thousand.

A constant column must have no effect on any row, whatever new rows have there: its slopes are 0 and its antecedents are left out,
before training and after. Without this, batch normalisation would divide by √(0 + ε) and multiply an untrained slope by 316.

A nearly constant one takes effect by what training taught: its slopes start at 0. In a batch of B rows no standardised value
exceeds √(B − 1) (Samuelson's inequality); v is kept so large that no training row's does afterwards, either.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from tsk_core.train.spec import StackMember
from tsk_core.train.table import Table

__all__ = ["Spread", "spread_of"]

RARE = 1000  # nearly constant: at most one row in so many has another value


class Spread(NamedTuple):
    """The columns of a stack by model, (M, D) each. constant, rare: bool. farthest: the largest |x|, float32."""

    constant: Tensor
    rare: Tensor
    farthest: Tensor

    def take(self, models: list[int]) -> "Spread":
        """The given models of the stack."""
        return Spread(*(part[models] for part in self))

    def least_variance(self, batch_size: int) -> Tensor | None:
        """What the running variance never falls below; None where no column is nearly constant."""
        if not bool(self.rare.any()):
            return None
        return torch.where(self.rare, self.farthest.square() / max(1, batch_size - 1), 0.0)


def spread_of(members: Sequence[StackMember], table: Table) -> Spread:
    """Of the training rows of each member; found once for members that share them."""
    found: dict[bytes, Spread] = {}
    keys = [member.rows.tobytes() for member in members]
    for key, member in zip(keys, members, strict=True):
        if key not in found:
            found[key] = _of_rows(table.x, torch.from_numpy(np.sort(member.rows)).to(table.x.device))
    return Spread(*(torch.stack(parts) for parts in zip(*(found[key] for key in keys), strict=True)))


def _of_rows(x: Tensor, rows: Tensor) -> Spread:
    N, D = len(rows), x.shape[1]
    constant, rare = (torch.zeros(D, dtype=torch.bool, device=x.device) for _ in range(2))
    farthest = torch.zeros(D, dtype=x.dtype, device=x.device)
    for d in range(D):  # one by one, to save the memory of a second table
        column = x[:, d].index_select(0, rows)
        others = int((column != column[0]).sum())
        constant[d] = others == 0
        if others and N >= RARE and min(others, N - others) <= N // RARE:
            rare[d] = int((column != column.median()).sum()) <= N // RARE
            farthest[d] = column.abs().max()
    return Spread(constant, rare, farthest)
