"""A rule base learnt in several trainings, an ensemble in one rule base.

The rules are dealt out to ``n_trainings`` models of the same stack, the parts of a member. Each has R/n_trainings rules, initial
rules and shuffles of its own, and the member's training rows; in training its firing levels are normalised over its own rules.
Then the rules of all parts are one rule base, whose firing levels are normalised over all of them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from tsk_core.train.spec import StackMember

__all__ = ["of_parts", "parts"]


def parts(members: Iterable[StackMember]) -> list[StackMember]:
    """The models of a stack, those of each member one after the other. The first has the member's seed."""
    return [replace(member, config=member.config.part, seed=seed) for member in members for seed in _seeds(member)]


def of_parts(positions: Iterable[int], n: int) -> list[int]:
    """Where the parts of the members at these positions are in the stack, n of each."""
    return [n * position + part for position in positions for part in range(n)]


def _seeds(member: StackMember) -> Sequence[int]:
    more = np.random.default_rng(member.seed).integers(2**31, size=member.config.n_parts - 1)
    return [member.seed, *more.tolist()]
