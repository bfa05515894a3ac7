"""The column that is most likely the class, of a table whose owner did not say."""

from collections.abc import Collection
from typing import Any

import numpy as np
import pandas as pd

from tsk_core import limits
from tsk_core.data.clean.cells import Cells
from tsk_core.data.clean.dates import read_dates
from tsk_core.data.clean.identifiers import BIRTHS, name_words, repeated_id
from tsk_core.data.clean.ranges import are_decimals, numbers_of
from tsk_core.data.splitting import names_train_or_test
from tsk_core.errors import DataError

__all__ = ["guess_target", "likely_target"]

_TELLING = (
    "class", "target", "label", "labels", "klasse", "ziel", "y", "species", "outcome", "diagnosis", "survived", "zielgröße",
)  # fmt: skip
_SURE = ("target", "ziel", "outcome", "survived", "zielgröße")  # the others are names of features, too
_OFTEN_TELLING = ("category", "result", "quality", "art")  # these anywhere, the others of ``_TELLING`` between other columns
_FEW = 10  # values, of words or whole numbers
_MANY = 30  # different numbers; more are classes only where nothing else can be
_ANSWERS = tuple(
    frozenset(words.split())
    for words in (
        "yes no", "y n", "true false", "t f", "1 0", "positive negative", "pos neg", "+ -", "ja nein", "j n", "wahr falsch",
        "oui non", "o n", "vrai faux", "sí no", "si no", "s n", "sì no", "sim não", "sim nao", "ja nee", "ja nej", "tak nie",
        "ano ne", "igen nem", "kyllä ei", "evet hayır", "да нет", "так ні", "是 否", "有 无", "はい いいえ",
        "예 아니오", "예 아니요",
    )
)  # fmt: skip


def guess_target(frame: pd.DataFrame) -> str:
    """The column that is most likely the class; see ``likely_target``."""
    return likely_target(frame)[0]


def likely_target(frame: pd.DataFrame, decided: Collection[str] = ()) -> tuple[str, str]:
    """The column that is most likely the class, and why, as the end of "…, since".

    A plausible column has 2 to ``limits.value("classes")`` distinct values and fewer than it has rows, and holds no measurements,
    dates, ids, or the words "train" and "test". Taken is a column with a telling name ("class", "label", "Ziel", …) that is
    plausible or constant (whoever reads that it has a single class knows what to do), unless features have that name, too, and
    the last column is likelier; else a column of declared categories where all others are numbers, else the last column but for
    dates, ids and the like, else the first plausible one with few values, else the first plausible one; else the last column of
    numbers, which can be grouped into ranges.

    decided: columns that decide the split. Raises DataError for a table without columns.
    """
    if not frame.shape[1]:
        raise DataError("The table has no columns.")
    names = [name for name in frame.columns if name not in decided] or list(frame.columns)
    columns = _Columns(frame)
    by_name = {str(n).strip().lower(): n for n in reversed(names)}
    last = next((name for name in reversed(names) if not columns[name].is_aside), names[-1])
    for wanted in (*_TELLING, *_OFTEN_TELLING):
        name = by_name.get(wanted)
        if name is None or not columns[name].can_be_classes(1):
            continue
        if wanted in _SURE or not columns.gives_way(name, last, anywhere=wanted in _OFTEN_TELLING):
            return name, "its name is usual for a class"
    nominal = [n for n in names if not pd.api.types.is_numeric_dtype(frame[n])]
    if len(nominal) == 1 and frame[nominal[0]].dtype == "category" and columns[nominal[0]].can_be_classes(2):
        return nominal[0], "it is the only column of categories"
    if columns[last].can_be_classes(2) and not columns[last].has_many_numbers:
        return last, "it is the last column whose values can be classes"
    plausible = [name for name in names if columns[name].can_be_classes(2) and not columns[name].is_aside]
    if plausible:
        few = next((name for name in plausible if columns[name].has_few_values), None)
        if few is not None and few != plausible[0]:
            return few, f"it is the first column with at most {_FEW} values, which can be classes"
        return plausible[0], "it is the first column whose values can be classes"
    numbers = next((name for name in reversed(names) if columns[name].has_numbers), names[-1])
    which = "column" if numbers == names[-1] else "column of numbers"
    return numbers, f"it is the last {which}; none has values that can be classes"


class _Columns(dict[Any, "_Column"]):
    """What is known of the columns of a table, each looked at when it is asked for."""

    def __init__(self, frame: pd.DataFrame) -> None:
        super().__init__()
        self._frame = frame

    def __missing__(self, name: Any) -> "_Column":
        self[name] = _Column(Cells.of(self._frame[name]))
        return self[name]

    def gives_way(self, name: Any, last: Any, *, anywhere: bool) -> bool:
        """Whether a column whose name may be that of a feature is less likely the class than the last column.

        anywhere: whether also where it is the first column, as classes often are.
        """
        named, end = self[name], self[last]
        if name == last or not end.can_be_classes(2):
            return False
        if named.has_many_numbers or (anywhere and named.has_numbers and not named.has_few_values):
            return end.has_few_words
        first = next(one for one in self._frame.columns if not self[one].is_aside)
        return end.is_answer and (anywhere or not (named.is_answer or name == first))


class _Column:
    """One column as a candidate."""

    def __init__(self, cells: Cells) -> None:
        self._cells = cells
        self._numbers = None if cells.declared else numbers_of(cells)
        known = self._numbers if self._numbers is None else self._numbers[~np.isnan(self._numbers)]
        dated = cells.kind in ("date", "duration") or (
            cells.kind == "text" and known is None and not cells.declared and cells.filled > 0 and read_dates(cells) is not None
        )
        sides = cells.kind == "text" and names_train_or_test(cells.words)
        self._is_no_class = dated or sides or bool(BIRTHS & set(name_words(cells.name)))
        self._decimals = known is not None and are_decimals(known)

    def can_be_classes(self, least: int) -> bool:
        """Whether its values may name classes, ``least`` at least."""
        n, rows = self._cells.distinct, self._cells.filled
        if self._is_no_class or not least <= n <= limits.value("classes") or n == rows:
            return False
        return not self._decimals and n <= max(_FEW, rows / 2)

    @property
    def is_aside(self) -> bool:
        """Whether it is neither a class nor a feature: a date, an id, one value, a side of the split, or other words each."""
        cells = self._cells
        words = cells.kind == "text" and self._numbers is None and cells.distinct > max(_FEW, cells.filled / 2)
        return self._is_no_class or words or cells.distinct < 2 or repeated_id(cells)

    @property
    def is_answer(self) -> bool:
        """Whether its values are yes and no, in one of several languages, or 1 and 0."""
        return self._cells.distinct == 2 and frozenset(self._cells.as_text().words.str.casefold()) in _ANSWERS

    @property
    def has_few_words(self) -> bool:
        """Whether its values are few words."""
        return self._numbers is None and self.has_few_values

    @property
    def has_numbers(self) -> bool:
        """Whether it holds different numbers that name nothing."""
        return self._numbers is not None and self._cells.distinct > 1 and not self.is_aside

    @property
    def has_many_numbers(self) -> bool:
        """Whether it holds more numbers than classes are likely to be."""
        return self._numbers is not None and self._cells.distinct > _MANY

    @property
    def has_few_values(self) -> bool:
        """Whether it has so few values that they are likely classes."""
        return self._cells.distinct <= _FEW
