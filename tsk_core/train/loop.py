"""The mini-batch loop: a stack of equally shaped models trained side by side, one Epoch record a model and epoch.

Each model has its own rows, seed, λ, τ and α, and draws its shuffles from its own generator, so a model's
numbers do not depend on what trains beside it. A model that is done leaves the stack.
"""

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch

from tsk_core.epoch import Epoch
from tsk_core.evaluate.metrics import Accuracy, accuracy
from tsk_core.model import Rules, blocks
from tsk_core.train.metrics import evaluate_rows, firing_summary
from tsk_core.train.spec import Outcome, StackMember, Table
from tsk_core.train.stack import Stack

__all__ = ["Progress", "train_stack"]

BLOCK_ROWS = 65_536  # training rows gathered at once for measuring


class Progress(NamedTuple):
    """One member after one epoch. epoch: None where training diverged. outcome: the result if training ended now."""

    member: int
    epoch: Epoch | None
    outcome: Outcome


@dataclass
class _Best:
    """One member's best weights so far (``outcome``), and those of the lowest training loss in case it diverges.

    score: of the outcome, where validation rows choose it; larger is better, compared in order.
    """

    outcome: Outcome
    score: tuple[float, ...] = (-math.inf,)
    lowest: Outcome | None = None
    lowest_loss: float = math.inf

    def remember(self, member: StackMember, rules: Rules, record: Epoch, score: tuple[float, ...]) -> None:
        """Keep these weights: the newest without validation, else only those of a better score."""
        if member.validation is None or score > self.score:
            self.score, self.outcome = score, Outcome(rules, record.epoch)
        if record.loss < self.lowest_loss:
            self.lowest, self.lowest_loss = Outcome(rules, record.epoch), record.loss

    def after_divergence(self, epoch: int) -> Outcome:
        """The weights to keep, and a message that says which."""
        best = self.lowest or self.outcome
        kept = f"the weights of epoch {best.best_epoch}" if best.best_epoch else "the weights it started from"
        message = f"Training diverged in epoch {epoch} and was stopped; {kept} are kept. Try a smaller learning rate."
        return Outcome(best.rules, best.best_epoch, message)


def train_stack(members: list[StackMember], table: Table, test: Table | None = None) -> Iterator[list[Progress]]:
    """Train all members as one stack; after each epoch yield the progress of each that took part in it.

    Members need the same settings but for λ, τ, α, seed, rows and the like (``Stack``), and equally many rows.
    """
    stack = Stack(members, table)
    best = [_Best(Outcome(stack.rules_of(i), 0)) for i in range(len(members))]
    started = time.perf_counter()
    for epoch in range(1, max(m.epochs for m in members) + 1):
        losses = stack.run_epoch()
        progress, done = [], []
        for position, index in enumerate(stack.alive):
            member, state, loss = members[index], best[index], losses[position]
            rules = stack.rules_of(position)
            if not (np.isfinite(loss).all() and rules.is_finite()):
                progress.append(Progress(index, None, state.after_divergence(epoch)))
                done.append(position)
                continue
            record, score = _measure(member, rules, table, test, epoch, loss, time.perf_counter() - started)
            state.remember(member, rules, record, score)
            progress.append(Progress(index, record, state.outcome))
            if epoch >= member.epochs or _out_of_patience(state, member, epoch):
                done.append(position)
        yield progress
        if done:
            stack.drop(done)
        if not stack.alive:
            return


def _out_of_patience(state: _Best, member: StackMember, epoch: int) -> bool:
    return member.validation is not None and epoch - state.outcome.best_epoch >= member.config.patience


def _measure(
    member: StackMember, rules: Rules, table: Table, test: Table | None, epoch: int, loss: np.ndarray, seconds: float
) -> tuple[Epoch, tuple[float, ...]]:
    """The Epoch record of one member, and its validation score: BCA then −CE, or −CE where classes are weighted."""
    config, R = member.config, member.config.n_rules
    train, firing, entropy = _measure_training(rules, table, member.rows)
    on_validation = on_test = Accuracy(None, None)
    score: tuple[float, ...] = ()
    if member.validation is not None:
        held_out = torch.as_tensor(member.validation)
        on_validation, held_out_loss = evaluate_rows(rules, table.x[held_out], table.y[held_out], member.class_weight)
        score = (-held_out_loss,)
        if member.class_weight is None:
            score = (on_validation.bca, *score)
    if test is not None:
        on_test, _ = evaluate_rows(rules, test.x, test.y)
    cross_entropy, l2, uniform, grad_antecedents, grad_consequents = (float(v) for v in loss)
    record = Epoch(
        epoch=epoch,
        loss_ce=cross_entropy,
        loss_l2=l2,
        loss_ur=uniform,
        ur_floor=config.ur_weight * R * (config.tau(table.n_classes) - 1 / R) ** 2,
        rca_train=train.rca,
        bca_train=train.bca,
        rca_validation=on_validation.rca,
        bca_validation=on_validation.bca,
        rca_test=on_test.rca,
        bca_test=on_test.bca,
        firing=firing,
        entropy=entropy,
        grad_antecedents=grad_antecedents,
        grad_consequents=grad_consequents,
        seconds=seconds,
        stage=member.stage,
    )
    return record, score


def _measure_training(rules: Rules, table: Table, rows: np.ndarray) -> tuple[Accuracy, np.ndarray, np.ndarray]:
    """Accuracy, mean firing (R,) and entropy counts on all training rows, block by block."""
    total, counts = 0, 0
    index = torch.as_tensor(rows)
    predicted = torch.empty(len(index), dtype=torch.long)
    for start in range(0, len(index), BLOCK_ROWS):
        part = index[start : start + BLOCK_ROWS]
        for block, firing, scores in blocks(rules, table.x[part], exact=False):
            predicted[start + block.start : start + block.stop] = scores[0].argmax(1)
            summed, binned = firing_summary(firing[0])
            total, counts = total + summed, counts + binned
    result = accuracy(table.y[index].cpu().numpy(), predicted.numpy())
    return result, (total / len(index)).cpu().numpy(), counts.cpu().numpy()
