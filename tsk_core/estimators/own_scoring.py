"""A scorer of scikit-learn's kind, ``scorer(estimator, X, y)``, as what a search maximises."""

import math
from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np

from tsk_core.errors import SettingError
from tsk_core.estimators.classifier import TSKClassifier
from tsk_core.estimators.fitted import FittedModel
from tsk_core.estimators.fold_tables import FoldTables
from tsk_core.model import Rules
from tsk_core.setting_values import in_short
from tsk_core.train import StackMember
from tsk_core.tuning.fold_trainings import OwnScoring

__all__ = ["own_scoring"]


def own_scoring(scorer: Callable[[Any, Any, Any], float], tables: FoldTables) -> OwnScoring:
    """The scorer of the validation rows of each fold. tables: what makes the folds' tables.

    It gets a ``TSKClassifier`` that is fitted with the rules of the fold, the rows as ``fit`` got them (tables of polars and
    pyarrow as those of pandas), and their labels. A SettingError says what else than a finite number it returned.
    """
    name, learnt = str(getattr(scorer, "__name__", type(scorer).__name__)), tables.learnt

    def measure(member: StackMember, rules: Rules) -> float:
        prior = tables.log_prior(member.class_weight, member.rows)
        X, y = tables.original(np.asarray(member.validation))
        config, encoder = member.config, tables.encoder_of(member.rows)
        classifier = TSKClassifier(**config.to_dict())
        classifier.model_ = FittedModel(config, encoder, learnt.classes, rules.cpu(), config.max_epochs, log_prior=prior)
        classifier.history_, classifier.search_history_ = [], []
        value = scorer(classifier, X, y)
        if not isinstance(value, Real) or not math.isfinite(value):
            raise SettingError(f"scoring returned {in_short(value)} for {len(y)} rows; it must return a finite number.")
        return float(value)

    return OwnScoring(name, measure)
