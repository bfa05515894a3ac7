"""Rules in words at some epochs, for the tab Rules. The server writes them, once for all sessions, while somebody reads them.

{"epoch": 12, "end": whether it is the model kept, "summary": lines, "rules": by support, each
{"rule": its number, "if": conditions, "then": class, "dead": bool, "support": in [0, 1], "measured": lines about the rule}}
"""

import time
from typing import Any

from tsk_core.errors import TSKError
from tsk_core.explain import Rule
from tsk_core.runs import as_rules
from ui.engine import the_engine
from ui.runs.rules import conditions, rule_base_summary
from ui.runs.run_view import RunView

__all__ = ["final_rules", "recorded_rules"]

SECONDS = 0.15  # that one message may take, so that neither this page nor another visitor waits long
MOST_RULES = 800  # summarised of a run: with many rules, fewer of its epochs


def final_rules(shown: RunView) -> dict[str, Any]:
    """The final rules, summarised on all rows when training ended, or the reason why the run kept none."""
    epoch = int(shown.metrics.get("best_epoch") or shown.last.epoch)
    try:
        summary = rule_base_summary(shown, conditions())
    except TSKError as error:
        return _text(epoch, (), str(error)) | {"end": True}
    return _text(epoch, summary.rules, summary.measured_text) | {"end": True}


def recorded_rules(shown: RunView, since: int) -> tuple[list[dict[str, Any]], int]:
    """The rules at the recorded epochs from number ``since`` on, as many as time allows, and how many epochs they cover.

    None where this session does not have the run's table.
    """
    if shown.rows() is None:
        return [], since
    shared, most = shown.shared, conditions()
    with shared.lock:
        _summarise_more(shown)
        found = [(k, *shared.recorded[k]) for k in range(since, len(shared.recorded))]
        for k, epoch, summaries in found:
            if summaries and (k, most) not in shared.texts:
                shared.texts[k, most] = _text(epoch, *summaries.texts(most))
        return [shared.texts[k, most] for k, _, summaries in found if summaries], since + len(found)


def _summarise_more(shown: RunView) -> None:
    """Summarise the next recorded epochs, at least one, for as long as a message may take."""
    engine, recorded, began = the_engine(), shown.shared.recorded, time.monotonic()
    step = -(-shown.config.n_rules * 40 // MOST_RULES)
    base = engine.head(shown.id, "snapshots").get("base")
    for snapshot in engine.records(shown.id, "snapshots", since=len(recorded)):
        wanted = len(recorded) % step == 0
        summaries = shown.rows().summariser.summarise(as_rules(base, snapshot)) if wanted else None
        recorded.append((snapshot["epoch"], summaries))
        if time.monotonic() - began > SECONDS:
            return


def _text(epoch: int, rules: tuple[Rule, ...], summary: str) -> dict[str, Any]:
    return {"epoch": epoch, "end": False, "summary": summary.splitlines(), "rules": [_rule(rule) for rule in rules]}


def _rule(rule: Rule) -> dict[str, Any]:
    lines = str(rule).splitlines()
    return {
        "rule": rule.index,
        "if": [] if rule.dead else [antecedent.text for antecedent in rule.antecedents],
        "then": str(rule.conclusion),
        "dead": rule.dead,
        "support": rule.support,
        "measured": lines if rule.dead else [line.strip() for line in lines[1:]],
    }
