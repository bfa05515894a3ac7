"""Choices: what a person decided about a table; everything else is decided from the table itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tsk_core.errors import DataError

__all__ = ["RARE", "ROLES", "Choices"]

ROLES = ("number", "category", "ignored", "group", "time", "split")  # the target is a field of its own
RARE = ("keep", "merge", "drop")


@dataclass(frozen=True)
class Choices:
    """Choices about a table, JSON-ready.

    target: the class column; None guesses it.
    roles: column -> one of ``ROLES``; other columns get the role that fits them. At most one column may be
        "group" (rows of a group stay together), "time" (the latest rows are tested) or "split" (its cells say train or test).
    bins: number of quantile classes for a numeric target; None makes none.
    rare: what to do with classes too small to train and test: "keep", "merge" into one class, or "drop" their rows.
    flags: columns with missing values that get an extra column "<name> is missing".
    missing: columns whose missing values are a category of their own; a column of numbers gets a flag instead.
    """

    target: str | None = None
    roles: Mapping[str, str] = field(default_factory=dict)
    bins: int | None = None
    rare: str = "keep"
    flags: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise DataError for an invalid choice."""
        unknown = [f"'{role}'" for role in self.roles.values() if role not in ROLES]
        if unknown:
            raise DataError(f"A column's role is {unknown[0]}; the roles are {', '.join(ROLES)}.")
        if sum(role in ("group", "time", "split") for role in self.roles.values()) > 1:
            raise DataError("More than one column decides the split; keep one of the roles group, time and split.")
        if self.rare not in RARE:
            raise DataError(f"Rare classes: '{self.rare}' is none of {', '.join(RARE)}.")
        if self.bins is not None and not 2 <= self.bins <= 20:
            raise DataError(f"A target can be grouped into 2 to 20 ranges, not {self.bins}.")
