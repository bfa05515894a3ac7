"""Alarms of the data check, counted against the answers."""

import csv
import io
import warnings
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import pandas as pd

from tests.data.traps.drafts import CHECKS, Planted, TrapTable
from tsk_core import read_csv
from tsk_core.data import Dataset, Finding
from tsk_core.data.clean.roles import COUNTER
from tsk_core.evaluate.intervals import wilson

# Whether a remedy does what its label says: it is taken, and the table that comes out is looked at.


def remedied(dataset: Dataset, finding: Finding) -> Dataset:
    """The dataset after one press on the finding's button."""
    assert finding.remedy is not None
    return dataset.with_choices(dataset.choices.with_changes(finding.remedy.changes))


def wrong_with(table: TrapTable, planted: Planted, before: Dataset, finding: Finding) -> str:
    """What is wrong after the remedy of a finding about a planted trap, or ""."""
    if finding.remedy is None:
        used = any(step.column == planted.column for step in before.cleaning.steps)
        return "" if finding.kind == "left out" and not used else "it has no remedy"
    after = remedied(before, finding)
    wrong = {
        "missing code": _cells_not_missing, "leak": _used, "id": _used, "group": _on_both_sides,
        "repeated rows": _equal_on_both_sides, "time": _trained_on_later, "ordinal": _in_other_order,
    }[planted.check](table, planted, before, after)  # fmt: skip
    return wrong or _unsaid(planted, after)


def _unsaid(planted: Planted, after: Dataset) -> str:
    """What was done is said, and the alarm is gone."""
    about = [f for f in after.findings if planted.column in f.columns or (not planted.column and f.check == planted.check)]
    if any(finding.check == planted.check and finding.kind in ("warning", "offer") for finding in about):
        return "the alarm stays"
    return "" if about else "no finding says what was done"


def _cells_not_missing(table: TrapTable, planted: Planted, before: Dataset, after: Dataset) -> str:
    grown = _missing(after, planted.column) - _missing(before, planted.column)
    expected = occurrences(table, planted)
    return "" if grown == expected else f"{grown} more cells are missing, not {expected}"


def occurrences(table: TrapTable, planted: Planted) -> int:
    """How often the code stands in the column of the file."""
    text = table.content.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=";" if ";" in text.split("\n", 1)[0] else ","))
    at = rows[0].index(planted.column)
    return sum(row[at] in (planted.code, planted.code.replace(".", ",")) for row in rows[1:])


def _missing(dataset: Dataset, column: str) -> int:
    """Missing cells of the feature of a column; all of them where it is none."""
    features = [step.feature for step in dataset.cleaning.steps if step.column == column and step.feature]
    return int(dataset.frame[features[0]].isna().sum()) if features else len(dataset.frame)


def _used(table: TrapTable, planted: Planted, before: Dataset, after: Dataset) -> str:
    return "the column is still used" if any(step.column == planted.column for step in after.cleaning.steps) else ""


def _on_both_sides(table: TrapTable, planted: Planted, before: Dataset, after: Dataset) -> str:
    if after.split_column is None or (after.split_column.kind, after.split_column.column) != ("group", planted.column):
        return "the column does not decide the split"
    train, test, _ = after.split()
    subjects = after.raw[0][planted.column].to_numpy()
    return "subjects are on both sides" if set(subjects[train]) & set(subjects[test]) else ""


def _equal_on_both_sides(table: TrapTable, planted: Planted, before: Dataset, after: Dataset) -> str:
    numbered = [other.column for other in table.planted if other.check == "id"]
    rows = pd.util.hash_pandas_object(after.frame.drop(columns=numbered, errors="ignore"), index=False).to_numpy()
    train, test, _ = after.split()
    return "equal rows are on both sides" if set(rows[train]) & set(rows[test]) else ""


