"""Learner: learns a cleaning pipeline and the findings about the columns, in one pass over each column."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from tsk_core import limits
from tsk_core.data.choices import Choices
from tsk_core.data.clean.categories import ONE_SPELLING, THEIR_SPELLING, USE_ONE, in_one_spelling, merged_finding, variants
from tsk_core.data.clean.cells import LARGEST, Cells
from tsk_core.data.clean.codes import without_codes
from tsk_core.data.clean.dates import DayOrder, ReadDates, common_day_order
from tsk_core.data.clean.pipeline import MISSING, CleaningPipeline, CleaningStep, fresh_name
from tsk_core.data.clean.roles import CHOSEN, CODES, DECIDES, REPEATED_ID, SCALES, UNREAD, AssignedRole, ColumnReport, assign_role
from tsk_core.data.findings import Finding, Remedy
from tsk_core.data.naming import LONGEST, listed, ordered, quoted
from tsk_core.data.splitting import SplitColumn, group_column, time_column, train_test_column
from tsk_core.errors import DataError
from tsk_core.numbers import counted

# Findings about columns, with equal ones grouped into one.


class GroupedFindings:
    """Groups findings that differ only in the column; ``{}`` in a text is replaced by the names of the columns."""

    def __init__(self) -> None:
        self._columns: dict[tuple[str, str, str, str, str, str, tuple[str, str]], list[str]] = {}

    def add(
        self, column: str, fact: str, done: str = "", advice: str = "", kind: str = "repaired", choice: str = "", check: str = "",
        remedy: tuple[str, str] = ("", ""),
    ) -> None:  # fmt: skip
        """Add a finding about one column; ``{}`` becomes "Column 'a'" or "Columns 'a' and 'b'", and "has" after it "have".

        remedy: the label of its button, and the field of ``Choices`` to which that adds the columns.
        """
        self._columns.setdefault((fact, done, advice, kind, choice, check, remedy), []).append(column)

    def findings(self) -> list[Finding]:
        """One finding for each group, in the order of first occurrence."""
        return [_finding(*texts, columns) for texts, columns in self._columns.items()]


def _finding(
    fact: str, done: str, advice: str, kind: str, choice: str, check: str, remedy: tuple[str, str], columns: list[str]
) -> Finding:
    named = f"Column{'s' if len(columns) > 1 else ''} {listed(columns)}"
    if len(columns) > 1:
        fact = fact.replace("{} has ", "{} have ", 1)
    # Replaced once: a column name may contain braces too.
    fact, done, advice = (text.replace("{}", named, 1) for text in (fact, done, advice))
    label, field = remedy
    mended = Remedy(label, {field: tuple(columns)}) if label else None
    return Finding(fact, done, advice, kind, tuple(columns), choice, check, mended)


_USED = {"number": "Used as a number.", "category": "Used as a category.", "ignored": "Left out."}
_INSTEAD = {  # why numbers or dates are not used as such -> what makes them
    SCALES: "Convert them to one unit in the file, to use them as numbers.",
    CODES: "Set its role to 'number' if they are numbers with an exponent.",
    UNREAD: "Write them as 2024-03-05 in the file, to use them as dates.",
}
_TO_CATEGORY = "Set the role of a column to 'category' to use it."


class Learner:
    """Call ``add`` with each column of a table but the target, in order; then read the results.

    cleaning, findings: of all columns added. split_column: None if rows are split at random.
    coded: column -> code for missing values -> number of cells.
    """

    def __init__(self, frame: pd.DataFrame, choices: Choices) -> None:
        self._frame, self._choices, self._findings = frame, choices, GroupedFindings()
        # Renamed features ("date (year)") and flags must not take the name of another column.
        self._used = set(frame.columns)
        self._split_decided = any(role in ("group", "time", "split") for role in choices.roles.values())
        self._steps: list[CleaningStep] = []
        self._merged: list[Finding] = []
        self.split_column: SplitColumn | None = None
        self.coded: dict[str, Mapping[str, int]] = {}

    @property
    def cleaning(self) -> CleaningPipeline:
        """The pipeline: one step for each column that is used."""
        return CleaningPipeline(tuple(self._steps))

    @property
    def findings(self) -> list[Finding]:
        """The findings about the columns added."""
        return [*self._merged, *self._findings.findings()]

    def add(self, column: pd.Series) -> tuple[dict[str, Any], ColumnReport]:
        """Learn one column; returns its features by name, none if it is left out, and its report.

        Raises DataError for cells that are not plain values.
        """
        codes = self._choices.codes_of(str(column.name))
        not_missing = self._choices.not_missing.get(str(column.name), ())
        cells = without_codes(Cells.of(column, not_missing), codes)
        self.coded[cells.name] = cells.coded
        spelled: tuple[str, ...] = ()
        if cells.name in self._choices.spellings and cells.kind == "text" and not cells.order:
            before, (cells, spelled) = cells, in_one_spelling(cells)
            if spelled:
                self._merged.append(merged_finding(before, cells))
        chosen = self._choices.roles.get(cells.name)
        assigned = assign_role(cells, chosen, self._choices.orders.get(cells.name), lambda: self._day_order)
        if assigned.role == "split" and chosen is None and self._split_decided:
            assigned = AssignedRole("category")
        if assigned.role in ("group", "time", "split"):
            assigned = self._with_split_column(cells, assigned)
        made = replace(assigned.step(cells), codes=codes, not_missing=not_missing, spellings=spelled)
        step = self._with_free_names(made, assigned.role)
        if assigned.role == "category" and cells.name in self._choices.missing and cells.missing.any():
            step = step.with_missing(cells.as_text().words)
        used = assigned.role in ("number", "category", "ordinal") or step.flag
        features = step.features(cells, assigned.values(cells)) if used else {}
        if step.flag and not (features[step.flag] == MISSING).any():
            self._findings.add(cells.name, "{}: no missing values.", "No column to mark them was added.", kind="warning")
            del features[step.flag]
            step = step.renamed(step.feature, "")
        if features:
            self._steps.append(step)
        values = features.get(step.feature)
        missing = len(cells.missing) - cells.filled if values is None or step.missing else int(pd.isna(values).sum())
        self._add_findings(cells, assigned, step, chosen)
        reason = assigned.refused or assigned.reason
        report = ColumnReport(cells.name, assigned.role, reason, cells.distinct, missing, cells.example[:80])
        return features, report

    @cached_property
    def _day_order(self) -> DayOrder | None:
        """The order of day and month in the table, looked for where a column does not say it."""
        columns = (column for _, column in self._frame.items() if not pd.api.types.is_numeric_dtype(column))
        return common_day_order(Cells.of(column) for column in columns)

    def _with_split_column(self, cells: Cells, assigned: AssignedRole) -> AssignedRole:
        """Let the column decide the split; a column that cannot is left out."""
        try:
            if assigned.role == "group":
                split_column = group_column(cells.name, cells.as_text().codes)
            elif assigned.role == "time":
                split_column = time_column(cells.name, assigned.order(cells))
            else:
                text = cells.as_text()
                split_column = train_test_column(cells.name, text.codes, text.words, text.counts)
        except DataError as error:
            return AssignedRole("ignored", str(error))
        self.split_column, self._split_decided = split_column, True
        return assigned

    def _with_free_names(self, step: CleaningStep, role: str) -> CleaningStep:
        """The step with names that no other column has, and with a flag if one was chosen."""
        feature, flag = step.feature, ""
        if feature not in ("", step.column):
            feature = fresh_name(feature, self._used)
            self._used.add(feature)
        if step.column in self._choices.flags or (role in ("number", "ordinal") and step.column in self._choices.missing):
            flag = fresh_name(f"{step.column} is missing", self._used)
            self._used.add(flag)
        return step.renamed(feature, flag)

    def _add_findings(self, cells: Cells, assigned: AssignedRole, step: CleaningStep, chosen: str | None) -> None:
        name, add = cells.name, self._findings.add
        if cells.out_of_range:
            count = counted(cells.out_of_range, "cell is", "cells are")
            add(name, f"{{}}: {count} infinite or beyond {LARGEST:.0e}.", "Counted as missing.")
        if step.flag:
            add(name, "{} has missing values.", "Another column, named '… is missing', marks them.")
        if step.missing:
            add(name, "{} has missing values.", f"They are a category of their own, {quoted(step.missing)}.")
        if assigned.refused or assigned.role == "ordinal":
            self._add_order(name, assigned, chosen)
        elif assigned.role == "ignored":
            self._add_left_out(name, assigned.reason, chosen)
        elif assigned.dates and assigned.role == "number":
            self._add_dates(cells, assigned.dates)
        elif assigned.numbers:
            done = f": {'; '.join(assigned.numbers.notes)}" if assigned.numbers.notes else ""
            add(name, "{}: numbers written as text.", f"Read as numbers{done}.", _keep_text(chosen))
        elif assigned.role == "category":
            self._add_categories(cells, step, "" if chosen else assigned.reason)
        if self.split_column and self.split_column.column == name:
            add(name, f"{{}} {DECIDES}{', as you chose' if chosen else ''}.", self.split_column.note, kind="note")

    def _add_order(self, name: str, assigned: AssignedRole, chosen: str | None) -> None:
        """The order of a column's categories, or why it has none."""
        if assigned.refused:
            done = _USED.get(assigned.role, f"Its role is '{assigned.role}'.")
            self._findings.add(name, f"{{}} cannot have the role 'ordinal': {assigned.refused}.", done, kind="warning")
        else:
            done = "Used in this order, as you chose." if chosen else "Used in this order, which the table declares."
            self._findings.add(name, f"{{}}: ordered categories, {ordered(assigned.levels)}.", done, kind="note", check="ordinal")

    def _add_left_out(self, name: str, reason: str, chosen: str | None) -> None:
        if chosen in (None, "ignored") or reason == CHOSEN:
            if reason.startswith(tuple(_INSTEAD)):
                self._findings.add(name, f"{{}}: {reason}.", "Left out.", _instead(reason), "warning")
                return
            advice = _TO_CATEGORY if reason.startswith(("a different", "a number for", "too many", REPEATED_ID)) else ""
            self._findings.add(name, f"{{}}: {reason}.", "Left out.", advice, "left out")
        else:
            self._findings.add(name, f"{{}} cannot have the role '{chosen}': {reason.rstrip('.')}.", "Left out.", kind="warning")

    def _add_dates(self, cells: Cells, dates: ReadDates) -> None:
        advice = "Write the dates as 2024-03-05 if that is wrong." if dates.assumption else ""
        assumption = f" {dates.assumption}." if dates.assumption else ""
        what = "durations" if cells.kind == "duration" else "times of day" if dates.format.scale == "clock" else "dates"
        note = f"; {dates.note}" if dates.note else ""
        self._findings.add(cells.name, f"{{}}: {what}.{assumption}", f"Used as a number, in {dates.format.unit}{note}.", advice)

    def _add_categories(self, cells: Cells, step: CleaningStep, reason: str) -> None:
        """What was done to the texts of a column. reason: why they are not numbers, or ""."""
        if reason:
            self._findings.add(cells.name, f"{{}}: {reason}.", "Used as categories.", _instead(reason), "warning")
        if cells.kind != "text":
            cells = cells.as_text()
        if step.truth:
            self._findings.add(cells.name, "{}: true or false.", "Read as the categories True and False.")
        if cells.has_cut_words:
            self._findings.add(cells.name, f"{{}}: words of more than {LONGEST} characters.", "Truncated.")
        if cells.stripped:
            self._findings.add(cells.name, "{}: spaces around words.", "Removed.")
        if step.kept is not None:
            kept = limits.value("categories") - 1
            self._findings.add(
                cells.name, f"{{}} has {len(cells.words):,} categories.",
                f"The {kept} most frequent are kept; the others become 'other'.",
            )  # fmt: skip
        elif not step.truth:
            for what, alike, mends in variants(cells.words, cells.counts):
                advice, remedy = (THEIR_SPELLING, (USE_ONE, "spellings")) if mends else (ONE_SPELLING, ("", ""))
                self._findings.add(cells.name, f"{{}}: {alike} differ only in {what}.", "", advice, "warning", remedy=remedy)


