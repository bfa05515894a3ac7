"""Rules in words at some epochs, for the tab Rules. The server writes them, once for all sessions, while somebody reads them.

{"epoch": 12, "end": whether it is the model kept, "summary": lines, "rules": by support, each
{"rule": its number, "if": conditions, "then": class, "dead": bool, "support": in [0, 1], "measured": lines about the rule}}
"""

import time
from typing import Any

from tsk_core.errors import TSKError
from tsk_core.explain import Rule
from tsk_core.runs.rule_texts import sentences
from tsk_core.runs.snapshots import as_rules
from ui.engine import the_engine
from ui.runs.rules import conditions, rule_book
from ui.runs.run_view import RunView

__all__ = ["final_rules", "recorded_rules"]

SECONDS = 0.15  # that one message may take, so that no page waits long, and no other visitor either
MOST_RULES = 800  # described of a run: with many rules, fewer of its epochs


def final_rules(shown: RunView) -> dict[str, Any]:
    """The rules of the model kept, described on all its rows when training ended; why there are none, where it kept none."""
    epoch = int(shown.metrics.get("best_epoch") or shown.last.epoch)
    try:
        book = rule_book(shown, conditions())
    except TSKError as error:
        return _text(epoch, (), str(error)) | {"end": True}
    return _text(epoch, book.rules, book.summary) | {"end": True}


def recorded_rules(shown: RunView, since: int) -> tuple[list[dict[str, Any]], int]:
    """The rules at the recorded epochs from number ``since`` on, as many as time allows, and how many epochs they cover.

    None where this session does not have the run's table.
    """
    if shown.rows() is None:
        return [], since
    shared, most = shown.shared, conditions()
    with shared.lock:
        _describe_more(shown)
        found = [(k, *shared.described[k]) for k in range(since, len(shared.described))]
        for k, epoch, values in found:
            if values and (k, most) not in shared.texts:
                shared.texts[k, most] = _text(epoch, *sentences(values, most))
        return [shared.texts[k, most] for k, _, values in found if values], since + len(found)


def _describe_more(shown: RunView) -> None:
    """Describe the next recorded epochs, at least one, for as long as a message may take."""
    engine, described, began = the_engine(), shown.shared.described, time.monotonic()
    step = -(-shown.config.n_rules * 40 // MOST_RULES)
    base = engine.head(shown.id, "snapshots").get("base")
    for snapshot in engine.records(shown.id, "snapshots", since=len(described)):
        wanted = len(described) % step == 0
        values = shown.rows().describer.describe(as_rules(base, snapshot)) if wanted else None
        described.append((snapshot["epoch"], values))
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
