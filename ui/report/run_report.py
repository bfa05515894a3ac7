"""The report of a run. Its readers can change a row and see what the model predicts."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tsk_core.config import default_of
from tsk_core.errors import RunError
from tsk_core.evaluate import Decision, drawn_text
from tsk_core.explain import Rule, RuleStability
from tsk_core.numbers import counted
from tsk_core.runs import methods_text, score_columns
from tsk_core.setting_values import in_words
from tsk_core.settings import SETTINGS
from ui.charts import CHART_TABS, CHARTS, views_of
from ui.data.source import UPLOAD
from ui.live.run_subjects import list_parts_of_report, run_parts
from ui.platform.engine import get_engine
from ui.report.document import render
from ui.runs.cost_threshold import effect
from ui.runs.differences import changed_settings, same_test_rows, side_of
from ui.runs.run_view import RunView
from ui.runs.score_texts import (
    baselines_effort,
    below_baseline,
    class_scores,
    confusion_lines,
    effect_lines,
    score_lines,
    ways,
    with_interval,
)
from ui.runs.side_tasks import stability
from ui.settings.starting import nearest
from ui.text import shortened

# The text and numbers of a report, as plain values: its template escapes them.


_MEANS = {
    "RCA": "Raw classification accuracy: the share of test rows classified correctly",
    "BCA": "Balanced accuracy: the mean of each class's own accuracy",
    "AUC": "Area under the ROC curve; with several classes, the mean of the areas of each class against all others",
}

_MAXIMISED = "What tuning maximised"


def facts(shown: RunView, comparison: RunView | None, link: str, conditions: int, made: datetime) -> dict[str, Any]:
    """The values that ``run.html`` prints; see ``report`` for the arguments."""
    store = get_engine().store
    recipe, record = store.reproduction(shown.id), store.record(shown.id)
    start = nearest(shown.config, shown.trained.dataset.get("gallery") or UPLOAD)
    return {
        "title": f"{shortened(shown.data['name'], 60)} – TSK Explorer report",
        "name": shortened(record.name or shown.data["name"], 120),
        "made": _moment(made),
        "trained": _moment(datetime.fromtimestamp(record.finished or record.created, UTC)),
        "summary": _summary(shown),
        "notes": shown.metrics.get("notes", ()),
        "scores": _scores(shown, comparison),
        "columns": [(title, _MEANS.get(title, _MAXIMISED)) for title in score_columns(shown.metrics)],
        "drawn": drawn_text(shown.metrics["resampled"], shown.metrics["test_rows"]),
        "effort": baselines_effort(shown.metrics),
        "below": below_baseline(shown.metrics),
        "by_class": class_scores(shown.metrics),
        "methods": _methods(shown),
        "other_rows": comparison is not None and not same_test_rows(comparison, shown),
        "changes": [str(change) for change in changed_settings(side_of(comparison), side_of(shown))] if comparison else None,
        "start": start.capitalize(),
        "settings": _settings(shown, comparison, start),
        "data": _data(shown),
        "classes": shown.trained.dataset.get("classes", ()),
        "rules": _rules(shown, conditions),
        "link": link,
        "recipe": recipe,
    }


def _moment(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def _summary(shown: RunView) -> str:
    metrics, R = shown.metrics, shown.config.n_rules
    epochs = counted(metrics["epochs"], "epoch")
    rules = f"{metrics['rules_alive']} of {counted(R, 'rule fires', 'rules fire')}"
    how = "Stopped" if shown.status.state == "stopped" else "Finished"
    return f"{how} after {epochs} in {metrics['seconds']:.1f} s; {rules}. {shown.status.message}".strip()


def _scores(shown: RunView, comparison: RunView | None) -> list[tuple[str, ...]]:
    """Lines of a model and its ``score_columns`` on the test rows; of runs with the 95% interval in brackets.

    The comparison is among them where it has the same test rows.
    """
    rows = [("This run", shown.metrics)]
    if comparison is not None and comparison.result is not None and same_test_rows(comparison, shown):
        rows.append(("Comparison (dashed or outlined in the charts)", comparison.metrics))
    rows += [(title.capitalize(), scores) for title, scores in shown.baselines.items()]
    keys = score_columns(shown.metrics).values()
    return [(model, *(_score(numbers, key) for key in keys)) for model, numbers in rows]


def _score(numbers: dict[str, Any], score: str) -> str:
    return with_interval(numbers.get(score), numbers.get("intervals", {}).get(score))


def _methods(shown: RunView) -> str:
    try:
        return methods_text(shown.trained)
    except RunError as error:
        return str(error)


def _settings(shown: RunView, comparison: RunView | None, start: str) -> list[dict[str, Any]]:
    """One entry per setting, the share of test rows first; its "comparison" is None where there is no comparison.

    start: the name of the starting point, whose value is the "default"; "" where the run has the same.
    """
    found = [{
        "label": "Share of test rows", "symbol": "", "help": "Rows that are not used in training.",
        "value": in_words(shown.test_size), "default": "", "comparison": comparison and in_words(comparison.test_size),
    }]  # fmt: skip
    for name, setting in SETTINGS.items():
        value, default = shown.config.shown(name), default_of(name, start)
        found.append({
            "label": setting.label, "symbol": setting.symbol, "help": setting.help, "value": in_words(value),
            "default": "" if value == default or default is None else in_words(default),
            "comparison": comparison and in_words(comparison.config.shown(name)),
        })  # fmt: skip
    return found


def _data(shown: RunView) -> list[tuple[str, str]]:
    """What identifies the table, as (what, value); never its cells."""
    about, metrics = shown.trained.dataset, shown.metrics
    known = [
        ("Name", about["name"]),
        ("SHA-256", about["sha256"]),
        ("Rows", f"{about['rows']:,}" if "rows" in about else None),
        ("Training and test rows", f"{metrics['train_rows']:,} and {metrics['test_rows']:,}"),
        ("Columns of the file", about["file"]["columns"]),
        ("Target column", about["target"]),
        ("Source", about.get("source")),
        ("Licence", about.get("licence")),
    ]
    return [(what, str(value)) for what, value in known if value not in (None, "")]


def _rules(shown: RunView, conditions: int) -> dict[str, Any]:
    """Summary and rules as text, or why there are none."""
    try:
        summary = shown.trained.rules(conditions)
    except RunError as error:
        return {"summary": str(error), "rules": ()}
    stable = stability(shown, conditions)
    return {"summary": summary.measured_text, "rules": [_rule(rule, stable) for rule in summary.rules]}


def _rule(rule: Rule, stable: RuleStability | None) -> tuple[str, list[str], list[str]]:
    """A rule's sentence, what can be recounted of it, and what is folded away."""
    if rule.dead:
        return str(rule), [], []
    often = stable.text_of(rule.index) if stable else ""
    return f"{rule.name}: {rule.text}", [line for line in (rule.headline, *rule.remarks, often) if line], list(rule.measured)


