"""StudyCells: some splits of one algorithm on one dataset of the study, computed as the command ``study`` does.

Results go to ``study.csv`` beside the runs, in the format of the study's own file, as soon as a few splits are done. All visitors
of this server see them on the page Paper, and nothing that stands in the file is computed again.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tsk_core.config import TrainConfig
from tsk_core.errors import SettingError
from tsk_core.runs.files import read_json
from tsk_core.runs.folder import YIELDED, Ending
from tsk_core.runs.store import RunStore
from tsk_core.tasks.task import Context, DatasetTask, Stopped, check_size, ticks
from tsk_study import ALGORITHMS, TEST_SIZE, Result, append_results, protocol_config, read_results, work_out

if TYPE_CHECKING:
    from tsk_core.data import Dataset

STUDY_CELLS = "study-cells"  # the kind of its runs
STUDY_RESULTS = "study.csv"  # beside the runs
CELL = "cell.json"  # in the run's folder: what it computes
MOST_SPLITS = 30
AT_ONCE = 5  # splits that train side by side, and are kept together


@dataclass(frozen=True)
class StudyCells:
    """Compute ``algorithm`` on these splits of ``dataset``. Raises SettingError for what the study does not have."""

    dataset: "Dataset"
    algorithm: str
    splits: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse what the study does not have."""
        if self.algorithm not in ALGORITHMS:
            raise SettingError(f"The study has no algorithm {self.algorithm[:60]!r}; it has {', '.join(ALGORITHMS)}.")
        if not self.splits or not all(0 <= split < MOST_SPLITS for split in self.splits):
            raise SettingError(f"Splits are whole numbers from 0 to {MOST_SPLITS - 1}, and at least one.")

    @property
    def steps(self) -> int:
        """Splits."""
        return len(self.splits)

    def check(self) -> None:
        """Raise LimitError where a training is larger than this server allows."""
        check_size(self._config(), self.dataset)

    def create_run(self, store: RunStore, owner: str, **details: Any) -> tuple[str, "StudyCells"]:
        """Enter the run; the task returned travels without the table before cleaning."""
        cell = {"dataset": self.dataset.name, "algorithm": self.algorithm, "splits": list(self.splits)}
        run = store.create(self._config(), self.dataset, TEST_SIZE, owner, task=STUDY_CELLS, files={CELL: cell}, **details)
        return run, replace(self, dataset=self.dataset.cleaned)

    def run(self, context: Context) -> Ending:
        """Compute the splits that are missing in ``study.csv``; metrics.json counts them. What is done is kept on a stop."""
        path = context.folder.path.parent / STUDY_RESULTS
        known = read_results(path)
        done = [known[key] for key in self._keys() if key in known]
        missing = [split for _, _, split in self._keys() if split not in {result.split for result in done}]
        context.progress(len(done), "study", True)
        computed = 0
        for first in range(0, len(missing), AT_ONCE):
            if reason := context.checkpoint():
                return Ending("stopped", reason)
            if computed and context.time_slice_is_over():
                return YIELDED
            try:
                results = self._compute(missing[first : first + AT_ONCE], context)
            except Stopped as stopped:
                return Ending("stopped", str(stopped))
            append_results(path, results)
            done += results
            computed += len(results)
            context.progress(len(done), "study", True)
        rca, bca = (float(np.mean([getattr(result, name) for result in done])) for name in ("rca", "bca"))
        context.folder.write_metrics({"splits": len(done), "computed": computed, "rca": rca, "bca": bca})
        return Ending("finished", "", rca, bca)

    def _compute(self, splits: list[int], context: Context) -> list[Result]:
        from tsk_study import compute  # torch: not before the work really begins

        return list(compute(self.dataset, [(self.algorithm, split) for split in splits], ticks(context)))

    def _keys(self) -> list[tuple[str, str, int]]:
        return [(self.dataset.name, self.algorithm, split) for split in self.splits]

    def _config(self) -> TrainConfig:
        """Settings to enter the run with; those of the paper's protocol where the algorithm has them."""
        seed = self.splits[0]
        family = ALGORITHMS[self.algorithm].batch_norm is not None
        return protocol_config(self.algorithm, seed, 0.0) if family else TrainConfig(random_state=seed)


def cell_of(folder: Path) -> dict[str, Any]:
    """What the run in this folder computes: {"dataset", "algorithm", "splits"}. Raises RunError where that is not known."""
    return read_json(folder / CELL)


# WorkedExample: one model of the study trained again, and the paper's equations with its numbers in them.


@dataclass(frozen=True)
class WorkedExample(DatasetTask):
    """Train ``config`` on the split of its seed, and work the equations out for one test row; metrics.json has the numbers.

    row: which of the test rows, from 0.
    """

    kind: ClassVar[str] = "worked-example"
    row: int = 0

    @property
    def steps(self) -> int:
        """Epochs."""
        return self.config.max_epochs

    @property
    def test_size(self) -> float:
        """That of the study's splits."""
        return TEST_SIZE

    def run(self, context: Context) -> Ending:
        """Train and compute; a stop leaves no numbers."""
        tick, epochs = ticks(context), 0

        def step() -> None:
            nonlocal epochs
            epochs += 1
            context.progress(epochs, "training", True)
            tick()

        try:
            values = work_out(self.dataset, self.config, self.row, step)
        except Stopped as stopped:
            return Ending("stopped", str(stopped))
        context.folder.write_metrics(values)
        return Ending("finished", "", values["rca"], values["bca"])
