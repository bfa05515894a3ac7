"""The messages of the server to the browser: JSON with the epochs of a run that are new, and what else is known of it.

    {"dark": bool, "shown": run or null, "comparison": run or null}
    run: {"run": id, "since": number of epochs the browser has, "after": seconds of the last one of them, "fields": names,
          "epochs": a list of values each, "about": see ``_about``; of the run shown also the lists of ``lists``}

Streamlit may skip a message where two come at once, so each one repeats the epochs of the last few. Where something is missing
all the same, the browser reports it, and everything is sent again (``send_all_again``).
"""

import json
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st

from tsk_core.epoch import Epoch
from ui import presets
from ui.live.lists import lists, lists_beside, send_lists_again
from ui.runs.differences import Side, changed_settings
from ui.runs.jitter import jitter_text, jitters, last_scores
from ui.runs.pairing import same_test_rows
from ui.runs.run_view import RunView

__all__ = ["FIELDS", "message", "message_of", "messages_of", "send_all_again"]

REPEATED = 3  # messages whose epochs each one repeats
MEASURED_ROWS = 20_000  # training rows that an epoch is measured on at most
NAMED = 2  # changed settings that name a comparison
_Sent = tuple[int, float]  # how many epochs there were in a message, and the seconds of the last one
NOTHING: list[_Sent] = [(0, 0.0)] * REPEATED


def _short(value: float | None) -> float | None:
    """Six digits, which no eye and no chart distinguishes from more."""
    return None if value is None else float(f"{value:.6g}")


FIELDS: dict[str, Callable[[Epoch], Any]] = {
    "stage": lambda e: e.stage,
    "epoch": lambda e: e.epoch,
    "ce": lambda e: _short(e.loss_ce),
    "l2": lambda e: _short(e.loss_l2),
    "shrinkage": lambda e: _short(e.loss_shrinkage),
    "ur": lambda e: _short(max(0.0, e.loss_ur - e.ur_floor)),  # above its constant minimum
    "rcaTrain": lambda e: _short(e.rca_train),
    "bcaTrain": lambda e: _short(e.bca_train),
    "rcaValidation": lambda e: _short(e.rca_validation),
    "bcaValidation": lambda e: _short(e.bca_validation),
    "rcaTest": lambda e: _short(e.rca_test),
    "bcaTest": lambda e: _short(e.bca_test),
    "gradAntecedents": lambda e: _short(e.grad_antecedents),
    "gradConsequents": lambda e: _short(e.grad_consequents),
    "seconds": lambda e: _short(e.seconds),
    "firing": lambda e: np.round(e.firing, 6).tolist(),
    "dead": lambda e: np.flatnonzero(e.dead).tolist(),
    "idle": lambda e: np.flatnonzero(e.idle).tolist(),
    "entropy": lambda e: e.entropy.tolist(),
}


def message(shown: RunView, comparison: RunView | None) -> str:
    """The next message of this session."""
    before = st.session_state.get("sent_epochs", {})
    sent = {one.id: before.get(one.id) or deque(NOTHING, maxlen=REPEATED) for one in (shown, comparison) if one}
    st.session_state.sent_epochs = sent  # of these two alone: the browser, too, forgets all others
    runs = messages_of(shown, comparison, lambda run: _since(run, sent[run.id]))
    values = {"dark": st.context.theme.type == "dark", **runs, "shown": runs["shown"] | lists(shown)}
    if comparison is not None:
        values["comparison"] |= lists_beside(comparison)
    return json.dumps(values, separators=(",", ":"))


def send_all_again() -> None:
    """Forget what was sent: the browser lacks something."""
    st.session_state.pop("sent_epochs", None)
    send_lists_again()


def messages_of(shown: RunView, comparison: RunView | None, since: Callable[[RunView], int] = lambda run: 0) -> dict[str, Any]:
    """Both runs, each with its epochs from number ``since`` on."""
    known = {"shown": message_of(shown, since(shown)), "comparison": None}
    if comparison is not None:
        known["comparison"] = message_of(comparison, since(comparison))
        known["comparison"]["about"] |= {"label": _label(comparison, shown), "sameTestRows": same_test_rows(comparison, shown)}
    return known


def message_of(run: RunView, since: int) -> dict[str, Any]:
    """One run, with its epochs from number ``since`` on."""
    epochs = [[value(e) for value in FIELDS.values()] for e in run.history[since:]]
    after = _short(run.history[since - 1].seconds) if since else None  # tells an attempt from the one that it replaced
    return {"run": run.id, "since": since, "after": after, "fields": list(FIELDS), "epochs": epochs, "about": _about(run)}


def _about(run: RunView) -> dict[str, Any]:
    metrics = run.metrics
    baseline = (metrics.get("baselines") or {}).get("logistic_regression") or {}
    preset = presets.of_run(run)
    return {
        "epochs": run.config.max_epochs,
        "steps": _steps(run),
        "goal": None if preset is None or preset.goal is None else {"below": preset.goal, "label": preset.label},
        "ended": run.status.ended,
        "revisited": run.revisited,
        "baseline": baseline.get("rca"),
        "jitter": _jitter(run),
        **{name: metrics.get(name) for name in ("classes", "confusion", "reliability", "ece")},
    }


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
    found = last_scores(run.history, "rca_test")
    return {"window": found.epochs, "text": jitter_text(found)}


def _label(comparison: RunView, shown: RunView) -> str:
    """What the charts call the comparison: its values of the settings that differ, such as "λ 0"."""
    changes = changed_settings(*(Side(run.config, run.test_size, (), {}) for run in (comparison, shown)))
    named = ", ".join(f"{change.short} {change.old}" for change in changes[:NAMED])
    return f"{named}, …" if len(changes) > NAMED else named or "same settings"


def _since(run: RunView, sent: deque[_Sent]) -> int:
    """How many epochs the browser has for certain, and take note of those in this message."""
    epochs, seconds = sent[-1]
    if epochs > len(run.history) or (epochs and run.history[epochs - 1].seconds != seconds):
        sent.extend(NOTHING)  # the run lost its worker and trains again: none of what the browser has counts
    since, _ = sent[0]
    sent.append((len(run.history), run.last.seconds if run.last else 0.0))
    return since
