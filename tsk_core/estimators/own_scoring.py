"""A scorer of scikit-learn's kind, ``scorer(estimator, X, y)``, as what a search maximises."""

import math
from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np

from tsk_core.data.inputs import Features
from tsk_core.errors import SettingError
from tsk_core.estimators.classifier import TSKClassifier
from tsk_core.estimators.fitted import FittedModel
from tsk_core.estimators.training_rows import TrainingRows
from tsk_core.estimators.validation import check_training_features, select_rows
from tsk_core.model import Rules
from tsk_core.setting_values import in_short
from tsk_core.train import StackMember
from tsk_core.tuning.fold_trainings import OwnScoring

__all__ = ["own_scoring"]


def own_scoring(scorer: Callable[[Any, Any, Any], float], learnt: TrainingRows, X: Features) -> OwnScoring:
    """The scorer of the validation rows of each fold. X: the rows that ``learnt`` has encoded.

    It gets a ``TSKClassifier`` that is fitted with the rules of the fold, the rows as ``fit`` got them (tables of polars and
    pyarrow as those of pandas), and their labels. A SettingError says what else than a finite number it returned.
    """
    rows, labels = check_training_features(X), learnt.classes[learnt.table.y.cpu().numpy()]
    numbers = np.arange(len(rows))[learnt.kept]
    name = str(getattr(scorer, "__name__", type(scorer).__name__))

    def measure(member: StackMember, rules: Rules) -> float:
        validation = np.asarray(member.validation)
        _, prior = learnt.class_weights(member.config, member.rows)
        classifier = TSKClassifier(**member.config.to_dict())
        classifier.model_ = FittedModel(
            member.config, learnt.encoder, learnt.classes, rules.cpu(), member.config.max_epochs, log_prior=prior
        )
        classifier.history_, classifier.search_history_ = [], []
        value = scorer(classifier, select_rows(rows, numbers[validation]), labels[validation])
        if not isinstance(value, Real) or not math.isfinite(value):
            raise SettingError(f"scoring returned {in_short(value)} for {len(validation)} rows; it must return a finite number.")
        return float(value)

    return OwnScoring(name, measure)
