"""The target: which column is the class, and its cells as classes that can be trained and tested."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from tsk_core import limits
from tsk_core.data.choices import Choices
from tsk_core.data.clean.categories import OTHER
from tsk_core.data.clean.cells import Cells
from tsk_core.data.clean.codes import without_codes
from tsk_core.data.clean.missing import normalise_missing
from tsk_core.data.clean.names import fresh_name
from tsk_core.data.clean.ranges import bin_edges, numbers_of, ranges
from tsk_core.data.clean.roles import ColumnReport
from tsk_core.data.clean.spellings import ONE_SPELLING, THEIR_SPELLING, USE_ONE, in_one_spelling, merged_finding, variants
from tsk_core.data.finding import Finding, Remedy
from tsk_core.data.naming import LONGEST, listed, printed_column, quoted, sorted_names
from tsk_core.data.splitting import names_train_or_test
from tsk_core.errors import DataError, RegressionTarget
from tsk_core.numbers import counted

__all__ = ["Target", "decide_target", "guess_target", "likely_target"]

LEAST_ROWS = 4
FEW = 5  # rows; a class with fewer is rare, too small to train and test reliably
_UNEVEN = 10  # ratio of the largest to the smallest class
_TARGET_NAMES = (
    "class", "target", "label", "labels", "klasse", "ziel", "y", "species", "outcome", "diagnosis", "category",
    "result", "survived", "quality", "zielgröße", "art",
)  # fmt: skip


@dataclass(eq=False)
class Target:
    """The class column. column: numbers or text, missing in rows that are left out.

    coded: code for missing values -> number of cells.
    """

    column: pd.Series
    report: ColumnReport
    findings: list[Finding] = field(default_factory=list)
    coded: Mapping[str, int] = field(default_factory=dict)


def guess_target(frame: pd.DataFrame) -> str:
    """The column that is most likely the class; see ``likely_target``."""
    return likely_target(frame)[0]


def likely_target(frame: pd.DataFrame) -> tuple[str, str]:
    """The column that is most likely the class, and why, as the end of "…, since".

    A plausible column has 2 to ``limits.value("classes")`` distinct values and fewer than it has rows, and holds neither dates
    nor the words "train" and "test". Taken is a column with a telling name ("class", "label", "Ziel", …) that is plausible or
    constant (whoever reads that it has a single class knows what to do), else a column of declared categories where all others
    are numbers, else the last column, else the first plausible one, each if plausible; else the last column.
    """
    if not frame.shape[1]:
        raise DataError("The table has no columns.")
    names = list(frame.columns)
    by_name = {str(n).strip().lower(): n for n in reversed(names)}
    telling = [by_name[n] for n in _TARGET_NAMES if n in by_name]
    nominal = [n for n in names if not pd.api.types.is_numeric_dtype(frame[n])]
    declared = nominal if len(nominal) == 1 and frame[nominal[0]].dtype == "category" else []
    for name in telling:
        if _plausible(frame[name], 1):
            return name, "its name is usual for a class"
    for name in declared:
        if _plausible(frame[name], 2):
            return name, "it is the only column of categories"
    for name in (names[-1], *names):
        if _plausible(frame[name], 2):
            which = "it is the last column" if name == names[-1] else "it is the first column"
            return name, f"{which} whose values can be classes"
    return names[-1], "it is the last column; none has values that can be classes"


def _plausible(column: pd.Series, least: int) -> bool:
    """Whether a column may name classes, ``least`` at least."""
    filled = normalise_missing(column).dropna()
    distinct = filled.drop_duplicates()
    if filled.dtype.kind in "mM" or not least <= len(distinct) <= limits.value("classes") or len(distinct) == len(filled):
        return False
    return filled.dtype != "str" or not names_train_or_test(distinct)


def decide_target(column: pd.Series, choices: Choices) -> Target:
    """The classes of a column under these choices.

    Raises RegressionTarget for too many different numbers, DataError for any other column that is not a class column.
    """
    cells, early = without_codes(Cells.of(column), choices.codes_of(str(column.name))), []
    if cells.name in choices.spellings and cells.kind == "text":
        before, (cells, spelled) = cells, in_one_spelling(cells)
        early = [merged_finding(before, cells)] if spelled else []
    if cells.kind in ("date", "duration"):
        raise DataError(f"Column {quoted(cells.name)} contains dates, not classes; choose another target.")
    labels, findings = _labels(cells, choices)
    findings = [*early, *findings]
    filled = labels[labels.notna()]
    _check(filled, cells)
    report = ColumnReport(cells.name, "target", "", cells.distinct, len(cells.missing) - cells.filled, cells.example[:80])
    if cells.has_cut_words:
        findings.append(_finding(cells, f"Column {quoted(cells.name)}: words of more than {LONGEST} characters.", "Truncated."))
    if cells.stripped:
        findings.append(_finding(cells, f"Column {quoted(cells.name)}: spaces around words.", "Removed."))
    if (missing := int(labels.isna().sum())) > 0:
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


def _check(filled: pd.Series, cells: Cells) -> None:
    """Raise DataError for a target without classes to distinguish."""
    n_rows, n_classes, name, most = len(filled), filled.nunique(), quoted(cells.name), limits.value("classes")
    if n_rows == 0:
        raise DataError(f"Column {name} is empty, so no row has a class; choose another target.")
    if n_classes < 2:
        raise DataError(f"Column {name} has a single class, {listed(printed_column(filled)[:1])}; training needs at least two.")
    # Numbers written as text ("12 kg") are a regression target too; they are read only if needed.
    many = n_classes > most or n_classes > max(10, n_rows / 2)
    if many and filled.dtype != "str" or (n_classes > most and numbers_of(cells) is not None):
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
