"""What the open tab draws of the epochs that are kept of a run: rules for Samples, words for Rules, counts for Mistakes.

    name: {"since": how many the browser has, "list": new ones, each with its "epoch", "more": whether to ask for the next ones}

    "snapshots" as ``RunStore.snapshots``; with the first ones comes "base", which all of them share.
    "mistakes" as ``RunStore.mistakes``; with the first ones come the names of the "classes".
    "books" have "summary" and "rules" (see books.py); "end" is true of the model kept.
    Where a list cannot be read, "trouble" says so.

Sent while its tab is open, and each only once: where the browser says that it misses some, all are sent again.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import streamlit as st

from tsk_core.errors import TSKError
from tsk_core.runs.snapshots import as_snapshot
from ui import runs
from ui.engine import the_engine
from ui.live.books import book_at_end, books_described
from ui.runs import Shown

__all__ = ["MISTAKES", "RULES", "SAMPLES", "forget_lists", "lists", "mistakes_of"]

SAMPLES, RULES, MISTAKES = "Samples", "Rules", "Mistakes"  # the tabs' names
MOST_NUMBERS = 300_000  # of a model that is sent whole, where its run kept no snapshots: about 4 MB


class _Told(NamedTuple):
    """What the browser has of a list. of: which list. taken: how many of the epochs kept were looked at, of which ``sent`` are
    with the browser. end: whether the model kept is among them.
    """

    of: tuple[Any, ...]
    taken: int = 0
    sent: int = 0
    end: bool = False


def lists(shown: Shown) -> dict[str, Any]:
    """What the browser lacks, for the message of this moment."""
    if (tab := st.session_state.get("view")) not in _LISTS:
        return {}
    name, of, fetch = _LISTS[tab]
    told = st.session_state.setdefault("told_lists", {})
    before = told.get(name)
    if before is None or before.of != of(shown):
        before = _Told(of(shown))
    try:
        part, taken, end = fetch(shown, before)
    except TSKError as error:  # a damaged file; all the rest is told as ever
        return {name: {"since": before.sent, "list": [], "trouble": str(error)}}
    told[name] = _Told(before.of, taken, before.sent + len(part["list"]), end)
    return {name: {"since": before.sent, **part}}


def forget_lists() -> None:
    """Send all of it again."""
    st.session_state.pop("told_lists", None)


_Fetched = tuple[dict[str, Any], int, bool]  # part of the message; ``taken`` and ``end`` from now on


def _snapshots(shown: Shown, told: _Told) -> _Fetched:
    engine = the_engine()
    found = engine.records(shown.run, "snapshots", told.taken)
    if not found and not told.taken and shown.result is not None:
        return _whole(shown, told)
    base = engine.head(shown.run, "snapshots") if found and not told.taken else {}
    return {"list": found, **base}, told.taken + len(found), False


def _whole(shown: Shown, told: _Told) -> _Fetched:
    """The model at the end as the only snapshot: of a run that kept none, as those of older versions."""
    parameters = shown.result.classifier.rules_
    if told.end or sum(part.nelement() for part in (parameters.centers, parameters.sigmas, parameters.weights)) > MOST_NUMBERS:
        return {"list": []}, 0, told.end
    rules = shown.result.classifier.to_dict()
    return {"list": [as_snapshot(rules, shown.last.epoch)], "base": {**rules, "rules": []}}, 0, True


def _mistakes(shown: Shown, told: _Told) -> _Fetched:
    engine = the_engine()
    found = engine.records(shown.run, "evaluations", told.taken)
    classes = {"classes": engine.store.open(shown.run).about()["dataset"].get("classes", ())} if found and not told.taken else {}
    return {"list": found, **classes}, told.taken + len(found), False


def mistakes_of(shown: Shown) -> dict[str, Any]:
    """All of them, for a report."""
    return {"mistakes": {"since": 0, **_mistakes(shown, _Told(()))[0]}}


def _books(shown: Shown, told: _Told) -> _Fetched:
    """The end first, which most people open the tab for; then the epochs before it, some with each message."""
    if shown.result is not None and not told.end:
        return {"list": [book_at_end(shown)], "more": True}, told.taken, True
    found, taken = books_described(shown, told.taken)
    more = shown.status.ended and taken > told.taken  # while it trains, there is a message soon anyhow
    return {"list": found, "more": more}, taken, told.end


def _of_run(shown: Shown) -> tuple[Any, ...]:
    return shown.run, shown.attempt


_LISTS: dict[str, tuple[str, Callable[[Shown], tuple[Any, ...]], Callable[[Shown, _Told], _Fetched]]] = {
    SAMPLES: ("snapshots", _of_run, _snapshots),
    RULES: ("books", lambda shown: (*_of_run(shown), runs.conditions()), _books),
    MISTAKES: ("mistakes", _of_run, _mistakes),
}
