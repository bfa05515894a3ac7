"""Rules in words at some epochs, for the tabs Rules and Samples. The server writes them, once for all sessions, while somebody
reads them.

{"epoch": 12, "end": whether it is the model kept, "summary": lines, "classes": names, "printed": inferences from the text or [],
"uncovered": {"rows", "of", "text"} or null, "list": of a readable rule base at the end, see ``explain.readable.grid``, else null,
"rules": by dominance, each
{"rule": its number, "if": conditions, "features": of each condition, "numbers": conditions without words, "ranges": of each
condition [low, high] as printed, null for an open end, and null in all for a category, "then": class, "mostly": the classes where
it names no single one, "headline": what a reader can recount, "remarks": lines to read with it, "right": the share in it, null
where it has none, "interval": of this share, null of training rows, "dead": bool, "support": in [0, 1], "confidence": in each of
"classes", or None, "measured": more lines about the rule, "stability": see ``_stability``, null where it was not checked}}
"""

import time
from dataclasses import replace
from typing import Any

from tsk_core.epoch import Epoch
from tsk_core.errors import TSKError
from tsk_core.explain import Rule, RuleBaseSummary, RuleStability, rule_grid
from tsk_core.runs import as_rules
from ui.platform.engine import get_engine
from ui.runs.rules import conditions, rule_base_summary
from ui.runs.run_view import RunView
from ui.runs.stability import stability

__all__ = ["final_rules", "recorded_rules", "rules_as_texts"]

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
    said = summary.heading if summary.readings else summary.measured_text
    texts = rules_as_texts(epoch, summary.rules, said, stability(shown, length))
    return texts | {
        "end": True,
        "printed": [inference.to_dict() for inference in summary.readings],
        "uncovered": _uncovered(summary),
        "list": _list(shown, summary),
    }


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


def rules_as_texts(epoch: int, rules: tuple[Rule, ...], summary: str, stable: RuleStability | None = None) -> dict[str, Any]:
    """Rules and what was measured of them all, in the form above. stable: how often they came back, where that was checked."""
    classes = [str(name) for name in rules[0].scores] if rules else []
    return {
        "epoch": epoch,
        "end": False,
        "summary": summary.splitlines(),
        "classes": classes,
        "printed": [],
        "uncovered": None,
        "list": None,
        "rules": [_rule(rule, stable) for rule in rules],
    }


def _list(shown: RunView, summary: RuleBaseSummary) -> dict[str, Any] | None:
    encoder = shown.result.classifier.encoder_
    return None if summary.rule_list is None else rule_grid(summary.rule_list, encoder.low_, encoder.high_)


def _rule(rule: Rule, stable: RuleStability | None) -> dict[str, Any]:
    antecedents = () if rule.dead else rule.antecedents
    measured = [str(rule)] if rule.dead else list(rule.measured)
    if stable is not None and (text := stable.text_of(rule.index)):
        measured.append(text)
    return {
        "rule": rule.index,
        "if": [antecedent.text for antecedent in antecedents],
        "features": [antecedent.feature for antecedent in antecedents],
        "numbers": [antecedent.numbers for antecedent in antecedents],
        "ranges": [None if (one.low, one.high) == (None, None) else [one.low, one.high] for one in antecedents],
        "then": rule.then,
        "mostly": [str(name) for name in rule.mostly],
        **_counted(rule),
        "dead": rule.dead,
        "support": rule.support,
        "confidence": None if rule.confidence is None else [round(share, 4) for share in rule.confidence.values()],
        "measured": measured,
        "stability": None if stable is None or rule.index not in stable.seeds.times else _stability(stable, rule),
    }


def _counted(rule: Rule) -> dict[str, Any]:
    """The headline of a rule that fires, and the share in it."""
    tally = rule.test or rule.train
    if rule.dead:
        return {"headline": "", "remarks": [], "right": None, "interval": None}
    interval = None if rule.test is None or tally.interval is None else list(tally.interval)
    return {"headline": rule.headline, "remarks": list(rule.remarks), "right": tally.share, "interval": interval}


def _stability(stable: RuleStability, rule: Rule) -> dict[str, Any]:
    """How often the rule comes back with other seeds, and by chance. "compared": of how many conditions, where it shows more."""
    seeds, shortened = stable.seeds, len(rule.antecedents) > stable.most
    return {
        "times": seeds.times[rule.index],
        "of": seeds.of,
        "chance": seeds.chance[rule.index],
        "compared": stable.most if shortened else None,
    }


def _uncovered(summary: RuleBaseSummary) -> dict[str, Any] | None:
    if summary.uncovered is None:
        return None
    rows, of = summary.uncovered
    return {"rows": rows, "of": of, "text": summary.uncovered_text}
