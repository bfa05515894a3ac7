"""Models of the study trained once more, side by side; and what they are like on the rows of their dataset."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from tsk_core.config import TrainConfig
from tsk_core.epoch import Epoch
from tsk_core.study.figures.figure import Progress
from tsk_core.study.parts import TEST_SIZE

if TYPE_CHECKING:
    from tsk_core.model import Rules
    from tsk_core.train import Table
    from tsk_core.train.measure import Measured

__all__ = ["Trained", "train_models"]


@dataclass
class Trained:
    """One training. epochs: its records, without those of hold-outs. train, test: its rows in the table."""

    table: "Table"
    train: np.ndarray
    test: np.ndarray
    epochs: list[Epoch] = field(default_factory=list)
    rules: "Rules | None" = None

    def on_test_rows(self) -> "Measured":
        """The model on the test rows."""
        return self._on(self.test)

    def on_all_rows(self) -> "Measured":
        """The model on all rows of the dataset, firing levels and entropy included."""
        return self._on(np.concatenate([self.train, self.test]))

    def _on(self, rows: np.ndarray) -> "Measured":
        import torch

        from tsk_core.train.measure import measure

        return measure(self.rules, self.table.x, self.table.y, torch.from_numpy(rows)[None], firing=True)[0]


def train_models(dataset: Any, configs: Sequence[TrainConfig], progress: Progress, *, every_epoch: bool = False) -> list[Trained]:
    """Train a model for each of ``configs`` on the split that has its seed as number.

    every_epoch: whether test rows are measured after each epoch, not only after the last.
    """
    from tsk_core.runtime.torch_settings import denormals_as_zero, torch_threads
    from tsk_core.train import AT_THE_END, Records, prepare_stack, train

    numbers = sorted({config.random_state for config in configs})
    splits = [dataset.split(test_size=TEST_SIZE, seed=number) for number in numbers]
    split_of = [numbers.index(config.random_state) for config in configs]
    records = Records(None, 1) if every_epoch else AT_THE_END
    stacked = prepare_stack(dataset, splits, configs, records, split_of=split_of, measure_test=True)
    found = [Trained(stacked.table, spec.rows, spec.test) for spec in stacked.specs]
    done, total = 0, sum(config.max_epochs for config in configs)
    with torch_threads(1), denormals_as_zero():
        for at, epoch, outcome in train(stacked.specs, stacked.table):
            done += 1
            progress(min(1.0, done / total))
            if epoch is None or epoch.stage == "training":
                found[at].rules = outcome.rules
                found[at].epochs += [epoch] if epoch is not None else []
    progress(1.0)  # early stopping takes fewer epochs than it might
    return found