def _trained_on_later(table: TrapTable, planted: Planted, before: Dataset, after: Dataset) -> str:
    if after.split_column is None or (after.split_column.kind, after.split_column.column) != ("time", planted.column):
        return "the column does not decide the split"
    train, test, _ = after.split()
    times = after.split_column.values
    return "training rows are later than test rows" if times[train].max() > times[test].min() else ""


def _in_other_order(table: TrapTable, planted: Planted, before: Dataset, after: Dataset) -> str:
    roles = {report.name: report.role for report in after.columns}
    if roles[planted.column] != "ordinal":
        return f"its role is {roles[planted.column]}"
    present = set(before.raw[0][planted.column].dropna())
    expected = tuple(word for word in planted.order if word in present)
    order = next(step.levels for step in after.cleaning.steps if step.column == planted.column)
    return "" if order == expected else f"the order is {order}, not {expected}"


Pair = tuple[str, str]  # check and column, "" for repeated rows
ISSUES = ("warning", "offer", "left out")


def alarms(dataset: Dataset) -> dict[Pair, Finding]:
    """What the data check asks a person to look at, by check and column; a column left out as a counter is one of them."""
    found: dict[Pair, Finding] = {}
    counters = {report.name for report in dataset.columns if report.reason == COUNTER}
    for finding in dataset.findings:
        if finding.kind not in ISSUES:
            continue
        for column in ("",) if finding.check == "repeated rows" else finding.columns:
            check = "id" if finding.kind == "left out" and column in counters else finding.check
            if check in CHECKS:
                found.setdefault((check, column), finding)
    return found


@dataclass
class Tally:
    """Counts by check, and a line for each miss, each false alarm and each remedy that does not keep its word."""

    planted: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    false: Counter[str] = field(default_factory=Counter)
    debatable: Counter[str] = field(default_factory=Counter)
    remedied: Counter[str] = field(default_factory=Counter)
    lines: list[str] = field(default_factory=list)

    def table(self) -> str:
        """One row a check and their sum, with 95% intervals of precision and recall."""
        rows = [f"{'check':14}planted  found  false alarms  debatable  {'precision':24}{'recall':24}remedies right"]
        for check in (*CHECKS, "all"):
            planted, found, false, debatable, remedied = (
                counts.total() if check == "all" else counts[check]
                for counts in (self.planted, self.found, self.false, self.debatable, self.remedied)
            )
            rows.append(
                f"{check:14}{planted:7}{found:7}{false:14}{debatable:11}  {_share(found, found + false):24}"
                f"{_share(found, planted):24}{remedied} of {found}"
            )
        return "\n".join(rows)


def _share(part: int, whole: int) -> str:
    if not whole:
        return "–"
    low, high = wilson(part, whole)
    return f"{part / whole:.2f} ({low:.2f} to {high:.2f})"


def score(tables: Iterable[TrapTable]) -> Tally:
    """Read each file as an upload is read, and count its alarms against its answers."""
    tally = Tally()
    for table in tables:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what read_csv warns of are the findings counted here
            dataset = read_csv(table.content, table.target)
        found, answers = alarms(dataset), {(planted.check, planted.column): planted for planted in table.planted}
        for (check, column), planted in answers.items():
            tally.planted[check] += 1
            if (check, column) not in found:
                tally.lines.append(f"missed: {table.name}, {check}, '{column}' ({planted.how})")
                continue
            tally.found[check] += 1
            wrong = wrong_with(table, planted, dataset, found[check, column])
            tally.remedied[check] += not wrong
            if wrong:
                tally.lines.append(f"remedy: {table.name}, {check}, '{column}' ({planted.how}): {wrong}")
        for check, column in sorted(found.keys() - answers.keys()):
            debatable = (check, column) in table.debatable
            (tally.debatable if debatable else tally.false)[check] += 1
            if not debatable:
                tally.lines.append(f"false alarm: {table.name}, {check}, '{column}': {found[check, column]}")
    return tally
