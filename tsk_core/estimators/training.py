"""Training: a classifier while it trains. It is given its model and its records together, so that it never has parts of two."""

from collections.abc import Callable, Generator, Iterator
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from tsk_core.config import TrainConfig
from tsk_core.data.clean import CleaningPipeline
from tsk_core.data.encoding import Features, Labels
from tsk_core.epoch import Epoch
from tsk_core.errors import TrainingError
from tsk_core.estimators.fitted import FittedModel
from tsk_core.estimators.training_rows import TrainingRows
from tsk_core.runtime.torch_settings import denormals_as_zero, torch_threads
from tsk_core.train import AT_THE_END, EVERY_EPOCH, Outcome, Records, Table, TrainingSpec, train

# What the files below ``classifier.py`` need of a classifier, and the methods that it hands on to its fitted model.


_P = ParamSpec("_P")
_T = TypeVar("_T")


class Classifier(Protocol):
    """A ``TSKClassifier``, which stands above: its settings, and what a training gives it."""

    model_: FittedModel
    history_: list[Epoch]
    search_history_: list[Epoch]

    def training_config(self) -> TrainConfig:
        """The settings of a training that starts now, with its seed."""
        ...


def of_model(method: Callable[Concatenate[FittedModel, _P], _T]) -> Callable[Concatenate[Classifier, _P], _T]:
    """A method of the fitted model as a method of its classifier; it raises NotFittedError before ``fit``."""

    @wraps(method)
    def of_classifier(self: Classifier, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        check_is_fitted(self)
        return method(self.model_, *args, **kwargs)

    return of_classifier


_DIVERGED = "Training diverged in its first epoch, so there is no model; try a smaller learning rate."

EpochOutcome = tuple[Epoch | None, Outcome]  # None where training diverged


class Training:
    """What a classifier will be after its training, and its records so far.

    config: its settings, its seed among them. learnt: the table it trains on; rows: its rows there, None for all. cleaning: how
    that table was cleaned, where the classifier is to clean new rows in the same way.
    """

    def __init__(
        self,
        classifier: Classifier,
        config: TrainConfig,
        learnt: TrainingRows,
        rows: np.ndarray | None = None,
        cleaning: CleaningPipeline | None = None,
    ) -> None:
        self._classifier = classifier
        known = config, learnt.encoder, learnt.classes
        _, prior = learnt.class_weights(config, rows)
        described = learnt.described(config.random_state or 0, rows)
        self._make = partial(FittedModel, *known, cleaning=cleaning, log_prior=prior, **described)
        self._history: list[Epoch] = []
        self._search_history: list[Epoch] = []

    def record(self, epoch: Epoch) -> None:
        """Keep the record of an epoch."""
        (self._history if epoch.stage == "training" else self._search_history).append(epoch)

    def fit(self, outcome: Outcome) -> None:
        """Fit the classifier with these weights and with the records so far."""
        rules = outcome.rules.cpu()
        self._classifier.model_ = self._make(rule_base=rules, best_epoch=outcome.best_epoch, stop_message=outcome.message)
        self._classifier.history_, self._classifier.search_history_ = self._history, self._search_history

    def follow(self, steps: Iterator[EpochOutcome]) -> Generator[Epoch, None, None]:
        """The epochs of a training. After each whose training rows are measured, and at the end, the classifier is fitted.

        A TrainingError leaves the classifier as it was, or unfitted where an epoch has fitted it.
        """
        outcome = None
        try:
            for epoch, outcome in steps:
                if epoch is not None:
                    self.record(epoch)
                    if epoch.firing is not None:
                        self.fit(outcome)
                    yield epoch
        except TrainingError:
            outcome = None
            self._forget()
            raise
        finally:
            if outcome is not None:
                self.fit(outcome)

    def _forget(self) -> None:
        if getattr(self._classifier, "history_", None) is self._history:
            del self._classifier.model_, self._classifier.history_, self._classifier.search_history_


def fit_epochs(
    classifier: Classifier,
    X: Features,
    y: Labels,
    tested: tuple[Features, Labels | None] | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    time: ArrayLike | None = None,
    records: Records = EVERY_EPOCH,
    cleaning: CleaningPipeline | None = None,
) -> Generator[Epoch, None, None]:
    """Fit the classifier epoch by epoch, as ``TSKClassifier.fit_iter`` says. tested: (X, y) of test rows.

    cleaning: as for ``Training``; X and the test rows are clean.
    """
    config = classifier.training_config()
    learnt = TrainingRows.learn(X, y, config.device, sample_weight, groups, time)
    training = Training(classifier, config, learnt, cleaning=cleaning)
    spec, table = learnt.spec(config, records=records), learnt.table
    test = None if tested is None else learnt.test_table(*tested)
    del X, y, tested, learnt  # frees their memory during training
    yield from training.follow(_steps(spec, table, test))


def fit_to_the_end(classifier: Classifier, X: Features, y: Labels, **options: Any) -> None:
    """Fit the classifier as ``TSKClassifier.fit`` says. options: of ``fit_epochs``."""
    with torch_threads(1), denormals_as_zero():
        for _ in fit_epochs(classifier, X, y, records=AT_THE_END, **options):
            pass


def _steps(spec: TrainingSpec, table: Table, test: Table | None) -> Iterator[EpochOutcome]:
    """The steps of one training; TrainingError where it diverges before its first epoch, after which there is no model."""
    trained = False
    for ((_, epoch, outcome),) in train([spec], table, test):
        if epoch is not None:
            trained |= epoch.stage == "training"
        elif not trained:
            raise TrainingError(_DIVERGED)
        yield epoch, outcome
