"""TSKClassifierCV: a TSKClassifier with settings found by cross-validation, the scikit-learn way."""

from collections.abc import Callable, Hashable, Iterator
from functools import wraps
from numbers import Integral
from time import monotonic
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import rankdata
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from tsk_core.config import TrainConfig
from tsk_core.data.encoding import Encoder, Features, Labels
from tsk_core.errors import SettingError
from tsk_core.estimators.classifier import TSKClassifier
from tsk_core.estimators.fitted import FittedModel
from tsk_core.estimators.settings_search import (
    Scorer,
    folds_by,
    own_scoring,
    readable_strategy,
    tuner_of,
    with_class_weight,
)
from tsk_core.estimators.training import fit_to_the_end
from tsk_core.estimators.training_rows import FoldTables, TrainingRows
from tsk_core.estimators.validation import warn_of_text_columns
from tsk_core.evaluate.confusion import temperature
from tsk_core.runtime.torch_settings import denormals_as_zero, torch_threads
from tsk_core.setting_values import check_flag, check_whole
from tsk_core.tuning.portfolio import TRAININGS, MostAccurate
from tsk_core.tuning.readable import AIMS, curve
from tsk_core.tuning.trial import Strategy, Trial
from tsk_core.tuning.tuner import Tuner

_P = ParamSpec("_P")
_T = TypeVar("_T")


