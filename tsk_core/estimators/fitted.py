"""FittedModel: everything that a fitted classifier knows, and what can be done with it: predict, explain, describe."""

import json
import logging
from collections.abc import Callable, Collection, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import pandas as pd
import torch
from numpy.typing import ArrayLike
from sklearn.utils.validation import _check_feature_names_in

from tsk_core.config import TrainConfig
from tsk_core.data.cell_check import check_cells
from tsk_core.data.clean import CleaningPipeline
from tsk_core.data.clean.pipeline import UnreadableCells, warn_of_unreadable
from tsk_core.data.encoding import Encoder, Features, Labels, class_indices, to_pandas
from tsk_core.data.naming import listed, printed
from tsk_core.errors import DataError, SettingError
from tsk_core.estimators.validation import check_features, check_groups, single_row
from tsk_core.explain import Contributions, Rule, RuleBaseSummary, Summaries, Summariser, contributions
from tsk_core.explain.export import export_rules
from tsk_core.explain.exported import ExportedRules, with_cleaning
from tsk_core.explain.formats import format_named
from tsk_core.explain.row import RowExplanation, explain_row, row_features
from tsk_core.model import Rules, blocks, class_scores
from tsk_core.setting_values import check_whole

logger = logging.getLogger(__name__)

IMPORTANCE_ROWS, SHUFFLES = 1000, 5

EncodedRows = tuple[np.ndarray, np.ndarray]  # (N, D) in original units; class indices (N,)
Rows = tuple[pd.DataFrame, np.ndarray]
Groups = tuple[np.ndarray | None, np.ndarray | None]  # of training and of test rows


