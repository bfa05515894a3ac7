"""The messages of the page Explore: the run shown and its comparison, with new epochs and the lists of the open tab.

"runs"    {"shown": id or null, "comparison": id or null, "dark": whether the page is dark}; the browser forgets other runs
"about"   of a run: what is known of it besides its epochs, see ``about``
"epochs"  of a run: a list of values for each epoch, in the order of "fields"; the version is the attempt at the run
and the lists of the open tab, see ``lists``
"""

import time
from collections.abc import Collection
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from tsk_core.epoch import Epoch
from tsk_core.errors import TSKError
from tsk_core.explain import Rule
from tsk_core.live import FIELDS, Feed, Part, as_rules, as_snapshot, epoch_values, rules_as_texts, summary_as_texts
from tsk_core.runs import RunRows
from ui import presets
from ui.charts import MISTAKES, RULES, SAMPLES
from ui.live import feed_of_session
from ui.platform import session
from ui.platform.engine import get_engine
from ui.runs.differences import Side, changed_settings, jitter_text, jitters, last_scores, same_test_rows
from ui.runs.run_view import RunView
from ui.runs.side_tasks import conditions, rule_base_summary, stability

MEASURED_ROWS = 20_000  # training rows that an epoch is measured on at most
NAMED = 2  # changed settings that name a comparison


def message(shown: RunView, comparison: RunView | None) -> list[Part]:
    """The next message of this session."""
    feed = feed_of_session()
    feed.only(("about", "epochs", *KINDS), [run.id for run in (shown, comparison) if run])
    parts = run_parts(feed, shown, comparison, dark=st.context.theme.type == "dark") + list_parts(feed, shown)
    return parts if comparison is None else parts + list_parts_beside(feed, comparison)


def run_parts(feed: Feed, shown: RunView, comparison: RunView | None, *, dark: bool = False, label: str = "") -> list[Part]:
    """Both runs, each with its epochs that are new. label: what the charts call the comparison; by default what differs."""
    ids = {"shown": shown.id, "comparison": comparison and comparison.id}
    parts = [feed.value("runs", {**ids, "dark": dark})]
    for run in (shown, comparison):
        if run is not None:
            pair = {"label": label or _label(run, shown), "sameTestRows": same_test_rows(run, shown)} if run is comparison else {}
            parts.append(feed.value("about", about(run) | pair, run.id))
            parts.append(feed.entries("epochs", run.id, run.attempt, run.history, epoch_values, fields=list(FIELDS)))
    return parts


def about(run: RunView) -> dict[str, Any]:
    """What is known of a run besides its epochs, see ``About`` in the client's types; without what is not known."""
    metrics = run.metrics
    baseline = (metrics.get("baselines") or {}).get("logistic_regression") or {}
    preset = presets.of_run(run)
    values = {
        "epochs": run.config.max_epochs,
        "steps": _steps(run),
        "trainings": run.config.n_parts if run.config.n_parts > 1 else None,
        "goal": None if preset is None or preset.goal is None else {"below": preset.goal, "label": preset.label},
        "ended": run.status.ended,
        "revisited": run.revisited,
        "regularised": run.config.ur_weight > 0,
        "baseline": baseline.get("rca"),
        "jitter": _jitter(run),
        **{name: metrics.get(name) for name in ("classes", "confusion", "reliability", "ece")},
    }
    return {name: value for name, value in values.items() if value is not None}


def _steps(run: RunView) -> int | None:
    """Gradient steps of an epoch; None before the first one."""
    if run.last is None or run.last.entropy is None:
        return None
    rows = int(run.last.entropy.sum())
    if rows >= MEASURED_ROWS:  # that epochs are measured on at most
        rows = run.metrics.get("train_rows") or round(run.data.get("rows", rows) * (1 - run.test_size))
    return run.config.steps_per_epoch(rows)


def _jitter(run: RunView) -> dict[str, Any] | None:
    """Where the test scores jitter from epoch to epoch: over how many epochs to smooth them, and a sentence."""
    last = last_scores(run.history, "rca_test")
    if last is None or not jitters(run.history):
        return None
    return {"window": last.epochs, "text": jitter_text(last)}


def _label(comparison: RunView, shown: RunView) -> str:
    """What the charts call the comparison: its values of the settings that differ, such as "λ 0"."""
    changes = changed_settings(*(Side(run.config, run.test_size, (), {}) for run in (comparison, shown)))
    named = ", ".join(f"{change.short} {change.old}" for change in changes[:NAMED])
    return f"{named}, …" if len(changes) > NAMED else named or "same settings"


# Rules in words at some epochs, for the tabs Rules and Samples, in the form of ``tsk_core.live.messages``. The server writes
# them, once for all sessions, while somebody reads them.


SECONDS = 0.15  # that one message may take, so that neither this page nor another visitor waits long
MOST_RULES = 800  # summarised of a run: with many rules, fewer of its epochs


