"""How long to train, and what trains together.

Early stopping, the paper's way, holds out a share of the training rows five times, trains on the rest, and notes each one's
best epoch; then it trains on all training rows for the mean of the five. While it searches, held-out rows are never trained on.
They are drawn at random, but never across groups or against the order of time (``hold_out``).
"""

from collections.abc import Generator, Hashable, Iterator

import numpy as np

from tsk_core.config import HOLD_OUTS
from tsk_core.data.hold_out import hold_out
from tsk_core.train.loop import Progress, StackEpoch, train_stack
from tsk_core.train.spec import StackMember, TrainingSpec
from tsk_core.train.stack import most_members, stack_key
from tsk_core.train.table import Table

__all__ = ["final_member", "hold_out_members", "stacks_of", "train", "train_members"]


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
