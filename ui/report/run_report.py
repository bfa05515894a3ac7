"""The report of a run. Its readers can change a row and see what the model predicts."""

from datetime import datetime
from pathlib import Path
from typing import Any

from tsk_core.evaluate import Decision
from ui.charts import CHART_TABS, CHARTS, views_of
from ui.live import Feed
from ui.live.message import list_parts_of_report, run_parts
from ui.report.decision import decision_facts
from ui.report.document import render
from ui.report.facts import facts
from ui.runs.run_view import RunView

MOST_NUMBERS = 100_000  # of a model that readers can ask what if: about 2 MB
_TEMPLATE = Path(__file__).with_name("run.html")


def report(
    shown: RunView,
    comparison: RunView | None,
    link: str,
    conditions: int,
    made: datetime,
    *,
    with_rows: bool = False,
    decision: Decision | None = None,
) -> bytes:
    """The HTML of a run that ended with a model.

    comparison: the run to compare with, drawn dashed. link: the address of the run. conditions: 1 to 12, how many the rules have
    at most. made: the moment, with its time zone. with_rows: whether the file holds up to 1,000 rows of the table, where this
    session has it. decision: with what a missed case costs; the file then has its effect on the test rows. Beyond Plotly, a file
    takes at most about 4 MB: 2 for rows, 2 for the model.
    """
    feed, rows = Feed(now=lambda: 0), _rows(shown) if with_rows else None
    lists = list_parts_of_report(feed, shown, conditions, MOST_NUMBERS)
    content = {
        "charts": [chart.declaration for chart in CHARTS.values()],
        "samples": {"data": shown.data["sha256"], "rows": rows, "note": ""},
        "message": [*run_parts(feed, shown, comparison), *lists],
    }
    samples = any(part["kind"] == "snapshots" for part in lists)
    return render(
        _TEMPLATE, content, sections=_sections(shown), samples=samples, rows=rows and len(rows["row"]),
        **facts(shown, comparison, link, conditions, made), decision=decision and decision_facts(shown, decision),
    )  # fmt: skip


def _rows(shown: RunView) -> dict[str, Any] | None:
    """Some rows of the table; None where this session does not have it."""
    table = shown.rows()
    return table and table.to_show


def _sections(shown: RunView) -> dict[str, tuple[str, list[str]]]:
    """The tabs of charts, each with what it shows and its views; without charts that this run, an old one, has no numbers for."""
    known = {name for name, value in shown.metrics.items() if value}
    lacking = {chart.name for chart in CHARTS.values() if chart.metrics and known.isdisjoint(chart.metrics)}
    sections = {tab: (words, [view for view in views_of(tab) if view not in lacking]) for tab, words in CHART_TABS.items()}
    return {tab: section for tab, section in sections.items() if section[1]}
