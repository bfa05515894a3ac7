"""How the trainings of a plan share splits and stacks; λ chosen by validation on their own training rows."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tsk_core.config import HOLD_OUTS
from tsk_core.data.folds import hold_out
from tsk_core.data.splitting import Split, ValidatedSplit, drawn_rows_per_class, has_one_split
from tsk_core.errors import DataError, SettingError
from tsk_core.experiments.plan import HELD_OUT, Plan, PlannedTraining, split_seed
from tsk_core.setting_values import later_seed

if TYPE_CHECKING:
    from tsk_core.data import Dataset

STACK_SECONDS = 15.0  # that a stack is estimated to take at most: what a kill loses, and others may have to wait for
SECONDS = 4e-10  # of a training, for each row, epoch, rule, column and class; measured on one core of 2020
LEAST = 8  # trainings in a stack: fewer are slow


def splits_of(
    dataset: "Dataset", plan: Plan, trainings: Sequence[PlannedTraining]
) -> tuple[list[Split | ValidatedSplit], list[int]]:
    """The different splits of the dataset that these trainings use, and the number of each one's split."""
    whole: dict[int, Split] = {}
    splits: dict[tuple[int, float], Split | ValidatedSplit] = {}
    split_of = []
    for training in trainings:
        key = training.split_seed, plan.variants[training.variant].row_share
        if key not in splits:
            if key[0] not in whole:
                whole[key[0]] = dataset.split(test_size=plan.test_size, seed=key[0])
            splits[key] = _reduced(dataset, whole[key[0]], key, plan.validated)
        split_of.append(list(splits).index(key))
    return list(splits.values()), split_of


def check_splits(dataset: "Dataset", plan: Plan) -> None:
    """Raise SettingError where several splits of a seed would be the same, and DataError where no row can be held out."""
    if plan.splits > 1 and has_one_split(dataset.split_column):
        raise SettingError("These data have a single split, so further splits of a seed would be the same: choose more seeds.")
    if plan.validated:
        splits_of(dataset, plan, [training for training in plan.trainings() if training.split_seed == plan.first_seed])


def most_training_rows(dataset: "Dataset", plan: Plan) -> int:
    """How many rows a training of the plan has at most, over all its splits; without those held out for validation."""
    seeds = [split_seed(later_seed(plan.first_seed, at), split) for at in range(plan.seeds) for split in range(plan.splits)]
    column = dataset.split_column
    if column is None or column.kind != "group":  # other splits have the same size whatever the seed
        seeds = seeds[:1]
    whole = [(seed, dataset.split(test_size=plan.test_size, seed=seed)) for seed in seeds]
    return max(len(_reduced(dataset, split, (seed, 1.0), plan.validated).train) for seed, split in whole)


def _reduced(dataset: "Dataset", split: Split, key: tuple[int, float], validated: bool) -> Split | ValidatedSplit:
    """The split with a share of its training rows, a fifth of these held out for validation. key: seed and share."""
    seed, share = key
    train = split.train if share >= 1 else _sampled(dataset.y, split.train, share, seed)
    if not validated:
        return Split(train, split.test)
    y = np.asarray(dataset.y)
    given = dataset.fit_params(np.arange(len(y)))
    try:
        kept, validation = hold_out(train, HELD_OUT, np.random.default_rng([seed, 2]), y, given.get("groups"), given.get("time"))
    except DataError:
        raise DataError(
            "The score of the best epoch by validation holds out a fifth of the training rows. Here they are too few, or all of"
            " one group or time: choose the score of the last epoch, or the mean of the last epochs."
        ) from None
    return ValidatedSplit(np.sort(kept), split.test, np.sort(validation))


def _sampled(y: np.ndarray, rows: np.ndarray, share: float, seed: int) -> np.ndarray:
    """A share of these rows, of each class in proportion, at least one of each and two in all."""
    codes = np.unique(np.asarray(y)[rows], return_inverse=True)[1]
    counts = np.bincount(codes)
    least = 1 if len(counts) > 1 else 2
    wanted = [max(least, round(share * count)) for count in counts.tolist()]
    drawn: np.ndarray = rows[drawn_rows_per_class(codes, wanted, np.random.default_rng([seed, 1]))]
    return drawn


def stacks(dataset: "Dataset", plan: Plan, trainings: Sequence[PlannedTraining], columns: int) -> list[list[PlannedTraining]]:
    """These trainings in groups that train side by side, in their order. columns: of the encoded table."""
    from tsk_core.train import stack_key

    alike: dict[tuple[Hashable, ...], list[PlannedTraining]] = {}
    for training in trainings:
        key = stack_key(training.config, plan.variants[training.variant].row_share)
        alike.setdefault(key, []).append(training)
    return [stack for group in alike.values() for stack in parted(dataset, plan, group, columns)]


def parted(
    dataset: "Dataset", plan: Plan, group: Sequence[PlannedTraining], columns: int, cost: float = 1.0
) -> list[list[PlannedTraining]]:
    """Trainings of one kind, parted so that no part is estimated to take longer than ``STACK_SECONDS``.

    cost: how many trainings each of them stands for.
    """
    from tsk_core.train import most_members

    config = group[0].config
    rows = len(dataset.y) * (1 - plan.test_size) * plan.variants[group[0].variant].row_share
    seconds = cost * SECONDS * rows * config.max_epochs * config.n_rules * columns * len(dataset.classes)
    least = LEAST if cost == 1 else 1
    size = min(most_members(config), max(least, int(STACK_SECONDS / max(seconds, 1e-9))))
    return [list(group[k : k + size]) for k in range(0, len(group), size)]


# λ by validation, as in the paper: for each training, the value that does best on hold-outs of its own training rows.
#
# Five times a fifth of the training rows is held out, and the best validation BCA of the epochs is noted; λ is that of the
# highest mean of the five, ties to the smaller. Its test rows are never looked at.


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
