"""What the open tab draws of the epochs that a run keeps: snapshots (Samples), rules in words (Rules, Samples), evaluations
(Mistakes).

    name: {"since": how many the browser has, "list": new ones, each with its "epoch", "more": whether to ask for the next ones}

    "snapshots" as ``Engine.snapshots``; with the first ones comes "base", which all of them share.
    "evaluations" as ``Engine.mistakes``; with the first ones come the names of the "classes".
    "ruleBases" have "summary" and "rules" (see ``rule_texts``); "end" is true of the model kept.
    Where a list cannot be read, "error" says why.

A list is sent while its tab is open, and each entry only once: where the browser lacks some, all are sent again.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import streamlit as st

from tsk_core.errors import TSKError
from tsk_core.runs import as_snapshot
from ui.charts import MISTAKES, RULES, SAMPLES
from ui.live.rule_texts import final_rules, recorded_rules
from ui.platform.engine import get_engine
from ui.runs.rules import conditions
from ui.runs.run_view import RunView
from ui.runs.stability import stability

__all__ = ["evaluations_of", "lists", "lists_beside", "samples_of", "send_lists_again"]

MOST_NUMBERS = 300_000  # of a model that is sent whole, where its run kept no snapshots: about 4 MB


class _Sent(NamedTuple):
    """What the browser has of a list. of: which list. read: how many of the epochs kept were looked at. sent: how many entries
    the browser has. end: whether the model kept is among them.
    """

    of: tuple[Any, ...]
    read: int = 0
    sent: int = 0
    end: bool = False


def lists(shown: RunView) -> dict[str, Any]:
    """What the browser lacks of the lists of the open tab, for the next message."""
    sent, found, tab = st.session_state.setdefault("sent_lists", {}), {}, st.session_state.get("view")
    for name in _OF_TAB.get(tab, ()):
        if tab == RULES and name == "snapshots" and any(base["end"] for base in found["ruleBases"]["list"]):
            break  # the sentences are read first; the next message, which they ask for, brings the models
        found[name] = _next(shown, name, sent)
    return found


def _next(shown: RunView, name: str, lists_sent: dict[str, _Sent]) -> dict[str, Any]:
    """The next part of one list."""
    of, fetch = _LISTS[name]
    sent = lists_sent.get(name)
    if sent is None or sent.of != of(shown):
        sent = _Sent(of(shown))
    try:
        part, read, end = fetch(shown, sent)
    except TSKError as error:  # a damaged file; everything else is sent as usual
        return {"since": sent.sent, "list": [], "error": str(error)}
    lists_sent[name] = _Sent(sent.of, read, sent.sent + len(part["list"]), end)
    return {"since": sent.sent, **part}


def lists_beside(comparison: RunView) -> dict[str, Any]:
    """What the open tab draws of the comparison where it stands beside the run: its final rules, once."""
    if comparison.result is None:
        return {}
    sent, found = st.session_state.setdefault("sent_lists", {}), {}
    for name in _BESIDE.get(st.session_state.get("view"), ()):
        key, of = f"comparison {name}", _LISTS[name][0](comparison)
        known = sent.get(key, _Sent(()))
        if known.of == of:
            found[name] = {"since": known.sent, "list": []}  # so that a browser that lacks it says so
        else:
            found[name] = {"since": 0, **_FINAL[name](comparison)}
            sent[key] = _Sent(of, sent=len(found[name]["list"]))
    return found


def send_lists_again() -> None:
    """Forget what was sent of the lists."""
    st.session_state.pop("sent_lists", None)


_Fetched = tuple[dict[str, Any], int, bool]  # part of the message; ``read`` and ``end`` from now on


def _snapshots(shown: RunView, sent: _Sent) -> _Fetched:
    engine = get_engine()
    found = engine.records(shown.id, "snapshots", sent.read)
    if not found and not sent.read and shown.result is not None:
        return _final_model(shown, sent)
    base = engine.head(shown.id, "snapshots") if found and not sent.read else {}
    return {"list": found, **base}, sent.read + len(found), False


def _final_model(shown: RunView, sent: _Sent) -> _Fetched:
    """The model kept as the only snapshot: of a run that kept none, as those of older versions."""
    found = {"list": []} if sent.end else _model(shown)
    return found, 0, sent.end or bool(found["list"])


def _model(run: RunView, most: int | None = None) -> dict[str, Any]:
    """The model kept as a snapshot, and what all snapshots share; no snapshot of a model with more numbers than ``most``.

    most: None for as many as a page may draw.
    """
    parameters = run.result.classifier.rules_
    if sum(part.nelement() for part in (parameters.centers, parameters.sigmas, parameters.weights)) > (most or MOST_NUMBERS):
        return {"list": []}
    rules = run.result.classifier.to_dict()
    return {"list": [as_snapshot(rules, run.last.epoch)], "base": {**rules, "rules": []}}


def _evaluations(shown: RunView, sent: _Sent) -> _Fetched:
    engine = get_engine()
    found = engine.records(shown.id, "evaluations", sent.read)
    classes = {"classes": engine.store.open(shown.id).about()["dataset"].get("classes", ())} if found and not sent.read else {}
    return {"list": found, **classes}, sent.read + len(found), False


def evaluations_of(shown: RunView) -> dict[str, Any]:
    """All evaluations of a run, for a report."""
    return {"evaluations": {"since": 0, **_evaluations(shown, _Sent(()))[0]}}


def samples_of(shown: RunView, most_conditions: int, most_numbers: int) -> dict[str, Any]:
    """The model kept and its rules in words, for the plane and the reasons in a report; empty where the model is too large.

    most_conditions: of a rule. most_numbers: of the model.
    """
    model = _model(shown, most_numbers)
    if not model["list"]:
        return {}
    rules = final_rules(shown, most_conditions)
    snapshot = model["list"][0] | {"epoch": rules["epoch"]}
    return {"snapshots": {**model, "since": 0, "list": [snapshot]}, "ruleBases": {"since": 0, "list": [rules]}}


def _rule_bases(shown: RunView, sent: _Sent) -> _Fetched:
    """The model kept first, which most people open the tab for; then the epochs before it, some with each message."""
    if shown.result is not None and not sent.end:
        return {"list": [final_rules(shown)], "more": True}, sent.read, True
    found, read = recorded_rules(shown, sent.read)
    more = shown.status.ended and read > sent.read  # while it trains, the next message comes soon anyway
    return {"list": found, "more": more}, read, sent.end


def _of_run(shown: RunView) -> tuple[Any, ...]:
    return shown.id, shown.attempt


_LISTS: dict[str, tuple[Callable[[RunView], tuple[Any, ...]], Callable[[RunView, _Sent], _Fetched]]] = {
    "snapshots": (_of_run, _snapshots),
    "ruleBases": (lambda shown: (*_of_run(shown), conditions(), stability(shown, conditions()) is not None), _rule_bases),
    "evaluations": (_of_run, _evaluations),
}
_OF_TAB = {SAMPLES: ("snapshots", "ruleBases"), RULES: ("ruleBases", "snapshots"), MISTAKES: ("evaluations",)}
_BESIDE = {SAMPLES: ("snapshots", "ruleBases"), RULES: ("ruleBases",)}
_FINAL: dict[str, Callable[[RunView], dict[str, Any]]] = {
    "snapshots": _model,
    "ruleBases": lambda run: {"list": [final_rules(run)]},
}
