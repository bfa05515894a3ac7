"""The runs a page shows: the current one, as it stands, and the one before it as a ghost."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import streamlit as st

from tsk_core.config import SETTINGS, TrainConfig
from tsk_core.data import Dataset
from tsk_core.epoch import Epoch
from tsk_core.jobs import Result, Status
from ui.engine import owner, the_engine

__all__ = ["Shown", "changes", "current", "previous", "rule_book", "start", "stop"]


@dataclass
class Shown:
    """One run on the page. ``result`` is there once it ended with a model; ``error`` says why there is none."""

    run: str
    config: TrainConfig
    dataset: Dataset
    test_size: float
    status: Status
    history: list[Epoch] = field(default_factory=list)
    result: Result | None = None
    error: str = ""
    books: dict[int, Any] = field(default_factory=dict)

    @property
    def last(self) -> Epoch | None:
        """The newest Epoch."""
        return self.history[-1] if self.history else None

    @property
    def metrics(self) -> dict[str, Any]:
        """The numbers at the end; empty before."""
        return self.result.metrics if self.result else {}

    def refresh(self) -> None:
        """Fetch what is new; once the run ended, nothing is asked any more."""
        if self.status.ended:
            return
        engine = the_engine()
        status = engine.status(self.run)  # before the epochs: a run that ended has them all
        self.history = engine.history(self.run)
        if status.ended and status.state in ("finished", "stopped") and self.history:
            self.result = engine.result(self.run)
        elif status.ended:
            self.error = status.message or "This run ended before its first epoch, so there is no model; press Train again."
        self.status = status


def start(config: TrainConfig, dataset: Dataset, test_size: float) -> None:
    """Submit a run; what is shown now becomes the ghost. Raises TSKError where the run is refused."""
    run = the_engine().submit(config, dataset, owner=owner(), test_size=test_size)
    shown = current()
    if shown is not None and shown.history:
        st.session_state.previous_run = shown
    st.session_state.current_run = Shown(run, config, dataset, test_size, the_engine().status(run))


def stop() -> None:
    """End the current run within one epoch; it keeps its weights."""
    if shown := current():
        the_engine().stop(shown.run)


def current() -> Shown | None:
    """The run this page shows, refreshed."""
    shown = st.session_state.get("current_run")
    if shown is not None:
        shown.refresh()
    return shown


def previous() -> Shown | None:
    """The ghost."""
    return st.session_state.get("previous_run")


def changes(before: Shown, now: Shown) -> list[str]:
    """What differs between two runs' settings, as "λ 1 → 10"."""
    found = []
    if before.dataset.sha256 != now.dataset.sha256 or before.dataset.target != now.dataset.target:
        found.append(f"data {before.dataset.name} → {now.dataset.name}")
    if before.test_size != now.test_size:
        found.append(f"test share {before.test_size:g} → {now.test_size:g}")
    for name, setting in SETTINGS.items():
        old, new = getattr(before.config, name), getattr(now.config, name)
        if old != new:
            found.append(f"{setting.symbol or setting.label} {_said(old)} → {_said(new)}")
    return found


def rule_book(shown: Shown, max_antecedents: int) -> Any:
    """The run's readable rules, described on its training rows and measured on its test rows; kept once made."""
    if max_antecedents not in shown.books:
        result, X, y = shown.result, shown.dataset.X, np.asarray(shown.dataset.y)
        train, test = result.split.train, result.split.test
        on_test = {"X": X.iloc[test], "y": y[test]} if len(test) else {}
        shown.books[max_antecedents] = result.classifier.rules(
            max_antecedents=max_antecedents, training=(X.iloc[train], y[train]), **on_test
        )
    return shown.books[max_antecedents]


def _said(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