def final_rules(shown: RunView, most: int | None = None) -> dict[str, Any]:
    """The final rules, summarised on all rows when training ended, or the reason why the run kept none.

    most: conditions of a rule, at most; by default as many as on the page.
    """
    epoch, length = kept_epoch(shown), most or conditions()
    try:
        summary = rule_base_summary(shown, length)
    except TSKError as error:
        return rules_as_texts(epoch, (), str(error)) | {"end": True}
    return summary_as_texts(epoch, summary, shown.trained.classifier.encoder_, stability(shown, length))


def kept_epoch(run: RunView) -> int:
    """The epoch of the model that a run kept."""
    assert run.last is not None
    return int(run.metrics.get("best_epoch") or run.last.epoch)


def recorded_rules(shown: RunView, since: int) -> tuple[list[dict[str, Any]], int]:
    """The rules at the recorded epochs from number ``since`` on, as many as time allows, and how many epochs they cover.

    None where this session does not have the run's table.
    """
    rows = shown.rows()
    if rows is None:
        return [], since
    shared, most = shown.shared, conditions()
    with shared.lock:
        _summarise_more(shown, rows)
        recorded = [(k, *shared.recorded[k]) for k in range(since, len(shared.recorded))]
        for k, epoch, summaries in recorded:
            if summaries and (k, most) not in shared.texts:
                rules, summary = summaries.texts(most)
                shared.texts[k, most] = rules_as_texts(epoch, _as_recorded(rules, epoch, shown.history), summary)
        return [shared.texts[k, most] for k, _, summaries in recorded if summaries], since + len(recorded)


def _summarise_more(shown: RunView, rows: RunRows) -> None:
    """Summarise the next recorded epochs, at least one, for as long as a message may take."""
    engine, recorded, began = get_engine(), shown.shared.recorded, time.monotonic()
    step = -(-shown.config.n_rules * 40 // MOST_RULES)
    base = engine.head(shown.id, "snapshots").get("base", {})
    for snapshot in engine.records(shown.id, "snapshots", since=len(recorded)):
        wanted = len(recorded) % step == 0
        summaries = rows.summariser.summarise(as_rules(base, snapshot)) if wanted else None
        recorded.append((snapshot["epoch"], summaries))
        if time.monotonic() - began > SECONDS:
            return


def _as_recorded(rules: tuple[Rule, ...], number: int, history: list[Epoch]) -> tuple[Rule, ...]:
    """The rules with what that epoch's record says of which never or hardly fire: it has more rows than the summary may take."""
    epoch = next((epoch for epoch in reversed(history) if (epoch.stage, epoch.epoch) == ("training", number)), None)
    if epoch is None or epoch.dead is None or epoch.idle is None:
        return rules
    dead, idle = epoch.dead, epoch.idle
    return tuple(replace(rule, dead=bool(dead[rule.index - 1]), idle=bool(idle[rule.index - 1])) for rule in rules)


# The lists of a run that the open tab draws: snapshots, rules in words, strengths of conditions (Rules), evaluations (Mistakes).
#
#     "snapshots"    as ``tsk_core.live.as_snapshot`` has them; with the first ones comes "base", which all of them share
#     "evaluations"  as ``Engine.records`` has them; with the first ones come the names of the "classes"
#     "strengths"    as ``tsk_core.live.series`` records them, where the settings show conditions; with the first ones
#                    come the names of the "features" and of the "classes"
#     "ruleBases"    "summary" and "rules" of an epoch, see ``rule_texts``; "end" is true of the model kept
#
# Each entry has its "epoch". A list is sent while its tab is open.


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
    tab, parts = session.VIEW.get(), list[Part]()
    for kind in _OF_TAB.get(tab, ()):
        if tab == RULES and kind == "snapshots" and any(base["end"] for base in parts[0]["payload"]["list"]):
            break  # the sentences are read first; the next message, which they ask for, brings the models
        if kind == "strengths" and not shown.config.shows_conditions:
            continue
        parts.append(feed.next_entries(kind, shown.id, _version(kind, shown), partial(_READERS[kind], shown)))
    return parts


def parts_of_kinds(feed: Feed, run: RunView, kinds: Collection[str]) -> list[Part]:
    """What the browser lacks of these lists of a run, whichever tab is open."""
    return [feed.next_entries(kind, run.id, _version(kind, run), partial(_READERS[kind], run)) for kind in kinds]


def list_parts_beside(feed: Feed, run: RunView) -> list[Part]:
    """What the open tab draws of the comparison where it stands beside the run: its models by epoch, its final rules in words."""
    if run.result is None:
        return []
    readers = {"snapshots": _snapshots, "ruleBases": _final_rules}
    return [
        feed.next_entries(kind, run.id, f"beside {_version(kind, run)}", partial(readers[kind], run))
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
            parts.append(feed.next_entries(kind, shown.id, "", partial(_whole, payload)))
    return parts


def _whole(payload: dict[str, Any], read: _Read | None) -> _Payload:
    """All entries at once."""
    return payload, read or _Read()


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
    parameters = run.trained.classifier.rules_
    if sum(part.nelement() for part in (parameters.centers, parameters.sigmas, parameters.weights)) > (most or MOST_NUMBERS):
        return {"list": []}
    rules, epoch = run.trained.classifier.to_dict(), kept_epoch(run)
    return {"list": [as_snapshot(rules, epoch)], "base": {**rules, "rules": []}}


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
