"""The mini-batch loop: a stack of equally shaped models trained side by side, one Epoch record a model and epoch.

Each model has its own rows, seed, λ, τ and α, and draws its shuffles from its own generator, so a model's
numbers do not depend on what trains beside it. A model that is done leaves the stack.
"""

import math
from collections.abc import Collection, Generator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tsk_core.epoch import Epoch
from tsk_core.model import LOSS_PARTS
from tsk_core.train.measure import Measured
from tsk_core.train.recorder import Recorder
from tsk_core.train.spec import Outcome, StackMember
from tsk_core.train.stack import Stack
from tsk_core.train.table import Table

__all__ = ["Progress", "StackEpoch", "train_stack"]


class Progress(NamedTuple):
    """One member after one epoch. epoch: None where training diverged. outcome: the result if training ended now."""

    member: int
    epoch: Epoch | None
    outcome: Outcome


StackEpoch = list[Progress]  # one epoch of one stack: the progress of each member that took part in it


@dataclass
class _Best:
    """One member's best weights so far (``outcome``), and those to keep in case it diverges.

    score: of the outcome, where validation rows choose it; larger is better, compared in order. lowest: what a divergence leaves,
    of the lowest training loss, or the outcome where validation rows choose it.
    """

    outcome: Outcome
    score: tuple[float, ...] = (-math.inf,)
    lowest: Outcome | None = None
    lowest_loss: float = math.inf

    def remember(self, member: StackMember, newest: Outcome, loss: float, validation: Measured | None, weighted: bool) -> None:
        """Keep the newest weights: always, but with early stopping only those of a better score.

        Before the conditions are chosen, weights are those of another model, which is not compared with later ones.
        """
        if newest.best_epoch <= member.config.choice_epoch:
            self.outcome, self.lowest, self.lowest_loss = newest, newest, loss
            if newest.best_epoch < member.config.choice_epoch:
                return
        if member.stops_early and validation is not None:
            if (score := _score(validation, weighted)) > self.score:
                self.score, self.outcome, self.lowest = score, newest, newest
            return
        self.outcome = newest
        if loss < self.lowest_loss:
            self.lowest, self.lowest_loss = newest, loss

    def after_divergence(self, epoch: int) -> Outcome:
        """The weights to keep, and a message that says which."""
        best = self.lowest or self.outcome
        kept = f"the model of epoch {best.best_epoch}" if best.best_epoch else "the model it started from"
        message = f"Training diverged in epoch {epoch} and was stopped; {kept} is kept. Try a smaller learning rate."
        return Outcome(best.weights, best.best_epoch, message)


def train_stack(
    members: list[StackMember], table: Table, test: Table | None = None
) -> Generator[StackEpoch, Collection[int] | None, None]:
    """Train all members as one stack; after each epoch yield the progress of each that took part in it.

    Members whose records begin at the start come first, at epoch 0.

    ``send`` takes the members (positions in ``members``) that leave the stack before the next epoch.

    Members have the same ``stack_key``.
    """
    stack, recorder = Stack(members, table), Recorder(members, table, test)
    best = [_Best(Outcome(weights, 0)) for weights in stack.weights()[0]]
    if started := recorder.at_start(stack):
        leaving = yield [Progress(index, record, best[index].outcome) for index, record in started.items()]
        stack.drop([at for at, index in enumerate(stack.alive) if index in (leaving or ())])
        if not stack.alive:
            return
    for epoch in range(1, max(m.epochs for m in members) + 1):
        alive, losses = stack.alive, stack.run_epoch()
        weights, finite = stack.weights()
        sound = np.isfinite(losses).all(1) & finite
        trained = {index: losses[at] for at, index in enumerate(alive) if sound[at]}
        validation = recorder.validation(stack, epoch, trained)
        for at, index in enumerate(alive):
            if index in trained:
                loss = sum(losses[at, : len(LOSS_PARTS)].tolist())
                weighted = table.weight is not None or members[index].class_weight is not None
                best[index].remember(members[index], Outcome(weights[at], epoch), loss, validation.get(index), weighted)
        done = {index for index in trained if _is_done(members[index], best[index], epoch)}
        records = recorder.records(stack, epoch, trained, validation, done)
        leaving = yield [
            Progress(index, records[index], best[index].outcome)
            if index in trained
            else Progress(index, None, best[index].after_divergence(epoch))
            for index in alive
        ]
        stack.drop([at for at, index in enumerate(alive) if index in done or index not in trained or index in (leaving or ())])
        if not stack.alive:
            return


def _is_done(member: StackMember, best: _Best, epoch: int) -> bool:
    since = max(best.outcome.best_epoch, member.config.choice_epoch)
    out_of_patience = member.stops_early and epoch - since >= member.config.patience
    return epoch >= member.epochs or out_of_patience


def _score(validation: Measured, weighted: bool) -> tuple[float, ...]:
    """BCA and then −CE, or −CE alone where classes or rows are weighted."""
    bca, cross_entropy = (math.nan if value is None else value for value in (validation.bca, validation.cross_entropy))
    return (-cross_entropy,) if weighted else (bca, -cross_entropy)
