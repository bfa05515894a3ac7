"""What is odd about the cells of rows to predict, in words: one source for the page, files, the library and the command line.

A classifier gives every row a class and a probability. Cells that are missing or cannot be read are filled as in training. The
farther a row lies from the training rows, the larger the scores that its rules extrapolate to, and so the probability.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from tsk_core.data.clean.pipeline import CleaningPipeline, CleaningStep, UnreadableCells
from tsk_core.data.encoded_columns import Column, to_categories
from tsk_core.data.encoding import Encoder, Rows
from tsk_core.data.naming import printed, quoted
from tsk_core.numbers import clock_text, counted, rounded_text

FAR = 3.0  # standard deviations of the training rows that a number lies beyond their range
NAMED = 3  # cells of a row
NAMED_COLUMNS = 5  # of a table


@dataclass(frozen=True)
class Imputed:
    """Empty cells of one column. value: what they are taken as, as displayed."""

    column: str
    count: int
    value: str


@dataclass(frozen=True)
class OddCells:
    """Cells of all columns that are odd in one way: how many, and what is said of the first, such as "size = 9"."""

    count: int = 0
    example: str = ""


@dataclass(frozen=True, eq=False)
class CellCheck:
    """What is odd about the cells of N rows to predict.

    texts: what is said of each row, object (N,), "" for most. unlike: bool (N,), rows unlike the training rows: more than half of
    the values are missing, a cell cannot be read, a number is more than three standard deviations outside the range of the
    training rows, or a category did not occur there. unreadable, imputed: by column. unseen, unranked: categories and
    ordered categories that training did not have. far: numbers far outside. constant: numbers in columns that have one value in
    all training rows, which is another; a model ignores such a column.
    """

    texts: np.ndarray
    unlike: np.ndarray
    unreadable: tuple[UnreadableCells, ...] = ()
    imputed: tuple[Imputed, ...] = ()
    unseen: OddCells = OddCells()
    unranked: OddCells = OddCells()
    far: OddCells = OddCells()
    constant: OddCells = OddCells()

    @property
    def missing(self) -> int:
        """How many cells are empty."""
        return sum(column.count for column in self.imputed)

    def sentences(self, column: str) -> tuple[str, ...]:
        """What is said of the table. column: its column with the texts of the rows."""
        rows = int(self.unlike.sum())
        means = f"{'its' if rows == 1 else 'their'} probabilities mean little, and the column {quoted(column)} says why."
        unlike = f"{rows:,} of {len(self.texts):,} rows {_are(rows)} unlike the training rows; {means}"
        categories = _unseen_sentence(self.unseen, "none of the known ones"), _unseen_sentence(self.unranked, "the median")
        said = (*map(str, self.unreadable), *categories, self._far(), self._constant(), self._imputed(), unlike if rows else "")
        return tuple(filter(None, said))

    def _imputed(self) -> str:
        if not self.imputed:
            return ""
        values = counted(self.missing, "missing value is", "missing values are")
        shown = [f"{one.count:,} of {quoted(one.column)} with {one.value}" for one in self.imputed[:NAMED_COLUMNS]]
        more = f" and {len(self.imputed) - NAMED_COLUMNS} more columns" if len(self.imputed) > NAMED_COLUMNS else ""
        return f"{values} filled as in training, with the median or the most frequent category: {', '.join(shown)}{more}."

    def _far(self) -> str:
        count = self.far.count
        numbers = f"{counted(count, 'number')}, such as {self.far.example}, {_are(count)}"
        return f"{numbers} far outside the training rows." if count else ""

    def _constant(self) -> str:
        count = self.constant.count
        numbers = f"{counted(count, 'number')}, such as {self.constant.example}, {'has' if count == 1 else 'have'} no effect"
        return f"{numbers}: all training rows have another value there." if count else ""


def row_note(text: str, *, unlike: bool) -> str:
    """What is said of a row alone, in sentences; "" for nothing. text, unlike: its entries of a ``CellCheck``."""
    if not text:
        return ""
    return f"This row is unlike the training rows: {text}. Its probabilities mean little." if unlike else f"{text}."


def check_cells(
    encoder: Encoder, X: Rows, cleaning: CleaningPipeline | None = None, unreadable: Iterable[UnreadableCells] = ()
) -> CellCheck:
    """Check rows to predict.

    X: the features, (N, F). cleaning: how they were made of a raw table, if they were. unreadable: its cells that cannot be read,
    which are missing in X.
    """
    frame, unreadable = encoder.aligned(X), tuple(unreadable)
    steps = {step.feature: step for step in (cleaning.steps if cleaning else ()) if step.feature}
    flags = {step.flag for step in (cleaning.steps if cleaning else ()) if step.flag}
    taken = {name: _replacement(encoder.columns[block.start], steps.get(name)) for name, block in encoder.blocks()}
    by_column = {step.column: name for name, step in steps.items()}
    texts = _Texts(len(frame))
    for cells in unreadable:
        what = f"cannot be read, {_taken(*taken[by_column[cells.column]])}"
        texts.add(cells.rows, [f"{cells.column} = {quoted(text)} {what}" for text in cells.texts])
    counted = [name for name in encoder.features if name not in flags]
    mostly = _mostly_missing(texts, frame[counted])
    odd = dict.fromkeys(("unseen", "unranked", "far", "constant"), OddCells())
    for name, block in encoder.blocks():
        step, first = steps.get(name), encoder.columns[block.start]
        kind = "unranked" if first.levels else "far" if first.kind == "number" else "unseen"
        if kind == "far" and _is_constant(encoder, block):
            kind = "constant"
        find = partial(_far, step=step) if kind in ("far", "constant") else _unseen
        rows, cells_as_text, what = find(encoder, frame[name], block)
        column, what = step.column if step else name, f"{what}, {_taken(*taken[name])}" if kind == "unranked" else what
        texts.add(rows, [f"{column} = {text} {what}" for text in cells_as_text])
        if len(rows):
            example = odd[kind].example or f"{column} = {cells_as_text[0]}"
            odd[kind] = OddCells(odd[kind].count + len(rows), example)
    unlike = texts.counts > 0
    not_read = {cells.column: cells.rows for cells in unreadable}
    imputed = []
    for name in counted:
        column = steps[name].column if name in steps else name
        empty = frame[name].isna().to_numpy(bool).copy()
        empty[not_read.get(column, [])] = False
        if empty.any():
            texts.add(np.flatnonzero(empty & ~mostly), f"{quoted(column)} is missing, {_taken(*taken[name])}")
            imputed.append(Imputed(column, int(empty.sum()), taken[name][0]))
    return CellCheck(texts.joined(), unlike, unreadable, tuple(imputed), **odd)


class _Texts:
    """What is said of each row: its first reasons, and how many there are."""

    def __init__(self, n_rows: int) -> None:
        self.counts, self._texts = np.zeros(n_rows, int), np.full(n_rows, "", object)

    def add(self, rows: np.ndarray, reasons: str | list[str]) -> None:
        """One reason more for each of these rows, distinct and rising: each its own, or the same for all."""
        named, before = self.counts[rows] < NAMED, self.counts[rows]
        own = np.full(len(rows), reasons, object) if isinstance(reasons, str) else np.array(reasons, object)
        separators = np.where(before > 0, "; ", "").astype(object)
        self._texts[rows[named]] += (separators + own)[named]
        self.counts[rows] += 1

    def joined(self) -> np.ndarray:
        """The texts, object (N,)."""
        more = np.flatnonzero(self.counts > NAMED)
        self._texts[more] += np.array([f"; and {count - NAMED} more" for count in self.counts[more]], object)
        return self._texts


def _mostly_missing(texts: _Texts, frame: pd.DataFrame) -> np.ndarray:
    """Say which rows lack more than half of their values; returns them, bool (N,)."""
    missing = sum((frame[name].isna().to_numpy(bool).astype(int) for name in frame.columns), np.zeros(len(frame), int))
    mostly: np.ndarray = 2 * missing > frame.shape[1]
    rows = np.flatnonzero(mostly)
    texts.add(rows, [f"{count} of {frame.shape[1]} values are missing" for count in missing[rows]])
    return mostly


def _far(encoder: Encoder, column: pd.Series, block: slice, step: CleaningStep | None) -> tuple[np.ndarray, list[str], str]:
    """Rows of numbers far outside the training rows, the cells as text, and what is said of them."""
    d = block.start
    values = pd.to_numeric(column, errors="coerce").to_numpy(np.float64, na_value=np.nan)
    low, high, constant = encoder.low_[d], encoder.high_[d], _is_constant(encoder, block)
    margin = 0.0 if constant else FAR * encoder.scale_[d]
    rows = np.flatnonzero((values < low - margin) | (values > high + margin))
    what = f"is far outside the training rows ({_written(low, step)} to {_written(high, step)})"
    if constant:
        what = f"has no effect, since it is {_written(low, step)} in all training rows"
    return rows, [_written(value, step, digits=10) for value in values[rows]], what


def _is_constant(encoder: Encoder, block: slice) -> bool:
    """Whether a number has one value in all training rows, so that a model ignores it."""
    return bool(encoder.low_[block.start] == encoder.high_[block.start])


def _unseen(encoder: Encoder, column: pd.Series, block: slice) -> tuple[np.ndarray, list[str], str]:
    """The same of categories that training did not have."""
    columns = zip(encoder.columns[block], encoder.high_[block], strict=True)
    known = encoder.columns[block.start].levels or {encoded.category for encoded, high in columns if high > 0}
    words = pd.Series(to_categories(column, known), dtype=object)
    rows = np.flatnonzero(~column.isna().to_numpy(bool) & ~words.isin(known).to_numpy(bool))
    return rows, [quoted(printed(word)) for word in words[rows]], "did not occur in training"


def _replacement(column: Column, step: CleaningStep | None) -> tuple[str, str]:
    """What replaces a missing value, as displayed, and where that is from."""
    if column.kind == "category":
        return quoted(column.impute), "the most frequent category of training"
    if column.levels:
        return quoted(column.levels[round(float(column.impute))]), "the median of training"
    return _written(float(column.impute), step), "the median of training"


def _written(value: float, step: CleaningStep | None, digits: int = 6) -> str:
    """A number of a feature as its column has it: a number, a day, a day with a time, or a time of day."""
    if step is None or step.date is None:
        return rounded_text(value, digits)
    moment = step.date.moment(value)
    if np.isnat(moment):
        return f"{value:.{digits}g} ({step.date.unit})"
    if isinstance(moment, np.timedelta64):
        return clock_text(int(moment.astype("timedelta64[m]").astype(int)) % 1440)
    return str(moment.astype("datetime64[D]" if step.date.midnights else "datetime64[m]")).replace("T", " ")


def _taken(value: str, source: str) -> str:
    return f"taken as {value} ({source})"


def _unseen_sentence(cells: OddCells, taken: str) -> str:
    count = cells.count
    said = f"{counted(count, 'cell')}, such as {cells.example},"
    categories, they = ("has a category", "it is") if count == 1 else ("have categories", "they are")
    return f"{said} {categories} that did not occur in training; {they} taken as {taken}." if count else ""


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
