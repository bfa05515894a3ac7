"""Options: how small a simplified rule base is to be."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import SupportsIndex

import numpy as np

from tsk_core.errors import SettingError
from tsk_core.explain.exported import ExportedColumn, Label
from tsk_core.simplify.structure import Size

__all__ = ["AUTO", "Options", "is_count"]

AUTO = "auto"


@dataclass(frozen=True)
class Options:
    """How small the rule base is to be.

    max_rules, max_conditions: at most so many rules, with so many conditions each, at least 1. score_terms: how many features
    change a score, each counted once for all rules that share it; 0: a constant for each class; None: as many as there are;
    "auto": rules, conditions and score terms are searched for, so that the base is the smallest whose cross-validated BCA is at
    most ``tolerance`` below the full model's. without: to leave out first, rules by number from 1, or (rule, feature) for one
    condition. signs: (number feature, class, 1 or −1) where raising the feature can only raise, or only lower, each rule's score
    of the class against the mean of the scores.
    """

    max_rules: int = 8
    max_conditions: int = 3
    score_terms: int | str | None = AUTO
    tolerance: float = 0.01
    without: tuple[int | tuple[int, str], ...] = ()
    signs: tuple[tuple[str, str, int], ...] = ()

    def __post_init__(self) -> None:
        """Validate; SettingError in one sentence."""
        for name in ("max_rules", "max_conditions"):
            if not is_count(getattr(self, name), 1):
                raise SettingError(f"{name} is {getattr(self, name)!r}; it must be a whole number of at least 1.")
        if self.score_terms not in (AUTO, None) and not is_count(self.score_terms, 0):
            raise SettingError(f"score_terms is {self.score_terms!r}; it must be a whole number of at least 0, None, or 'auto'.")
        if not _is_number(self.tolerance) or not 0 <= self.tolerance <= 1:
            raise SettingError(f"tolerance is {self.tolerance!r}; it must be a number from 0 to 1.")
        without = tuple(tuple(one) if isinstance(one, list | tuple) else one for one in self.without)  # JSON has lists
        object.__setattr__(self, "without", without)
        object.__setattr__(self, "signs", tuple(tuple(one) for one in self.signs))
        if not all(is_count(one, 1) or (isinstance(one, tuple) and len(one) == 2 and is_count(one[0], 1)) for one in without):
            raise SettingError("without must hold numbers of rules, from 1, and pairs (number of a rule, feature).")
        if not all(len(one) == 3 for one in self.signs):
            raise SettingError("signs must hold triples (number feature, class, 1 or -1).")

    def of_size(self, size: Size) -> "Options":
        """The same with this size, so that nothing is searched for."""
        return replace(self, max_rules=size.rules, max_conditions=size.conditions, score_terms=size.terms)

    def sign_table(self, columns: list[ExportedColumn], classes: Sequence[Label]) -> np.ndarray | None:
        """The signs as (D, C), for these columns and names of classes; None without any. SettingError for unknown names."""
        if not self.signs:
            return None
        table, numbers = (
            np.zeros((len(columns), len(classes))),
            {c["feature"]: d for d, c in enumerate(columns) if c["kind"] == "number"},
        )
        for feature, name, sign in self.signs:
            if feature not in numbers or name not in classes or sign not in (1, -1):
                raise SettingError(
                    f"signs has {(feature, name, sign)!r}; expected a number feature, one of the classes, and 1 or -1."
                )
            table[numbers[feature], classes.index(name)] = sign
        return table


def is_count(value: object, least: int) -> bool:
    """Whether this is a whole number of at least ``least``."""
    return isinstance(value, SupportsIndex) and not isinstance(value, bool) and value.__index__() >= least


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
