"""A decision with costs in a report, as plain values: its template escapes them."""

from typing import Any

from tsk_core.evaluate import Decision
from ui.runs.cost_threshold import effect
from ui.runs.run_view import RunView
from ui.runs.score_texts import confusion_lines, effect_lines, score_lines, ways


def decision_facts(shown: RunView, decision: Decision) -> dict[str, Any] | None:
    """Sentences, and tables as (caption, lines); None where nothing is known of the run's test rows."""
    found = effect(shown, decision)
    if found is None:
        return None
    matrices = [(way, confusion_lines(found, one)) for way, one in zip(ways(found), (found.before, found.after), strict=True)]
    return {"lines": effect_lines(found, shown.metrics), "tables": [*matrices, ("Both decisions", score_lines(found))]}