# A decision with costs in a report, as plain values: its template escapes them.


def decision_facts(shown: RunView, decision: Decision) -> dict[str, Any] | None:
    """Sentences, and tables as (caption, lines); None where nothing is known of the run's test rows."""
    found = effect(shown, decision)
    if found is None:
        return None
    matrices = [(way, confusion_lines(found, one)) for way, one in zip(ways(found), (found.before, found.after), strict=True)]
    return {"lines": effect_lines(found, shown.metrics), "tables": [*matrices, ("Both decisions", score_lines(found))]}


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
    rows, lists = _rows(shown) if with_rows else None, list_parts_of_report(shown, conditions, MOST_NUMBERS)
    content = {
        "charts": [chart.declaration for chart in CHARTS.values()],
        "samples": {"data": shown.data["sha256"], "rows": rows, "note": ""},
        "message": [*run_parts(shown, comparison), *lists],
    }
    samples = any(part["kind"] == "snapshots" for part in lists)
    return render(
        _TEMPLATE, content, sections=_sections(shown), samples=samples, rows=rows and len(rows["row"]),
        **facts(shown, comparison, link, conditions, made), decision=decision and decision_facts(shown, decision),
    )  # fmt: skip


def _rows(shown: RunView) -> dict[str, Any] | None:
    """Some rows of the table; None where this session does not have it."""
    table = shown.rows()
    return None if table is None else table.to_show


def _sections(shown: RunView) -> dict[str, tuple[str, list[str]]]:
    """The tabs of charts, each with what it shows and its views; without charts that this run, an old one, has no numbers for."""
    known = {name for name, value in shown.metrics.items() if value}
    lacking = {chart.name for chart in CHARTS.values() if chart.metrics and known.isdisjoint(chart.metrics)}
    sections = {tab: (words, [view for view in views_of(tab) if view not in lacking]) for tab, words in CHART_TABS.items()}
    return {tab: section for tab, section in sections.items() if section[1]}
