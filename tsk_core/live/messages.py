"""Rules and snapshots as messages to a browser have them."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from tsk_core.data.encoding import Encoder
from tsk_core.explain import Rule, RuleBaseSummary, RuleStability, rule_grid

if TYPE_CHECKING:
    from tsk_core.explain.exported import ExportedRules

# Rules in words at an epoch, as a message has them.
#
# {"epoch": 12, "end": whether it is the model kept, "summary": lines, "classes": names, "printed": inferences from the text or
# [], "uncovered": {"rows", "of", "text"} or null, "list": of a readable rule base at the end, see ``explain.readable.grid``, else
# null, "rules": by dominance, each
# {"rule": its number, "if": conditions, "features": of each condition, "numbers": conditions without words, "ranges": of each
# condition [low, high] as printed, null for an open end, and null in all for a category, "then": class, "mostly": the classes
# where it names no single one, "headline": what a reader can recount, "remarks": lines to read with it, "right": the share in it,
# null where it has none, "interval": of this share, null of training rows, "dead": bool, "support": in [0, 1], "confidence": in
# each of "classes", or None, "measured": more lines about the rule, "stability": see ``_stability``, null where it was not
# checked}}


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


# Snapshots: the exported rules at some epochs of a training, as they stand in snapshots.jsonl.
#
#     {"version": 2, "base": {…}}         what all snapshots share: ``to_dict()`` less its rules (columns, classes, normalisation)
#     {"epoch": 1, "log_weight": [R], "centers": [R][D], "sigmas": [R][D], "consequents": [R][C][D+1]}
#
# and "scale": [R], "shift": [R] of layer normalisation, where the base has it.
#
# Numbers are those of ``to_dict()`` (original units, batch normalisation merged; a sigma is null where its antecedent was
# dropped), rounded by the recorder (``live.snapshots``).


RulePart = Literal["log_weight", "centers", "sigmas", "consequents", "scale", "shift"]
PARTS: tuple[RulePart, ...] = ("log_weight", "centers", "sigmas", "consequents")
LAYER: tuple[RulePart, ...] = ("scale", "shift")


def as_rules(base: dict[str, Any], snapshot: dict[str, Any]) -> "ExportedRules":
    """The snapshot as ``to_dict()`` would have given it at that epoch, for ``tsk_core.explain``."""
    parts = _parts(snapshot)
    rules = zip(*(snapshot[name] for name in parts), strict=True)
    return cast("ExportedRules", {**base, "rules": [dict(zip(parts, rule, strict=True)) for rule in rules]})


def as_snapshot(rules: "ExportedRules", epoch: int) -> dict[str, Any]:
    """The inverse of ``as_rules``: what ``to_dict()`` gave after this epoch as a snapshot, with all digits."""
    return {"epoch": epoch, **{name: [rule[name] for rule in rules["rules"]] for name in _parts(rules["rules"][0])}}


def _parts(rule: Mapping[str, Any]) -> tuple[RulePart, ...]:
    """The parts of these rules."""
    return (*PARTS, *LAYER) if "scale" in rule else PARTS


def check_base(head: dict[str, Any]) -> None:
    """Raise KeyError or TypeError where the head of the file lacks "base", with its columns and classes."""
    if not all(isinstance(head["base"][name], list) for name in ("columns", "classes")):
        raise TypeError("not as written")


def read_snapshot(line: bytes | str) -> dict[str, Any]:
    """A line as a snapshot; ValueError, KeyError or TypeError where it is damaged."""
    values: dict[str, Any] = json.loads(line)
    log_weight, centers, sigmas, consequents = (np.array(values[name], dtype=float) for name in PARTS)
    R, D = centers.shape
    if any(name in values for name in LAYER):
        layer = np.array([values[name] for name in LAYER], dtype=float)
        if layer.shape != (2, R) or not np.isfinite(layer).all():
            raise ValueError("not a layer normalisation")
    if log_weight.shape != (R,) or sigmas.shape != (R, D) or consequents.shape != (R, consequents.shape[1], D + 1):
        raise ValueError("shapes differ")
    if not (np.isfinite(log_weight).all() and np.isfinite(centers).all() and np.isfinite(consequents).all()):
        raise ValueError("not finite")
    if not isinstance(values["epoch"], int) or not (np.isnan(sigmas) | (sigmas > 0)).all() or np.isinf(sigmas).any():
        raise ValueError("not a snapshot")
    return values
