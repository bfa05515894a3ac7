"""The target: which column it likely is, its cells as classes, and a numeric one as a few ranges."""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from tsk_core import limits
from tsk_core.data.choices import Choices
from tsk_core.data.clean.categories import ONE_SPELLING, OTHER, THEIR_SPELLING, USE_ONE, in_one_spelling, merged_finding, variants
from tsk_core.data.clean.cells import Cells
from tsk_core.data.clean.codes import NAWord, na_finding, na_word, without_codes
from tsk_core.data.clean.dates import read_dates
from tsk_core.data.clean.identifiers import BIRTHS, name_words, repeated_id
from tsk_core.data.clean.numbers import NUMBER_SHARE, finite, read_numbers
from tsk_core.data.clean.pipeline import fresh_name
from tsk_core.data.clean.roles import ColumnReport
from tsk_core.data.findings import Finding, Remedy
from tsk_core.data.naming import LONGEST, listed, printed_column, quoted, sorted_names
from tsk_core.data.splitting import names_train_or_test
from tsk_core.errors import DataError, RegressionTarget
from tsk_core.numbers import counted

# Ranges: a numeric target as a few classes of about equal size, named by their bin edges.


_WHOLE = 1e15  # above this, floats no longer hold every whole number
_MOST_DIGITS = 15
_FEW_DECIMALS, _MOST_DECIMALS = 10, 20  # different numbers of a scale: of any, and of one in halves


def bin_edges(column: pd.Series, bins: int) -> tuple[float, ...]:
    """The numbers at which the second, third, … class begins when a column is grouped into quantiles.

    bins: number of classes, 2 to 20; equal numbers stay in one class, so there may be fewer. An edge is the number with the
    fewest digits that separates the rows there. Raises DataError for a column with fewer than 2 different numbers.
    """
    cells = Cells.of(column)
    values = numbers_of(cells)
    if values is None:
        raise DataError(f"Column {quoted(cells.name)} does not contain numbers, so it cannot be grouped into ranges.")
    distinct = np.unique(values[~np.isnan(values)])
    if len(distinct) < 2:
        raise DataError(f"Column {quoted(cells.name)} has fewer than 2 different numbers, so it cannot be grouped into ranges.")
    # "higher" selects numbers that occur, so that no class is empty.
    cuts = np.unique(np.quantile(values[~np.isnan(values)], np.arange(1, bins) / bins, method="higher"))
    places = np.searchsorted(distinct, cuts[cuts > distinct[0]])
    if not len(places):
        places = np.array([1])  # more than half of the rows have the lowest number; the others form a class
    return tuple(_roundest(float(distinct[k - 1]), float(distinct[k]), float(distinct[-1] - distinct[0])) for k in places)


def numbers_of(cells: Cells) -> np.ndarray | None:
    """A column as float64 with NaN for missing values, or None if it does not contain numbers."""
    if cells.kind == "number":
        return cells.values.astype(np.float64, copy=False)
    if cells.kind != "text" or (numbers := read_numbers(cells)).share < NUMBER_SHARE:
        return None
    return finite(cells, numbers.of_words)


def are_decimals(values: np.ndarray) -> bool:
    """Whether numbers without NaN are measurements rather than marks such as 1.5: some are not whole, and too many differ."""
    if not (values % 1).any():
        return False
    distinct = len(np.unique(values))
    return distinct > _MOST_DECIMALS or (distinct > _FEW_DECIMALS and bool((values % 0.5).any()))


def ranges(values: np.ndarray, edges: tuple[float, ...]) -> pd.Series:
    """Numbers as the names of their ranges; NaN becomes missing."""
    whole = bool((np.isnan(values) | ((values % 1 == 0) & (np.abs(values) < _WHOLE))).all())
    names = pd.Series(range_names(edges, whole), dtype="str")
    codes = np.where(np.isnan(values), -1, np.searchsorted(edges, values, side="right"))
    return pd.Series(names.array.take(codes, allow_fill=True))


def range_names(edges: tuple[float, ...], whole: bool) -> list[str]:
    """Names in order: "<= 9", "10 to 15", ">= 16" for whole numbers, else "below 1.25", "1.25 to 3.5", "3.5 and above"."""
    if not whole:
        between = [f"{low:.15g} to {high:.15g}" for low, high in zip(edges, edges[1:], strict=False)]
        return [f"below {edges[0]:.15g}", *between, f"{edges[-1]:.15g} and above"]
    starts = [math.ceil(edge) for edge in edges]
    between = [f"{low} to {high - 1}" if low < high - 1 else f"{low}" for low, high in zip(starts, starts[1:], strict=False)]
    return [f"<= {starts[0] - 1}", *between, f">= {starts[-1]}"]


