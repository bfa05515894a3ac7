"""What the server tells the browser of runs: JSON with the epochs that are new, and what is known of each run besides.

    {"dark": bool, "shown": run or null, "ghost": run or null}
    run: {"run": id, "since": number of epochs the browser has, "after": seconds of the last one of them, "fields": names,
          "epochs": a list of values each, "about": …; of the run shown besides what lists.py says}

Streamlit may skip a message where two come at once, so each one repeats what the last few had; where something is missing all
the same, the browser says so, and everything is sent again (``forget``).
"""

import json
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st

from tsk_core.epoch import Epoch
from ui.live.lists import forget_lists, lists
from ui.runs import Shown

__all__ = ["FIELDS", "forget", "message", "told"]

REPEATED = 3  # messages that each one repeats
_Heard = tuple[int, float]  # how many epochs there were, and the seconds of the last one
NOTHING: list[_Heard] = [(0, 0.0)] * REPEATED


def _short(value: float | None) -> float | None:
    """Six digits, which no eye and no chart tells from more."""
    return None if value is None else float(f"{value:.6g}")


FIELDS: dict[str, Callable[[Epoch], Any]] = {
    "stage": lambda e: e.stage,
    "epoch": lambda e: e.epoch,
    "ce": lambda e: _short(e.loss_ce),
    "l2": lambda e: _short(e.loss_l2),
    "ur": lambda e: _short(max(0.0, e.loss_ur - e.ur_floor)),  # less its constant floor
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
    "entropy": lambda e: e.entropy.tolist(),
}


def message(shown: Shown, ghost: Shown | None) -> str:
    """The next message of this session."""
    before = st.session_state.get("told", {})
    heard = {one.run: before.get(one.run) or deque(NOTHING, maxlen=REPEATED) for one in (shown, ghost) if one}
    st.session_state.told = heard  # of these two alone: the browser, too, forgets all others
    values = {
        "dark": st.context.theme.type == "dark",
        "shown": told(shown, _since(shown, heard[shown.run])) | lists(shown),
        "ghost": ghost and told(ghost, _since(ghost, heard[ghost.run])),
    }
    return json.dumps(values, separators=(",", ":"))


def forget() -> None:
    """Send everything again: the browser misses something."""
    st.session_state.pop("told", None)
    forget_lists()


def told(shown: Shown, since: int) -> dict[str, Any]:
    """One run, with its epochs from number ``since`` on."""
    epochs = [[value(e) for value in FIELDS.values()] for e in shown.history[since:]]
    after = _short(shown.history[since - 1].seconds) if since else None  # tells an attempt from the one that it replaced
    return {"run": shown.run, "since": since, "after": after, "fields": list(FIELDS), "epochs": epochs, "about": _about(shown)}


def _about(shown: Shown) -> dict[str, Any]:
    metrics = shown.metrics
    baseline = (metrics.get("baselines") or {}).get("logistic_regression") or {}
    return {
        "epochs": shown.config.max_epochs,
        "ended": shown.status.ended,
        "revisited": shown.revisited,
        "baseline": baseline.get("rca"),
        **{name: metrics.get(name) for name in ("classes", "confusion", "reliability", "ece")},
    }


def _since(shown: Shown, heard: deque[_Heard]) -> int:
    """How many epochs the browser surely has. heard: what it heard with the last few messages."""
    epochs, seconds = heard[-1]
    if epochs > len(shown.history) or (epochs and shown.history[epochs - 1].seconds != seconds):
        heard.extend(NOTHING)  # the run lost its worker and trains again: none of what the browser has counts
    since, _ = heard[0]
    heard.append((len(shown.history), shown.last.seconds if shown.last else 0.0))
    return since