def _instead(reason: str) -> str:
    """What makes numbers or dates of a column that is not used as such."""
    return next(advice for begin, advice in _INSTEAD.items() if reason.startswith(begin))


def _keep_text(chosen: str | None) -> str:
    return "" if chosen else "Set its role to 'category' to keep the text."


# Columns whose missing values are associated with the class.


_LEAST = 5  # missing cells, and filled cells
_P_VALUE = 0.01  # largest p-value


def informative_missing(missing: Mapping[str, np.ndarray], y: np.ndarray, train: np.ndarray) -> list[Finding]:
    """One finding that names the columns whose missing values depend on the class (chi-square test on training rows), or none.

    missing: column -> bool (N,); y: class names (N,); train: row numbers.
    """
    tested = {column: where[train] for column, where in missing.items()}
    tested = {column: where for column, where in tested.items() if _LEAST <= where.sum() <= len(where) - _LEAST}
    if not tested:
        return []
    from sklearn.feature_selection import chi2  # imported here: the import is slow

    where = np.column_stack(list(tested.values()))
    classes = np.asarray(y, dtype=str)[train]
    # Missing and filled cells are tested separately, and the smaller p-value counts: chi2 tests one column of counts at a time.
    p_values = np.minimum(chi2(where, classes)[1], chi2(~where, classes)[1])
    informative = [column for column, p in zip(tested, p_values, strict=True) if p < _P_VALUE]
    if not informative:
        return []
    fact = f"Missing values of {listed(informative)} depend on the class."
    several = len(informative) > 1
    remedy = Remedy("Mark them in columns of their own" if several else "Mark them in a column", {"flags": tuple(informative)})
    advice = f"Add a column that marks them{', one for each' if several else ''}."
    return [Finding(fact, "", advice, "offer", tuple(informative), "flags", remedy=remedy)]
