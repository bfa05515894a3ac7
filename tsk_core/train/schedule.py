"""How long to train, and what trains together.

Early stopping, the paper's way, holds out a share of the training rows five times, trains on the rest, and notes each one's
best epoch; then it trains on all training rows for the mean of the five. While it searches, held-out rows are never trained on.
They are drawn at random, but never across groups or against the order of time (``hold_out``).
"""

from collections.abc import Iterator

import numpy as np

from tsk_core.train.hold_out import hold_out
from tsk_core.train.loop import Progress, train_stack
from tsk_core.train.spec import StackMember, TrainingSpec
from tsk_core.train.table import Table

__all__ = ["HOLD_OUTS", "hold_out_members", "stacks_of", "train", "train_members"]

HOLD_OUTS = 5
CHUNK = 64  # models of one stack at most; larger ones gain nothing and take memory


def train(specs: list[TrainingSpec], table: Table, test: Table | None = None) -> Iterator[Progress]:
    """Train one model for each spec, alike ones as stacks; yield each one's progress (``member`` is its position in ``specs``).

    Under early stopping the epochs of the search come first, with stage "hold-out": those of the first hold-out still training.
    """
    lengths = [spec.config.max_epochs for spec in specs]
    searches = [
        (at, member) for at, spec in enumerate(specs) if spec.config.early_stopping for member in hold_out_members(spec, table)
    ]
    best: dict[int, int] = {}
    shown: dict[int, int] = {}
    for index, epoch, outcome in train_members([member for _, member in searches], table, test):
        at = searches[index][0]
        best[index] = outcome.best_epoch
        if epoch is not None and epoch.epoch > shown.get(at, 0):
            shown[at] = epoch.epoch
            yield Progress(at, epoch, outcome)
    for at in {at for at, _ in searches}:
        found = [best[i] for i, (owner, _) in enumerate(searches) if owner == at]
        lengths[at] = max(1, round(float(np.mean(found))))
    members = [
        StackMember(
            s.config,
            s.seed,
            s.rows,
            n,
            s.validation,
            s.class_weight,
            early_stopping=False,
            records=s.records,
            test=s.test,
            initial_width=s.initial_width,
        )
        for s, n in zip(specs, lengths, strict=True)
    ]
    yield from train_members(members, table, test)


def hold_out_members(spec: TrainingSpec, table: Table) -> Iterator[StackMember]:
    """The models of early stopping's search, each with rows and a seed of its own."""
    config, rng = spec.config, np.random.default_rng(spec.seed)
    for _ in range(HOLD_OUTS):
        rows, validation = hold_out(table, spec.rows, config.validation_fraction, rng)
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
        )


def train_members(members: list[StackMember], table: Table, test: Table | None = None) -> Iterator[Progress]:
    """Train members in stacks of those that can share one; yield each one's progress, ``member`` its position."""
    for chunk in stacks_of(members):
        for progress in train_stack([members[i] for i in chunk], table, test):
            for at, epoch, outcome in progress:
                yield Progress(chunk[at], epoch, outcome)


def stacks_of(members: list[StackMember]) -> list[list[int]]:
    """Positions of members that can share a stack, at most CHUNK together."""
    alike: dict[tuple, list[int]] = {}
    for i, member in enumerate(members):
        c = member.config
        variant = "bn" if c.batch_norm == "none" else c.batch_norm  # these two can share one
        key = (c.n_rules, c.batch_size, c.learning_rate, c.optimizer, c.firing, variant, len(member.rows))
        alike.setdefault(key, []).append(i)
    return [group[k : k + CHUNK] for group in alike.values() for k in range(0, len(group), CHUNK)]
