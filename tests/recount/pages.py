"""What the pages print of each table: a training with its cards and its report, and a readable one."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime

from tests.pages.helpers import ended_run
from tests.recount.costs import cost_lines, decision_for
from tests.recount.html import elements
from tests.recount.lines import Line
from tests.recount.model import Model
from tests.recount.rules import list_lines, rule_lines
from tests.recount.scores import Reader, score_lines
from tests.recount.tables import Table
from tsk_core.config import TrainConfig
from tsk_core.data import Choices, read_csv
from tsk_core.jobs import Engine
from ui.report.run_report import report

BASE = {"n_rules": 4, "max_epochs": 20}
CONDITIONS = {"first-order": 4, "first-order, shorter": 2, "readable": 12}


def lines_of(engine: Engine, table: Table) -> Iterator[Line]:
    """Every number that is recounted of one table."""
    choices = Choices(roles=dict.fromkeys(table.ranked, "ordinal"), codes=table.codes)
    dataset = read_csv(table.csv.encode(), name=table.name, choices=choices)
    first = ended_run(engine, dataset, **BASE)
    readable = ended_run(engine, dataset, **TrainConfig.readable(n_rules=6, max_epochs=30, random_state=0).to_dict())
    decision = decision_for(table.raw["class"].to_numpy())
    for name, conditions in CONDITIONS.items():
        shown = readable if name == "readable" else first
        link, summary = "http://localhost", shown.result.rules(conditions)
        html = report(shown, None, link, conditions, datetime.now(UTC), decision=decision).decode()
        reader = _reader(table, shown, html, summary.source)
        if name != "first-order, shorter":
            yield from score_lines(reader)
            yield from () if decision is None else cost_lines(reader, decision.positive)
        yield from rule_lines(reader, summary.to_frame())
        if summary.rule_list is not None:
            cards = "\n".join(map(str, summary.rules)).replace("\n  ", "\n")
            yield from list_lines(reader, summary.rule_list.text, cards)


def _reader(table: Table, shown, html: str, rules: dict) -> Reader:
    split = shown.result.split
    return Reader(table, table.raw.iloc[split.train], table.raw.iloc[split.test], Model(json.dumps(rules)), elements(html))
