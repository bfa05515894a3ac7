"""Hold-outs trained to the end of their patience: how well each one validated, and when."""

import itertools
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tsk_core.config import HOLD_OUTS
from tsk_core.train.schedule import hold_out_members, train_members
from tsk_core.train.spec import Outcome, StackMember, TrainingSpec
from tsk_core.train.table import Table

__all__ = ["HoldOut", "best_ur_weight", "hold_outs_of", "train_hold_outs"]


class HoldOut(NamedTuple):
    """One hold-out's training. bca: the best of its validation rows. trained: epochs until it stopped."""

    outcome: Outcome
    bca: float
    trained: int


def train_hold_outs(members: Sequence[StackMember], table: Table, tick: Callable[[], None]) -> list[HoldOut]:
    """Train until each one's patience has ended. tick: called after each epoch of a model; what it raises ends the training."""
    hold_outs: dict[int, HoldOut] = {}
    for at, epoch, outcome in itertools.chain.from_iterable(train_members(list(members), table)):
        bca, trained = (hold_outs[at].bca, hold_outs[at].trained) if at in hold_outs else (0.0, 0)
        if epoch is not None:
            trained = epoch.epoch
            bca = epoch.bca_validation if outcome.best_epoch == trained and epoch.bca_validation is not None else bca
        hold_outs[at] = HoldOut(outcome, bca, trained)
        tick()
    return [hold_outs[at] for at in range(len(members))]


def hold_outs_of(specs: Sequence[TrainingSpec], table: Table, tick: Callable[[], None]) -> list[list[HoldOut]]:
    """The ``HOLD_OUTS`` of every spec, all trained side by side. Raises DataError where its rows are too few to hold some out."""
    ended = train_hold_outs([member for spec in specs for member in hold_out_members(spec, table)], table, tick)
    return [ended[at : at + HOLD_OUTS] for at in range(0, len(ended), HOLD_OUTS)]


def best_ur_weight(ur_weights: Sequence[float], bca: Sequence[float]) -> int:
    """Which λ has the highest mean validation BCA; of equal ones the smallest, as in the paper."""
    return max(range(len(bca)), key=lambda k: (bca[k], -ur_weights[k]))
