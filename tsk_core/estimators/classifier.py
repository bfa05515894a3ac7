"""TSKClassifier: the scikit-learn face of the project. Settings and training are here; ``fitted.py`` has what comes after."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from tsk_core.config import TrainConfig
from tsk_core.data.encoding import Encoder, class_indices
from tsk_core.epoch import Epoch
from tsk_core.errors import TrainingError
from tsk_core.estimators.fitted import FittedClassifier
from tsk_core.estimators.validation import (
    check_classes,
    check_features,
    check_groups_or_time,
    check_weights,
    taken,
)
from tsk_core.model import Rules
from tsk_core.runtime.torch_settings import denormals_as_zero, torch_threads
from tsk_core.simplify import Options, Problem, Simplification, plan
from tsk_core.train import AT_THE_END, EVERY_EPOCH, Outcome, Records, Table, TrainingSpec, train, train_stack
from tsk_core.train.table import class_weights, normalised_table, number_groups, training_order

__all__ = ["TSKClassifier"]

_DIVERGED = "Training diverged in its first epoch, so there is no model; try a smaller learning rate."
_DESCRIBED_ROWS = 20_000  # training rows kept for describing rules


class TSKClassifier(FittedClassifier):
    """Takagi-Sugeno-Kang fuzzy classifier trained by mini-batch gradient descent (Cui, Wu, Huang).

    X: array or DataFrame (N, features); numbers, text, categories and missing values. y: (N,) class labels.
    The parameters are ``TrainConfig``'s fields; ``tsk_core.config.SETTINGS`` explains each. They are validated in ``fit``.

    Attributes after ``fit``: ``classes_`` (C,), ``n_features_in_``, ``feature_names_in_`` (named columns only),
    ``history_`` (Epoch records; ``fit`` measures accuracy and firing levels at the last epoch only, ``fit_iter`` at each),
    ``search_history_`` (those of early stopping's hold-outs), ``best_epoch_`` (whose weights these are), ``stop_message_`` (a
    sentence where training diverged, else ""), ``seed_``, and ``cleaning_``: how the table of
    a run was cleaned (``Dataset.cleaning``); None after ``fit``. With it, the methods below take raw tables (DataFrames) as well.
    ``simplification_``: what ``simplify`` changed; None for a model that ``fit`` trained.
    """

    simplification_: Simplification | None = None

    def __init__(
        self,
        n_rules: int = 8,
        ur_weight: float = 0.1,
        batch_norm: str = "bn",
        batch_size: int = 64,
        learning_rate: float = 0.02,
        l2: float = 0.001,
        shrinkage: float = 0.01,
        max_epochs: int = 100,
        early_stopping: bool = False,
        validation_fraction: float = 0.2,
        patience: int = 40,
        firing: str = "scaled",
        ur_target: str | float = "1/C",
        init: str = "kmeans",
        optimizer: str = "adabound",
        class_weight: str | dict | None = None,
        random_state: int | None = None,
        device: str = "cpu",
    ) -> None:
        self.n_rules = n_rules
        self.ur_weight = ur_weight
        self.batch_norm = batch_norm
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.l2 = l2
        self.shrinkage = shrinkage
        self.max_epochs = max_epochs
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.patience = patience
        self.firing = firing
        self.ur_target = ur_target
        self.init = init
        self.optimizer = optimizer
        self.class_weight = class_weight
        self.random_state = random_state
        self.device = device

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, groups: Any = None, time: Any = None) -> "TSKClassifier":
        """Train to the end.

        The order of the rows does not matter where one batch holds them all.

        sample_weight: (N,) at least 0. Whole numbers, divided by their greatest common divisor, say how often a row is repeated;
        without groups and time, a hold-out has all copies of a row or none. Other weights, and whole ones that would give more
        than 10 times as many rows or more than 200,000, count in the cross-entropy of a mini-batch and of a hold-out, multiplied
        with the weight of the row's class; then means and spreads of columns, the initial centres, uniform regularisation, batch
        statistics, ``history_``'s accuracies and ``rules`` count each row once. A row of weight 0 is left out from the start.
        groups, time: (N,) what early stopping's hold-outs respect; at most one of them. Rows of one group are never on both sides
        of a hold-out; with ``time`` (numbers or dates), the latest rows are held out, and rows without a time never.

        Raises SettingError or DataError (both ValueErrors), or TrainingError where the first epoch diverges, in one sentence.
        """
        with torch_threads(1), denormals_as_zero():
            for _ in self._epochs(X, y, sample_weight=sample_weight, groups=groups, time=time, records=AT_THE_END):
                pass
        return self

    def fit_iter(
        self,
        X: Any,
        y: Any,
        X_test: Any = None,
        y_test: Any = None,
        *,
        sample_weight: Any = None,
        groups: Any = None,
        time: Any = None,
    ) -> Iterator[Epoch]:
        """Train epoch by epoch: yields each Epoch with everything measured, test scores too where test rows are given.

        Closing the generator ends the training and leaves the classifier fitted with the weights it has. The caller sets
        torch's number of threads; one is best. The rest is as in ``fit``.
        """
        return self._epochs(X, y, X_test, y_test, sample_weight=sample_weight, groups=groups, time=time)

    def simplify(
        self,
        X: Any,
        y: Any,
        *,
        groups: Any = None,
        time: Any = None,
        step: Callable[[int, int], None] = lambda done, of: None,
        **options: Any,
    ) -> "TSKClassifier":
        """A smaller classifier with fewer rules, conditions and score terms, made of this one's rules and trained on.

        X, y, groups, time: the training rows, as for ``fit``; test rows have no part in it. options: of ``simplify.Options``; by
        default at most 8 rules with at most 3 conditions, and of these the smallest base whose cross-validated BCA is within 0.01
        of this model's. step: called after each fold of the search with how many are done, of how many. ``simplification_`` of
        the result tells what changed. Fitting the result anew trains an ordinary classifier with its settings.
        """
        with torch_threads(1), denormals_as_zero():
            small, epochs = self.simplify_iter(X, y, groups=groups, time=time, step=step, records=AT_THE_END, **options)
            for _ in epochs:
                pass
        return small

    def simplify_iter(
        self,
        X: Any,
        y: Any,
        X_test: Any = None,
        y_test: Any = None,
        *,
        groups: Any = None,
        time: Any = None,
        step: Callable[[int, int], None] = lambda done, of: None,
        records: Records = EVERY_EPOCH,
        **options: Any,
    ) -> tuple["TSKClassifier", Iterator[Epoch]]:
        """The same epoch by epoch: the smaller classifier, and its last training as ``fit_iter`` yields it.

        The search and the training that ranks the score terms are done when this returns.
        """
        chosen = Options(**options)
        Z, indices = self._raw(X), class_indices(self.classes_, y)
        groups, time = check_groups_or_time(groups, time, len(Z))
        weights = class_weights(self.class_weight, indices, self.classes_, None)
        weight = None if weights is None else weights[torch.from_numpy(indices)].to(self.device)
        table = number_groups(replace(self._table(Z, indices), groups=groups, time=time, weight=weight), Z)
        rows = training_order(table, Z, np.arange(len(Z)), self.batch_size)
        config = TrainConfig(**self.get_params(deep=False) | {"random_state": self.seed_})
        exported = self.to_dict()
        signs = chosen.sign_table(exported["columns"], exported["classes"])
        problem = Problem(table, rows, exported["columns"], config, signs)
        start, settings, changes = plan(self.rules_, problem, chosen, step)
        small = TSKClassifier(**settings.to_dict())
        small._share_table(self)
        small.seed_, small.cleaning_, small.simplification_ = settings.random_state, self.cleaning_, changes
        small._keep_training_rows(Z, indices, rows)
        test = None if X_test is None else self._table(self._raw(X_test), class_indices(self.classes_, y_test))
        member = start.member(settings, rows, records)
        return small, small._follow(train_stack([member], table, test))

    def _follow(self, stack: Iterator[Any]) -> Iterator[Epoch]:
        """The epochs of a training of this classifier alone; it has the weights of each, and keeps the last."""
        for ((_, epoch, outcome),) in stack:
            self._adopt(outcome)
            if epoch is not None:
                self._remember(epoch)
                yield epoch

    def _epochs(
        self,
        X: Any,
        y: Any,
        X_test: Any = None,
        y_test: Any = None,
        *,
        sample_weight: Any,
        groups: Any,
        time: Any,
        records: Records = EVERY_EPOCH,
    ) -> Iterator[Epoch]:
        """Train as ``fit_iter`` says, with these records; an epoch has its rules where its training rows are measured."""
        config = self._config()
        table, encoded, _ = self._learn_table(X, y, sample_weight, groups, time)
        spec = self._spec(config, table, encoded, np.arange(len(encoded)), records)
        del X, y, encoded  # frees their memory during training
        test = None
        if X_test is not None:
            test = self._table(self._raw(X_test), class_indices(self.classes_, y_test))
        outcome = None
        try:
            for ((_, epoch, outcome),) in train([spec], table, test):
                if epoch is not None:
                    self._remember(epoch)
                    if epoch.firing is not None:
                        self._adopt(outcome)
                    yield epoch
                elif not self.history_:
                    outcome = None  # not trained at all, and so not fitted
                    raise TrainingError(_DIVERGED)
        finally:
            if outcome is not None:
                self._adopt(outcome)

    def _config(self) -> TrainConfig:
        params = self.get_params(deep=False)
        if params["random_state"] is None or not hasattr(params["random_state"], "__index__"):
            # scikit-learn's other kinds of random_state: None, or a numpy RandomState to draw from
            source = params["random_state"] or np.random.RandomState()
            params["random_state"] = int(source.randint(2**31 - 1))
        config = TrainConfig(**params)
        self.seed_ = config.random_state
        return config

    def _learn_table(
        self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, time: Any = None
    ) -> tuple[Table, np.ndarray, np.ndarray | slice]:
        """Learn classes and encoding from the training rows.

        Returns these rows as the model's inputs, in original units, and which rows of X they are (``check_weights``).
        """
        X = check_features(self, X, training=True)
        kept, weights = check_weights(sample_weight, len(X))
        self.classes_, indices = check_classes(self, y, len(X), kept)
        groups, time = (None if v is None else v[kept] for v in check_groups_or_time(groups, time, len(X)))
        if groups is None and time is None and not isinstance(kept, slice) and (np.diff(kept) == 0).any():
            groups = kept  # no copy of a training row is held out
        X = taken(X, kept)
        self.encoder_ = Encoder().fit(X)
        encoded = self.encoder_.transform(X)
        self.history_, self.search_history_, self.cleaning_ = [], [], None
        table = self._table(encoded, indices)
        weight = None if weights is None else torch.from_numpy(weights).to(table.x.device)
        table = number_groups(replace(table, groups=groups, time=time, weight=weight), encoded)
        rows = training_order(table, encoded, np.arange(len(encoded)), self.batch_size)
        self._keep_training_rows(encoded, indices, rows)
        return table, encoded, kept

    def _share_table(self, other: "TSKClassifier") -> None:
        """Take over what ``other`` learnt from the table."""
        for name in ("classes_", "n_features_in_", "encoder_", "_training_rows", "_summaries"):
            setattr(self, name, getattr(other, name))
        if hasattr(other, "feature_names_in_"):
            self.feature_names_in_ = other.feature_names_in_
        self.history_, self.search_history_, self.cleaning_ = [], [], None

    def _table(self, encoded: np.ndarray, y: np.ndarray) -> Table:
        return normalised_table(self.encoder_, encoded, y, len(self.classes_), self.device)

    def _spec(
        self, config: TrainConfig, table: Table, encoded: np.ndarray, rows: np.ndarray, records: Records = AT_THE_END
    ) -> TrainingSpec:
        """What to train: this model on these rows of the table. encoded: its rows in original units."""
        rows = training_order(table, encoded, rows, config.batch_size)
        row_weight = None if table.weight is None else table.weight.cpu().numpy()[rows]
        weight = class_weights(config.class_weight, table.y.cpu().numpy()[rows], self.classes_, row_weight)
        return TrainingSpec(config, self.seed_, rows, weight, records=records)

    def _keep_training_rows(self, encoded: np.ndarray, y: np.ndarray, rows: np.ndarray) -> None:
        """Keep these rows, or some of them, for describing rules."""
        if len(rows) > _DESCRIBED_ROWS:
            rows = np.random.default_rng(self.seed_).choice(rows, _DESCRIBED_ROWS, replace=False)
        rows = np.sort(rows)  # rules of these rows, given again as they stand in the table, are the same to the last digit
        self._training_rows, self._summaries = (encoded[rows], y[rows]), None

    def _remember(self, epoch: Epoch) -> None:
        (self.history_ if epoch.stage == "training" else self.search_history_).append(epoch)

    def _adopt(self, outcome: Outcome) -> None:
        rules = outcome.rules
        self.rules_ = Rules(*(t.cpu() for t in rules.tensors()), rules.epsilon)
        self.best_epoch_, self.stop_message_ = outcome.best_epoch, outcome.message
