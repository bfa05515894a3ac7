"""Readable rule bases of a given size, as someone would get them who looks for the best one that is that short."""

from functools import lru_cache, partial
from time import perf_counter
from typing import TYPE_CHECKING

from tsk_core.estimators.classifier import TSKClassifier
from tsk_core.estimators.classifier_cv import TSKClassifierCV
from tsk_core.study.ours import BUDGET, search
from tsk_core.study.parts import Fit, SplitData, split_data

if TYPE_CHECKING:
    from tsk_core.data import Dataset
    from tsk_core.tuning.readable import SizePoint

__all__ = ["readable_10", "readable_20", "readable_30", "readable_within"]

_MOST_PRINTED = 12  # conditions of a rule; a readable one has four at most


def readable_within(split: SplitData, conditions: int) -> Fit:
    """The rule base of the highest merit that a search finds with at most so many conditions, on all training rows.

    One search serves all sizes of a split; its seconds count for each. The trained base may keep a condition more than in
    cross-validation, so that a shorter one is taken then; where none is short enough, the shortest.
    """
    points, seconds = _searched(split.dataset, split.seed)
    began = perf_counter()
    short = [point for point in points if point.conditions <= conditions] or points[:1]
    model, effort = _trained(split, short.pop())
    while effort > conditions and short:
        model, effort = _trained(split, short.pop())
    return Fit(model.predict(split.frame_test), {"effort": effort, "seconds": seconds + perf_counter() - began})


def _trained(split: SplitData, point: "SizePoint") -> tuple[TSKClassifier, int]:
    """The classifier of these settings, and the conditions of its printed rules."""
    model = TSKClassifier(**point.config.to_dict()).fit(split.frame_train, split.y_train)
    return model, sum(len(rule.antecedents) for rule in model.rules(_MOST_PRINTED).rules)


@lru_cache(maxsize=1)
def _searched(dataset: "Dataset", seed: int) -> "tuple[list[SizePoint], float]":
    """The rule bases that no shorter one beats, fewest conditions first, and the seconds that the search took."""
    split, began = split_data(dataset, seed), perf_counter()
    model = search(TSKClassifierCV(BUDGET, refit=False, random_state=seed, readable=True), split)
    return model.curve_, perf_counter() - began


readable_10, readable_20, readable_30 = (partial(readable_within, conditions=most) for most in (10, 20, 30))
