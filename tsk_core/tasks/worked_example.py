"""WorkedExample: one model of the study trained again, and the paper's equations with its numbers in them."""

from dataclasses import dataclass
from typing import ClassVar

from tsk_core.runs.folder import Ending
from tsk_core.study import TEST_SIZE, work_out
from tsk_core.tasks.context import Context, Stopped, ticks
from tsk_core.tasks.dataset_task import DatasetTask

__all__ = ["WorkedExample"]


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
