"""How long to train: a fixed number of epochs, or early stopping the paper's way.

Early stopping holds out a random share of the training rows five times, trains the five as one stack, and notes each
one's best epoch; then it trains on all training rows for the mean of the five. Held-out rows are never trained on.
"""

from collections.abc import Iterator

import numpy as np
from torch import Tensor

from tsk_core.config import TrainConfig
from tsk_core.epoch import Epoch
from tsk_core.train.loop import Member, Outcome, Table, train_stack

__all__ = ["HOLD_OUTS", "train"]

HOLD_OUTS = 5


def train(
    config: TrainConfig, seed: int, table: Table, test: Table | None = None, class_weight: Tensor | None = None
) -> Iterator[tuple[Epoch, Outcome]]:
    """Train one model on all rows of ``table``; yield each Epoch and the outcome so far.

    Under early stopping the records of the search come first, with stage "hold-out": those of the first
    hold-out still training.
    """
    rows = np.arange(len(table.y))
    epochs = config.max_epochs
    if config.early_stopping:
        hold_outs = list(_hold_outs(config, seed, rows, class_weight))
        for records, outcomes in train_stack(hold_outs, table, test):
            if records:
                member, epoch = records[0]
                yield epoch, outcomes[member]
        epochs = max(1, round(float(np.mean([o.best_epoch for o in outcomes]))))
    member = Member(config, seed, rows, epochs, class_weight=class_weight)
    for records, outcomes in train_stack([member], table, test):
        for _, epoch in records:
            yield epoch, outcomes[0]
        if not records:  # diverged
            yield None, outcomes[0]


def _hold_outs(config: TrainConfig, seed: int, rows: np.ndarray, class_weight: Tensor | None) -> Iterator[Member]:
    rng = np.random.default_rng(seed)
    size = min(max(1, round(config.validation_fraction * len(rows))), len(rows) - 2)
    for _ in range(HOLD_OUTS):
        shuffled = rng.permutation(rows)
        yield Member(
            config, int(rng.integers(2**31)), shuffled[size:], config.max_epochs, shuffled[:size], class_weight, "hold-out"
        )
