"""A search for settings on training rows, as the estimators ask for it: folds, strategy, and scorers of one's own."""

import math
from collections.abc import Callable, Hashable
from dataclasses import replace
from numbers import Integral, Real
from time import monotonic
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike
from sklearn.model_selection import check_cv

from tsk_core.config import TrainConfig
from tsk_core.data.encoding import Features, Labels
from tsk_core.data.folds import folds
from tsk_core.data.splitting import LEAST_TRAINED
from tsk_core.errors import DataError, SettingError
from tsk_core.estimators.fitted import FittedModel
from tsk_core.estimators.training_rows import FoldTables, TrainingRows
from tsk_core.estimators.validation import check_seed, positions_in
from tsk_core.model import Rules
from tsk_core.setting_values import in_short
from tsk_core.train import StackMember
from tsk_core.train.table import Table, by_contents, class_weights
from tsk_core.tuning.fold_trainings import OwnScoring
from tsk_core.tuning.readable import Readable
from tsk_core.tuning.trial import Strategy
from tsk_core.tuning.tuner import Tuner

Split = tuple[np.ndarray, np.ndarray]  # rows to train on, rows to validate on
FoldsOf = Callable[[int, np.ndarray], list[Split]]
Scorer = Callable[[Any, Any, Any], float]  # of an estimator, X and y
SEARCHED = "search"  # class weights that are searched for as well


def tuner_of(learnt: TrainingRows, strategy: Strategy, folds_of: FoldsOf, **options: Any) -> Tuner:
    """The tuner of these rows. options: of ``Tuner``."""
    classes = learnt.classes

    def weight_of(config: TrainConfig, table: Table, rows: np.ndarray) -> torch.Tensor | None:
        return class_weights(config.class_weight, table.y[rows].cpu().numpy(), classes, table.weights_of(rows))

    return Tuner(learnt.table, strategy, folds_of, weight_of=weight_of, seed=strategy.base.random_state or 0, **options)


def with_class_weight(base: TrainConfig, class_weight: str | dict[Hashable, float] | None) -> tuple[TrainConfig, bool]:
    """The settings with these class weights, and whether they are searched for. class_weight: as for ``TSKClassifierCV``."""
    if isinstance(class_weight, str) and class_weight == SEARCHED:
        return base, True
    return TrainConfig(**base.to_dict() | {"class_weight": class_weight}), False


def readable_strategy(
    base: TrainConfig, learnt: TrainingRows, class_weight: str | dict[Hashable, float] | None, aim: str
) -> Readable:
    """The search for a readable rule base. class_weight, aim: as for ``TSKClassifierCV``."""
    base, tuned = with_class_weight(base, class_weight)
    features = int(learnt.table.feature_numbers().max()) + 1
    return Readable(base, aim=aim, n_classes=learnt.table.n_classes, n_features=features, tunes_class_weight=tuned)


def folds_by(cv: Any, learnt: TrainingRows, X: Features, y: Labels, groups: ArrayLike | None, seed: int) -> FoldsOf:
    """Number of a repeat and row numbers → folds, the rows of each in an order that depends on their contents alone."""
    table, kept = learnt.table, learnt.kept
    labels = table.y.cpu().numpy()
    places = np.argsort(by_contents(table, learnt.Z, np.arange(len(learnt.Z))))  # the rows themselves need not be kept

    def in_order(rows: np.ndarray) -> np.ndarray:
        return rows[np.argsort(places[rows])]

    def own(number: int, rows: np.ndarray) -> list[Split]:
        if number and table.time is not None:  # time has one order
            return []
        rows = in_order(rows)
        groups, time = (None if values is None else values[rows] for values in (table.groups, table.time))
        made = folds(labels[rows], min(int(cv), len(rows)), seed + number, groups=groups, time=time)
        return [(rows[fold.train], rows[fold.test]) for fold in made]

    if isinstance(cv, Integral):
        return own
    splits = list(check_cv(cv, y, classifier=True).split(X, y, groups))  # once, since an iterable may end

    def given(number: int, rows: np.ndarray) -> list[Split]:
        """The splits of a splitter, where the rows are sampled with those rows alone."""

        def present(part: np.ndarray) -> np.ndarray:
            return in_order(np.intersect1d(positions_in(part, kept), rows))

        found = [] if number else [(present(train), present(test)) for train, test in splits]
        for at, (train, test) in enumerate(found):
            if len(train) < LEAST_TRAINED or not len(test):
                raise DataError(
                    f"Split {at} of cv has {len(train)} rows to train on and {len(test)} to validate on, counting only those"
                    f" of positive weight that the search uses; it needs at least {LEAST_TRAINED} and 1."
                )
        return found

    return given


def own_scoring(scorer: Scorer, tables: FoldTables, fitted: Callable[[FittedModel], Any]) -> OwnScoring:
    """A scorer of scikit-learn's kind, as what a search maximises on the validation rows of each fold.

    tables: what makes the folds' tables. fitted: the classifier that has a model.

    It gets a ``TSKClassifier`` that is fitted with the rules of the fold, the rows as ``fit`` got them (tables of polars and
    pyarrow as those of pandas), and their labels. A SettingError says what else than a finite number it returned.
    """
    name, learnt = str(getattr(scorer, "__name__", type(scorer).__name__)), tables.learnt

    def measure(member: StackMember, rules: Rules) -> float:
        prior = tables.log_prior(member.class_weight, member.rows)
        X, y = tables.original(np.asarray(member.validation))
        config, encoder = member.config, tables.encoder_of(member.rows)
        model = FittedModel(config, encoder, learnt.classes, rules.cpu(), config.max_epochs, log_prior=prior)
        value = scorer(fitted(model), X, y)
        if not isinstance(value, Real) or not math.isfinite(value):
            raise SettingError(f"scoring returned {in_short(value)} for {len(y)} rows; it must return a finite number.")
        return float(value)

    return OwnScoring(name, measure)


def shortest_config(
    config: TrainConfig,
    X: Features,
    y: Labels,
    budget: float,
    *,
    class_weight: str | dict[Hashable, float] | None = SEARCHED,
    groups: ArrayLike | None = None,
    time: ArrayLike | None = None,
    most_rules: int = 10**6,
    stopped: Callable[[], bool] = lambda: False,
    clock: Callable[[], float] = monotonic,
    on_end: Callable[[Tuner], None] = lambda tuner: None,
) -> TrainConfig:
    """The settings of the shortest rule base within one standard error of the best, as ``TSKClassifierCV(readable=True)`` says.

    config: has the seed and the device. budget: seconds. class_weight: as for ``TSKClassifierCV``; most_rules, stopped, clock:
    as for its ``fit_iter``. on_end: called with the search at its end. Raises TrainingError where it ends before any score.
    """
    seed = check_seed(config.random_state)
    base = replace(TrainConfig.readable(), random_state=seed, device=config.device)
    learnt = TrainingRows.learn(X, y, base.device, None, groups, time)
    strategy, folds_of = readable_strategy(base, learnt, class_weight, "shortest"), folds_by(5, learnt, X, y, groups, seed)
    hooks: dict[str, Any] = {"most_rules": most_rules, "stopped": stopped, "clock": clock}
    tuner = tuner_of(learnt, strategy, folds_of, budget=budget, place=FoldTables(learnt, X), **hooks)
    for _ in tuner.run():
        pass
    best = tuner.best.config
    on_end(tuner)
    return best
