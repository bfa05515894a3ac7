"""Rules in words at some epochs, for the tabs Rules and Samples, in the form of ``tsk_core.live.messages``. The server writes
them, once for all sessions, while somebody reads them.
"""

import time
from dataclasses import replace
from typing import Any

from tsk_core.epoch import Epoch
from tsk_core.errors import TSKError
from tsk_core.explain import Rule
from tsk_core.live import as_rules, rules_as_texts, summary_as_texts
from ui.platform.engine import get_engine
from ui.runs.rules import conditions, rule_base_summary
from ui.runs.run_view import RunView
from ui.runs.stability import stability

SECONDS = 0.15  # that one message may take, so that neither this page nor another visitor waits long
MOST_RULES = 800  # summarised of a run: with many rules, fewer of its epochs


def final_rules(shown: RunView, most: int | None = None) -> dict[str, Any]:
    """The final rules, summarised on all rows when training ended, or the reason why the run kept none.

    most: conditions of a rule, at most; by default as many as on the page.
    """
    epoch, length = int(shown.metrics.get("best_epoch") or shown.last.epoch), most or conditions()
    try:
        summary = rule_base_summary(shown, length)
    except TSKError as error:
        return rules_as_texts(epoch, (), str(error)) | {"end": True}
    return summary_as_texts(epoch, summary, shown.result.classifier.encoder_, stability(shown, length))


def recorded_rules(shown: RunView, since: int) -> tuple[list[dict[str, Any]], int]:
    """The rules at the recorded epochs from number ``since`` on, as many as time allows, and how many epochs they cover.

    None where this session does not have the run's table.
    """
    if shown.rows() is None:
        return [], since
    shared, most = shown.shared, conditions()
    with shared.lock:
        _summarise_more(shown)
        recorded = [(k, *shared.recorded[k]) for k in range(since, len(shared.recorded))]
        for k, epoch, summaries in recorded:
            if summaries and (k, most) not in shared.texts:
                rules, summary = summaries.texts(most)
                shared.texts[k, most] = rules_as_texts(epoch, _as_recorded(rules, epoch, shown.history), summary)
        return [shared.texts[k, most] for k, _, summaries in recorded if summaries], since + len(recorded)


def _summarise_more(shown: RunView) -> None:
    """Summarise the next recorded epochs, at least one, for as long as a message may take."""
    engine, recorded, began = get_engine(), shown.shared.recorded, time.monotonic()
    step = -(-shown.config.n_rules * 40 // MOST_RULES)
    base = engine.head(shown.id, "snapshots").get("base")
    for snapshot in engine.records(shown.id, "snapshots", since=len(recorded)):
        wanted = len(recorded) % step == 0
        summaries = shown.rows().summariser.summarise(as_rules(base, snapshot)) if wanted else None
        recorded.append((snapshot["epoch"], summaries))
        if time.monotonic() - began > SECONDS:
            return


def _as_recorded(rules: tuple[Rule, ...], number: int, history: list[Epoch]) -> tuple[Rule, ...]:
    """The rules with what that epoch's record says of which never or hardly fire: it has more rows than the summary may take."""
    epoch = next((epoch for epoch in reversed(history) if (epoch.stage, epoch.epoch) == ("training", number)), None)
    if epoch is None or epoch.firing is None:
        return rules
    return tuple(replace(rule, dead=bool(epoch.dead[rule.index - 1]), idle=bool(epoch.idle[rule.index - 1])) for rule in rules)
