"""The project's own answers, as someone would get them who tunes nothing by hand."""

from tsk_core.classifier import TSKClassifier
from tsk_core.classifier_cv import TSKClassifierCV
from tsk_core.study.parts import Fit, SplitData

__all__ = ["BUDGET", "recommended", "tuned"]

BUDGET = 20.0
"""Seconds that the search for settings may take on one split: ``TSKClassifierCV``'s default. They are wall clock, so "TSK-tuned"
tries more settings on a faster or idler machine, and its figures come back nearly, not exactly."""


def recommended(split: SplitData) -> Fit:
    """The settings that the app recommends, on the table as it is."""
    model = TSKClassifier(random_state=split.seed).fit(split.frame_train, split.y_train)
    return Fit(model.predict(split.frame_test), {})


def tuned(split: SplitData) -> Fit:
    """Settings found by cross-validation on the training rows within ``BUDGET`` seconds."""
    model = TSKClassifierCV(BUDGET, random_state=split.seed).fit(split.frame_train, split.y_train)
    return Fit(model.predict(split.frame_test), dict(model.best_params_))
