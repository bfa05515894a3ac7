"""The protocol as the paper's authors ran it, where their published code differs from the paper's text.

1. Firing levels are divided by their sum + 1e-8 (``firing="paper"``), so that they vanish where all rules underflow.
2. The rows that early stopping validates on are trained on as well, so that later epochs look better.
3. The five repetitions use one batch normalisation layer: each goes on from the γ, β, ν and v that the one before it kept, and so
   does the final training. So repetitions come one after the other.
"""

from dataclasses import replace

import numpy as np

from tsk_core.config import HOLD_OUTS
from tsk_core.study.protocol import Protocol, Searched, Tick, summarise
from tsk_core.train import HoldOut, PreparedStack, StackMember, Weights, hold_out_members, train_hold_outs

__all__ = ["AS_THE_AUTHORS"]


def _search(stacked: PreparedStack, tick: Tick) -> list[Searched]:
    """The repetitions of every spec, one after the other; those of different specs side by side."""
    members = [list(hold_out_members(spec, stacked.table)) for spec in stacked.specs]
    found: list[list[HoldOut]] = [[] for _ in stacked.specs]
    for repetition in range(HOLD_OUTS):
        now = [_with_its_validation(own[repetition], before) for own, before in zip(members, found, strict=True)]
        for own, one in zip(found, train_hold_outs(now, stacked.table, tick), strict=True):
            own.append(one)
    return [summarise(own, _kept(own)) for own in found]


def _with_its_validation(member: StackMember, before: list[HoldOut]) -> StackMember:
    """The same, but trained on its validation rows too, with the batch normalisation of the repetition before."""
    rows = np.concatenate([member.rows, member.validation])
    return replace(member, rows=rows, batch_norm=_kept(before))


def _kept(before: list[HoldOut]) -> Weights | None:
    """The weights of the last repetition where they have batch normalisation."""
    if not before:
        return None
    weights = before[-1].outcome.weights
    return weights if weights.normalised and weights.shape.n_gammas else None


AS_THE_AUTHORS = Protocol("paper", _search)
