"""Training: a classifier while it trains. It is given its model and its records together, so that it never has parts of two."""

from collections.abc import Callable, Generator, Iterator
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from tsk_core.config import TrainConfig
from tsk_core.data.inputs import Features, Labels
from tsk_core.epoch import Epoch
from tsk_core.errors import TrainingError
from tsk_core.estimators.delegation import Classifier
from tsk_core.estimators.fitted import FittedModel
from tsk_core.estimators.training_rows import TrainingRows
from tsk_core.model import Rules
from tsk_core.simplify import Options, Problem, Simplification, plan
from tsk_core.train import EVERY_EPOCH, Outcome, Records, StackMember, Table, TrainingSpec, train, train_stack

__all__ = ["FoldStep", "Training", "fit_epochs", "simplify_epochs"]

C = TypeVar("C", bound=Classifier)

_DIVERGED = "Training diverged in its first epoch, so there is no model; try a smaller learning rate."

FoldStep = Callable[[int, int], None]  # called after each fold of a search: how many are done, of how many
Step = tuple[Epoch | None, Outcome]  # None where training diverged


class Training:
    """What a classifier will be after its training, and its records so far.

    config: its settings, its seed among them. learnt: the table it trains on; rows: its rows there, None for all. source: the
    model that a simplification goes on from; simplification: what it changes.
    """

    def __init__(
        self,
        classifier: Classifier,
        config: TrainConfig,
        learnt: TrainingRows,
        rows: np.ndarray | None = None,
        *,
        source: FittedModel | None = None,
        simplification: Simplification | None = None,
    ) -> None:
        self._classifier = classifier
        described = learnt.described(config.random_state or 0, rows)
        self._make = partial(FittedModel, config, learnt.encoder, learnt.classes, training_rows=described)
        if source is not None and simplification is not None:
            pipeline = source.pipeline_with(simplification.options)
            self._make = partial(self._make, cleaning=source.cleaning, simplification=simplification, pipeline=pipeline)
        self._history: list[Epoch] = []
        self._search_history: list[Epoch] = []

    def record(self, epoch: Epoch) -> None:
        """Keep the record of an epoch."""
        (self._history if epoch.stage == "training" else self._search_history).append(epoch)

    def fit(self, outcome: Outcome) -> None:
        """Fit the classifier with these weights and with the records so far."""
        log_weights, centers, sigmas, weights, biases = (tensor.cpu() for tensor in outcome.rules.tensors())
        rules = Rules(log_weights, centers, sigmas, weights, biases, outcome.rules.epsilon)
        self._classifier.model_ = self._make(rule_base=rules, best_epoch=outcome.best_epoch, stop_message=outcome.message)
        self._classifier.history_, self._classifier.search_history_ = self._history, self._search_history

    def follow(self, steps: Iterator[Step]) -> Generator[Epoch, None, None]:
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
) -> Generator[Epoch, None, None]:
    """Fit the classifier epoch by epoch, as ``TSKClassifier.fit_iter`` says. tested: (X, y) of test rows."""
    config = classifier.training_config()
    learnt = TrainingRows.learn(X, y, config.device, sample_weight, groups, time)
    training, spec, table = Training(classifier, config, learnt), learnt.spec(config, records=records), learnt.table
    test = None if tested is None else learnt.test_table(*tested)
    del X, y, tested, learnt  # frees their memory during training
    yield from training.follow(_steps(spec, table, test))


def _steps(spec: TrainingSpec, table: Table, test: Table | None) -> Iterator[Step]:
    """The steps of one training; TrainingError where it diverges before its first epoch, after which there is no model."""
    trained = False
    for ((_, epoch, outcome),) in train([spec], table, test):
        if epoch is not None:
            trained |= epoch.stage == "training"
        elif not trained:
            raise TrainingError(_DIVERGED)
        yield epoch, outcome


def simplify_epochs(
    kind: Callable[..., C],
    model: FittedModel,
    X: Features,
    y: Labels,
    tested: tuple[Features, Labels | None] | None,
    options: Options,
    *,
    groups: ArrayLike | None,
    time: ArrayLike | None,
    step: FoldStep,
    records: Records,
) -> tuple[C, Generator[Epoch, None, None]]:
    """A smaller classifier, and its training epoch by epoch, as ``TSKClassifier.simplify_iter`` says. kind: the class of the
    result. model: what it is made of. tested: (X, y) of test rows.
    """
    learnt = TrainingRows.of_model(model, X, y, groups, time)
    test = None if tested is None else learnt.test_table(model.clean(tested[0]), tested[1])
    member, changes = _small_member(model, learnt, options, step, records)
    small = kind(**member.config.to_dict())
    training = Training(small, member.config, learnt, member.rows, source=model, simplification=changes)
    stack = train_stack([member], learnt.table, test)
    return small, training.follow((epoch, outcome) for ((_, epoch, outcome),) in stack)


def _small_member(
    model: FittedModel, learnt: TrainingRows, options: Options, step: FoldStep, records: Records
) -> tuple[StackMember, Simplification]:
    """The training that makes a small model of this one, once the search for its size is over, and what it changes."""
    rows, exported = learnt.order(model.config.batch_size), model.to_dict()
    signs = options.sign_table(exported["columns"], exported["classes"])
    problem = Problem(learnt.table, rows, exported["columns"], model.config, signs)
    start, settings, changes = plan(model.rule_base, problem, options, step)
    return start.member(settings, rows, records), changes
