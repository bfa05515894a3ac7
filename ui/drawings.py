"""A run as drawings: each chart with its name for screen readers and the sentence under it."""

import streamlit as st

from ui import charts
from ui.live import Drawing
from ui.runs import Shown

__all__ = ["DRAWINGS", "drawings"]

DRAWINGS = {"Training": ("loss", "accuracy"), "Firing": ("firing",), "Entropy": ("entropy",)}  # tab -> its charts
_ENTROPY = "Left: one rule decides a row alone. Right, at log R: all rules share in it. UR moves rows to the right."


def drawings(shown: Shown, ghost: Shown | None) -> dict[str, Drawing]:
    """All charts of a run, before a ghost where there is one; made again only when there is something new to draw."""
    seen = (len(shown.history), shown.status.ended, ghost and ghost.run, st.context.theme.type)
    if shown.drawn is None or shown.drawn[0] != seen:
        shown.drawn = (seen, _drawings(shown, ghost))
    return shown.drawn[1]


def _drawings(shown: Shown, ghost: Shown | None) -> dict[str, Drawing]:
    now, old = _stage(shown), _stage(ghost)
    last, before = shown.last, ghost.last if ghost else None
    lr = (shown.metrics.get("baselines") or {}).get("logistic_regression")
    alive = None if shown.status.ended else shown.config.max_epochs
    dark = st.context.theme.type == "dark"
    accuracy = charts.accuracy_chart(now, old, baseline=lr["rca"] if lr else None, epochs=alive, dark=dark)
    firing = _firing_words(shown)
    return {
        "loss": Drawing(charts.loss_chart(now, old, epochs=alive, dark=dark), _loss_words(shown)),
        "accuracy": Drawing(accuracy, _accuracy_words(shown)),
        "firing": Drawing(charts.firing_chart(last, before, dark=dark), firing, firing if last else ""),
        "entropy": Drawing(charts.entropy_chart(last, before, dark=dark), _ENTROPY, _ENTROPY),
    }


def _stage(shown: Shown | None) -> list:
    """The epochs to draw as lines: those of the training, or of the search while there are no others."""
    if shown is None:
        return []
    training = [e for e in shown.history if e.stage == "training"]
    return training or shown.history


def _loss_words(shown: Shown) -> str:
    last = shown.last
    return f"Training loss by epoch; last: {last.loss_ce:.3f} cross-entropy." if last else "Training loss by epoch; no epoch yet."


def _accuracy_words(shown: Shown) -> str:
    last = shown.last
    if last is None or last.rca_test is None:
        return "Accuracy by epoch; no epoch yet."
    return (
        f"Accuracy by epoch; last: test RCA {last.rca_test:.3f}, test BCA {last.bca_test:.3f}, training RCA {last.rca_train:.3f}."
    )


def _firing_words(shown: Shown) -> str:
    last = shown.last
    if last is None:
        return "Average firing level of each rule; no epoch yet."
    R, dead = len(last.firing), last.dead_rules
    idle = {0: "every rule fires", 1: "1 rule never fires"}.get(dead, f"{dead} rules never fire")
    return (
        f"{R} rules: {idle}. The busiest carries {last.firing.max():.1%} of the firing; shared evenly, each would carry"
        f" {1 / R:.1%}. A rule counts as never firing below a tenth of that."
    )