def _of_best(method: Callable[Concatenate[TSKClassifier, _P], _T]) -> "Callable[Concatenate[TSKClassifierCV, _P], _T]":
    """A method of ``best_estimator_`` as a method of the search; NotFittedError before ``fit``, and without ``refit``."""

    @wraps(method)
    def of_search(self: "TSKClassifierCV", /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        if not self.refit and hasattr(self, "best_params_"):
            raise NotFittedError(
                "With refit=False no classifier is trained; train TSKClassifier(**search.best_params_), or refit."
            )
        check_is_fitted(self, "best_estimator_")
        return method(self.best_estimator_, *args, **kwargs)

    return of_search


class TSKClassifierCV(ClassifierMixin, TransformerMixin, BaseEstimator):
    """A ``TSKClassifier`` with settings found by cross-validation, within ``budget`` seconds.

    Parameters
    ----------
    budget : float, default 20
        Seconds for ``fit``, the refit included; above 0. They are counted as work, estimated for one machine, so that equal seeds
        find the same on every machine that is not much slower; a slower or a busy one stops when so many seconds have passed, and
        ``notes_`` says so.
    cv : int, splitter or iterable, default 5
        Number of folds, at least 2; or a splitter or an iterable of (train, validation) rows, as scikit-learn takes them. Numbers
        respect ``groups`` and ``time``; ``notes_`` says where fewer folds or rows are used. What replaces missing values, means
        and scales are learnt from a fold's training rows alone; which categories there are, from all rows.
    scoring : str or callable, default "balanced_accuracy"
        What is maximised, by scikit-learn's name: "balanced_accuracy", "accuracy", "roc_auc" (of more than two classes the mean
        over the classes, each against all others), "neg_log_loss", "f1_macro", "f1_weighted" or "matthews_corrcoef". Or a
        ``scorer(estimator, X, y)`` as scikit-learn has them, such as ``make_scorer`` makes: it gets a fitted ``TSKClassifier``
        and validation rows, and returns a finite number, larger where it is better. Its own time counts by the clock.
    refit : bool, default True
        Whether to train ``best_estimator_`` on all rows.
    random_state : int, optional
        Of folds and trainings.
    class_weight : "search", None, "balanced" or {class: weight}, default "search"
        "search" tries None and "balanced"; any other holds for all candidates.
    threads : int, default 1
        Of torch; more than one pays only where no other process is busy.
    readable : bool, default False
        Whether to look for a readable rule base: few rules with few conditions and one score for each class. It searches R
        (2 to 30), k (1 to 4), λ, ρ, ζ and class weights.
    aim : "shortest" or "best", default "shortest"
        Which readable rule base is taken: the fewest conditions within one standard error of the best mean score, or the best
        mean score. The standard error is sd/√n of the difference from the best over the n validation sets, folds × repeats.
        "Mean score" is less what the text of a base lacks to be its model (``tuning.readable.merit``).
    calibrate : bool, default False
        Whether the scores of ``best_estimator_``'s rules are divided by a temperature, so that its probabilities are neither too
        sure nor too unsure; the classes stay. It is that of the lowest log loss on the folds' validation rows, by models that
        were not trained on them. Each row counts as much there, and with class weights the probabilities are those of the rows'
        own shares of classes (``TSKClassifier``'s ``class_weight``).
    n_trainings : int, default 8
        In how many separate trainings the best settings are tried as well, each of as many rules (``TSKClassifier``'s
        ``n_trainings``); 1 leaves these out, and finds fewer rules. Several are taken unless their mean score is lower than the
        best by more than the standard error of the difference. ``readable`` has no use for it.

    Attributes
    ----------
    best_estimator_ : TSKClassifier
        With ``refit``; predictions, rules and exports are left to it.
    best_params_, best_index_
        The settings of the best candidate, and its place in ``trials_``: the best of those with the most validations, several
        trainings before one (``n_trainings``), so another may have a higher mean and ``rank_test_score`` 1.
    best_score_ : float
        Its mean validation score, averaged over its number of epochs and the two beside it, by which candidates are compared;
        optimistic, as the best of many. ``trials_[best_index_].scores`` has those of each validation set without that.
    cv_results_ : dict
        Columns with one entry per candidate.
    trials_, n_splits_, notes_, classes_
        The candidates, the number of folds used, what there is to say, the labels.
    curve_ : list of SizePoint
        With ``readable``: the rule bases to choose from, those that no shorter one beats, fewest conditions first;
        ``best_index_`` is that of the one taken.
    temperature_ : float
        With ``calibrate`` and ``refit``: above 1 where the probabilities were too sure.

    Examples
    --------
    >>> from tsk_core import TSKClassifierCV, load_dataset
    >>> iris = load_dataset("iris")
    >>> tuned = TSKClassifierCV(budget=1, cv=3, random_state=0).fit(iris.X, iris.y)
    >>> tuned.best_score_ > 0.8, tuned.predict(iris.X).shape
    (True, (150,))
    """

    def __init__(
        self,
        budget: float = 20.0,
        cv: Any = 5,
        scoring: str | Scorer = "balanced_accuracy",
        refit: bool = True,
        random_state: int | None = None,
        *,
        class_weight: str | dict[Hashable, float] | None = "search",
        threads: int = 1,
        readable: bool = False,
        aim: str = "shortest",
        calibrate: bool = False,
        n_trainings: int = TRAININGS,
    ) -> None:
        self.budget = budget
        self.cv = cv
        self.scoring = scoring
        self.refit = refit
        self.random_state = random_state
        self.class_weight = class_weight
        self.threads = threads
        self.readable = readable
        self.aim = aim
        self.calibrate = calibrate
        self.n_trainings = n_trainings

    def __sklearn_tags__(self) -> Any:
        """Those of ``TSKClassifier``."""
        tags = super().__sklearn_tags__()
        tags.input_tags = TSKClassifier().__sklearn_tags__().input_tags
        return tags

    def fit(
        self,
        X: Features,
        y: Labels,
        sample_weight: ArrayLike | None = None,
        *,
        groups: ArrayLike | None = None,
        time: ArrayLike | None = None,
    ) -> "TSKClassifierCV":
        """Tune, and train the best settings on all rows.

        X, y, groups, time: as for ``TSKClassifier.fit``. Folds keep groups whole, or validate the latest rows.
        sample_weight: as there; all copies of a row are in one fold.
        Raises SettingError or DataError (both ValueErrors), or TrainingError where the budget ends before any score.
        """
        warn_of_text_columns(X)
        with torch_threads(check_whole("threads", self.threads, 1)), denormals_as_zero():
            for _ in self.fit_iter(X, y, sample_weight, groups=groups, time=time):
                pass
        return self

    def fit_iter(
        self,
        X: Features,
        y: Labels,
        sample_weight: ArrayLike | None = None,
        *,
        groups: ArrayLike | None = None,
        time: ArrayLike | None = None,
        current: TrainConfig | None = None,
        most_rules: int = 10**6,
        stopped: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = monotonic,
    ) -> Iterator[list[Trial]]:
        """Tune step by step: yields the candidates whose results changed. The rest is as in ``fit``.

        current: settings that take part beside the portfolio. most_rules: of any candidate. stopped: asked between epochs; where
        it is true, tuning ends with the best so far, and nothing is refitted. clock: the seconds that count. The caller sets
        torch's number of threads.
        """
        hooks = {"current": current, "most_rules": most_rules, "stopped": stopped, "clock": clock}
        self._check()
        start = TrainConfig.readable() if self.readable else TrainConfig()
        base = TSKClassifier(**start.to_dict() | {"random_state": self.random_state}).training_config()
        learnt = TrainingRows.learn(X, y, base.device, sample_weight, groups, time)
        place = FoldTables(learnt, X)
        scoring = own_scoring(self.scoring, place, _fitted) if callable(self.scoring) else self.scoring
        folds_of = folds_by(self.cv, learnt, X, y, groups, base.random_state or 0)
        strategy = self._strategy(base, learnt)
        calibrates = self.calibrate and self.refit
        tuner = tuner_of(
            learnt, strategy, folds_of, budget=self.budget, scoring=scoring, place=place, calibrates=calibrates, **hooks
        )
        encoder, classes = learnt.encoder, learnt.classes
        del learnt  # frees the memory of the rows before normalisation
        yield from tuner.run()
        self._keep(tuner, encoder, classes)
        if self.refit and not stopped():
            self.best_estimator_ = TSKClassifier(**self.best_params_)
            fit_to_the_end(self.best_estimator_, X, y, sample_weight=sample_weight, groups=groups, time=time)
            if self.calibrate:
                self.temperature_ = temperature(*tuner.held_out_scores())
                self.best_estimator_.model_ = self.best_estimator_.model_.at_temperature(self.temperature_)

    predict = _of_best(TSKClassifier.predict)
    predict_proba = _of_best(TSKClassifier.predict_proba)
    predict_log_proba = _of_best(TSKClassifier.predict_log_proba)
    decision_function = _of_best(TSKClassifier.decision_function)
    transform = _of_best(TSKClassifier.transform)
    get_feature_names_out = _of_best(TSKClassifier.get_feature_names_out)
    firing_levels = _of_best(TSKClassifier.firing_levels)
    rules = _of_best(TSKClassifier.rules)
    explain = _of_best(TSKClassifier.explain)
    contributions = _of_best(TSKClassifier.contributions)
    row_warnings = _of_best(TSKClassifier.row_warnings)
    to_dict = _of_best(TSKClassifier.to_dict)
    make_readable = _of_best(TSKClassifier.make_readable)
    export = _of_best(TSKClassifier.export)
    save = _of_best(TSKClassifier.save)
    load = staticmethod(TSKClassifier.load)  # what ``save`` wrote is the best classifier, without its search

    def _check(self) -> None:
        """SettingError for a parameter that only the search has."""
        for name in ("refit", "readable", "calibrate"):
            check_flag(name, getattr(self, name))
        check_whole("n_trainings", self.n_trainings, 1)
        if isinstance(self.cv, Integral):
            check_whole("cv", self.cv, 2)
        if self.aim not in AIMS:
            raise SettingError(f"aim is {self.aim!r}; it must be one of {', '.join(AIMS)}.")

    def _strategy(self, base: TrainConfig, learnt: TrainingRows) -> Strategy:
        """What is tried, and what is better."""
        if self.readable:
            return readable_strategy(base, learnt, self.class_weight, self.aim)
        base, tuned = with_class_weight(base, self.class_weight)
        known = self.scoring if isinstance(self.scoring, str) else "balanced_accuracy"  # whose portfolio it begins with
        return MostAccurate(base, known, tunes_class_weight=tuned, n_trainings=int(self.n_trainings))

    def _keep(self, tuner: Tuner, encoder: Encoder, classes: np.ndarray) -> None:
        """The attributes of what was found, and none of an earlier fit; where nothing was found, all stay as they are."""
        best = tuner.best
        for name in ("best_estimator_", "feature_names_in_", "curve_", "temperature_"):
            if hasattr(self, name):
                delattr(self, name)
        self.classes_, self.n_features_in_ = classes, encoder.n_features_in_
        if encoder.named:
            self.feature_names_in_ = encoder.feature_names_in_
        self.trials_ = tuner.trials
        self.best_index_ = self.trials_.index(best)
        self.best_score_, self.best_params_ = best.score, best.config.to_dict()
        self.cv_results_, self.n_splits_, self.notes_ = _columns(self.trials_), tuner.n_folds, tuner.notes
        if self.readable:
            self.curve_ = curve(tuner.compared)


def _fitted(model: FittedModel) -> TSKClassifier:
    """A classifier whose model is that of a fold."""
    classifier = TSKClassifier(**model.config.to_dict())
    classifier.model_, classifier.history_, classifier.search_history_ = model, [], []
    return classifier


def _columns(trials: list[Trial]) -> dict[str, Any]:
    """One entry a candidate, as scikit-learn's searches have them."""
    params = [trial.config.to_dict() for trial in trials]
    columns: dict[str, Any] = {"params": params}
    columns |= {f"param_{name}": np.array([one[name] for one in params], dtype=object) for name in params[0]}
    scores = np.array([trial.score for trial in trials])
    columns["mean_test_score"] = scores
    columns["std_test_score"] = np.array([np.nan if trial.sd is None else trial.sd for trial in trials])
    columns["rank_test_score"] = rankdata(-np.nan_to_num(scores, nan=-np.inf), method="min").astype(np.int32)
    columns["n_validations"] = np.array([trial.validations for trial in trials])
    return columns
