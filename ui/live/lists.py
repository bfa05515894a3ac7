"""The lists of a run that the open tab draws: snapshots, rules in words, strengths of conditions (Rules), evaluations (Mistakes).

    "snapshots"    as ``tsk_core.live.as_snapshot`` has them; with the first ones comes "base", which all of them share
    "evaluations"  as ``Engine.records`` has them; with the first ones come the names of the "classes"
    "strengths"    as ``tsk_core.live.series`` records them, where the settings show conditions; with the first ones
                   come the names of the "features" and of the "classes"
    "ruleBases"    "summary" and "rules" of an epoch, see ``rule_texts``; "end" is true of the model kept

Each entry has its "epoch". A list is sent while its tab is open.
"""

from collections.abc import Collection
from typing import Any, NamedTuple

from tsk_core.live import Feed, Part, as_snapshot
from ui.charts import MISTAKES, RULES, SAMPLES
from ui.live.rule_texts import final_rules, recorded_rules
from ui.platform import session
from ui.platform.engine import get_engine
from ui.runs.rules import conditions
from ui.runs.run_view import RunView
from ui.runs.stability import stability

MOST_NUMBERS = 300_000  # of a model that is sent whole, where its run kept no snapshots: about 4 MB
KINDS = ("snapshots", "ruleBases", "evaluations", "strengths")
_OF_TAB = {SAMPLES: ("snapshots", "ruleBases"), RULES: ("ruleBases", "strengths", "snapshots"), MISTAKES: ("evaluations",)}
_BESIDE = {SAMPLES: ("snapshots", "ruleBases"), RULES: ("ruleBases",)}


class _Read(NamedTuple):
    """How far a list is read. epochs: how many of those recorded were looked at. end: whether the model kept is among them."""

    epochs: int = 0
    end: bool = False


_Payload = tuple[dict[str, Any], _Read]  # the next entries, and how far the list is read with them


def list_parts(feed: Feed, shown: RunView) -> list[Part]:
    """What the browser lacks of the lists of the open tab."""
    tab, parts = session.VIEW.get(), []
    for kind in _OF_TAB.get(tab, ()):
        if tab == RULES and kind == "snapshots" and any(base["end"] for base in parts[0]["payload"]["list"]):
            break  # the sentences are read first; the next message, which they ask for, brings the models
        if kind == "strengths" and not shown.config.shows_conditions:
            continue
        parts.append(feed.next_entries(kind, shown.id, _version(kind, shown), lambda read, k=kind: _READERS[k](shown, read)))
    return parts


def parts_of_kinds(feed: Feed, run: RunView, kinds: Collection[str]) -> list[Part]:
    """What the browser lacks of these lists of a run, whichever tab is open."""
    return [feed.next_entries(kind, run.id, _version(kind, run), lambda read, k=kind: _READERS[k](run, read)) for kind in kinds]


def list_parts_beside(feed: Feed, run: RunView) -> list[Part]:
    """What the open tab draws of the comparison where it stands beside the run: its models by epoch, its final rules in words."""
    if run.result is None:
        return []
    readers = {"snapshots": _snapshots, "ruleBases": _final_rules}
    return [
        feed.next_entries(kind, run.id, f"beside {_version(kind, run)}", lambda read, k=kind: readers[k](run, read))
        for kind in _BESIDE.get(session.VIEW.get(), ())
    ]


def list_parts_of_report(feed: Feed, shown: RunView, most_conditions: int, most_numbers: int) -> list[Part]:
    """All evaluations of a run, and for the plane and the reasons, the model kept and its rules in words.

    most_conditions: of a rule. most_numbers: of the model; a larger one is left out, with its rules.
    """
    parts = [feed.next_entries("evaluations", shown.id, "", lambda read: _evaluations(shown, read))]
    model = _model(shown, most_numbers)
    if model["list"]:
        rules = final_rules(shown, most_conditions)
        model["list"] = [snapshot | {"epoch": rules["epoch"]} for snapshot in model["list"]]
        for kind, payload in (("snapshots", model), ("ruleBases", {"list": [rules]})):
            parts.append(feed.next_entries(kind, shown.id, "", lambda read, found=payload: (found, read)))
    return parts


def _version(kind: str, run: RunView) -> str:
    """Rules in words are others with other conditions, and once their stability was checked."""
    of_words = (conditions(), stability(run, conditions()) is not None) if kind == "ruleBases" else ()
    return " ".join(map(str, (run.attempt, *of_words)))


def _final_rules(run: RunView, read: _Read | None) -> _Payload:
    return ({"list": [final_rules(run)]}, _Read(end=True)) if read is None else ({"list": []}, read)


def _snapshots(shown: RunView, read: _Read | None) -> _Payload:
    engine, (epochs, end) = get_engine(), read or _Read()
    snapshots = engine.records(shown.id, "snapshots", epochs)
    if not snapshots and not epochs and shown.result is not None:
        return _final_model(shown, end)
    base = engine.head(shown.id, "snapshots") if snapshots and not epochs else {}
    return {"list": snapshots, **base}, _Read(epochs + len(snapshots))


def _final_model(shown: RunView, end: bool) -> _Payload:
    """The model kept as the only snapshot, of a run that kept none."""
    payload = {"list": []} if end else _model(shown)
    return payload, _Read(end=end or bool(payload["list"]))


def _model(run: RunView, most: int | None = None) -> dict[str, Any]:
    """The model kept as a snapshot, and what all snapshots share; no snapshot of a model with more numbers than ``most``.

    most: None for as many as a page may draw.
    """
    parameters = run.result.classifier.rules_
    if sum(part.nelement() for part in (parameters.centers, parameters.sigmas, parameters.weights)) > (most or MOST_NUMBERS):
        return {"list": []}
    rules, epoch = run.result.classifier.to_dict(), run.metrics.get("best_epoch") or run.last.epoch
    return {"list": [as_snapshot(rules, int(epoch))], "base": {**rules, "rules": []}}


def _evaluations(shown: RunView, read: _Read | None) -> _Payload:
    engine, epochs = get_engine(), (read or _Read()).epochs
    evaluations = engine.records(shown.id, "evaluations", epochs)
    classes = {"classes": engine.store.open(shown.id).about()["dataset"].get("classes", ())} if evaluations and not epochs else {}
    return {"list": evaluations, **classes}, _Read(epochs + len(evaluations))


def _strengths(shown: RunView, read: _Read | None) -> _Payload:
    engine, epochs = get_engine(), (read or _Read()).epochs
    strengths = engine.records(shown.id, "strengths", epochs)
    head = engine.head(shown.id, "strengths") if strengths and not epochs else {}
    return {"list": strengths, **head}, _Read(epochs + len(strengths))


def _rule_bases(shown: RunView, read: _Read | None) -> _Payload:
    """The model kept first, which most people open the tab for; then the epochs before it, some with each message."""
    epochs, end = read or _Read()
    if shown.result is not None and not end:
        return {"list": [final_rules(shown)], "more": True}, _Read(epochs, True)
    texts, reached = recorded_rules(shown, epochs)
    more = shown.status.ended and reached > epochs  # while it trains, the next message comes soon anyway
    return {"list": texts, "more": more}, _Read(reached, end)


_READERS = {"snapshots": _snapshots, "ruleBases": _rule_bases, "evaluations": _evaluations, "strengths": _strengths}
