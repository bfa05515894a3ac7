"""WorkedExample: one model of the study trained again, and the paper's equations with its numbers in them."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tsk_core.config import TrainConfig
from tsk_core.runs.folder import Ending
from tsk_core.runs.store import RunStore
from tsk_core.study import TEST_SIZE, work_out
from tsk_core.tasks.context import Context, Stopped, ticks
from tsk_core.tasks.live_training import check_size

if TYPE_CHECKING:
    from tsk_core.data import Dataset

__all__ = ["WORKED_EXAMPLE", "WorkedExample"]

WORKED_EXAMPLE = "worked-example"  # the kind of its runs


@dataclass(frozen=True)
class WorkedExample:
    """Train ``config`` on the split of its seed, and work the equations out for one test row; metrics.json has the numbers.

    row: which of the test rows, from 0.
    """

    config: TrainConfig
    dataset: "Dataset"
    row: int = 0

    @property
    def steps(self) -> int:
        """Epochs."""
        return self.config.max_epochs

    def check(self) -> None:
        """Raise LimitError where the training is larger than this server allows."""
        check_size(self.config, self.dataset)

    def create_run(self, store: RunStore, owner: str, **details: Any) -> tuple[str, "WorkedExample"]:
        """Enter the run; the task returned travels without the table before cleaning."""
        run = store.create(self.config, self.dataset, TEST_SIZE, owner, task=WORKED_EXAMPLE, **details)
        return run, replace(self, dataset=self.dataset.cleaned)

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
