"""SameSize: the test scores of a tree and a rule list with as many conditions as a readable run; of the EBM if asked for."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tsk_core.errors import TrainingError
from tsk_core.runs.folder import Ending
from tsk_core.tasks.context import Context
from tsk_core.tasks.dataset_task import DatasetTask

__all__ = ["SameSize"]


@dataclass(frozen=True)
class SameSize(DatasetTask):
    """Train them on the training rows of a run.

    config, dataset, test_size: the run's, whose seed ``config`` has; of_run: its id. conditions: of all its rules, from 1.
    ebm: whether the EBM of the library interpret is measured in place of the tree and the rule list, which takes longer.
    metrics.json has "of_run", "conditions", "ebm" and "peers", a ``Peer`` each as a list.
    """

    kind: ClassVar[str] = "same-size"
    of_run: str
    conditions: int
    test_size: float = 0.3
    ebm: bool = False

    @property
    def steps(self) -> int:
        """One, which cannot be divided."""
        return 1

    @staticmethod
    def missing() -> str:
        """One sentence how to get the EBM; empty where it is installed."""
        from tsk_core.study import ebm  # the study loads its libraries when first used

        return ebm.missing()

    def check(self) -> None:
        """Raise LimitError where training is larger than this server allows, TrainingError where the EBM is not installed."""
        if self.ebm and (sentence := self.missing()):
            raise TrainingError(sentence)
        super().check()

    def run(self, context: Context) -> Ending:
        """Train and measure; a stop takes effect before or after, and leaves no figures."""
        from tsk_core.evaluate.same_size import equal_size  # scikit-learn: not before it is needed
        from tsk_core.study import ebm

        began, seed = context.clock(), self.config.seed
        split, y = self.dataset.split(test_size=self.test_size, seed=seed), np.asarray(self.dataset.y)
        X_train, X_test = (self.dataset.X.iloc[rows] for rows in (split.train, split.test))
        rows = X_train, y[split.train], X_test, y[split.test]
        if self.ebm:
            peers = [ebm.main_effects(*rows, seed=seed)]
        else:
            peers = equal_size(*rows, self.conditions, seed=seed, **self.dataset.fit_params(split.train))
        context.progress(1, "trained", True)
        if reason := context.checkpoint():
            return Ending("stopped", reason)
        found = {"of_run": self.of_run, "conditions": self.conditions, "ebm": self.ebm, "peers": [list(peer) for peer in peers]}
        context.folder.write_metrics({**found, "seconds": context.clock() - began})
        return Ending("finished", "")
