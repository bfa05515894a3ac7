"""FittedClassifier: what a classifier can do once it is fitted: predict, explain itself, be saved."""

import json
import logging
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import numpy as np
import pandas as pd
import torch
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from tsk_core.config import TrainConfig
from tsk_core.data.clean.unreadable import UnreadableCells, warn_of_unreadable
from tsk_core.data.encoding import class_indices
from tsk_core.data.naming import listed, printed
from tsk_core.data.unusual import row_warnings, with_unreadable
from tsk_core.errors import DataError
from tsk_core.estimators import persistence
from tsk_core.estimators.validation import check_features, one_row
from tsk_core.explain import Contributions, Rule, RuleBaseSummary, Summaries, Summariser, contributions
from tsk_core.explain.dates import with_dates
from tsk_core.explain.export import export_rules
from tsk_core.explain.formats import format_named
from tsk_core.explain.row import RowExplanation, explain_row, row_features
from tsk_core.model import blocks, class_scores

__all__ = ["FittedClassifier"]

logger = logging.getLogger(__name__)

Rows = tuple[pd.DataFrame, np.ndarray]


class FittedClassifier(ClassifierMixin, TransformerMixin, BaseEstimator):
    """The methods of a fitted ``TSKClassifier``, which fits itself and describes the attributes.

    X: array or DataFrame (N, features), as in training. Each method raises NotFittedError before ``fit``, and DataError where X
    has other columns than in training.
    """

    _training_rows: tuple[np.ndarray, np.ndarray] | None = None  # (Z, y): encoded, in original units; class indices
    _summaries: Summaries | None = None  # where the training rows are not at hand
    simplify: Any = None  # the method of a classifier that trains

    def __sklearn_tags__(self) -> Any:
        """Missing values, text and categories are accepted."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags

    def __getstate__(self) -> dict[str, Any]:
        """What pickle, joblib and ``copy`` take: no training rows, but the rules as text in their place."""
        state = dict(super().__getstate__())
        if state.pop("_training_rows", None) is not None:
            state["_summaries"] = self.summaries() if hasattr(self, "rules_") else None
        return state

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
        """Normalised firing level of each rule for each row, (N, R); rows sum to 1 (less under firing="paper").

        After ``set_output(transform="pandas")`` a DataFrame with X's index, a column for each rule.
        """
        return self.transform(X)

    def transform(self, X: Any) -> np.ndarray:
        """``firing_levels``, by the name that scikit-learn's pipelines and ``set_output`` know."""
        check_is_fitted(self, "rules_")
        x = torch.from_numpy(self.encode(X))
        levels = np.empty((len(x), self.rules_.biases.shape[1]))
        for rows, firing, _ in blocks(self.rules_, x):
            levels[rows] = firing[0]
        return levels

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """The rules' names, "Rule 1" and so on, object array (R,): the columns of ``transform``."""
        check_is_fitted(self, "rules_")
        _check_feature_names_in(self, input_features, generate_names=False)
        return np.array([f"Rule {r + 1}" for r in range(self.rules_.biases.shape[1])], dtype=object)

    def clean(self, X: Any) -> Any:
        """The features of a raw table, cleaned as the training table was; anything else is returned as it is.

        A DataWarning names each column of which some cells cannot be read; they are missing. Raises DataError where these are
        more than half of the filled cells of a column, and where columns of training are missing.
        """
        features, unreadable = self.read_rows(X)
        warn_of_unreadable(unreadable)
        return features

    def read_rows(self, X: Any) -> tuple[Any, tuple[UnreadableCells, ...]]:
        """The same features, and in place of warnings the cells that cannot be read, by column."""
        if self.cleaning_ is None or not isinstance(X, pd.DataFrame):
            return X, ()
        return self.cleaning_.apply_to_new(X)

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
        rules = export_rules(self.rules_.in_units(mean, scale), self.encoder_.columns, classes)
        return {**rules, "columns": with_dates(rules["columns"], self.cleaning_)}

    def rules(
        self, max_antecedents: int = 5, X: Any = None, y: Any = None, *, training: tuple[Any, Any] | None = None
    ) -> RuleBaseSummary:
        """Readable rules with at most ``max_antecedents`` conditions each.

        Their fidelity and accuracy are measured on X, y where given (use test rows), else on the training rows.
        training: (X, y) of the training rows, which define words such as "high" and each rule's support. A fitted model keeps
        its own. One that was loaded or unpickled keeps its rules as text instead, with 1 to 12 conditions each; where a model
        was saved without that text, X, y serve as training rows.
        """
        check_is_fitted(self, "rules_")
        Z = None if X is None else self._raw(X)
        y_index = None if y is None else class_indices(self.classes_, y)
        rows, missing = self._training_rows, None
        if training is not None:
            rows = self._raw(training[0]), class_indices(self.classes_, training[1])
            missing = self._missing(training[0])
        elif rows is None and self._summaries is not None:
            source = self.to_dict()
            kept = self._summaries if Z is None else self._summaries.measured_on(source, Z, y_index)
            book = kept.summary(max_antecedents, source, classes=self.classes_, encode=self._raw)
            return replace(book, simplify=self.simplify)
        elif rows is None and Z is None:
            raise DataError("This model was saved without its rules as text; pass X (and y) to describe its rules on them.")
        book = RuleBaseSummary.build(
            self.to_dict(),
            *(rows or (Z, y_index)),
            max_antecedents=max_antecedents,
            Z_eval=Z,
            y_eval=y_index,
            classes=self.classes_,
            encode=self._raw,
            missing=missing,
        )
        return replace(book, simplify=self.simplify)

    def export(self, name: str, max_antecedents: int = 5) -> str:
        """The rules as the text of a file in one of ``tsk_core.explain.FORMATS``, such as "latex", "python", "sql" or "fis".

        Formats that predict hold the full model; ``rules(…).export(name)`` writes the shortened rules. The others are text about
        ``rules(max_antecedents)``. SettingError for an unknown name, DataError where the format cannot hold these rules.
        """
        chosen = format_named(name)
        return chosen.write(self.rules(max_antecedents) if chosen.readable else self.to_dict())

    def summaries(self, train: Rows | None = None, test: Rows | None = None) -> Summaries | None:
        """The readable rules at every length, as ``save`` and pickle keep them; None where they cannot be made.

        train, test: (X, y) as DataFrame and class names, as in ``Summariser``; default: the model's own training rows.
        """
        check_is_fitted(self, "rules_")
        encode = self.encoder_.transform
        if train is None:
            if self._training_rows is None:
                return self._summaries
            Z, y = self._training_rows
            encode, train = np.ascontiguousarray, (pd.DataFrame(Z), self.classes_[y])  # in C order, as the encoder returns rows
        nothing = train[0].iloc[:0], train[1][:0]
        try:
            rules = self.to_dict()
            made = Summariser(encode, self.classes_, train, test or nothing, len(rules["rules"])).summarise(rules)
            json.dumps(made.to_dict(), allow_nan=False)
        except Exception:  # the model is worth keeping without them
            logger.exception("The model keeps no readable rules")
            return None
        return made

    def contributions(self, X: Any) -> Contributions:
        """Why each row gets its class: how much each rule fires, and what it adds to each class's score.

        N·R·C numbers are kept, so pass the rows to be shown, not all.
        """
        check_is_fitted(self, "rules_")
        return contributions(self.to_dict(), self._raw(X))

    def explain(
        self,
        x: Any,
        *,
        to: Any = None,
        locked: Collection[str] = (),
        bounds: Mapping[str, tuple[float, float]] | None = None,
        max_antecedents: int = 5,
        alike: int = 5,
        by: str = "distance",
    ) -> RowExplanation:
        """Why one row gets its class, the nearest change that would turn the decision, and the training rows most like it.

        x: a Series, a dictionary by column, a table of one row, or an array (F,). to: the class that the change has to lead to;
        any other than the predicted one by default. locked: features that have to stay as they are. bounds: feature → (lowest,
        highest) instead of the range of the training rows. max_antecedents: conditions of each rule's text. alike: how many
        training rows are named, the nearest ones or, with by="firing", those for which the same rules fire; none where the
        model was loaded.

        Contributions add up to the scores (``explain.row.parts`` says how features share them); changes are as in
        ``explain.row.change``.
        """
        check_is_fitted(self, "rules_")
        X, encoder = one_row(x), self.encoder_
        classes = [printed(c) for c in self.classes_.tolist()]
        if to is not None and printed(to) not in classes:
            raise DataError(f"There is no class {printed(to)[:80]!r} to lead to; the classes are {listed(classes)}.")
        Z = None if self._training_rows is None else self._training_rows[0]
        ranges = (encoder.scale_, encoder.low_, encoder.high_)
        rules = self.to_dict()
        return explain_row(
            rules,
            self._raw(X)[0],
            row_features(rules["columns"], *ranges, Z, locked=locked, bounds=bounds),
            sentences=self._sentences(max_antecedents),
            training=self._training_rows,
            warnings=tuple(text for text in self.row_warnings(X) if text),
            wanted=None if to is None else printed(to),
            alike=alike,
            by=by,
        )

    def _sentences(self, max_antecedents: int) -> tuple[Rule, ...]:
        """The rules in words; none where the model keeps neither training rows nor texts."""
        try:
            return self.rules(max_antecedents).rules
        except DataError:
            return ()

    def row_warnings(self, X: Any) -> np.ndarray:
        """What makes each row unlike the training rows, as text, object array (N,); "" for most rows.

        A row of which more than half is missing, a cell that cannot be read, a number far outside the training rows, or a
        category that training did not have: the model predicts such a row too, and often with a high probability.
        """
        check_is_fitted(self, "encoder_")
        flags = frozenset(step.flag for step in self.cleaning_.steps if step.flag) if self.cleaning_ else frozenset()
        features, unreadable = self.read_rows(X)
        return with_unreadable(row_warnings(self.encoder_, check_features(self, features), flags), unreadable)

    def save(self, path: str | Path, summaries: Summaries | None = None) -> None:
        """Write the model into the folder ``path``: model.safetensors and model.json; no training rows, no pickle.

        summaries: of its rules, where they were made already.
        """
        check_is_fitted(self, "rules_")
        config = TrainConfig(**self.get_params(deep=False) | {"random_state": self.seed_})
        parts = (config, self.encoder_, self.classes_, self.rules_, self.best_epoch_, self.stop_message_, self.cleaning_)
        persistence.save(persistence.SavedModel(*parts, summaries or self.summaries()), Path(path))

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read what ``save`` wrote. Raises ModelFileError where the folder holds anything else."""
        model = persistence.load(Path(path))
        classifier = cls(**model.config.to_dict())
        classifier.encoder_, classifier.classes_, classifier.rules_ = model.encoder, model.classes, model.rules
        classifier.n_features_in_ = len(model.encoder.features)
        if hasattr(model.encoder, "feature_names_in_"):
            classifier.feature_names_in_ = np.array(model.encoder.features, dtype=object)
        classifier.seed_ = model.config.random_state
        classifier.best_epoch_, classifier.stop_message_ = model.best_epoch, model.stop_message
        classifier.cleaning_, classifier._summaries = model.cleaning, model.summaries
        classifier.history_, classifier.search_history_ = [], []
        return classifier

    def _raw(self, X: Any) -> np.ndarray:
        return self.encoder_.transform(check_features(self, self.clean(X)))

    def _missing(self, X: Any) -> dict[str, np.ndarray]:
        """Which rows lack a value, bool (N,), of each feature that some row lacks."""
        frame, features = pd.DataFrame(self.read_rows(X)[0]), self.encoder_.features
        lacking = (frame[features] if self.encoder_.named else frame.set_axis(features, axis=1)).isna()
        return {name: lacking[name].to_numpy(bool) for name in lacking.columns[lacking.any()]}

    def _scores(self, X: Any) -> np.ndarray:
        """Class scores (N, C), float64."""
        check_is_fitted(self, "rules_")
        return class_scores(self.rules_, torch.from_numpy(self.encode(X))).numpy()
