"""Models of the study trained once more, side by side; and what they are like on the rows of their dataset."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tsk_core.config import TrainConfig
from tsk_core.epoch import Epoch
from tsk_study.figures.figure import Progress
from tsk_study.parts import TEST_SIZE

if TYPE_CHECKING:
    from tsk_core.data import Dataset
    from tsk_core.model import Rules
    from tsk_core.train import Table
    from tsk_core.train.recorder import Measured


@dataclass
class Trained:
    """One training. train, test: its rows in the table. epochs: its records, without those of hold-outs."""

    table: "Table"
    train: np.ndarray
    test: np.ndarray
    rules: "Rules"
    epochs: list[Epoch]

    def on_test_rows(self) -> "Measured":
        """The model on the test rows."""
        return self._on(self.test)

    def firing_on_all_rows(self) -> tuple[np.ndarray, np.ndarray]:
        """Mean firing levels (R,) over all rows of the dataset, and counts of its rows by firing entropy (ENTROPY_BINS,)."""
        found = self._on(np.concatenate([self.train, self.test]))
        assert found.firing is not None and found.entropy is not None  # asked for
        return found.firing, found.entropy

    def _on(self, rows: np.ndarray) -> "Measured":
        import torch

        from tsk_core.train.recorder import measure

        return measure(self.rules, self.table.x, self.table.y, torch.from_numpy(rows)[None], firing=True)[0]


def train_models(
    dataset: "Dataset", configs: Sequence[TrainConfig], progress: Progress, *, every_epoch: bool = False
) -> list[Trained]:
    """Train a model for each of ``configs`` on the split that has its seed as number.

    every_epoch: whether test rows are measured after each epoch, not only after the last.
    """
    from tsk_core.runtime.torch_settings import denormals_as_zero, torch_threads
    from tsk_core.train import AT_THE_END, Records, prepare_stack, train

    numbers = sorted({config.seed for config in configs})
    splits = [dataset.split(test_size=TEST_SIZE, seed=number) for number in numbers]
    split_of = [numbers.index(config.seed) for config in configs]
    records = Records(None, 1) if every_epoch else AT_THE_END
    stacked = prepare_stack(dataset, splits, configs, records, split_of=split_of, measure_test=True)
    rules: dict[int, Rules] = {}
    epochs: list[list[Epoch]] = [[] for _ in stacked.specs]
    done, total = 0, sum(config.max_epochs for config in configs)
    with torch_threads(1), denormals_as_zero():
        for at, epoch, outcome in itertools.chain.from_iterable(train(stacked.specs, stacked.table)):
            done += 1
            progress(min(1.0, done / total))
            if epoch is None or epoch.stage == "training":
                rules[at] = outcome.rules
                epochs[at] += [epoch] if epoch is not None else []
    progress(1.0)  # early stopping takes fewer epochs than it might
    rows = [(one.rows, np.empty(0, int) if one.test is None else one.test) for one in stacked.specs]
    return [Trained(stacked.table, *rows[at], rules[at], epochs[at]) for at in range(len(configs))]
