"""The mini-batch loop, which yields an Epoch record a model and epoch; how long to train, and on which hold-outs.

Each model has its own rows, seed, λ, τ and α, and draws its shuffles from its own generator, so a model's
numbers do not depend on what trains beside it. A model that is done leaves the stack.
"""

import itertools
import math
from collections.abc import Callable, Collection, Generator, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tsk_core.config import HOLD_OUTS
from tsk_core.data.folds import hold_out
from tsk_core.epoch import Epoch
from tsk_core.model import LOSS_PARTS
from tsk_core.train.recorder import Measured, Recorder
from tsk_core.train.spec import Outcome, StackMember, TrainingSpec
from tsk_core.train.stack import Stack, most_members, stack_key
from tsk_core.train.table import Table


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


# How long to train, and what trains together.
#
# Early stopping, the paper's way, holds out a share of the training rows five times, trains on the rest, and notes each one's
# best epoch; then it trains on all training rows for the mean of the five. While it searches, held-out rows are never trained on.
# They are drawn at random, but never across groups or against the order of time (``hold_out``).


def train(specs: list[TrainingSpec], table: Table, test: Table | None = None) -> Generator[StackEpoch, None, None]:
    """Train one model for each spec, alike ones as stacks; yield each epoch of a stack (``member`` is a position in ``specs``).

    Under early stopping the epochs of the search come first, with stage "hold-out": those of the first hold-out still training.
    """
    lengths = [spec.config.max_epochs for spec in specs]
    searches = [
        (at, member) for at, spec in enumerate(specs) if spec.config.early_stopping for member in hold_out_members(spec, table)
    ]
    best: dict[int, int] = {}
    shown: dict[int, int] = {}
    for stack_epoch in train_members([member for _, member in searches], table, test):
        newest = []
        for index, epoch, outcome in stack_epoch:
            at = searches[index][0]
            best[index] = outcome.best_epoch
            if epoch is not None and epoch.epoch > shown.get(at, 0):
                shown[at] = epoch.epoch
                newest.append(Progress(at, epoch, outcome))
        if newest:
            yield newest
    for at in {at for at, _ in searches}:
        found = [best[i] for i, (owner, _) in enumerate(searches) if owner == at]
        lengths[at] = max(1, round(float(np.mean(found))))
    yield from train_members([final_member(spec, n) for spec, n in zip(specs, lengths, strict=True)], table, test)


def final_member(spec: TrainingSpec, epochs: int) -> StackMember:
    """The model that is trained on all rows, for so many epochs whatever its validation rows say."""
    return StackMember(
        spec.config, spec.seed, spec.rows, epochs, spec.validation, spec.class_weight,
        early_stopping=False, records=spec.records, test=spec.test, initial_width=spec.initial_width, start=spec.start,
    )  # fmt: skip


def hold_out_members(spec: TrainingSpec, table: Table) -> Iterator[StackMember]:
    """The models of early stopping's search, each with rows and a seed of its own."""
    config, rng, y = spec.config, np.random.default_rng(spec.seed), table.y.cpu().numpy()
    for _ in range(HOLD_OUTS):
        rows, validation = hold_out(spec.rows, config.validation_fraction, rng, y, table.groups, table.time)
        seed = int(rng.integers(2**31))
        yield StackMember(
            config,
            seed,
            rows,
            config.max_epochs,
            validation,
            spec.class_weight,
            "hold-out",
            records=spec.records,
            initial_width=spec.initial_width,
            start=spec.start,
        )


def train_members(members: list[StackMember], table: Table, test: Table | None = None) -> Generator[StackEpoch, None, None]:
    """Train members in stacks of those that can share one; yield each epoch of a stack, ``member`` a position in ``members``."""
    for positions in stacks_of(members):
        for stack_epoch in train_stack([members[i] for i in positions], table, test):
            yield [progress._replace(member=positions[progress.member]) for progress in stack_epoch]


def stacks_of(members: list[StackMember]) -> list[list[int]]:
    """Positions of members that can share a stack, at most ``most_members`` together."""
    alike: dict[tuple[Hashable, ...], list[int]] = {}
    for i, member in enumerate(members):
        alike.setdefault(stack_key(member.config, len(member.rows)), []).append(i)
    stacks = []
    for group in alike.values():
        most = most_members(members[group[0]].config)
        stacks += [group[k : k + most] for k in range(0, len(group), most)]
    return stacks


# Hold-outs trained to the end of their patience: how well each one validated, and when.


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
