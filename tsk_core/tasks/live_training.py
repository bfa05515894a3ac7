"""LiveTraining: one training that people watch, from split to saved model, with records of each epoch."""

import contextlib
import json
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from tsk_core.config import TrainConfig
from tsk_core.epoch import Epoch
from tsk_core.runs.folder import Ending
from tsk_core.runs.records import EPOCHS
from tsk_core.runs.search import Search
from tsk_core.runs.store import RunStore
from tsk_core.tasks.context import Context
from tsk_core.tasks.dataset_task import DatasetTask

if TYPE_CHECKING:
    import pandas as pd

    from tsk_core.data import CleaningPipeline
    from tsk_core.estimators.classifier import TSKClassifier

__all__ = ["LiveTraining"]


@dataclass(frozen=True)
class LiveTraining(DatasetTask):
    """Train ``config`` on ``dataset`` (a ``data.Dataset``), ``test_size`` of its rows held back for testing.

    search: what found the settings. The baselines are then those that it found; where it has none, they are looked for after the
    training, as long as it took.
    """

    test_size: float = 0.3
    search: Search | None = None

    @property
    def steps(self) -> int:
        """Epochs at most."""
        return self.config.max_epochs

    def check(self) -> None:
        """Raise LimitError where the training is larger than this server allows, DataError for a rule base of another table."""
        super().check()
        if self.config.rule_base is not None:
            from tsk_core.data.encoding import Encoder
            from tsk_core.train.starting_rules import starting_rules  # torch: not before it is needed

            starting_rules(self.config, Encoder().fit(self.dataset.X), self.dataset.classes)

    def create_run(self, store: RunStore, owner: str, **details: Any) -> tuple[str, Self]:
        """Enter the run, with the search among ``details`` as what found the settings."""
        run, task = super().create_run(store, owner, **details)
        return run, replace(task, search=details.get("search"))

    def run(self, context: Context) -> Ending:
        """Train, report each epoch, and leave split, model, rules, predictions and scores in the run's folder."""
        from tsk_core.estimators.classifier import TSKClassifier  # torch: not before a training really begins
        from tsk_core.estimators.training import fit_epochs
        from tsk_core.tasks.final_metrics import final_metrics
        from tsk_core.tasks.searched_baselines import searched_baselines

        dataset, folder = self.dataset, context.folder
        config = self.config if self.config.random_state is not None else folder.config()  # the store settled a seed
        split = dataset.split(test_size=self.test_size, seed=config.seed)
        folder.write_split(split, dataset.positions)
        X, y = dataset.X, np.asarray(dataset.y)
        train, test = (X.iloc[split.train], y[split.train]), (X.iloc[split.test], y[split.test])
        classes = [str(name) for name in dataset.classes]
        started = context.clock()
        given: dict[str, Any] = dataset.fit_params(split.train)
        classifier = TSKClassifier(**config.to_dict())
        known, whole = _learnt_classes(train[1], test[1])
        shown = test if known.all() else (test[0][known], test[1][known])  # a copy only where it differs
        epochs = fit_epochs(classifier, *train, shown if known.any() else None, **given)
        history, reason = _follow(
            epochs, _Recorders(classifier, test, classes, config, context, dataset.cleaning), context, whole
        )
        seconds = context.clock() - started

        search = self.search
        if search is not None:
            search = searched_baselines(search, classifier, train, given, context, len(history))
        belongs = dataset.split_column_of(split.test)
        metrics, predictions = final_metrics(classifier, history, train, test, classes, belongs, search)
        metrics["seconds"] = seconds
        metrics["notes"] += list(split.notes)
        classifier.cleaning_ = dataset.cleaning
        alone = metrics["resampled"]["unit"] == "rows"
        folder.write_model(classifier, train, test, (given.get("groups"), None if alone else predictions.units))
        folder.write_predictions(predictions)
        folder.write_metrics(metrics)
        state, message = ("stopped", reason) if reason else ("finished", classifier.stop_message_)
        return Ending(state, message, metrics["rca"], metrics["bca"])


class _Recorders:
    """Everything that is recorded of an epoch."""

    def __init__(
        self,
        classifier: "TSKClassifier",
        test: "tuple[pd.DataFrame, np.ndarray]",
        classes: list[str],
        config: TrainConfig,
        context: Context,
        cleaning: "CleaningPipeline | None",
    ) -> None:
        from tsk_core.live.condition_strengths import StrengthRecorder
        from tsk_core.live.evaluations import EvaluationRecorder
        from tsk_core.live.snapshots import SnapshotRecorder

        self._context = context
        self._snapshots = SnapshotRecorder(classifier, config.max_epochs, context, cleaning)
        self._evaluations = EvaluationRecorder(classifier, *test, classes, config.max_epochs, context)
        self._strengths = StrengthRecorder(classifier, config, classes, context)

    def add(self, epoch: Epoch) -> None:
        self._context.report(EPOCHS, json.dumps(epoch.to_dict()))
        self._context.progress(epoch.epoch, epoch.stage, epoch.stage == "training")
        self._snapshots.add(epoch)
        self._evaluations.add(epoch)
        self._strengths.add(epoch)

    def end(self) -> None:
        self._snapshots.end()


def _learnt_classes(train: np.ndarray, test: np.ndarray) -> tuple[np.ndarray, Callable[[Epoch], Epoch]]:
    """Which test rows have a class of the training rows, (N_test,) bool; and what turns an epoch's scores on these into those of
    all test rows: the others are misclassified, and each of their classes has the recall 0.
    """
    learnt = set(train.tolist())  # isin would compare each of the two arrays of objects with all of the other
    known = np.array([label in learnt for label in test.tolist()], bool)
    rows = known.mean() if len(test) else 1.0
    classes = len(set(test[known].tolist())) / max(1, len(set(test.tolist())))

    def whole(epoch: Epoch) -> Epoch:
        if rows == 1 or epoch.rca_test is None or epoch.bca_test is None:
            return epoch
        return replace(epoch, rca_test=rows * epoch.rca_test, bca_test=classes * epoch.bca_test)

    return known, whole


def _follow(
    epochs: Generator[Epoch, None, None], recorders: _Recorders, context: Context, whole: Callable[[Epoch], Epoch]
) -> tuple[list[Epoch], str]:
    """Run the training to its end, or to the first reason to stop; return the epochs and that reason ("" for none).

    whole: see ``_learnt_classes``.
    """
    history, reason, clock = [], "", _Clock(context)
    with contextlib.closing(epochs):  # closing leaves the classifier fitted with the weights it has
        for trained in epochs:
            epoch = whole(clock.without_pauses(trained))
            history.append(epoch)
            recorders.add(epoch)
            if reason := context.checkpoint():
                break
    recorders.end()
    return history, reason


class _Clock:
    """Keeps pauses out of the seconds of epochs."""

    def __init__(self, context: Context) -> None:
        self._context, self._before, self._last = context, 0.0, (0, 0.0)

    def without_pauses(self, epoch: Epoch) -> Epoch:
        """The epoch with training time alone in ``seconds``, which start at 0 for each hold-out and for the final training."""
        if epoch.epoch <= self._last[0] or epoch.seconds < self._last[1]:
            self._before = self._context.waited
        self._last = (epoch.epoch, epoch.seconds)
        waited = self._context.waited - self._before
        return replace(epoch, seconds=epoch.seconds - waited) if waited else epoch
