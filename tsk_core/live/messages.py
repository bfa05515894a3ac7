"""Feed: what a browser has got; and epochs, snapshots and rule texts as messages have them."""

import json
import time
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NotRequired, TypedDict, cast

import numpy as np
from numpy.typing import NDArray

from tsk_core.data.encoding import Encoder
from tsk_core.epoch import Epoch
from tsk_core.errors import TSKError
from tsk_core.explain import Rule, RuleBaseSummary, RuleStability, rule_grid
from tsk_core.numbers import six_digits

if TYPE_CHECKING:
    from tsk_core.explain.exported import ExportedRules

REPEATED = 3  # messages whose entries each one repeats: Streamlit may skip one where two come at once


class Part(TypedDict):
    """One part of a message, see ``ui.live``, which explains them."""

    kind: str
    of: NotRequired[str]
    version: NotRequired[str]
    since: int
    payload: Any


Position = Any  # in what a list is read from; None at its beginning


class _Sent:
    """What was sent of a list: how many entries there were after each of the last messages, and the position reached.

    name: the version as it was given. version: as it is sent.
    """

    def __init__(self, name: str, version: str) -> None:
        self.name, self.version, self.position = name, version, None
        self.counts = deque([0] * REPEATED, maxlen=REPEATED)


class Feed:
    """What one browser has got of each list, and of each value the newest.

    now: microseconds of a clock; what makes a value newer than another.
    """

    def __init__(self, now: Callable[[], int] = lambda: time.time_ns() // 1_000) -> None:
        self._now = now
        self._values: dict[tuple[str, str], tuple[Any, int]] = {}
        self._sent: dict[tuple[str, str], _Sent] = {}
        self._forgotten = 0

    def value(self, kind: str, payload: Any, of: str = "") -> Part:
        """A value, which replaces the one before."""
        kept, since = self._values.get((kind, of), (None, 0))
        if not since or kept != payload:
            since = self._now()
            self._values[kind, of] = payload, since
        part: Part = {"kind": kind, "since": since, "payload": payload}
        return {**part, "of": of} if of else part

    def entries(
        self, kind: str, of: str, version: Any, entries: Sequence[Any], form: Callable[[Any], Any], **shared: Any
    ) -> Part:
        """What is new of a list at hand, with what the last messages brought of it.

        form: makes an entry JSON-ready. shared: what all entries share, sent along with the first ones.
        """
        sent = self._list(kind, of, version)
        if len(entries) < sent.counts[-1]:  # the last ones were lost with a worker
            sent = self._sent[kind, of] = _Sent(sent.name, f"{sent.version}'")
        since = sent.counts[0]
        sent.counts.append(len(entries))
        payload = {"list": [form(entry) for entry in entries[since:]]}
        return self._part(kind, of, sent, since, payload if since else payload | shared)

    def next_entries(self, kind: str, of: str, version: Any, read: Callable[[Position], tuple[dict[str, Any], Position]]) -> Part:
        """The next entries of a list that is read bit by bit, each sent once.

        read: called with the position so far; returns a payload with the entries as its "list", and the position after them.
        Where it raises a TSKError, as of a damaged file, the payload has no entries and the sentence as its "error".
        """
        sent = self._list(kind, of, version, self._forgotten)
        since = sent.counts[-1]
        try:
            payload, sent.position = read(sent.position)
        except TSKError as error:
            payload = {"list": [], "error": str(error)}
        sent.counts.append(since + len(payload["list"]))
        return self._part(kind, of, sent, since, payload)

    def only(self, kinds: Collection[str], of: Collection[str]) -> None:
        """Forget what is of these kinds but for what is ``of`` these: the browser forgets the same."""
        for kept in (self._sent, self._values):
            for key in [key for key in kept if key[0] in kinds and key[1] not in of]:
                del kept[key]

    def forget(self) -> None:
        """Send everything again: the browser lacks something.

        A list that is read bit by bit may come in another order then, as rules of the model kept before those of its epochs, so
        that the browser must not go on from the entries that it has: it gets another version.
        """
        self._sent.clear()
        self._forgotten += 1

    def _list(self, kind: str, of: str, version: Any, again: int = 0) -> _Sent:
        sent = self._sent.get((kind, of))
        name = "" if version is None else str(version)
        if sent is None or sent.name != name:
            sent = self._sent[kind, of] = _Sent(name, f"{name}+{again}" if again else name)
        return sent

    @staticmethod
    def _part(kind: str, of: str, sent: _Sent, since: int, payload: dict[str, Any]) -> Part:
        part: Part = {"kind": kind, "of": of, "since": since, "payload": payload}
        return {**part, "version": sent.version} if sent.version else part


# The values of an epoch in a message, by the names that the browser has for them.


def _measured(values: NDArray[Any] | None) -> NDArray[Any]:
    if values is None:
        raise ValueError("The firing levels of this epoch were not measured, so no message can have it.")
    return values


FIELDS: dict[str, Callable[[Epoch], Any]] = {
    "stage": lambda e: e.stage,
    "epoch": lambda e: e.epoch,
    "ce": lambda e: six_digits(e.loss_ce),
    "l2": lambda e: six_digits(e.loss_l2),
    "shrinkage": lambda e: six_digits(e.loss_shrinkage),
    "sharpness": lambda e: six_digits(e.loss_sharpness),
    "covering": lambda e: six_digits(e.loss_covering),
    "l1": lambda e: six_digits(e.loss_l1),
    "conditions": lambda e: e.conditions,
    "ur": lambda e: six_digits(max(0.0, e.loss_ur - e.ur_floor)),  # above its constant minimum
    "rcaTrain": lambda e: six_digits(e.rca_train),
    "bcaTrain": lambda e: six_digits(e.bca_train),
    "rcaValidation": lambda e: six_digits(e.rca_validation),
    "bcaValidation": lambda e: six_digits(e.bca_validation),
    "rcaTest": lambda e: six_digits(e.rca_test),
    "bcaTest": lambda e: six_digits(e.bca_test),
    "gradAntecedents": lambda e: six_digits(e.grad_antecedents),
    "gradConsequents": lambda e: six_digits(e.grad_consequents),
    "seconds": lambda e: six_digits(e.seconds),
    "firing": lambda e: np.round(_measured(e.firing), 6).tolist(),
    "initialFiring": lambda e: None if e.initial_firing is None else np.round(e.initial_firing, 6).tolist(),
    "dead": lambda e: np.flatnonzero(_measured(e.dead)).tolist(),
    "idle": lambda e: np.flatnonzero(_measured(e.idle)).tolist(),
    "entropy": lambda e: _measured(e.entropy).tolist(),
}


def epoch_values(epoch: Epoch) -> list[Any]:
    """The values of an epoch whose firing levels were measured, in the order of ``FIELDS``."""
    return [value(epoch) for value in FIELDS.values()]


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
