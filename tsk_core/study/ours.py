"""The project's own answers, as someone would get them who tunes nothing by hand."""

from time import thread_time

from tsk_core.estimators.classifier import TSKClassifier
from tsk_core.estimators.classifier_cv import TSKClassifierCV
from tsk_core.study.parts import Fit, SplitData

__all__ = ["BUDGET", "recommended", "tuned", "tuned_for_rca"]

BUDGET = 20.0
"""Seconds that tuning may take on one split: ``TSKClassifierCV``'s default. They are processor time: what runs
beside it does not matter. A faster machine tries more settings, so figures come back nearly, not exactly."""


def recommended(split: SplitData) -> Fit:
    """The settings that the app recommends, on the table as it is."""
    model = TSKClassifier(random_state=split.seed).fit(split.frame_train, split.y_train)
    return Fit(model.predict(split.frame_test), {})


def tuned(split: SplitData) -> Fit:
    """Settings of the best cross-validated BCA on the training rows, found within ``BUDGET`` seconds."""
    return _searched(split, "balanced_accuracy")


def tuned_for_rca(split: SplitData) -> Fit:
    """Settings of the best cross-validated RCA, found likewise."""
    return _searched(split, "accuracy")


def _searched(split: SplitData, scoring: str) -> Fit:
    model = TSKClassifierCV(BUDGET, scoring=scoring, random_state=split.seed)
    for _ in model.fit_iter(split.frame_train, split.y_train, clock=thread_time):
        pass
    return Fit(model.predict(split.frame_test), dict(model.best_params_))