def _roundest(below: float, first: float, span: float) -> float:
    """The number with the fewest digits in (below, first]."""
    for digits in range(-math.floor(math.log10(span)), _MOST_DIGITS):
        number = round(math.floor(first * 10.0**digits) / 10.0**digits, max(digits, 0))
        if below < number <= first:
            return float(number)
    return first


LEAST_ROWS = 4
_FEW_NUMBERS, _MANY_NUMBERS = 10, 20  # different ones; fewer are classes, and more words are looked at for decimals
FEW = 5  # rows; a class with fewer is rare, too small to train and test reliably
_UNEVEN = 10  # ratio of the largest to the smallest class


@dataclass(eq=False)
class Target:
    """The class column. column: numbers or text, missing in rows that are left out.

    coded: code for missing values -> number of cells.
    """

    column: pd.Series
    report: ColumnReport
    findings: list[Finding] = field(default_factory=list)
    coded: Mapping[str, int] = field(default_factory=dict)


def decide_target(column: pd.Series, choices: Choices) -> Target:
    """The classes of a column under these choices.

    Raises RegressionTarget for too many different numbers, DataError for any other column that is not a class column.
    """
    kept, early = choices.not_missing.get(str(column.name), ()), []
    cells = without_codes(Cells.of(column, kept), choices.codes_of(str(column.name)))
    if cells.name in choices.spellings and cells.kind == "text":
        before, (cells, spelled) = cells, in_one_spelling(cells)
        early = [merged_finding(before, cells)] if spelled else []
    if cells.kind in ("date", "duration"):
        raise DataError(f"Column {quoted(cells.name)} contains dates, not classes; choose another target.")
    labels, findings = _labels(cells, choices)
    findings = [*early, *findings]
    filled = labels[labels.notna()]
    na = na_word(column, kept) if cells.kind == "text" and cells.missing.any() else None
    _check(filled, cells, na)
    report = ColumnReport(cells.name, "target", "", cells.distinct, len(cells.missing) - cells.filled, cells.example[:80])
    if cells.has_cut_words:
        findings.append(_finding(cells, f"Column {quoted(cells.name)}: words of more than {LONGEST} characters.", "Truncated."))
    if cells.stripped:
        findings.append(_finding(cells, f"Column {quoted(cells.name)}: spaces around words.", "Removed."))
    if na:
        findings.append(na_finding(cells.name, na, "Counted as missing, so these rows are left out.", "class"))
    if (missing := int(labels.isna().sum()) - (na.cells if na else 0)) > 0:
        rows = counted(missing, "row")
        findings.append(_finding(cells, f"The target {quoted(cells.name)} is missing in {rows}.", "Left out.", kind="left out"))
    labels, about_rare = _handle_rare(labels, cells, choices.rare)
    return Target(labels.rename(cells.name), report, [*findings, *about_rare, *_warnings(labels, cells)], cells.coded)


def _labels(cells: Cells, choices: Choices) -> tuple[pd.Series, list[Finding]]:
    """The column as numbers or text, grouped into ranges if chosen."""
    if choices.bins:
        values = numbers_of(cells)
        if values is not None and len(np.unique(values[~np.isnan(values)])) > choices.bins:
            return _binned(cells, values, choices.bins)
        why = "does not contain numbers" if values is None else f"has no more than {choices.bins} different numbers"
        findings = [_finding(cells, f"The target {quoted(cells.name)} {why}.", "It is not grouped into ranges.", kind="warning")]
    else:
        findings = []
    if cells.kind == "number":
        return pd.Series(cells.values, copy=False), findings
    return pd.Series(cells.words.array.take(cells.codes, allow_fill=True)), findings


def _binned(cells: Cells, values: np.ndarray, bins: int) -> tuple[pd.Series, list[Finding]]:
    """Quantile classes over all rows: the bin edges define the classes, so training and test share them."""
    edges = bin_edges(pd.Series(values, name=cells.name), bins)
    labels = ranges(values, edges)
    counts = labels.value_counts()
    names = [f"{quoted(name)} ({counts[name]:,} rows)" for name in sorted_names(counts.index)]
    fewer = f", not {bins}, because equal numbers stay together" if len(names) < bins else ""
    done = f"Grouped into {len(names)} classes{fewer}: {', '.join(names)}."
    return labels, [_finding(cells, f"The target {quoted(cells.name)} has {cells.distinct:,} different numbers.", done)]


