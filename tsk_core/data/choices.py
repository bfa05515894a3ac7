"""Choices: what a person decided about a table; everything else is decided from the table itself."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from tsk_core.errors import DataError

ROLES = ("number", "category", "ordinal", "ignored", "group", "time", "split")  # the target is a field of its own
SPLITS = ("group", "time", "split")  # those of the one column that decides the split
RARE = ("keep", "merge", "drop")
REPEATED = ("keep", "together", "drop")
EVERY = ""  # in ``codes``: every column; no column has this name


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
    codes: column, or ``EVERY`` -> cells that stand for a missing value, as displayed, such as "-99" or "k. A.".
    orders: column in the role "ordinal" -> its categories from lowest to highest; other such columns get the order that fits.
    spellings: columns of which words that differ only in capital letters, a final dot or spaces are one.
    repeated: what to do with equal rows: "keep" them, keep them "together" on one side of a random split, or "drop" all but one.
    not_missing: column -> words such as "NA" that are codes of their own in it, and no missing values.
    """

    target: str | None = None
    roles: Mapping[str, str] = field(default_factory=dict)
    bins: int | None = None
    rare: str = "keep"
    flags: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    codes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    spellings: tuple[str, ...] = ()
    repeated: str = "keep"
    not_missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise DataError for an invalid choice."""
        unknown = [f"'{role}'" for role in self.roles.values() if role not in ROLES]
        if unknown:
            raise DataError(f"A column's role is {unknown[0]}; the roles are {', '.join(ROLES)}.")
        if sum(role in SPLITS for role in self.roles.values()) > 1:
            raise DataError("More than one column decides the split; keep only one column with the role group, time or split.")
        if self.rare not in RARE:
            raise DataError(f"Rare classes: '{self.rare}' is not one of {', '.join(RARE)}.")
        for cells in (*self.codes.values(), *self.not_missing.values()):
            if isinstance(cells, str) or not all(isinstance(cell, str) for cell in cells):
                raise DataError("The codes for missing values are not lists of text; write each as it appears in the cells.")
        if self.repeated not in REPEATED:
            raise DataError(f"Repeated rows: '{self.repeated}' is not one of {', '.join(REPEATED)}.")
        if self.bins is not None and not 2 <= self.bins <= 20:
            raise DataError(f"A target can be grouped into 2 to 20 ranges, not {self.bins}.")

    def codes_of(self, column: str) -> tuple[str, ...]:
        """The codes for missing values that count in a column."""
        return _joined(self.codes.get(EVERY, ()), self.codes.get(column, ()))

    @property
    def decided(self) -> dict[str, Any]:
        """The fields but for the target that differ from their defaults: what a person decided."""
        nothing = asdict(Choices())
        return {name: value for name, value in asdict(self).items() if name != "target" and value != nothing[name]}

    def with_changes(self, changes: Mapping[str, Any]) -> "Choices":
        """The same choices with those of a ``Remedy``: entries of mappings are added or replaced, items of tuples added once,
        other fields replaced. A column that decides the split takes the place of the one that did.

        Raises DataError for an invalid choice.
        """
        return replace(self, **{name: self._changed(name, value) for name, value in changes.items()})

    def taken_back(self, changes: Mapping[str, Any], before: "Choices") -> "Choices":
        """The same choices, but what ``changes`` set is as ``before``; the inverse of ``before.with_changes(changes)``, which
        leaves alone what was decided since.

        Raises DataError for an invalid choice.
        """
        return replace(self, **{name: self._returned(name, value, getattr(before, name)) for name, value in changes.items()})

    def _returned(self, name: str, changed: Any, before: Any) -> Any:
        now = getattr(self, name)
        if name == "codes":
            kept = {column: _without(cells, changed.get(column, ()), before.get(column, ())) for column, cells in now.items()}
            return {column: cells for column, cells in kept.items() if cells}
        if isinstance(now, Mapping):
            replaced = set()
            if name == "roles" and any(role in SPLITS for role in changed.values()):
                replaced = {column for column, role in before.items() if role in SPLITS and column not in now}
            kept = {column: one for column, one in now.items() if column not in changed}
            return kept | {column: one for column, one in before.items() if column in changed or column in replaced}
        return _without(now, changed, before) if isinstance(now, tuple) else before

    def _changed(self, name: str, value: Any) -> Any:
        now = getattr(self, name)
        if name == "roles" and any(role in SPLITS for role in value.values()):
            now = {column: role for column, role in now.items() if role not in SPLITS}
        if name == "codes":
            return {**now, **{column: _joined(now.get(column, ()), cells) for column, cells in value.items()}}
        if isinstance(now, Mapping):
            return {**now, **value}
        return _joined(now, value) if isinstance(now, tuple) else value

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values, from which ``from_dict`` makes equal choices."""
        return {name: _plain(value) for name, value in asdict(self).items()}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Choices":
        """The inverse of ``to_dict``. Raises DataError, TypeError or AttributeError for anything else."""
        known = {one.name: getattr(cls(), one.name) for one in fields(cls)}
        return cls(**{name: _tuples(value, known.get(name)) for name, value in values.items()})


def _joined(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*one, *other)))


def _without(one: tuple[str, ...], added: tuple[str, ...], before: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(item for item in one if item in before or item not in added)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items()}
    return list(value) if isinstance(value, tuple) else value


def _tuples(value: Any, like: Any) -> Any:
    """A value read from JSON with the tuples that a field has."""
    if isinstance(like, Mapping):
        return {name: tuple(one) if isinstance(one, list) else one for name, one in value.items()}
    return tuple(value) if isinstance(like, tuple) else value
