"""Plan: which trainings an experiment consists of: variants × seeds × splits, everything else alike."""

import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from tsk_core.config import TrainConfig
from tsk_core.errors import SettingError
from tsk_core.experiments.variants import Axis, EqualSteps, StudyChoice, Variant, cells, comparable, parse_axis, parse_variants
from tsk_core.numbers import counted
from tsk_core.setting_values import check_whole, later_seed

# What is measured of each training of an experiment, and where its point has it.


ACCURACIES = {"rca": "RCA", "bca": "BCA"}  # of the test rows
METRICS = (*ACCURACIES, "entropy", "dead", "fidelity", "conditions", "seconds_share")
SCORES = {  # accuracies of a training, by the epochs that they are of
    "last": "the last epoch",
    "mean": "the mean of the last epochs",
    "best": "the best epoch by validation",
}


def score_of(point: Mapping[str, Any], score: str, accuracy: str) -> float | None:
    """An accuracy of a point; None where it has none, as "best" without validation rows."""
    pair = (point.get("scores") or {}).get(score)
    return None if pair is None else pair[list(ACCURACIES).index(accuracy)]


def metric_of(point: Mapping[str, Any], metric: str, score: str) -> float | None:
    """A metric of a point as a sweep counts it; None where it is not measured.

    score: of an accuracy. Where a training diverged without one, it counts as 0.
    """
    value = score_of(point, score, metric) if metric in ACCURACIES else point.get(metric)
    if value is not None and math.isfinite(value):
        return value
    return 0.0 if metric in ACCURACIES and point["message"] else None


COMPARISON, SWEEP = "comparison", "sweep"
MOST_SEEDS, MOST_SPLITS = 30, 30
EQUAL = ("epochs", "steps")  # what all cells of a sweep have equally many of
HELD_OUT = 0.2  # share of the training rows that choose the best epoch


class PlannedTraining(NamedTuple):
    """One training of an experiment.

    number: its place in the plan, from 0. variant: index. seed, split: of the plan. config: with its seed. split_seed: of the
    test rows; the first split of a seed is the one that a run with this seed has.
    """

    number: int
    variant: int
    seed: int
    split: int
    config: TrainConfig
    split_seed: int


@dataclass(frozen=True)
class Plan:
    """An experiment on one dataset.

    kind: "comparison" or "sweep". variants: what is compared. seeds: how many, from ``first_seed`` on; each has its own initial
    state and batch order, and ``splits`` splits of its own, alike for all variants. test_size: share of test rows.
    validated: whether a fifth of the training rows is held out, to choose the best epoch of each training.
    axes: of a sweep. equal: whether its cells have equally many "epochs" or gradient "steps". rows: training rows, from which on
    its batches have all of them; None for others. Raises SettingError where there are too many or too few of anything.
    """

    kind: str
    variants: tuple[Variant, ...]
    seeds: int = 10
    splits: int = 1
    test_size: float = 0.3
    first_seed: int = 0
    validated: bool = False
    axes: tuple[Axis, ...] = ()
    equal: str = "epochs"
    rows: int | None = None

    def __post_init__(self) -> None:
        """Check the numbers."""
        for name, most in (("seeds", MOST_SEEDS), ("splits", MOST_SPLITS)):
            object.__setattr__(self, name, check_whole(name, getattr(self, name), 1, most))
        if not 0 < self.test_size < 1:
            raise SettingError(f"The share of test rows is {self.test_size:g}; it must be between 0 and 1.")

    @property
    def size(self) -> int:
        """The number of trainings."""
        return len(self.variants) * self.seeds * self.splits

    @property
    def title(self) -> str:
        """What is varied and how often, such as "MBGD, BN, 10 seeds" or "R × λ, 12 cells, 5 seeds × 2 splits"."""
        what = ", ".join(variant.name for variant in self.variants)
        if self.axes:
            what = f"{' × '.join(axis.symbol or axis.label for axis in self.axes)}, {len(self.variants)} cells"
        seeds = counted(self.seeds, "seed")
        return f"{what}, {seeds}" if self.splits == 1 else f"{what}, {seeds} × {counted(self.splits, 'split')}"

    @property
    def epochs(self) -> int:
        """Epochs of all trainings together, at most: with those of the hold-outs that choose λ."""
        return sum(variant.config.max_epochs + variant.search_epochs for variant in self.variants) * self.seeds * self.splits

    def gradient_steps(self, variant: int) -> int | None:
        """How many gradient steps a training of this variant takes, by its index; None where the rows are not known."""
        if self.rows is None:
            return None
        config, rows = self.variants[variant].config, round(self.rows * self.variants[variant].row_share)
        return config.max_epochs * config.steps_per_epoch(rows)

    def trainings(self) -> list[PlannedTraining]:
        """All trainings, by variant, then by seed, then by split."""
        trainings: list[PlannedTraining] = []
        for at, variant in enumerate(self.variants):
            for seed in (later_seed(self.first_seed, at) for at in range(self.seeds)):
                config = replace(variant.config, random_state=seed)
                for split in range(self.splits):
                    trainings.append(PlannedTraining(len(trainings), at, seed, split, config, split_seed(seed, split)))
        return trainings

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        variants = [
            {
                **{name: getattr(variant, name) for name in ("key", "name", "width", "row_share", "note")},
                "config": variant.config.to_dict(),
                "ur_weights": list(variant.ur_weights),
            }
            for variant in self.variants
        ]
        values = {name: getattr(self, name) for name in _FIELDS}
        return {**values, "variants": variants, "axes": [axis.text for axis in self.axes]}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Plan":
        """The inverse of ``to_dict``."""
        variants = tuple(
            Variant(
                **{
                    **variant,
                    "config": TrainConfig.from_dict(variant["config"]),
                    "ur_weights": tuple(variant["ur_weights"]),
                }
            )
            for variant in values["variants"]
        )
        axes = tuple(map(parse_axis, values["axes"]))
        if values["rows"] is not None:
            axes = tuple(axis.joined(values["rows"]) for axis in axes)
        return cls(variants=variants, axes=axes, **{name: values[name] for name in _FIELDS})

    @property
    def key(self) -> str:
        """The same for the same plan."""
        return hashlib.sha256(json.dumps(self.to_dict(), sort_keys=True).encode()).hexdigest()[:32]