def _check(filled: pd.Series, cells: Cells, na: NAWord | None) -> None:
    """Raise DataError for a target without classes to distinguish."""
    n_rows, n_classes, name, most = len(filled), filled.nunique(), quoted(cells.name), limits.value("classes")
    if n_rows == 0:
        raise DataError(f"Column {name} is empty, so no row has a class; choose another target.")
    if n_classes < 2:
        since = f" (the {counted(na.cells, 'cell')} with {na.text} count as missing)" if na else ""
        only = listed(printed_column(filled)[:1])
        raise DataError(f"Column {name} has a single class, {only}{since}; training needs at least two.")
    if n_classes > min(most, _FEW_NUMBERS) and _are_measurements(filled, cells):
        raise RegressionTarget(
            f"Column {name} has {n_classes:,} different numbers in {n_rows:,} rows, so it looks like a regression target; "
            f"choose a column with at most {most} classes, or group the numbers into ranges.",
            cells.name,
        )
    if n_classes > most:
        raise DataError(f"Column {name} has {n_classes:,} different values; choose a target with at most {most} classes.")
    if n_rows < LEAST_ROWS:
        raise DataError(f"The table has {n_rows} rows with a class; training and testing need at least {LEAST_ROWS}.")
    if n_classes == n_rows:
        raise DataError(
            f"Column {name} has a different value in every row, so it does not contain classes; choose another target."
        )


def _are_measurements(filled: pd.Series, cells: Cells) -> bool:
    """Whether the target's values are numbers of a measurement, also those written as text ("12 kg")."""
    n_classes, most = filled.nunique(), limits.value("classes")
    if filled.dtype != "str" and n_classes > min(most, max(_FEW_NUMBERS, len(filled) / 2)):
        return True
    numbers = numbers_of(cells) if n_classes > min(most, _MANY_NUMBERS) else None
    return numbers is not None and (n_classes > most or are_decimals(numbers[~np.isnan(numbers)]))


def _handle_rare(labels: pd.Series, cells: Cells, choice: str) -> tuple[pd.Series, list[Finding]]:
    """Keep rare classes and name them in a finding, merge them into one, or make them missing."""
    counts = labels.value_counts()
    rare = counts[counts < FEW]
    if not len(rare):
        return labels, []
    names = dict(zip(printed_column(pd.Series(rare.index)), rare.to_numpy(), strict=True))
    shown = ", ".join(f"{quoted(name)} ({names[name]})" for name in sorted_names(names)[:5])
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    single = rare.sum() == 1
    fact = f"Few rows have the class{'es' if len(names) > 1 else ''} {shown}{more}."
    if single:
        fact = f"Only one row has the class {quoted(next(iter(names)))}."
    if choice == "keep" or (choice == "merge" and len(rare) == 1):
        alone = " A class with a single row is never tested." if rare.min() == 1 else ""
        advice = f"Drop {'it' if single else 'these rows'}" + (
            ", or merge them into one class." if len(rare) > 1 else "; there is no other rare class to merge with."
        )
        return labels, [_finding(cells, fact, alone.strip(), advice, "offer", "rare")]
    if len(rare) + (choice == "drop") >= len(counts):
        what = "merged into one class, one class is left" if choice == "merge" else "left out, fewer than two classes are left"
        raise DataError(f"With the classes of fewer than {FEW} rows {what}; keep the rare classes, or choose another target.")
    where = labels.isin(rare.index)
    if choice == "drop":
        return labels.mask(where), [
            _finding(cells, fact, "Dropped it." if single else f"Dropped these {where.sum()} rows.", kind="left out")
        ]
    text = pd.Series(printed_column(labels), index=labels.index, dtype="str")
    other = fresh_name(OTHER, set(text[~where].dropna()))
    return text.mask(where, other), [_finding(cells, fact, f"Merged into one class {quoted(other)}.")]


def _warnings(labels: pd.Series, cells: Cells) -> list[Finding]:
    """Findings about class names and class sizes."""
    counts, findings = labels.value_counts(), []
    words = pd.Series(counts.index, dtype="str")
    for what, alike, mends in variants(words, counts.to_numpy()) if labels.dtype == "str" else ():
        text = f"Classes of {quoted(cells.name)} differ only in {what}: {alike}."
        found = _finding(cells, text, "", THEIR_SPELLING if mends else ONE_SPELLING, "warning")
        findings.append(replace(found, remedy=Remedy(USE_ONE, {"spellings": (cells.name,)}) if mends else None))
    if counts.max() >= _UNEVEN * counts.min() and counts.min() >= FEW:
        large, small = (printed_column(pd.Series(counts.index))[k] for k in (0, -1))
        text = f"The classes are imbalanced: {counts.max():,} rows of {quoted(large)}, {counts.min():,} of {quoted(small)}."
        advice = "Set the class weight to 'balanced', and compare BCA rather than RCA."
        findings.append(_finding(cells, text, "", advice, "warning"))
    return findings


def _finding(cells: Cells, fact: str, done: str = "", advice: str = "", kind: str = "repaired", choice: str = "") -> Finding:
    return Finding(fact, done, advice, kind, (cells.name,), choice)


# The column that is most likely the class, of a table whose owner did not say.


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
