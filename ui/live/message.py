"""The messages of the page Explore: the run shown and its comparison, each with the epochs that are new.

"runs"    {"shown": id or null, "comparison": id or null, "dark": whether the page is dark}; the browser forgets other runs
"about"   of a run: what is known of it besides its epochs, see ``about``
"epochs"  of a run: a list of values for each epoch, in the order of "fields"; the version is the attempt at the run
and the lists of the open tab, see ``lists``
"""

from typing import Any

import streamlit as st

from tsk_core.live import FIELDS, Feed, Part, epoch_values
from ui import presets
from ui.live import feed_of_session, lists
from ui.runs.differences import Side, changed_settings
from ui.runs.jitter import jitter_text, jitters, last_scores
from ui.runs.pairing import same_test_rows
from ui.runs.run_view import RunView

MEASURED_ROWS = 20_000  # training rows that an epoch is measured on at most
NAMED = 2  # changed settings that name a comparison


def message(shown: RunView, comparison: RunView | None) -> list[Part]:
    """The next message of this session."""
    feed = feed_of_session()
    feed.only(("about", "epochs", *lists.KINDS), [run.id for run in (shown, comparison) if run])
    parts = run_parts(feed, shown, comparison, dark=st.context.theme.type == "dark") + lists.list_parts(feed, shown)
    return parts if comparison is None else parts + lists.list_parts_beside(feed, comparison)


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
    if run.last is None:
        return None
    rows = int(run.last.entropy.sum())
    if rows >= MEASURED_ROWS:  # that epochs are measured on at most
        rows = run.metrics.get("train_rows") or round(run.data.get("rows", rows) * (1 - run.test_size))
    return run.config.steps_per_epoch(rows)


def _jitter(run: RunView) -> dict[str, Any] | None:
    """Where the test scores jitter from epoch to epoch: over how many epochs to smooth them, and a sentence."""
    if not jitters(run.history):
        return None
    last = last_scores(run.history, "rca_test")
    return {"window": last.epochs, "text": jitter_text(last)}


def _label(comparison: RunView, shown: RunView) -> str:
    """What the charts call the comparison: its values of the settings that differ, such as "λ 0"."""
    changes = changed_settings(*(Side(run.config, run.test_size, (), {}) for run in (comparison, shown)))
    named = ", ".join(f"{change.short} {change.old}" for change in changes[:NAMED])
    return f"{named}, …" if len(changes) > NAMED else named or "same settings"
