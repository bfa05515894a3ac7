"""Rules in words at some epochs, for the tab Rules. The server puts them into words, once, while somebody reads.

{"epoch": 12, "end": whether it is the model kept, "summary": lines, "rules": by support, each
{"rule": its number, "if": conditions, "then": class, "dead": bool, "support": in [0, 1], "said": lines of what was measured}}
"""

import time
from typing import Any

from tsk_core.errors import TSKError
from tsk_core.explain import Rule
from tsk_core.runs.rule_texts import sentences
from tsk_core.runs.snapshots import as_rules
from ui import runs
from ui.engine import the_engine
from ui.runs import Shown

__all__ = ["book_at_end", "books_described"]

SECONDS = 0.15  # that one message may take, so that no page waits long, and no other visitor either
MOST_RULES = 800  # in all books of a run: of many rules there are fewer epochs


def book_at_end(shown: Shown) -> dict[str, Any]:
    """The rules of the model kept, described on all its rows when training ended; why there are none, where it kept none."""
    epoch = int(shown.metrics.get("best_epoch") or shown.last.epoch)
    try:
        book = runs.rule_book(shown, runs.conditions())
    except TSKError as error:
        return _told(epoch, (), str(error)) | {"end": True}
    return _told(epoch, book.rules, book.summary) | {"end": True}


def books_described(shown: Shown, since: int) -> tuple[list[dict[str, Any]], int]:
    """The rules at the epochs kept from number ``since`` on, as many as time allows, and how many were looked at by then.

    Where the run's table is not at hand there are none.
    """
    described = shown.described.setdefault(shown.attempt, [])
    _describe_on(shown, described)
    most, found = runs.conditions(), described[since:]
    return [_told(epoch, *sentences(values, most)) for epoch, values in found if values], since + len(found)


def _describe_on(shown: Shown, described: list[tuple[int, Any]]) -> None:
    rows = shown.rows()
    if rows is None:
        return
    engine, began = the_engine(), time.monotonic()
    stride = -(-shown.config.n_rules * 40 // MOST_RULES)
    base = engine.head(shown.run, "snapshots").get("base")
    for snapshot in engine.records(shown.run, "snapshots", since=len(described)):
        wanted = len(described) % stride == 0
        values = rows.describer.describe(as_rules(base, snapshot)) if wanted else None
        described.append((snapshot["epoch"], values))
        if time.monotonic() - began > SECONDS:
            return


def _told(epoch: int, rules: tuple[Rule, ...], summary: str) -> dict[str, Any]:
    return {"epoch": epoch, "end": False, "summary": summary.splitlines(), "rules": [_rule(rule) for rule in rules]}


def _rule(rule: Rule) -> dict[str, Any]:
    said = str(rule).splitlines()
    return {
        "rule": rule.index,
        "if": [] if rule.dead else [antecedent.text for antecedent in rule.antecedents],
        "then": str(rule.conclusion),
        "dead": rule.dead,
        "support": rule.support,
        "said": said if rule.dead else [line.strip() for line in said[1:]],
    }
