"""Refit: simplify a trained model and train it on, as a run of its own that people watch."""

from collections.abc import Generator
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tsk_core.config import TrainConfig
from tsk_core.epoch import Epoch
from tsk_core.errors import TSKError
from tsk_core.runs.folder import Ending
from tsk_core.runs.store import RunStore
from tsk_core.simplify import Options
from tsk_core.tasks.context import Context
from tsk_core.tasks.live_training import LiveTraining

if TYPE_CHECKING:
    import pandas as pd

    from tsk_core.estimators.classifier import TSKClassifier

__all__ = ["Refit"]


class _StoppedError(TSKError):
    """The search was stopped, so there is nothing to train on."""


@dataclass(frozen=True)
class Refit(LiveTraining):
    """Simplify ``source`` on the training rows of ``dataset``, the same split as its own, and train it on.

    config: of the source, with its seed. source: a fitted ``TSKClassifier``; source_run: its run, "" for none.
    """

    source: "TSKClassifier" = field(repr=False, kw_only=True)
    source_run: str = ""
    options: Options = field(default_factory=Options)

    def create_run(self, store: RunStore, owner: str, **details: Any) -> tuple[str, "Refit"]:
        """Enter the run; its config.json names the source and the options."""
        origin = {"from": self.source_run, "config": self.config.to_dict(), "options": asdict(self.options)}
        run = store.create(self.config, self.dataset, self.test_size, owner, simplified=origin, **details)
        return run, replace(self, dataset=replace(self.dataset, raw=None))

    def run(self, context: Context) -> Ending:
        """As a training; a stop during the search leaves no model."""
        try:
            return super().run(context)
        except _StoppedError as stopped:
            return Ending("stopped", str(stopped))

    def _begin(
        self, config: TrainConfig, train: "tuple[pd.DataFrame, np.ndarray]", more: dict[str, Any], context: Context
    ) -> "tuple[TSKClassifier, TrainConfig, Generator[Epoch, None, None]]":
        def step(done: int, of: int) -> None:
            context.progress(done, f"search, {done} of {of} folds", False)
            if reason := context.checkpoint():
                raise _StoppedError(reason)

        X, y = train
        small, epochs = self.source.simplify_iter(X, y, step=step, **asdict(self.options), **more)
        settings = TrainConfig(**small.get_params(deep=False))
        context.folder.settle(settings)
        return small, settings, epochs

    def _more_metrics(self, classifier: "TSKClassifier") -> dict[str, object]:
        changes = classifier.simplification_
        return {} if changes is None else {"simplification": changes.to_dict()}
