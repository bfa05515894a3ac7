"""A table on the way to its file: the class of each row, the columns that stand beside it, and what was planted."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from benchmarks.traps.columns import Column, Random
from benchmarks.traps.domains import Domain

CHECKS = ("missing code", "leak", "group", "repeated rows", "id", "ordinal", "time")


@dataclass(frozen=True)
class Planted:
    """One trap. column: "" for repeated rows. how: in what form. code: the cells that stand for a missing value, as written.

    order: categories from lowest to highest.
    """

    check: str
    column: str
    how: str
    code: str = ""
    order: tuple[str, ...] = ()


@dataclass(frozen=True)
class TrapTable:
    """A file and its answers. debatable: pairs of check and column about which an alarm is neither right nor wrong."""

    name: str
    content: bytes
    target: str
    planted: tuple[Planted, ...]
    debatable: frozenset[tuple[str, str]]


@dataclass
class Draft:
    """A table under construction.

    classes: the class of each row, as an index into ``names``. columns: name -> cells as written with a decimal point.
    kinds: name -> "number", "category" or "date". subjects, times: of each row, where rows have a subject or a time in [0, 1].
    by_row: names of columns that number the rows anew, so that a repeated row has another number.
    """

    domain: Domain
    random: Random
    names: tuple[str, ...]
    classes: np.ndarray
    subjects: np.ndarray | None = None
    times: np.ndarray | None = None
    columns: dict[str, list[str]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    by_row: set[str] = field(default_factory=set)
    planted: list[Planted] = field(default_factory=list)
    debatable: set[tuple[str, str]] = field(default_factory=set)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.classes)

    def latent(self, strength: float) -> np.ndarray:
        """A score of each row with SD 1: ``strength`` times what the class says, and something of the subject and of time."""
        effects = self.random.permutation(np.linspace(-1, 1, len(self.names)))
        score = strength * effects[self.classes] + self._own()
        if self.times is not None:
            score = score + self.random.uniform(-1, 1) * self.times
        return (score - score.mean()) / score.std()

    def _own(self) -> np.ndarray:
        """What is a row's own: noise, most of which rows of one subject share."""
        own = self.random.normal(size=self.rows)
        if self.subjects is None:
            return own
        shared = self.random.normal(size=self.subjects.max() + 1)
        return shared[self.subjects] + 0.25 * own

    def add_honest(self, column: Column, strength: float) -> None:
        """Add a column of the domain."""
        self.put(column.name, column.make(self.random, self.latent(strength)), column.kind)
        self.debatable |= {(check, column.name) for check in column.debatable}

    def put(self, name: str, cells: list[str], kind: str) -> None:
        """Add a column with these cells."""
        self.columns[name], self.kinds[name] = cells, kind

    def plant(self, check: str, column: str, how: str, code: str = "", order: tuple[str, ...] = ()) -> None:
        """Note a trap in the answers."""
        self.planted.append(Planted(check, column, how, code, order))

    def take(self, rows: np.ndarray) -> None:
        """Keep these rows, in this order."""
        self.classes = self.classes[rows]
        self.subjects = None if self.subjects is None else self.subjects[rows]
        self.times = None if self.times is None else self.times[rows]
        self.columns = {name: [cells[row] for row in rows] for name, cells in self.columns.items()}

    def choice(self, options: list[Callable[..., None]]) -> Callable[..., None]:
        """One of these."""
        return options[self.random.integers(len(options))]
