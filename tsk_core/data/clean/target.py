"""The target: the cells of the class column as classes that can be trained and tested."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from tsk_core import limits
from tsk_core.data.choices import Choices
from tsk_core.data.clean.categories import OTHER
from tsk_core.data.clean.cells import Cells
from tsk_core.data.clean.codes import without_codes
from tsk_core.data.clean.na_words import NAWord, na_finding, na_word
from tsk_core.data.clean.names import fresh_name
from tsk_core.data.clean.ranges import are_decimals, bin_edges, numbers_of, ranges
from tsk_core.data.clean.roles import ColumnReport
from tsk_core.data.clean.spellings import ONE_SPELLING, THEIR_SPELLING, USE_ONE, in_one_spelling, merged_finding, variants
from tsk_core.data.finding import Finding, Remedy
from tsk_core.data.naming import LONGEST, listed, printed_column, quoted, sorted_names
from tsk_core.errors import DataError, RegressionTarget
from tsk_core.numbers import counted

__all__ = ["Target", "decide_target"]

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