def comparison_plan(
    texts: Sequence[str], base: TrainConfig, *, chosen: Mapping[str, StudyChoice] | None = None, **options: Any
) -> Plan:
    """The comparison of the variants of these names. chosen: see ``parse_variants``. options: as for ``_numbers``."""
    return Plan(COMPARISON, parse_variants(texts, base, chosen), **_numbers(base, **options))


def sweep_plan(
    axes: Sequence[Axis],
    base: TrainConfig,
    rows_of: Callable[[Plan], int] | None = None,
    *,
    equal: str = "epochs",
    **options: Any,
) -> Plan:
    """The sweep over all combinations of the axes' values. options: as for ``_numbers``.

    rows_of: counts the training rows, as ``most_training_rows`` does; with it, batch sizes that have all of them are one value.
    equal: "epochs" for those of ``base``, or "steps" for as many gradient steps as ``base`` takes, which needs the rows, and
    batch sizes among the axes: without these, epochs are equal.
    """
    if equal not in EQUAL:
        raise SettingError(f"equal is {equal!r}; it must be one of {', '.join(EQUAL)}.")
    numbers = _numbers(base, **options)
    if rows_of is None or not any(axis.key == "batch" for axis in axes):
        return Plan(SWEEP, cells(axes, base), **numbers, axes=tuple(axes))
    plan = Plan(SWEEP, (), **numbers)
    rows = rows_of(plan)
    joined = tuple(axis.joined(rows) for axis in axes)
    steps = EqualSteps(comparable(base), rows) if equal == "steps" else None
    return replace(plan, variants=cells(joined, base, steps), axes=joined, equal=equal, rows=rows)


def _numbers(base: TrainConfig, *, seeds: int, splits: int = 1, test_size: float = 0.3, score: str = "last") -> dict[str, Any]:
    """What a plan has besides variants and axes; its first seed is that of ``base``, or 0. score: of ``SCORES``."""
    if score not in SCORES:
        raise SettingError(f"score is {score!r}; it must be one of {', '.join(SCORES)}.")
    first = base.random_state or 0
    return {"seeds": seeds, "splits": splits, "test_size": test_size, "first_seed": first, "validated": score == "best"}


_FIELDS = ("kind", "seeds", "splits", "test_size", "first_seed", "validated", "equal", "rows")


def split_seed(seed: int, split: int) -> int:
    """The seed of a split: the first one of a seed is that of its own run, others are drawn from both numbers."""
    return seed if split == 0 else int(np.random.default_rng([seed, split]).integers(2**31))
