"""Plan: which trainings an experiment consists of: variants × seeds × splits, everything else alike."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from tsk_core.config import TrainConfig
from tsk_core.errors import SettingError
from tsk_core.experiments.grid import Axis, cells, parse_axis
from tsk_core.experiments.metrics import SCORES
from tsk_core.experiments.variants import Variant, parse_variants

__all__ = ["COMPARISON", "MOST_SEEDS", "SWEEP", "Plan", "Training", "comparison_plan", "sweep_plan"]

COMPARISON, SWEEP = "comparison", "sweep"
MOST_SEEDS, MOST_SPLITS = 30, 30


class Training(NamedTuple):
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
    axes: of a sweep. Raises SettingError where there are too many or too few of anything.
    """

    kind: str
    variants: tuple[Variant, ...]
    seeds: int = 10
    splits: int = 1
    test_size: float = 0.3
    first_seed: int = 0
    validated: bool = False
    axes: tuple[Axis, ...] = ()

    def __post_init__(self) -> None:
        """Check the numbers."""
        for name, value, most in (("seeds", self.seeds, MOST_SEEDS), ("splits", self.splits, MOST_SPLITS)):
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
                raise SettingError(f"{name} is {value!r}; it must be a whole number from 1 to {most}.")
        if not 0 < self.test_size < 1:
            raise SettingError(f"The share of test rows is {self.test_size:g}; it must be between 0 and 1.")

    @property
    def size(self) -> int:
        """The number of trainings."""
        return len(self.variants) * self.seeds * self.splits

    @property
    def epochs(self) -> int:
        """Epochs of all trainings together."""
        return sum(variant.config.max_epochs for variant in self.variants) * self.seeds * self.splits

    def trainings(self) -> list[Training]:
        """All trainings, by variant, then by seed, then by split."""
        found: list[Training] = []
        for at, variant in enumerate(self.variants):
            for seed in range(self.first_seed, self.first_seed + self.seeds):
                config = replace(variant.config, random_state=seed)
                for split in range(self.splits):
                    found.append(Training(len(found), at, seed, split, config, split_seed(seed, split)))
        return found

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        variants = [
            {**{name: getattr(one, name) for name in ("key", "name", "width", "row_share")}, "config": one.config.to_dict()}
            for one in self.variants
        ]
        values = {name: getattr(self, name) for name in _FIELDS}
        return {**values, "variants": variants, "axes": [axis.text for axis in self.axes]}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Plan":
        """The inverse of ``to_dict``."""
        variants = tuple(Variant(**{**one, "config": TrainConfig.from_dict(one["config"])}) for one in values["variants"])
        axes = tuple(map(parse_axis, values["axes"]))
        return cls(variants=variants, axes=axes, **{name: values[name] for name in _FIELDS})

    @property
    def key(self) -> str:
        """The same for the same plan."""
        return hashlib.sha256(json.dumps(self.to_dict(), sort_keys=True).encode()).hexdigest()[:32]


def comparison_plan(texts: Sequence[str], base: TrainConfig, **options: Any) -> Plan:
    """The comparison of the variants of these names, see ``parse_variants``. options: as for ``_numbers``."""
    return Plan(COMPARISON, parse_variants(texts, base), **_numbers(base, **options))


def sweep_plan(axes: Sequence[Axis], base: TrainConfig, **options: Any) -> Plan:
    """The sweep over all combinations of the axes' values. options: as for ``_numbers``."""
    return Plan(SWEEP, cells(axes, base), **_numbers(base, **options), axes=tuple(axes))


def _numbers(base: TrainConfig, *, seeds: int, splits: int = 1, test_size: float = 0.3, score: str = "last") -> dict[str, Any]:
    """What a plan has besides variants and axes; its first seed is that of ``base``, or 0. score: of ``SCORES``."""
    if score not in SCORES:
        raise SettingError(f"score is {score!r}; it must be one of {', '.join(SCORES)}.")
    first = base.random_state or 0
    return {"seeds": seeds, "splits": splits, "test_size": test_size, "first_seed": first, "validated": score == "best"}


_FIELDS = ("kind", "seeds", "splits", "test_size", "first_seed", "validated")


def split_seed(seed: int, split: int) -> int:
    """The seed of a split: the first one of a seed is that of its own run, others are drawn from both numbers."""
    return seed if split == 0 else int(np.random.default_rng([seed, split]).integers(2**31))
