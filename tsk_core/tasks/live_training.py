"""LiveTraining: one training that people watch, from split to saved model; MakeReadable: a readable rule base likewise."""

import contextlib
import json
from collections.abc import Callable, Generator, Hashable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from tsk_core import limits
from tsk_core.config import TrainConfig
from tsk_core.epoch import Epoch
from tsk_core.errors import TrainingError
from tsk_core.live.series import EPOCHS
from tsk_core.runs.folder import Ending
from tsk_core.runs.result import Search
from tsk_core.runs.store import RunStore
from tsk_core.tasks.task import Context, DatasetTask

if TYPE_CHECKING:
    import pandas as pd

    from tsk_core.data import CleaningPipeline
    from tsk_core.estimators.classifier import TSKClassifier
    from tsk_core.tuning.tuner import Tuner


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
            from tsk_core.train.initialise import starting_rules  # torch: not before it is needed

            starting_rules(self.config, Encoder().fit(self.dataset.X), self.dataset.classes)

    def create_run(self, store: RunStore, owner: str, **details: Any) -> tuple[str, Self]:
        """Enter the run, with the search among ``details`` as what found the settings."""
        run, task = super().create_run(store, owner, **details)
        return run, replace(task, search=details.get("search"))

    def run(self, context: Context) -> Ending:
        """Train, report each epoch, and leave split, model, rules, predictions and scores in the run's folder."""
        from tsk_core.estimators.classifier import TSKClassifier  # torch: not before a training really begins
        from tsk_core.estimators.training import fit_epochs
        from tsk_core.tasks.final_metrics import final_metrics, searched_baselines

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
        from tsk_core.live.series import EvaluationRecorder, SnapshotRecorder, StrengthRecorder

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


# MakeReadable: a readable rule base for the table of a run, as a run of its own that people watch.


NOTHING_FOUND = "Training diverged with all settings that were tried, so the rules are those of the starting point Readable."
SEARCH = "search"  # the stage of its progress while it looks for settings


@dataclass(frozen=True)
class MakeReadable(LiveTraining):
    """Look for readable settings for the training rows of ``dataset``, then train them as ``LiveTraining`` does.

    config: readable settings with the seed and the device of the run that it stands beside, whose id is ``beside``; both have the
    same split. budget: seconds of the search; 0 trains ``config`` as it is. class_weight: as for ``TSKClassifierCV``.
    """

    beside: str = ""
    budget: float = 0.0
    class_weight: str | dict[Hashable, float] | None = "search"

    def create_run(self, store: RunStore, owner: str, **details: Any) -> tuple[str, Self]:
        """Enter the run; its config.json names the run that it stands beside."""
        return super().create_run(store, owner, beside=self.beside, **details)

    def run(self, context: Context) -> Ending:
        """As a training, of ``config`` where no settings have a score; a stop during the search leaves no model."""
        if not self.budget:
            return super().run(context)
        context.progress(0, SEARCH, False)
        searches: list[Search] = []
        notes: list[str] = []
        config = self._found(context, searches, notes)
        if context.reason:
            return Ending("stopped", context.reason)
        if config is None:
            ending = super().run(context)
            return ending._replace(message=ending.message or NOTHING_FOUND)
        context.folder.settle(config)
        ending = LiveTraining(config, self.dataset, self.test_size, next(iter(searches), None)).run(context)
        return ending._replace(message=" ".join(filter(None, [ending.message, *notes])))

    def _found(self, context: Context, searches: list[Search], notes: list[str]) -> TrainConfig | None:
        """The settings that the search finds on the training rows; None where none have a score.

        searches: takes the search. notes: take what cut it short.
        """
        from tsk_core.estimators.settings_search import shortest_config  # torch: not before a search really begins
        from tsk_core.tasks.final_metrics import search_of

        train = self.dataset.split(test_size=self.test_size, seed=self.config.seed).train
        X, y = self.dataset.X.iloc[train], np.asarray(self.dataset.y)[train]
        given: dict[str, Any] = {**self.dataset.fit_params(train), "class_weight": self.class_weight}

        def keep(tuner: "Tuner") -> None:
            searches.append(search_of(True, tuner.trials, tuner.best, tuner.n_folds, tuner.budget))
            notes.extend(tuner.notes)

        try:
            most = limits.value("rules")
            return shortest_config(
                self.config, X, y, self.budget, **given, most_rules=most, stopped=context.stopped, clock=context.clock,
                on_end=keep,
            )  # fmt: skip
        except TrainingError:
            return None
