"""Alarms of the data check, counted against the answers."""

import csv
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.traps.remedies import wrong_with
from benchmarks.traps.table import CHECKS, TrapTable
from tsk_core import read_csv
from tsk_core.data import Dataset, Finding
from tsk_core.data.clean.roles import COUNTER
from tsk_core.evaluate.intervals import wilson

Pair = tuple[str, str]  # check and column, "" for repeated rows
JUDGED = Path(__file__).with_name("judged.csv")
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


def judgements() -> dict[tuple[str, str, str], tuple[str, str]]:
    """Table, check, column -> "true", "false" or "debatable", and why: what a person decided about real tables.

    The column is "*" where a judgement holds for each column of the table.
    """
    with JUDGED.open(encoding="utf-8", newline="") as file:
        return {(row["table"], row["check"], row["column"]): (row["verdict"], row["reason"]) for row in csv.DictReader(file)}


def judged(name: str, dataset: Dataset) -> Iterator[tuple[str, Pair, str]]:
    """Verdict, pair and text of each alarm about a real table; then "missed" for what is known to be true and not found."""
    known, found = judgements(), alarms(dataset)
    for (check, column), finding in found.items():
        verdict = known.get((name, check, column)) or known.get((name, check, "*")) or ("unjudged", "")
        yield verdict[0], (check, column), str(finding)
    for (table, check, column), (verdict, reason) in known.items():
        if table == name and verdict == "true" and column != "*" and (check, column) not in found:
            yield "missed", (check, column), reason
