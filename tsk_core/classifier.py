"""TSKClassifier: the scikit-learn face of the project."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from tsk_core import persistence
from tsk_core.config import TrainConfig
from tsk_core.data.encoding import Encoder, class_indices
from tsk_core.data.naming import printed
from tsk_core.epoch import Epoch
from tsk_core.errors import DataError, TrainingError
from tsk_core.explain import Contributions, RuleBaseSummary, contributions
from tsk_core.explain.export import export_rules
from tsk_core.inputs import check_classes, check_features, check_groups_or_time, class_weights, normalised_table
from tsk_core.model import Rules, blocks, class_scores
from tsk_core.torch_settings import denormals_as_zero, torch_threads
from tsk_core.train import Outcome, Table, TrainingSpec, train

__all__ = ["TSKClassifier"]

_DIVERGED = "Training diverged in its first epoch, so there is no model; try a smaller learning rate."
_DESCRIBED_ROWS = 20_000  # training rows kept for describing rules


class TSKClassifier(ClassifierMixin, BaseEstimator):
    """Takagi-Sugeno-Kang fuzzy classifier trained by mini-batch gradient descent (Cui, Wu, Huang).

    X: array or DataFrame (N, features); numbers, text, categories and missing values. y: (N,) class labels.
    The parameters are ``TrainConfig``'s fields; ``tsk_core.config.SETTINGS`` explains each. They are validated in ``fit``.

    Attributes after ``fit``: ``classes_`` (C,), ``n_features_in_``, ``feature_names_in_`` (named columns only),
    ``history_`` (Epoch records), ``search_history_`` (those of early stopping's hold-outs), ``best_epoch_`` (whose weights
    these are), ``stop_message_`` (a sentence where training diverged, else ""), ``seed_``, and ``cleaning_``: how the table of
    a run was cleaned (``Dataset.cleaning``); None after ``fit``. With it, the methods below take raw tables (DataFrames) as well.
    """

    def __init__(
        self,
        n_rules: int = 20,
        ur_weight: float = 1.0,
        batch_norm: str = "bn",
        batch_size: int = 64,
        learning_rate: float = 0.01,
        l2: float = 0.001,
        max_epochs: int = 200,
        early_stopping: bool = False,
        validation_fraction: float = 0.2,
        patience: int = 40,
        firing: str = "softmax",
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

    def __sklearn_tags__(self) -> Any:
        """Missing values, text and categories are accepted."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags

    def fit(self, X: Any, y: Any, *, groups: Any = None, time: Any = None) -> "TSKClassifier":
        """Train to the end.

        groups, time: (N,) what early stopping's hold-outs respect; at most one of them. Rows of one group are never on both sides
        of a hold-out; with ``time`` (numbers or dates), the latest rows are held out, and rows without a time never.

        Raises SettingError or DataError (both ValueErrors), or TrainingError where the first epoch diverges, in one sentence.
        """
        with torch_threads(1), denormals_as_zero():
            for _ in self.fit_iter(X, y, groups=groups, time=time):
                pass
        return self

    def fit_iter(
        self, X: Any, y: Any, X_test: Any = None, y_test: Any = None, *, groups: Any = None, time: Any = None
    ) -> Iterator[Epoch]:
        """Train epoch by epoch: yields each Epoch, with test scores where test rows are given. The rest is as in ``fit``.

        Closing the generator ends the training and leaves the classifier fitted with the weights it has. The caller sets
        torch's number of threads; one is best.
        """
        config = self._config()
        table = self._learn_table(X, y, groups, time)[0]
        del X, y  # frees their memory during training
        test = None
        if X_test is not None:
            test = self._table(self._raw(X_test), class_indices(self.classes_, y_test))
        outcome = None
        try:
            for _, epoch, outcome in train([self._spec(config, table)], table, test):
                if epoch is not None:
                    self._remember(epoch, outcome)
                    yield epoch
                elif not self.history_:
                    outcome = None  # not trained at all, and so not fitted
                    raise TrainingError(_DIVERGED)
        finally:
            if outcome is not None:
                self._adopt(outcome)

    def predict(self, X: Any) -> np.ndarray:
        """The class of each row, (N,)."""
        scores = self._scores(X)
        return self.classes_[scores.argmax(1)]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Class probabilities (N, C): softmax of the class scores."""
        return torch.softmax(torch.from_numpy(self._scores(X)), 1).numpy()

    def decision_function(self, X: Any) -> np.ndarray:
        """Class scores (N, C); for two classes the difference y¹ − y⁰, (N,)."""
        scores = self._scores(X)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def firing_levels(self, X: Any) -> np.ndarray:
        """Normalised firing level of each rule for each row, (N, R); rows sum to 1 (less under firing="paper")."""
        check_is_fitted(self, "rules_")
        x = torch.from_numpy(self.encode(X))
        levels = np.empty((len(x), self.rules_.biases.shape[1]))
        for rows, firing, _ in blocks(self.rules_, x):
            levels[rows] = firing[0]
        return levels

    def clean(self, X: Any) -> Any:
        """The features of a raw table, cleaned as the training table was; anything else is returned as it is.

        Raises DataError where columns of training are missing.
        """
        return self.cleaning_.apply(X) if self.cleaning_ is not None and isinstance(X, pd.DataFrame) else X

    def encode(self, X: Any) -> np.ndarray:
        """The model's own inputs: imputed, one-hot encoded, z-normalised with training statistics, float64 (N, D)."""
        check_is_fitted(self, "encoder_")
        encoded = self._raw(X)
        return self.encoder_.normalise(encoded, out=encoded)

    def to_dict(self) -> dict[str, Any]:
        """The exported rules in original units, batch normalisation merged: JSON-ready (``explain.export``)."""
        check_is_fitted(self, "rules_")
        mean, scale = (torch.from_numpy(v) for v in (self.encoder_.mean_, self.encoder_.scale_))
        classes = [printed(c) for c in self.classes_.tolist()]
        return export_rules(self.rules_.in_units(mean, scale), self.encoder_.columns, classes)

    def rules(
        self, max_antecedents: int = 5, X: Any = None, y: Any = None, *, training: tuple[Any, Any] | None = None
    ) -> RuleBaseSummary:
        """Readable rules with at most ``max_antecedents`` conditions each.

        Their fidelity and accuracy are measured on X, y where given (use test rows), else on the training rows.
        training: (X, y) of the training rows, which define words such as "high" and each rule's support. A fitted model keeps
        its own; a loaded one does not, and uses X, y instead where ``training`` is not given.
        """
        check_is_fitted(self, "rules_")
        Z = None if X is None else self._raw(X)
        y_index = None if y is None else class_indices(self.classes_, y)
        if training is not None:
            rows, row_classes = self._raw(training[0]), class_indices(self.classes_, training[1])
        else:
            rows, row_classes = self._training_rows or (Z, y_index)
        if rows is None:
            raise DataError("This model was loaded without its training rows; pass X (and y) to describe its rules on them.")
        return RuleBaseSummary.build(
            self.to_dict(),
            rows,
            row_classes,
            max_antecedents=max_antecedents,
            Z_eval=Z,
            y_eval=y_index,
            classes=self.classes_,
            encode=self._raw,
        )

    def contributions(self, X: Any) -> Contributions:
        """Why each row gets its class: how much each rule fires, and what it adds to each class's score.

        N·R·C numbers are kept, so pass the rows to be shown, not all.
        """
        check_is_fitted(self, "rules_")
        return contributions(self.to_dict(), self._raw(X))

    def save(self, path: str | Path) -> None:
        """Write the model into the folder ``path``: model.safetensors and model.json; no training rows, no pickle."""
        check_is_fitted(self, "rules_")
        config = TrainConfig(**self.get_params(deep=False) | {"random_state": self.seed_})
        parts = (config, self.encoder_, self.classes_, self.rules_, self.best_epoch_, self.stop_message_, self.cleaning_)
        persistence.save(persistence.SavedModel(*parts), Path(path))

    @classmethod
    def load(cls, path: str | Path) -> "TSKClassifier":
        """Read what ``save`` wrote. Raises ModelFileError where the folder holds anything else."""
        model = persistence.load(Path(path))
        classifier = cls(**model.config.to_dict())
        classifier.encoder_, classifier.classes_, classifier.rules_ = model.encoder, model.classes, model.rules
        classifier.n_features_in_ = len(model.encoder.features)
        if hasattr(model.encoder, "feature_names_in_"):
            classifier.feature_names_in_ = np.array(model.encoder.features, dtype=object)
        classifier.seed_ = model.config.random_state
        classifier.best_epoch_, classifier.stop_message_ = model.best_epoch, model.stop_message
        classifier.cleaning_ = model.cleaning
        classifier.history_, classifier.search_history_, classifier._training_rows = [], [], None
        return classifier

    def _config(self) -> TrainConfig:
        params = self.get_params(deep=False)
        if params["random_state"] is None or not hasattr(params["random_state"], "__index__"):
            # scikit-learn's other kinds of random_state: None, or a numpy RandomState to draw from
            source = params["random_state"] or np.random.RandomState()
            params["random_state"] = int(source.randint(2**31 - 1))
        config = TrainConfig(**params)
        self.seed_ = config.random_state
        return config

    def _learn_table(self, X: Any, y: Any, groups: Any = None, time: Any = None) -> tuple[Table, np.ndarray]:
        """Learn classes and encoding from the training rows; return these as the model's inputs, and in original units."""
        X = check_features(self, X, training=True)
        self.classes_, indices = check_classes(self, y, len(X))
        self.encoder_ = Encoder().fit(X)
        encoded = self.encoder_.transform(X)
        self._keep_training_rows(encoded, indices)
        self.history_, self.search_history_, self.cleaning_ = [], [], None
        groups, time = check_groups_or_time(groups, time, len(encoded))
        return replace(self._table(encoded, indices), groups=groups, time=time), encoded

    def _share_table(self, other: "TSKClassifier") -> None:
        """Take over what ``other`` learnt from the table."""
        for name in ("classes_", "n_features_in_", "encoder_", "_training_rows"):
            setattr(self, name, getattr(other, name))
        if hasattr(other, "feature_names_in_"):
            self.feature_names_in_ = other.feature_names_in_
        self.history_, self.search_history_, self.cleaning_ = [], [], None

    def _table(self, encoded: np.ndarray, y: np.ndarray) -> Table:
        return normalised_table(self.encoder_, encoded, y, len(self.classes_), self.device)

    def _spec(self, config: TrainConfig, table: Table, rows: np.ndarray | None = None) -> TrainingSpec:
        """What to train: this model on all rows of the table, or on some."""
        rows = np.arange(len(table.y)) if rows is None else rows
        weight = class_weights(config.class_weight, table.y.cpu().numpy()[rows], self.classes_)
        return TrainingSpec(config, self.seed_, rows, weight)

    def _keep_training_rows(self, encoded: np.ndarray, y: np.ndarray) -> None:
        if len(y) > _DESCRIBED_ROWS:
            chosen = np.random.default_rng(self.seed_).choice(len(y), _DESCRIBED_ROWS, replace=False)
            encoded, y = encoded[chosen], y[chosen]
        self._training_rows = (encoded, y)

    def _remember(self, epoch: Epoch, outcome: Outcome) -> None:
        (self.history_ if epoch.stage == "training" else self.search_history_).append(epoch)
        self._adopt(outcome)

    def _adopt(self, outcome: Outcome) -> None:
        rules = outcome.rules
        self.rules_ = Rules(*(t.cpu() for t in rules.tensors()), rules.epsilon)
        self.best_epoch_, self.stop_message_ = outcome.best_epoch, outcome.message

    def _raw(self, X: Any) -> np.ndarray:
        return self.encoder_.transform(check_features(self, self.clean(X)))

    def _scores(self, X: Any) -> np.ndarray:
        """Class scores (N, C), float64."""
        check_is_fitted(self, "rules_")
        return class_scores(self.rules_, torch.from_numpy(self.encode(X))).numpy()