@dataclass(frozen=True, eq=False)
class FittedModel:
    """A trained rule base with its encoding. It never changes, so that no part of it can be of another training.

    config: the settings it was trained with, its seed among them. classes: (C,), sorted. rule_base: one model, in the inputs'
    units. best_epoch: whose weights these are. stop_message: a sentence where training diverged, else "". cleaning: how the table
    of a run was cleaned; with it, the methods take raw tables (DataFrames) as well. training_rows: to describe the rules on, at
    most 20,000; training_groups: which of them belong together; training_missing: feature → which of them lack its value.
    kept_texts: the rules as text, of a model without training rows. log_prior: (C,), of a model with class weights: what
    probabilities have beside the scores (``train.table.log_prior``).

    X: array or DataFrame (N, features), as in training; DataError where it has other columns.
    """

    config: TrainConfig
    encoder: Encoder
    classes: np.ndarray
    rule_base: Rules
    best_epoch: int
    stop_message: str = ""
    cleaning: CleaningPipeline | None = None
    training_rows: EncodedRows | None = field(default=None, repr=False)
    training_groups: np.ndarray | None = field(default=None, repr=False)
    training_missing: dict[str, np.ndarray] | None = field(default=None, repr=False)
    kept_texts: Summaries | None = field(default=None, repr=False)
    log_prior: np.ndarray | None = None

    def __getstate__(self) -> dict[str, Any]:
        """What pickle and joblib take: no training rows, but the rules as text in their place, which is made once."""
        forgotten = {"training_rows": None, "training_groups": None, "training_missing": None}
        return {f.name: getattr(self, f.name) for f in fields(self)} | forgotten | {"kept_texts": self.texts}

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """A copy with its training rows: it stays in this process."""
        return type(self)(**{f.name: deepcopy(getattr(self, f.name), memo) for f in fields(self)})

    def at_temperature(self, temperature: float) -> Self:
        """The same with each rule's scores divided by this number, above 0: other probabilities, the same classes.

        ``log_prior`` stays, so that classes are weighed as before.
        """
        rules = self.rule_base
        scaled = replace(rules, weights=rules.weights / temperature, biases=rules.biases / temperature)
        return replace(self, rule_base=scaled)

    def predict(self, X: Features) -> np.ndarray:
        """The class of each row, (N,): that of the largest score. With class weights, that of the largest p_k·w_k."""
        scores = self.scores(X)
        labels: np.ndarray = self.classes[scores.argmax(1)]
        return labels

    def predict_proba(self, X: Features) -> np.ndarray:
        """Class probabilities (N, C): softmax of the class scores, with class weights of the scores and ``log_prior``.

        So they are of the training rows' shares of classes, whatever the weights w_k; ``predict`` still weighs the classes.
        """
        return torch.softmax(self.log_odds(torch.from_numpy(self.scores(X))), 1).numpy()

    def predict_log_proba(self, X: Features) -> np.ndarray:
        """The logarithms of the class probabilities, (N, C)."""
        return torch.log_softmax(self.log_odds(torch.from_numpy(self.scores(X))), 1).numpy()

    def log_odds(self, scores: torch.Tensor) -> torch.Tensor:
        """What the probabilities are the softmax of, from class scores (N, C): these, and ``log_prior`` where there is one."""
        return scores if self.log_prior is None else scores + torch.from_numpy(self.log_prior).to(scores.dtype)

    def decision_function(self, X: Features) -> np.ndarray:
        """Class scores (N, C); for two classes the difference y¹ − y⁰, (N,)."""
        scores = self.scores(X)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def firing_levels(self, X: Features) -> np.ndarray:
        """Normalised firing level of each rule for each row, (N, R); rows sum to 1 (less under firing="paper").

        After ``set_output(transform="pandas")`` a DataFrame with X's index, a column for each rule.
        """
        x = torch.from_numpy(self.encode(X))
        levels = np.empty((len(x), self.rule_base.biases.shape[1]))
        for rows, firing, _ in blocks(self.rule_base, x):
            levels[rows] = firing[0]
        return levels

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """The rules' names, "Rule 1" and so on, object array (R,): the columns of ``transform``."""
        _check_feature_names_in(self.encoder, input_features, generate_names=False)
        return np.array([f"Rule {r + 1}" for r in range(self.rule_base.biases.shape[1])], dtype=object)

    def clean(self, X: Features) -> Any:
        """The features of a raw table, cleaned as the training table was; anything else is returned as it is.

        A DataWarning names each column of which some cells cannot be read; they are missing. Raises DataError where these are
        more than half of the filled cells of a column, and where columns of training are missing.
        """
        features, unreadable = self.read_rows(X)
        warn_of_unreadable(unreadable)
        return features

    def read_rows(self, X: Features) -> tuple[Any, tuple[UnreadableCells, ...]]:
        """The same features, and in place of warnings the cells that cannot be read, by column."""
        X = to_pandas(X)
        if self.cleaning is None or not isinstance(X, pd.DataFrame):
            return X, ()
        return self.cleaning.apply_to_new(X)

    def encode(self, X: Features) -> np.ndarray:
        """The model's own inputs: imputed, one-hot encoded, z-normalised with training statistics, float64 (N, D)."""
        encoded = self.encoded(X)
        return self.encoder.normalise(encoded, out=encoded)

    def encoded(self, X: Features) -> np.ndarray:
        """Rows imputed and one-hot encoded, in original units, float64 (N, D)."""
        return self.encoder.transform(check_features(self.encoder, self.clean(X)))

    def scores(self, X: Features) -> np.ndarray:
        """Class scores (N, C), float64."""
        return class_scores(self.rule_base, torch.from_numpy(self.encode(X))).numpy()

    def to_dict(self) -> ExportedRules:
        """The exported rules in original units, batch normalisation merged: JSON-ready (``explain.export``)."""
        mean, scale = (torch.from_numpy(v) for v in (self.encoder.mean_, self.encoder.scale_))
        classes = [printed(c) for c in self.classes.tolist()]
        rules = export_rules(self.rule_base.in_units(mean, scale), self.encoder.columns, classes, self.log_prior)
        return {**rules, "columns": with_cleaning(rules["columns"], self.cleaning)}

    def rules(
        self,
        max_antecedents: int | None = 5,
        X: Features | None = None,
        y: Labels | None = None,
        *,
        training: tuple[Features, Labels] | None = None,
        groups: ArrayLike | None = None,
    ) -> RuleBaseSummary:
        """The readable rules, as ``TSKClassifier.rules`` describes them; ``refit`` of the result is for the classifier to add."""
        if y is not None and X is None:
            raise SettingError("y has the classes of the rows of X; pass X, too.")
        Z = None if X is None else self.encoded(X)
        y_index = None if y is None else class_indices(self.classes, y)
        rows: tuple[np.ndarray, np.ndarray | None] | None = self.training_rows
        together, tested = self.training_groups, check_groups(groups, None if Z is None else len(Z))
        missing, of_X = self.training_missing, {} if X is None else self._missing(X)
        if training is not None:
            rows = self.encoded(training[0]), class_indices(self.classes, training[1])
            missing, together = self._missing(training[0]), None
        elif rows is None and self.kept_texts is not None:
            source = self.to_dict()
            texts = self.kept_texts if Z is None else self.kept_texts.measured_on(source, Z, y_index, of_X, tested)
            return texts.summary(max_antecedents, source, classes=self.classes, encode=self.encoded)
        if rows is None:
            if Z is None:
                raise DataError("This model was saved without its rules as text; pass X (and y) to describe its rules on them.")
            rows, missing, Z, y_index, of_X = (Z, y_index), of_X, None, None, {}  # these decide the text
            together, tested = tested, None
        return RuleBaseSummary.build(
            self.to_dict(),
            rows[0],
            rows[1],
            max_antecedents=max_antecedents,
            Z_eval=Z,
            y_eval=y_index,
            classes=self.classes,
            encode=self.encoded,
            missing=missing,
            missing_test=of_X,
            groups=(together, tested),
        )

    @cached_property
    def feature_importances(self) -> np.ndarray:
        """Permutation importance: how much the accuracy on training rows falls where a feature's values are shuffled, (F,).

        The mean of ``SHUFFLES`` shuffles of at most ``IMPORTANCE_ROWS`` rows; 0 for a feature that no decision depends on.
        AttributeError where the model was loaded, which keeps no rows. Source: Breiman, Random forests (2001).
        """
        if self.training_rows is None:
            raise AttributeError("A model that was loaded keeps no training rows to measure feature_importances_ on.")
        rng = np.random.default_rng(self.config.random_state or 0)
        encoded, y = self.training_rows
        rows = np.sort(rng.permutation(len(y))[:IMPORTANCE_ROWS])
        encoded, y = encoded[rows], y[rows]

        def accuracy(Z: np.ndarray) -> float:
            predicted = class_scores(self.rule_base, torch.from_numpy(self.encoder.normalise(Z)), exact=False).argmax(1)
            return float((predicted.numpy() == y).mean())

        whole, falls = accuracy(encoded), []
        for _, block in self.encoder.blocks():
            shuffled = encoded.copy()
            scores = []
            for _ in range(SHUFFLES):
                shuffled[:, block] = encoded[rng.permutation(len(y)), block]
                scores.append(accuracy(shuffled))
            falls.append(whole - float(np.mean(scores)))
        return np.array(falls)

    def export(self, name: str, max_antecedents: int = 5) -> str | bytes:
        """The rules as the text of a file in one of ``tsk_core.explain.FORMATS``, such as "latex", "python", "sql" or "fis";
        "onnx" gives the bytes of an ONNX model, and needs the extra of that name.

        Formats that predict hold the full model; ``rules(…).export(name)`` writes the shortened rules. The others are text about
        ``rules(max_antecedents)``. SettingError for an unknown name, DataError where the format cannot hold these rules.
        """
        chosen = format_named(name)
        return chosen.write(self.rules(max_antecedents) if chosen.readable else self.to_dict())

    @cached_property
    def texts(self) -> Summaries | None:
        """The readable rules at every length, described on the training rows; None where they cannot be made."""
        if self.training_rows is None:
            return self.kept_texts
        Z, y = self.training_rows
        # In C order, as the encoder returns rows.
        known, groups = (pd.DataFrame(Z), self.classes[y]), (self.training_groups, None)
        return self._described(np.ascontiguousarray, known, groups=groups, missing=self.training_missing)

    def summaries(self, train: Rows | None = None, test: Rows | None = None, groups: Groups = (None, None)) -> Summaries | None:
        """The readable rules at every length, as ``save`` and pickle keep them; None where they cannot be made.

        train, test: (X, y) as DataFrame and class names, as in ``Summariser``; default: the model's own training rows.
        groups: of both, as there.
        """
        return self.texts if train is None else self._described(self.encoder.transform, train, test, groups=groups)

    def _described(
        self, encode: Callable[[Any], np.ndarray], train: Rows, test: Rows | None = None, **options: Any
    ) -> Summaries | None:
        nothing = train[0].iloc[:0], train[1][:0]
        try:
            rules = self.to_dict()
            made = Summariser(encode, self.classes, train, test or nothing, len(rules["rules"]), **options).summarise(rules)
            json.dumps(made.to_dict(), allow_nan=False)
        except Exception:  # the model is worth keeping without them
            logger.exception("The model keeps no readable rules")
            return None
        return made

    def contributions(self, X: Features) -> Contributions:
        """Why each row gets its class: how much each rule fires, and what it adds to each class's score.

        N·R·C numbers are kept, so pass the rows to be shown, not all.
        """
        return contributions(self.to_dict(), self.encoded(X))

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
        """Why one row gets its class, the nearest change that would flip the decision, and the training rows most like it.

        x: a Series, a dictionary by column, a table of one row, or an array (F,). to: the class that the change has to lead to;
        any other than the predicted one by default. locked: features that have to stay as they are. bounds: feature → (lowest,
        highest) instead of the range of the training rows, widened to the row's own value. max_antecedents: conditions of each
        rule's text. alike: how many training rows are named, the nearest ones or, with by="firing", those for which the same
        rules fire; none where the model was loaded.

        Contributions add up to the scores (``explain.row.decomposition`` says how features share them); changes are as in
        ``explain.row.change``.
        """
        check_whole("alike", alike, 0)
        X, encoder = single_row(x), self.encoder
        if isinstance(x, Mapping) and self.cleaning is None and encoder.named and set(X.columns) == set(encoder.features):
            X = X[encoder.features]  # a dictionary has no order
        if isinstance(X, np.ndarray) and encoder.named and self.cleaning is None and X.shape[1] == encoder.n_features_in_:
            X = pd.DataFrame(X, columns=encoder.feature_names_in_)  # the features of an array stand in their order
        classes = [printed(c) for c in self.classes.tolist()]
        if to is not None and printed(to) not in classes:
            raise DataError(
                f"There is no class {printed(to)[:80]!r} to change the prediction to; the classes are {listed(classes)}."
            )
        Z = None if self.training_rows is None else self.training_rows[0]
        ranges = (encoder.scale_, encoder.low_, encoder.high_)
        rules = self.to_dict()
        return explain_row(
            rules,
            self.encoded(X)[0],
            row_features(rules["columns"], *ranges, Z, locked=locked, bounds=bounds),
            sentences=self._sentences(max_antecedents),
            training=self.training_rows,
            warnings=tuple(text for text in self.row_warnings(X) if text),
            wanted=None if to is None else printed(to),
            alike=alike,
            by=by,
        )

    def _sentences(self, max_antecedents: int) -> tuple[Rule, ...]:
        """The rules in words; none where the model keeps neither training rows nor texts. Made once, for all rows."""
        if max_antecedents not in self._known_sentences:
            try:
                self._known_sentences[max_antecedents] = self.rules(max_antecedents).rules
            except DataError:
                return ()
        return self._known_sentences[max_antecedents]

    @cached_property
    def _known_sentences(self) -> dict[int, tuple[Rule, ...]]:
        return {}

    def row_warnings(self, X: Features) -> np.ndarray:
        """What is odd about the cells of each row, as text, object array (N,); "" for most rows.

        A cell that cannot be read, a number far outside the training rows, a category that training did not have, or more than
        half of the values missing: the model predicts such a row too, and often with a high probability. Of a missing value, the
        text says what it is taken as; of a number in a column that was constant in training, that it has no effect.
        """
        features, unreadable = self.read_rows(X)
        return check_cells(self.encoder, check_features(self.encoder, features), self.cleaning, unreadable).texts

    def _missing(self, X: Features) -> dict[str, np.ndarray]:
        """Which rows lack a value, bool (N,), of each feature that some row lacks."""
        return self.encoder.lacking(self.read_rows(X)[0])
