"""The settings of a readable rule base that cross-validation finds for a table."""

from collections.abc import Callable, Hashable
from dataclasses import replace
from time import monotonic

from numpy.typing import ArrayLike

from tsk_core.config import TrainConfig
from tsk_core.data.inputs import Features, Labels
from tsk_core.estimators.classifier_cv import TSKClassifierCV

__all__ = ["shortest_config"]


def shortest_config(
    config: TrainConfig,
    X: Features,
    y: Labels,
    budget: float,
    *,
    class_weight: str | dict[Hashable, float] | None = "search",
    groups: ArrayLike | None = None,
    time: ArrayLike | None = None,
    most_rules: int = 10**6,
    stopped: Callable[[], bool] = lambda: False,
    clock: Callable[[], float] = monotonic,
    on_end: Callable[[TSKClassifierCV], None] = lambda search: None,
) -> TrainConfig:
    """The settings of the shortest rule base within one standard error of the best, as ``TSKClassifierCV(readable=True)`` says.

    config: has the seed and the device. budget: seconds. class_weight: as for ``TSKClassifierCV``; most_rules, stopped, clock:
    as for its ``fit_iter``. on_end: called with the fitted search. Raises TrainingError where it ends before any score.
    """
    search = TSKClassifierCV(budget, refit=False, random_state=config.random_state, class_weight=class_weight, readable=True)
    for _ in search.fit_iter(X, y, groups=groups, time=time, most_rules=most_rules, stopped=stopped, clock=clock):
        pass
    on_end(search)
    return replace(TrainConfig.from_dict(search.best_params_), device=config.device)
