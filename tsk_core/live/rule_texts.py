"""Rules in words at an epoch, as a message has them.

{"epoch": 12, "end": whether it is the model kept, "summary": lines, "classes": names, "printed": inferences from the text or [],
"uncovered": {"rows", "of", "text"} or null, "list": of a readable rule base at the end, see ``explain.readable.grid``, else null,
"rules": by dominance, each
{"rule": its number, "if": conditions, "features": of each condition, "numbers": conditions without words, "ranges": of each
condition [low, high] as printed, null for an open end, and null in all for a category, "then": class, "mostly": the classes where
it names no single one, "headline": what a reader can recount, "remarks": lines to read with it, "right": the share in it, null
where it has none, "interval": of this share, null of training rows, "dead": bool, "support": in [0, 1], "confidence": in each of
"classes", or None, "measured": more lines about the rule, "stability": see ``_stability``, null where it was not checked}}
"""

from typing import Any

from tsk_core.data.encoding import Encoder
from tsk_core.explain import Rule, RuleBaseSummary, RuleStability, rule_grid

__all__ = ["rules_as_texts", "summary_as_texts"]


def summary_as_texts(
    epoch: int, summary: RuleBaseSummary, encoder: Encoder, stable: RuleStability | None = None
) -> dict[str, Any]:
    """The rules of the model kept, whose epoch this is, with what was measured of their text.

    encoder: of the model; its ranges are those of a rule list's columns.
    """
    said = summary.heading if summary.readings else summary.measured_text
    listed = summary.rule_list
    return rules_as_texts(epoch, summary.rules, said, stable) | {
        "end": True,
        "printed": [inference.to_dict() for inference in summary.readings],
        "uncovered": _uncovered(summary),
        "list": None if listed is None else rule_grid(listed, encoder.low_, encoder.high_),
    }


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
