"""StabilityCheck: how often the rules of a run come back when its settings are trained again."""

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tsk_core.runs.folder import Ending
from tsk_core.tasks.context import Context
from tsk_core.tasks.dataset_task import DatasetTask

if TYPE_CHECKING:
    import pandas as pd

    from tsk_core.estimators.classifier import TSKClassifier

__all__ = ["StabilityCheck"]


@dataclass(frozen=True)
class StabilityCheck(DatasetTask):
    """Train ``config`` n times with other seeds on the training rows of a run, and n times on bootstrap samples of them.

    dataset, test_size: the run's, whose seed ``config`` has; of_run: its id. They train side by side, as one stack.
    metrics.json has, for rules of at most 1 to 12 conditions, how often each rule of the run came back: "lengths", a
    ``RuleStability`` each.
    """

    kind: ClassVar[str] = "rule-stability"
    of_run: str
    test_size: float = 0.3
    n: int = 10

    @property
    def steps(self) -> int:
        """Epochs of all trainings at most."""
        return (2 * self.n + 1) * self.config.max_epochs

    def run(self, context: Context) -> Ending:
        """Train and compare; a stop takes effect within one epoch, and leaves no figures."""
        from tsk_core.estimators.classifier import TSKClassifier
        from tsk_core.estimators.stability import resampled, stability_by_length

        began, settings = context.clock(), self.config.to_dict()
        train = np.asarray(self.dataset.split(test_size=self.test_size, seed=self.config.seed).train)
        X, y = self.dataset.X.iloc[train], np.asarray(self.dataset.y)[train]
        given = self.dataset.fit_params(train)
        models, rows = resampled(settings, len(train), self.n, given.get("groups"))
        # trained once more: the run's model is on another disk
        models, rows = [TSKClassifier(**settings), *models], [np.arange(len(train)), *rows]
        if reason := self._train(models, rows, X, y, given, context):
            return Ending("stopped", reason)
        lengths = [of_length.to_dict() for of_length in stability_by_length(models[0], models[1:], rows[1:], X, y)]
        seconds = context.clock() - began
        context.folder.write_metrics({"of_run": self.of_run, "of": self.n, "lengths": lengths, "seconds": seconds})
        return Ending("finished", "")

    def _train(
        self,
        models: "list[TSKClassifier]",
        rows: list[np.ndarray],
        X: "pd.DataFrame",
        y: np.ndarray,
        given: dict[str, Any],
        context: Context,
    ) -> str:
        """Train the models side by side; returns why the task has to end, or ""."""
        from tsk_core.estimators.fit_many import fit_many_iter  # torch: not before a training really begins

        done: dict[int, int] = {}
        stage = ""
        with contextlib.closing(fit_many_iter(models, X, y, rows=rows, **given)) as progress:
            for at, epoch in progress:
                done, stage = ({}, epoch.stage) if epoch.stage != stage else (done, stage)
                done[at] = epoch.epoch
                context.progress(sum(done.values()), epoch.stage, epoch.stage == "training")
                if reason := context.checkpoint():
                    return reason
        return ""
