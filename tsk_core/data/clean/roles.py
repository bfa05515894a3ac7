"""Roles: how each column is used, as guessed or as a person chose."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from tsk_core.data.clean.categories import common_categories, truth_words
from tsk_core.data.clean.cells import Cells
from tsk_core.data.clean.dates import DayOrder, ReadDates, look_like_dates, read_dates
from tsk_core.data.clean.identifiers import repeated_id
from tsk_core.data.clean.numbers import NUMBER_SHARE, NumberFormat, ReadNumbers, finite, read_numbers
from tsk_core.data.clean.pipeline import CleaningStep
from tsk_core.data.naming import listed, quoted
from tsk_core.data.orders import guessed_order
from tsk_core.data.splitting import names_train_or_test

_LEAST_SHARE = 0.5  # the same if a person chose numbers
FEW = 10  # this many categories are never too many
_ID_NAME = re.compile(r"(.*[ _.-])?(id|index|idx|nr|no|row|rownames|#)|.*ID|.*Id|.*(nr|nummer)")
_NAMELESS = re.compile(r"column \d+|unnamed.*", re.IGNORECASE)

EMPTY = "empty"
SAME = "the same value in every row"
SAME_OR_MISSING = "one value and missing values"
IDS = "a different text in every row, like a name or an ID"
COUNTER = "a number for each row, like an ID"
REPEATED_ID = "an ID that repeats, like that of a patient or a user"
SCALES = "numbers in several units"
UNREAD = "dates that cannot be read"
CODES = "codes that could be read as numbers"
DECIDES = "decides the split"
CHOSEN = "left out as you chose"


@dataclass(frozen=True)
class ColumnReport:
    """How one column of the raw table is used, the target included.

    role: one of ``ROLES`` or "target". reason: why it is not a feature, not numbers, or has not the chosen role; else "".
    distinct, missing: numbers of distinct values and of missing cells. example: the first value.
    """

    name: str
    role: str
    reason: str
    distinct: int
    missing: int
    example: str


@dataclass(frozen=True, eq=False)
class AssignedRole:
    """The role of a column, and how to read it. ``reason`` says why it is not a feature, or not numbers, or is "".

    levels: in the role "ordinal", the categories from lowest to highest. refused: why the column has not the chosen role but
    the one that fits, or "".
    """

    role: str
    reason: str = ""
    numbers: ReadNumbers | None = None
    dates: ReadDates | None = None
    levels: tuple[str, ...] = ()
    refused: str = ""

    def step(self, cells: Cells) -> CleaningStep:
        """The step of the cleaning pipeline for a column in this role."""
        if self.role == "category":
            text = cells.as_text()
            return CleaningStep(cells.name, "category", cells.name, kept=common_categories(text), truth=truth_words(text.words))
        if self.role == "ordinal":
            return CleaningStep(cells.name, "ordinal", cells.name, levels=self.levels)
        if self.role != "number":
            return CleaningStep(cells.name, "ignored", "")
        if self.dates:
            return CleaningStep(cells.name, "number", f"{cells.name} ({self.dates.format.unit})", date=self.dates.format)
        return CleaningStep(cells.name, "number", cells.name, number=self.numbers.format if self.numbers else NumberFormat())

    def values(self, cells: Cells) -> np.ndarray | None:
        """The column as numbers if it was read from text, else None."""
        if self.dates:
            return self.dates.format.numbers(self.dates.moments)
        return finite(cells, self.numbers.of_words) if self.numbers else None

    def order(self, cells: Cells) -> np.ndarray:
        """For the role "time": the sort key of the rows: numbers, datetime64 or timedelta64, shape (N,)."""
        if self.dates:
            return self.dates.moments
        return finite(cells, self.numbers.of_words) if self.numbers else cells.values


def assign_role(
    cells: Cells, chosen: str | None, order: tuple[str, ...] | None, day_order: Callable[[], DayOrder | None] = lambda: None
) -> AssignedRole:
    """The role of a column. chosen: the role that a person chose; None guesses it. order: of its categories in the role
    "ordinal", as chosen; None takes the declared one, or guesses it. day_order: asked of the table where dates fit both orders.

    A chosen role that is not possible becomes "ignored", with the reason; "ordinal" without an order becomes the guessed role.
    """
    guess = AssignedRole("ordinal", levels=cells.order) if cells.order and cells.distinct > 1 else _guess(cells)
    if chosen == "ordinal" and cells.distinct > 1:
        return _ordinal(cells, guess, order)
    assigned = guess if chosen in (None, guess.role) else _with_chosen_role(cells, guess, chosen)
    if assigned.dates and not assigned.dates.decided and (of_table := day_order()):
        return replace(assigned, dates=read_dates(cells, of_table))
    return assigned


def _guess(cells: Cells) -> AssignedRole:
    if not cells.filled:
        return AssignedRole("ignored", EMPTY)
    if repeated_id(cells):
        return AssignedRole("ignored", f"{REPEATED_ID}, {cells.distinct:,} values in {cells.filled:,} filled cells")
    if cells.kind == "number":
        return _number(cells.name, cells.values)
    if cells.kind != "text":
        dates = read_dates(cells)
        return _date(dates) if dates else AssignedRole("ignored", EMPTY)
    return _guess_of_text(cells)


def _guess_of_text(cells: Cells) -> AssignedRole:
    numbers = None if cells.declared else read_numbers(cells)
    if numbers and numbers.share >= NUMBER_SHARE and not numbers.code:
        return _number_text(cells, numbers)
    if cells.distinct < 2:
        return AssignedRole("ignored", SAME if cells.filled == len(cells.codes) else SAME_OR_MISSING)
    if names_train_or_test(cells.words):
        return AssignedRole("split", DECIDES)
    if not cells.declared and (dates := read_dates(cells)):
        return _date(dates)
    why = _in_scales(numbers) or _unread(cells)
    if cells.distinct == cells.filled:
        return AssignedRole("ignored", why or IDS)
    if cells.distinct > max(FEW, cells.filled / 2):
        return AssignedRole("ignored", why or f"too many categories, {cells.distinct:,} in {cells.filled:,} filled cells")
    return AssignedRole("category", why)


def _unread(cells: Cells) -> str:
    """Why a column of dates is not used as such, where none can be read; else ""."""
    return f"{UNREAD}, such as {listed(cells.words[:2])}" if not cells.declared and look_like_dates(cells) else ""


def _with_chosen_role(cells: Cells, guess: AssignedRole, chosen: str) -> AssignedRole:
    """The column in a role other than the guessed one."""
    if chosen == "ignored":
        return AssignedRole("ignored", CHOSEN)
    if cells.distinct < 2:
        return AssignedRole("ignored", guess.reason or SAME)
    if chosen in ("group", "split"):
        return AssignedRole(chosen, DECIDES)
    if chosen == "category":
        return AssignedRole("category")
    return _ordered(cells, chosen)


def _ordinal(cells: Cells, guess: AssignedRole, order: tuple[str, ...] | None) -> AssignedRole:
    """The column as ranks of its categories; without an order of them all as guessed, with the reason."""
    words = tuple(cells.as_text().words)
    levels = tuple(dict.fromkeys(order or cells.order or guessed_order(words)))
    lacking = [word for word in words if word not in set(levels)]
    if not lacking:
        return AssignedRole("ordinal", levels=levels)
    if guess.role == "ordinal":
        guess = AssignedRole("category")
    if order:
        return replace(guess, refused=f"its order lacks {listed(lacking)}; name every category in it")
    return replace(guess, refused=f"its {cells.distinct:,} categories need an order, lowest first")


def _ordered(cells: Cells, chosen: str) -> AssignedRole:
    """The column as "number" or "time", both of which need an order."""
    reason = DECIDES if chosen == "time" else ""
    if cells.kind == "number":
        return AssignedRole(chosen, reason)
    numbers = read_numbers(cells) if cells.kind == "text" else None
    if numbers and numbers.share >= _LEAST_SHARE:
        return AssignedRole(chosen, reason, numbers=numbers)
    if dates := read_dates(cells):
        return AssignedRole(chosen, reason, dates=dates)
    few = "fewer than half of its filled cells are numbers, and they are not dates"
    return AssignedRole("ignored", _in_scales(numbers) or few)


def _in_scales(numbers: ReadNumbers | None) -> str:
    """Why a column of numbers is not used as such, where it has more than one scale, or may be codes; else ""."""
    if numbers and numbers.code and numbers.share >= NUMBER_SHARE:
        return f"{CODES}, such as {quoted(numbers.code)}"
    return f"{SCALES}, such as {listed(numbers.scales, 3)}" if numbers and numbers.scales else ""


def _number(name: str, values: np.ndarray, numbers: ReadNumbers | None = None, dates: ReadDates | None = None) -> AssignedRole:
    """A column of numbers; "ignored" if they are constant or count the rows."""
    low, high = (np.fmin.reduce(values), np.fmax.reduce(values)) if len(values) else (np.nan, np.nan)
    if np.isnan(high):
        return AssignedRole("ignored", EMPTY, numbers, dates)
    if low == high:
        return AssignedRole("ignored", SAME_OR_MISSING if np.isnan(values).any() else SAME, numbers, dates)
    counter = _counts_rows(name, values)
    return AssignedRole("ignored" if counter else "number", COUNTER if counter else "", numbers, dates)


def _number_text(cells: Cells, numbers: ReadNumbers) -> AssignedRole:
    return _number(cells.name, finite(cells, numbers.of_words), numbers=numbers)


def _date(dates: ReadDates) -> AssignedRole:
    return _number("", dates.format.numbers(dates.moments), dates=dates)


def _counts_rows(name: str, values: np.ndarray) -> bool:
    """Whether integers are an ID, by the name of the column, or a row counter without a name."""
    by_name, nameless = _ID_NAME.fullmatch(name[:200]), _NAMELESS.fullmatch(name[:200])
    if not (by_name or nameless) or np.isnan(values).any() or (values % 1 != 0).any():
        return False
    return len(np.unique(values)) == len(values) if by_name else bool((np.diff(values) == 1).all())
