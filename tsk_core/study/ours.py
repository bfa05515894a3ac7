"""The project's own answers, as someone would get them who tunes nothing by hand."""

from tsk_core.estimators.classifier import TSKClassifier
from tsk_core.estimators.classifier_cv import TSKClassifierCV
from tsk_core.study.parts import Fit, SplitData

__all__ = ["BUDGET", "recommended", "search", "tuned", "tuned_for_rca"]

BUDGET = 20.0
"""Seconds of work that tuning may take on one split: ``TSKClassifierCV``'s default."""


def recommended(split: SplitData) -> Fit:
    """The settings that the app recommends, on the table as it is."""
    model = TSKClassifier(random_state=split.seed).fit(split.frame_train, split.y_train)
    return Fit(model.predict(split.frame_test), {})


def tuned(split: SplitData) -> Fit:
    """Settings of the best cross-validated BCA on the training rows, found within ``BUDGET`` seconds."""
    return _tuned(split, "balanced_accuracy")


def tuned_for_rca(split: SplitData) -> Fit:
    """Settings of the best cross-validated RCA, found likewise."""
    return _tuned(split, "accuracy")


def _tuned(split: SplitData, scoring: str) -> Fit:
    model = search(TSKClassifierCV(BUDGET, scoring=scoring, random_state=split.seed), split)
    return Fit(model.predict(split.frame_test), dict(model.best_params_))


def search(model: TSKClassifierCV, split: SplitData) -> TSKClassifierCV:
    """The search, fitted on the training rows. Its clock stands still, so that a slow machine tries the same settings too."""
    for _ in model.fit_iter(split.frame_train, split.y_train, clock=lambda: 0.0):
        pass
    return model
