"""λ by validation, as in the paper: for each training, the value that does best on hold-outs of its own training rows.

Five times a fifth of the training rows is held out, and the best validation BCA of the epochs is noted; λ is that of the highest
mean of the five, ties to the smaller. Its test rows are never looked at.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tsk_core.config import HOLD_OUTS
from tsk_core.errors import DataError
from tsk_core.experiments.plan import Plan, PlannedTraining
from tsk_core.experiments.stacks import parted, splits_of

if TYPE_CHECKING:
    from tsk_core.data import Dataset

__all__ = ["Chosen", "choose_ur_weights", "searches", "ur_weight_notes", "with_ur_weight"]


class Chosen(NamedTuple):
    """The λ of one training. bca: the mean best validation BCA of each value of λ, in the variant's order."""

    ur_weight: float
    bca: tuple[float, ...]


def searches(dataset: "Dataset", plan: Plan, trainings: Sequence[PlannedTraining], columns: int) -> list[list[PlannedTraining]]:
    """The trainings whose λ is to be chosen, in groups that are searched together. columns: of the encoded table."""
    groups = []
    for at, variant in enumerate(plan.variants):
        group = [training for training in trainings if training.variant == at]
        if group and variant.ur_weights:
            cost = HOLD_OUTS * len(variant.ur_weights)
            groups += parted(dataset, plan, group, columns, cost)
    return groups


def choose_ur_weights(
    dataset: "Dataset", plan: Plan, trainings: Sequence[PlannedTraining], tick: Callable[[], None] = lambda: None
) -> list[Chosen]:
    """The λ of each training, whose variant has several. tick: called after each epoch of a model; what it raises ends it.

    Raises DataError where the training rows are too few to hold some out.
    """
    from tsk_core.train import AT_THE_END, best_ur_weight, hold_outs_of, prepare_stack

    splits, split_of = splits_of(dataset, plan, trainings)
    variants = [plan.variants[training.variant] for training in trainings]
    candidates = [(at, ur_weight) for at, variant in enumerate(variants) for ur_weight in variant.ur_weights]
    configs = [replace(trainings[at].config, ur_weight=ur_weight) for at, ur_weight in candidates]
    stacked = prepare_stack(dataset, splits, configs, AT_THE_END, split_of=[split_of[at] for at, _ in candidates])
    specs = [replace(spec, initial_width=variants[at].width) for spec, (at, _) in zip(stacked.specs, candidates, strict=True)]
    try:
        found = hold_outs_of(specs, stacked.table, tick)
    except DataError:
        raise DataError("λ cannot be chosen by validation: the training rows are too few to hold some out.") from None
    means = [float(np.mean([one.bca for one in hold_outs])) for hold_outs in found]
    chosen = []
    for at, variant in enumerate(variants):
        bca = tuple(mean for mean, (of, _) in zip(means, candidates, strict=True) if of == at)
        chosen.append(Chosen(variant.ur_weights[best_ur_weight(variant.ur_weights, bca)], bca))
    return chosen


def with_ur_weight(training: PlannedTraining, ur_weight: float) -> PlannedTraining:
    """The training with this λ."""
    return training._replace(config=replace(training.config, ur_weight=ur_weight))


def ur_weight_notes(plan: Plan, points: Iterable[Mapping[str, Any]]) -> list[str]:
    """A sentence for each variant whose λ validation chose: in the study, or here, as often as ``points`` have each value."""
    by_variant: dict[int, list[float]] = {}
    for point in points:
        by_variant.setdefault(point["variant"], []).append(point["ur_weight"])
    notes = []
    for at, variant in enumerate(plan.variants):
        counts = Counter(by_variant.get(at, [])) if variant.ur_weights else {}
        times = ", ".join(f"λ {ur_weight:g} in {counts[ur_weight]}" for ur_weight in sorted(counts))
        of = f" Chosen: {times} of {sum(counts.values())} trainings." if times else ""
        notes += [f"{variant.note}{of}"] if variant.note else []
    return notes
