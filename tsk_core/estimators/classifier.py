"""TSKClassifier: the scikit-learn face of the project. It has settings and trains; ``FittedModel`` does what comes after."""

from collections import deque
from collections.abc import Generator, Hashable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from tsk_core.config import TrainConfig
from tsk_core.data.clean import CleaningPipeline
from tsk_core.data.encoding import Encoder, Features, Labels
from tsk_core.epoch import Epoch
from tsk_core.errors import SettingError
from tsk_core.estimators import persistence
from tsk_core.estimators.fitted import FittedModel
from tsk_core.estimators.settings_search import shortest_config
from tsk_core.estimators.training import fit_epochs, fit_to_the_end, of_model
from tsk_core.estimators.validation import check_seed, warn_of_text_columns
from tsk_core.explain import RuleBaseSummary, Summaries
from tsk_core.explain.exported import ExportedRules
from tsk_core.model import Rules
from tsk_core.runtime.torch_settings import denormals_as_zero, torch_threads
from tsk_core.setting_values import check_flag, check_whole
from tsk_core.train import AT_THE_END, EVERY_EPOCH, Records

if TYPE_CHECKING:
    from tsk_core.notebook.view import View

READABLE = TrainConfig.readable()


class TSKClassifier(ClassifierMixin, TransformerMixin, BaseEstimator):
    """Takagi-Sugeno-Kang fuzzy classifier trained by mini-batch gradient descent (Cui, Wu, Huang).

    X: array or DataFrame (N, features); numbers, text, categories and missing values. y: (N,) class labels.
    The parameters are ``TrainConfig``'s fields; ``tsk_core.config.SETTINGS`` explains each. They are validated in ``fit``. A
    ``fit`` that fails leaves the attributes as they were, or the classifier unfitted.

    Attributes
    ----------
    model_ : FittedModel
        What was trained; most other attributes are parts of it.
    history_ : list of Epoch
        A record for each epoch; ``fit`` measures accuracy and firing levels at the last epoch only, ``fit_iter`` at each.
    search_history_ : list of Epoch
        The records of early stopping's hold-outs.

    Examples
    --------
    >>> from tsk_core import TSKClassifier, load_dataset
    >>> iris = load_dataset("iris")
    >>> clf = TSKClassifier(n_rules=3, max_epochs=30, random_state=0).fit(iris.X, iris.y)
    >>> clf.score(iris.X, iris.y) > 0.9, "IF" in str(clf.rules(max_antecedents=2))
    (True, True)
    """

    model_: FittedModel
    history_: list[Epoch]
    search_history_: list[Epoch]

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
        class_weight: str | dict[Hashable, float] | None = None,
        random_state: int | None = None,
        device: str = "cpu",
        consequents: str = "linear",
        sharpness: float = 0.0,
        covering: float = 0.0,
        max_conditions: int = 0,
        l1: float = 0.0,
        selection_epoch: int = 0,
        drop_rule: float = 0.0,
        layer_norm: str = "none",
        n_trainings: int = 1,
        rule_base: ExportedRules | str | None = None,
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
        self.consequents = consequents
        self.sharpness = sharpness
        self.covering = covering
        self.max_conditions = max_conditions
        self.l1 = l1
        self.selection_epoch = selection_epoch
        self.drop_rule = drop_rule
        self.layer_norm = layer_norm
        self.n_trainings = n_trainings
        self.rule_base = rule_base

    def fit(
        self,
        X: Features,
        y: Labels,
        sample_weight: ArrayLike | None = None,
        *,
        groups: ArrayLike | None = None,
        time: ArrayLike | None = None,
    ) -> "TSKClassifier":
        """Train to the end. The order of the rows does not matter where one batch holds them all.

        Parameters
        ----------
        X : array, DataFrame, or table of polars or pyarrow, (N, features)
            Numbers, text, categories and missing values.
        y : array, (N,)
            Class labels.
        sample_weight : array, (N,), optional
            At least 0. Whole numbers, divided by their greatest common divisor, say how often a row is repeated; without groups
            and time, a hold-out has all copies of a row or none. Other weights, and whole ones that would give more than 10 times
            as many rows or more than 200,000, count in the cross-entropy of a mini-batch and of a hold-out, multiplied with the
            weight of the row's class; then means and spreads of columns, the initial centres, uniform regularisation, batch
            statistics, ``history_``'s accuracies and ``rules`` count each row once. A row of weight 0 is left out from the start.
        groups, time : array, (N,), optional
            What early stopping's hold-outs respect; at most one of them. Rows of one group are never on both sides of a hold-out;
            with ``time`` (numbers or dates), the latest rows are held out, and rows without a time never.

        Returns
        -------
        TSKClassifier
            Itself.

        Warns
        -----
        DataWarning
            For text columns that are hardly categories: numbers or dates as text, or about as many texts as rows.

        Raises
        ------
        SettingError, DataError
            Both are ValueErrors of one sentence.
        TrainingError
            Where the first epoch diverges.
        """
        warn_of_text_columns(X)
        fit_to_the_end(self, X, y, sample_weight=sample_weight, groups=groups, time=time)
        return self

    def fit_iter(
        self,
        X: Features,
        y: Labels,
        X_test: Features | None = None,
        y_test: Labels | None = None,
        *,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        time: ArrayLike | None = None,
    ) -> Generator[Epoch, None, None]:
        """Train epoch by epoch: yields each Epoch with everything measured, test scores too where test rows are given.

        Closing the generator ends the training and leaves the classifier fitted with the weights it has. The caller sets
        torch's number of threads; one is best. The rest is as in ``fit``.
        """
        warn_of_text_columns(X)
        if X_test is None and y_test is not None:
            raise SettingError("y_test has the classes of the rows of X_test; pass X_test, too.")
        tested = None if X_test is None else (X_test, y_test)
        return fit_epochs(self, X, y, tested, sample_weight=sample_weight, groups=groups, time=time)

    def watch(
        self, X: Features, y: Labels, X_test: Features | None = None, y_test: Labels | None = None, **options: Any
    ) -> "View":
        """Train to the end in a notebook, and show charts, samples and rules as they change, as the app does.

        X, y, X_test, y_test: as for ``fit_iter``; charts draw the scores of test rows beside those of the training rows.
        options: sample_weight, groups and time, as for ``fit``. The kernel is busy until the end; interrupting it ends the
        training, and the classifier keeps the weights that it has.

        Returns the view, whose ``classifier`` this is. The saved notebook keeps a copy of its end: pictures of the charts where a
        browser drew them, and the rules. Raises what ``fit`` raises, and TSKError where ``tsk-explorer[notebook]`` is missing.
        """
        from tsk_core.notebook import watch  # not at the top: it is needed in notebooks alone

        tested = None if X_test is None else (X_test, y_test)
        return watch(self, self.fit_iter(X, y, X_test, y_test, **options), (X, y), tested)

    def show(self, X: Features | None = None, y: Labels | None = None) -> "View":
        """Show the fitted classifier in a notebook: charts of its training, samples, rules. Returns the view, as ``watch``.

        X, y: test rows, which are drawn beside the training rows that the model keeps, and which its mistakes and the rules'
        figures are of. ``fit`` measures the last epoch only, ``watch`` and ``fit_iter`` each.
        """
        from tsk_core.notebook import show

        check_is_fitted(self)
        return show(self, None if X is None else (X, y))

    def make_readable(
        self, /, X: Features, y: Labels, *, groups: ArrayLike | None = None, time: ArrayLike | None = None, **options: Any
    ) -> "TSKClassifier":
        """A readable classifier of the same table, trained from the start: each rule is a few conditions and one score per class.

        The class weights, if any, the seed and the device are this classifier's.

        Parameters
        ----------
        X, y : (N, features), (N,)
            The training rows, as for ``fit``; test rows have no part in it.
        groups, time : array, (N,), optional
            As for ``fit``.
        **options
            ``max_rules``, ``max_conditions``, ``search`` and ``budget``, as for ``make_readable_iter``.

        Returns
        -------
        TSKClassifier
            Fitted.

        Raises
        ------
        DataError, SettingError
        """
        with torch_threads(1), denormals_as_zero():
            readable, epochs = self.make_readable_iter(X, y, groups=groups, time=time, records=AT_THE_END, **options)
            deque(epochs, maxlen=0)
        return readable

    def make_readable_iter(
        self,
        X: Features,
        y: Labels,
        X_test: Features | None = None,
        y_test: Labels | None = None,
        *,
        max_rules: int = READABLE.n_rules,
        max_conditions: int = READABLE.max_conditions,
        search: bool = False,
        budget: float = 20.0,
        groups: ArrayLike | None = None,
        time: ArrayLike | None = None,
        records: Records = EVERY_EPOCH,
    ) -> tuple["TSKClassifier", Generator[Epoch, None, None]]:
        """The same epoch by epoch: the readable classifier, and its training as ``fit_iter`` yields it.

        Parameters
        ----------
        X, y : (N, features), (N,)
            The training rows, as for ``fit``.
        X_test, y_test : optional
            Rows that each epoch measures accuracy on.
        max_rules : int, default 12
            How many rules there are, under the settings of ``TrainConfig.readable()``; at least 1.
        max_conditions : int, default 3
            How many conditions each of them has at most; at least 1.
        search : bool, default False
            Whether tuning chooses these and other settings: the shortest rule base within one standard error of the best
            (``TSKClassifierCV(readable=True)``). It is over when this returns.
        budget : float, default 20
            Seconds of this tuning.
        groups, time : array, (N,), optional
            As for ``fit``.
        records : Records, default: of every epoch
            Of which epochs what is measured.

        Returns
        -------
        (TSKClassifier, generator of Epoch)

        Raises
        ------
        DataError, SettingError
        """
        check_is_fitted(self)
        check_whole("max_conditions", max_conditions, 1)
        X = self.clean(X)
        tested = None if X_test is None else (self.clean(X_test), y_test)
        config = self.model_.config.made_readable(n_rules=max_rules, max_conditions=max_conditions)
        if check_flag("search", search):
            weight = self.model_.config.class_weight or "search"
            config = shortest_config(config, X, y, budget, class_weight=weight, groups=groups, time=time)
        readable = TSKClassifier(**config.to_dict())
        given: dict[str, Any] = {"groups": groups, "time": time, "records": records, "cleaning": self.cleaning_}
        return readable, fit_epochs(readable, X, y, tested, **given)

    def training_config(self) -> TrainConfig:
        """The settings of a training that starts now, with its seed; SettingError for a parameter out of range."""
        return TrainConfig(**self.get_params(deep=False) | {"random_state": check_seed(self.random_state)})

    def rules(
        self,
        max_antecedents: int | None = 5,
        X: Features | None = None,
        y: Labels | None = None,
        *,
        training: tuple[Features, Labels] | None = None,
        groups: ArrayLike | None = None,
    ) -> RuleBaseSummary:
        """Readable rules with at most ``max_antecedents`` conditions each.

        Parameters
        ----------
        max_antecedents : int or None, default 5
            At least 1; None for all conditions.
        X, y : optional
            The rows on which fidelity and accuracy are measured (use test rows); without them, the training rows.
        training : (X, y), optional
            The training rows, which define words such as "high" and each rule's support. A fitted model keeps its own. One that
            was loaded or unpickled keeps its rules as text instead, with 1 to 12 conditions each; where a model was saved without
            that text, X, y serve as training rows.
        groups : array, (N,), optional
            Of X; intervals draw whole groups, on training rows those that ``fit`` was given.

        Returns
        -------
        RuleBaseSummary
            ``print`` it, or read its rules and figures.
        """
        check_is_fitted(self)
        if hasattr(max_antecedents, "shape"):
            raise SettingError("max_antecedents is a table of rows; name the arguments: rules(X=X, y=y).")
        return replace(
            self.model_.rules(max_antecedents, X, y, training=training, groups=groups), make_readable=self.make_readable
        )

    predict = of_model(FittedModel.predict)
    predict_proba = of_model(FittedModel.predict_proba)
    predict_log_proba = of_model(FittedModel.predict_log_proba)
    decision_function = of_model(FittedModel.decision_function)
    transform = of_model(FittedModel.firing_levels)
    get_feature_names_out = of_model(FittedModel.get_feature_names_out)
    clean = of_model(FittedModel.clean)
    read_rows = of_model(FittedModel.read_rows)
    encode = of_model(FittedModel.encode)
    to_dict = of_model(FittedModel.to_dict)
    export = of_model(FittedModel.export)
    summaries = of_model(FittedModel.summaries)
    contributions = of_model(FittedModel.contributions)
    explain = of_model(FittedModel.explain)
    row_warnings = of_model(FittedModel.row_warnings)

    def firing_levels(self, X: Features) -> np.ndarray:
        """``transform`` by the field's name: after ``set_output(transform="pandas")`` a DataFrame too."""
        return self.transform(X)

    @property
    def classes_(self) -> np.ndarray:
        """The class labels, sorted, (C,)."""
        return self.model_.classes

    @property
    def n_features_in_(self) -> int:
        """How many features X has."""
        return self.model_.encoder.n_features_in_

    @property
    def feature_names_in_(self) -> np.ndarray:
        """The names of the features, object array; only where they have names."""
        return self.model_.encoder.feature_names_in_

    @property
    def n_iter_(self) -> int:
        """How many epochs it was trained; of a loaded model, those of its weights."""
        model = self.model_
        return self.history_[-1].epoch if self.history_ else model.best_epoch

    @property
    def feature_importances_(self) -> np.ndarray:
        """Permutation importance of each feature on the training rows, (F,): how much accuracy falls (``FittedModel``)."""
        return self.model_.feature_importances

    @property
    def encoder_(self) -> Encoder:
        """How X becomes the model's inputs."""
        return self.model_.encoder

    @property
    def rules_(self) -> Rules:
        """The numbers of the rules, in the model's inputs."""
        return self.model_.rule_base

    @property
    def best_epoch_(self) -> int:
        """The epoch whose weights these are."""
        return self.model_.best_epoch

    @property
    def stop_message_(self) -> str:
        """A sentence where training diverged, else ""."""
        return self.model_.stop_message

    @property
    def seed_(self) -> int:
        """The seed of the training."""
        return self.model_.config.random_state or 0

    @property
    def cleaning_(self) -> CleaningPipeline | None:
        """How the table of a run was cleaned (``Dataset.cleaning``); None after ``fit``. With it, methods take raw DataFrames."""
        return self.model_.cleaning

    @cleaning_.setter
    def cleaning_(self, cleaning: CleaningPipeline | None) -> None:
        self.model_ = replace(self.model_, cleaning=cleaning)

    def save(self, path: str | Path, summaries: Summaries | None = None) -> None:
        """Write model.safetensors and model.json into the folder ``path``. summaries: of the rules, where made already."""
        check_is_fitted(self)
        persistence.save(self.model_, Path(path), summaries or self.model_.texts)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read what ``save`` wrote. Raises ModelFileError where the folder holds anything else."""
        model = persistence.load(Path(path))
        classifier = cls(**model.config.to_dict())
        classifier.model_, classifier.history_, classifier.search_history_ = model, [], []
        return classifier

    def __sklearn_tags__(self) -> Any:
        """Missing values, text and categories are accepted."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags
