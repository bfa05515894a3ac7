"""How long to train, and what trains together.

Early stopping, the paper's way, holds out a random share of the training rows five times, trains the five as one stack, and
notes each one's best epoch; then it trains on all training rows for the mean of the five. Held-out rows are never trained on.
"""

from collections.abc import Iterator

import numpy as np

from tsk_core.train.loop import Progress, train_stack
from tsk_core.train.member import Job, Member, Table

__all__ = ["HOLD_OUTS", "train"]

HOLD_OUTS = 5
CHUNK = 64  # models of one stack at most; larger ones gain nothing and take memory


def train(jobs: list[Job], table: Table, test: Table | None = None) -> Iterator[Progress]:
    """Train each job's model, alike ones as stacks; yield each one's progress (``member`` is the job's position).

    Under early stopping the epochs of the search come first, with stage "hold-out": those of the first hold-out still training.
    """
    lengths = [job.config.max_epochs for job in jobs]
    searches = [(j, member) for j, job in enumerate(jobs) if job.config.early_stopping for member in _hold_outs(job)]
    best: dict[int, int] = {}
    shown: dict[int, int] = {}
    for index, epoch, outcome in _train_members([member for _, member in searches], table, test):
        job = searches[index][0]
        best[index] = outcome.best_epoch
        if epoch is not None and epoch.epoch > shown.get(job, 0):
            shown[job] = epoch.epoch
            yield Progress(job, epoch, outcome)
    for job in {j for j, _ in searches}:
        found = [best[i] for i, (j, _) in enumerate(searches) if j == job]
        lengths[job] = max(1, round(float(np.mean(found))))
    members = [Member(j.config, j.seed, j.rows, n, None, j.class_weight) for j, n in zip(jobs, lengths, strict=True)]
    yield from _train_members(members, table, test)


def _hold_outs(job: Job) -> Iterator[Member]:
    config, rows = job.config, job.rows
    rng = np.random.default_rng(job.seed)
    size = min(max(1, round(config.validation_fraction * len(rows))), len(rows) - 2)
    for _ in range(HOLD_OUTS):
        shuffled = rng.permutation(rows)
        seed = int(rng.integers(2**31))
        yield Member(config, seed, shuffled[size:], config.max_epochs, shuffled[:size], job.class_weight, "hold-out")


def _train_members(members: list[Member], table: Table, test: Table | None) -> Iterator[Progress]:
    """Train members in stacks of those that can share one."""
    for chunk in _chunks(members):
        for progress in train_stack([members[i] for i in chunk], table, test):
            for at, epoch, outcome in progress:
                yield Progress(chunk[at], epoch, outcome)


def _chunks(members: list[Member]) -> list[list[int]]:
    """Positions of members that can share a stack, at most CHUNK together."""
    alike: dict[tuple, list[int]] = {}
    for i, member in enumerate(members):
        c = member.config
        variant = "bn" if c.batch_norm == "none" else c.batch_norm  # these two can share one
        key = (c.n_rules, c.batch_size, c.learning_rate, c.optimizer, c.firing, variant, len(member.rows))
        alike.setdefault(key, []).append(i)
    return [group[k : k + CHUNK] for group in alike.values() for k in range(0, len(group), CHUNK)]
