"""Roles: what each column is good for, as it is guessed and as a person wants it."""

import re
from dataclasses import dataclass

import numpy as np

from tsk_core.data.clean.categories import common_categories, truth_words
from tsk_core.data.clean.cells import Cells
from tsk_core.data.clean.dates import ReadDates, read_dates
from tsk_core.data.clean.numbers import NumberFormat, ReadNumbers, finite, read_numbers
from tsk_core.data.clean.recipe import Step
from tsk_core.data.splitting import says_train_or_test

__all__ = ["WISHED", "ColumnReport", "Judged", "judge"]

NUMBER_SHARE = 0.9  # of the filled cells of a text column, for it to count as numbers by itself
_LEAST_SHARE = 0.5  # the same where a person wants numbers
_FEW = 10  # so many categories are never too many for a short table
_ID_NAME = re.compile(r"(.*[ _.-])?(id|index|idx|nr|no|row|rownames|#)|.*ID|.*Id|.*(nr|nummer)")
_NAMELESS = re.compile(r"column \d+|unnamed.*", re.IGNORECASE)

EMPTY = "empty"
SAME = "the same value in every row"
SAME_AND_GAPS = "one value and gaps"
IDS = "a different text in every row, like a name or an ID"
COUNTER = "a number for each row, like an ID"
DECIDES = "decides the split"
WISHED = "left out as you chose"


@dataclass(frozen=True)
class ColumnReport:
    """One column of the raw table, the target included, for people to look at and decide about.

    role: what it is used as: one of ``ROLES`` or "target". guessed_role: what it would be if nobody had chosen. reason: why it is
    not a feature, or "". distinct, gaps: how many different values and missing cells there are. example: the first value.
    """

    name: str
    role: str
    guessed_role: str
    reason: str
    distinct: int
    gaps: int
    example: str


@dataclass(frozen=True, eq=False)
class Judged:
    """What a column is used as, and how it is read. ``reason`` says why it is no feature, or is ""."""

    role: str
    reason: str = ""
    numbers: ReadNumbers | None = None
    dates: ReadDates | None = None

    def step(self, cells: Cells) -> Step:
        """The step of the recipe for a column in this role."""
        if self.role == "category":
            text = cells.as_text()
            return Step(cells.name, "category", cells.name, kept=common_categories(text), truth=truth_words(text.words))
        if self.role != "number":
            return Step(cells.name, "ignored", "")
        if self.dates:
            return Step(cells.name, "number", f"{cells.name} ({self.dates.format.unit})", date=self.dates.format)
        return Step(cells.name, "number", cells.name, number=self.numbers.format if self.numbers else NumberFormat())

    def values(self, cells: Cells) -> np.ndarray | None:
        """The column as numbers, where it had to be read as such."""
        if self.dates:
            return self.dates.format.numbers(self.dates.moments)
        return finite(cells, self.numbers.of_words) if self.numbers else None

    def order(self, cells: Cells) -> np.ndarray:
        """For the role "time": what the rows are ordered by, numbers, datetime64 or timedelta64, shape (N,)."""
        if self.dates:
            return self.dates.moments
        return finite(cells, self.numbers.of_words) if self.numbers else cells.values


def judge(cells: Cells, wish: str | None) -> tuple[Judged, str]:
    """What a column is used as under a wished role (None takes the guess), and the role that was guessed.

    A wish that cannot work ends as "ignored", and its reason says why.
    """
    guess = _guess(cells)
    return guess if wish in (None, guess.role) else _wished(cells, guess, wish), guess.role


def _guess(cells: Cells) -> Judged:
    if not cells.filled:
        return Judged("ignored", EMPTY)
    if cells.kind == "number":
        return _number(cells.name, cells.values)
    if cells.kind != "text":
        return _date(read_dates(cells))
    if not cells.declared and (numbers := read_numbers(cells)).share >= NUMBER_SHARE:
        return _number_text(cells, numbers)
    if cells.distinct < 2:
        return Judged("ignored", SAME if cells.filled == len(cells.codes) else SAME_AND_GAPS)
    if says_train_or_test(cells.words):
        return Judged("split", DECIDES)
    if not cells.declared and (dates := read_dates(cells)):
        return _date(dates)
    if cells.distinct == cells.filled:
        return Judged("ignored", IDS)
    if cells.distinct > max(_FEW, cells.filled / 2):
        return Judged("ignored", f"too many categories, {cells.distinct:,} in {cells.filled:,} filled cells")
    return Judged("category")


def _wished(cells: Cells, guess: Judged, wish: str) -> Judged:
    """The column in a role that is not the guessed one."""
    if wish == "ignored":
        return Judged("ignored", WISHED)
    if cells.distinct < 2:
        return Judged("ignored", guess.reason or SAME)
    if wish in ("group", "split"):
        return Judged(wish, DECIDES)
    if wish == "category":
        return Judged("category")
    return _ordered(cells, wish)


def _ordered(cells: Cells, wish: str) -> Judged:
    """The column as "number" or "time", both of which need an order."""
    reason = DECIDES if wish == "time" else ""
    if cells.kind == "number":
        return Judged(wish, reason)
    numbers = read_numbers(cells) if cells.kind == "text" else None
    if numbers and numbers.share >= _LEAST_SHARE:
        return Judged(wish, reason, numbers=numbers)
    if dates := read_dates(cells):
        return Judged(wish, reason, dates=dates)
    return Judged("ignored", "fewer than half of its filled cells can be read as numbers, and they are no dates")


def _number(name: str, values: np.ndarray, **how: object) -> Judged:
    """A column of numbers, unless they say nothing."""
    low, high = (np.fmin.reduce(values), np.fmax.reduce(values)) if len(values) else (np.nan, np.nan)
    if np.isnan(high):
        return Judged("ignored", EMPTY, **how)
    if low == high:
        return Judged("ignored", SAME_AND_GAPS if np.isnan(values).any() else SAME, **how)
    return Judged("ignored", COUNTER, **how) if _counts_rows(name, values) else Judged("number", **how)


def _number_text(cells: Cells, numbers: ReadNumbers) -> Judged:
    return _number(cells.name, finite(cells, numbers.of_words), numbers=numbers)


def _date(dates: ReadDates) -> Judged:
    return _number("", dates.format.numbers(dates.moments), dates=dates)


def _counts_rows(name: str, values: np.ndarray) -> bool:
    """Whether whole numbers are an ID by their name, or a nameless row counter."""
    by_name, nameless = _ID_NAME.fullmatch(name[:200]), _NAMELESS.fullmatch(name[:200])
    if not (by_name or nameless) or np.isnan(values).any() or (values % 1 != 0).any():
        return False
    return len(np.unique(values)) == len(values) if by_name else bool((np.diff(values) == 1).all())
