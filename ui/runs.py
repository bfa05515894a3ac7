"""The runs a page shows: the current one, as it stands, and the one before it as a ghost."""

from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from tsk_core.config import TrainConfig
from tsk_core.data import Dataset
from tsk_core.epoch import Epoch
from tsk_core.errors import RunError, TSKError
from tsk_core.jobs import Status
from tsk_core.runs import Result
from tsk_core.runs.rows import RunRows
from ui.engine import the_engine
from ui.owner import owner
from ui.shared import SharedRun, shared_run

__all__ = [
    "BASELINES", "Shown", "conditions", "current", "dataset_of", "open_linked", "previous", "put_away", "reset",
    "rule_base_summary", "shown", "start", "start_again", "stop", "ticked", "training",
]  # fmt: skip

BASELINES = {"logistic_regression": "logistic regression", "majority": "majority class"}  # in a run's numbers
LEASE = 120.0  # seconds that a run goes on without anybody looking


@dataclass
class Shown:
    """One run on the page. ``result`` is there once it ended with a model; ``error`` says why there is none.

    data: name, SHA-256 and target of its table, to compare runs by. chosen: the dataset chosen on the page, maybe the run's.
    mine: whether this browser started it, and so may stop it. revisited: whether it was there before this visit.
    shared: what is computed of it once for all sessions, see ``ui.shared``.
    """

    run: str
    config: TrainConfig
    data: dict[str, Any]
    test_size: float
    status: Status
    mine: bool = True
    history: list[Epoch] = field(default_factory=list)
    result: Result | None = None
    error: str = ""
    kept: bool = False
    chosen: Dataset | None = field(default=None, repr=False)
    revisited: bool = False
    fresh: bool = False  # refreshed by this script run, and not drawn since
    _rows: RunRows | None = field(default=None, repr=False)
    _shared: tuple[float | None, SharedRun] | None = field(default=None, repr=False)

    def rows(self) -> RunRows | None:
        """The run's table as its training saw it, kept once found; None where this session does not have it."""
        if self._rows is None:
            with suppress(TSKError):  # damaged, of another version, or not to be trained on: as good as not kept
                dataset = dataset_of(self, self.chosen)
                self._rows = dataset and self.shared.rows(lambda: RunRows(dataset, self.test_size, self.config))
        return self._rows

    @property
    def shared(self) -> SharedRun:
        """What all sessions that look at this attempt of the run share."""
        if self._shared is None or self._shared[0] != self.attempt:
            self._shared = self.attempt, shared_run(self.run, self.attempt)
        return self._shared[1]

    def let_go(self) -> None:
        """Keep neither table nor rules: of a comparison, only numbers are drawn."""
        self._rows = self.chosen = self._shared = None

    @property
    def last(self) -> Epoch | None:
        """The newest Epoch."""
        return self.history[-1] if self.history else None

    @property
    def attempt(self) -> float | None:
        """Tells an attempt from one that took its place after its worker was lost: the seconds of its first epoch."""
        return self.history[0].seconds if self.history else None

    @property
    def metrics(self) -> dict[str, Any]:
        """The numbers at the end; empty before."""
        return self.result.metrics if self.result else {}

    def refresh(self) -> None:
        """Fetch what is new, which also says that someone watches; once the run ended, nothing is asked any more."""
        if self.status.ended:
            return
        engine = the_engine()
        engine.watch(self.run)
        status = engine.status(self.run)  # before the epochs: a run that ended has them all
        if status.attempt and status.attempt == self.status.attempt:
            self.history += engine.history(self.run, since=len(self.history))
        else:  # it began anew after losing its worker, or it is another process's, or it ended: whatever was fetched may differ
            self.history = engine.history(self.run)
        self._take_end(status)

    def _take_end(self, status: Status) -> None:
        if status.ended and status.state in ("finished", "stopped") and self.history:
            self.result = the_engine().result(self.run)
        elif status.ended:
            self.error = status.message or "This run ended before its first epoch, so there is no model; press Train again."
        self.status = status

    @classmethod
    def opened(cls, run: str) -> "Shown":
        """A run by its id, from what was kept of it. RunError where there is none such."""
        engine = the_engine()
        folder, record = engine.store.open(run), engine.store.record(run)
        about, config = folder.about(), folder.config()
        data = about["dataset"]
        shown = cls(run, config, data, about.get("test_size", 0.3), engine.status(run), record.owner == owner(), revisited=True)
        shown.history = engine.history(run)
        shown._take_end(shown.status)
        return shown


def start(config: TrainConfig, dataset: Dataset, test_size: float, **kept: Any) -> None:
    """Submit a run; what is shown now becomes the ghost. Raises TSKError where the run is refused. kept: see RunStore.create."""
    run = the_engine().submit(config, dataset, owner=owner(), test_size=test_size, lease=LEASE, **kept)
    data = {"name": dataset.name, "sha256": dataset.sha256, "target": dataset.target}
    _put(Shown(run, config, data, test_size, the_engine().status(run)))


def start_again(shown: Shown, chosen: Dataset | None) -> None:
    """Submit a run with the settings and the data of one that left no model. RunError where its data are not at hand."""
    dataset = dataset_of(shown, chosen)
    if dataset is None:
        raise RunError(
            f"The table '{shown.data['name'][:60]}' was not kept; choose the same file in the sidebar (SHA-256 of its table:"
            f" {shown.data['sha256'][:12]}…), then run again."
        )
    start(shown.config, dataset, shown.test_size)


def dataset_of(shown: Shown, chosen: Dataset | None) -> Dataset | None:
    """The run's dataset: from the gallery, kept with the run, or the one chosen on the page, where it is the same."""
    same = chosen is not None and (chosen.target, chosen.sha256) == (shown.data["target"], shown.data["sha256"])
    return the_engine().store.dataset(shown.run) or (chosen if same else None)


def put_away() -> None:
    """Show no run, so that the one opened next comes with its own settings, also where it is the same."""
    st.session_state.pop("current_run", None)
    st.session_state.pop("opened_run", None)


def training() -> Shown | None:
    """The run shown, as last refreshed, if it is this browser's and has not ended: the one that buttons steer."""
    now = shown()
    return now if now is not None and now.mine and not now.status.ended else None


def stop() -> None:
    """End the run shown, if it is this browser's and goes on; its model is kept."""
    if now := training():
        the_engine().stop(now.run)


def reset() -> None:
    """As before training: the run shown is stopped if it is this browser's and goes on; it and its ghost leave the page."""
    stop()
    put_away()
    for name in ("previous_run", "run_note", "data_folded"):
        st.session_state.pop(name, None)
    st.session_state.data_box = True  # the table is looked at before training
    st.query_params.pop("run", None)


def open_linked() -> None:
    """Show the run that the link names, if it is not the one shown already."""
    now, wanted = shown(), st.query_params.get("run")
    if wanted and (now is None or now.run != wanted):
        _open(wanted)


def shown() -> Shown | None:
    """The run this page shows, as last refreshed: the one its link names, else the one last started here."""
    return st.session_state.get("current_run")


def current() -> Shown | None:
    """The run this page shows, refreshed: once a script run is enough, after what was pressed is done."""
    now = shown()
    if now is not None:
        now.refresh()
        now.fresh = True
    return now


def ticked() -> Shown | None:
    """The run this page shows, for a part drawn with the page and then again by itself: refreshed once for each.

    None where it was put away meanwhile.
    """
    now = shown()
    if now is None:
        return None
    if not now.fresh:
        now.refresh()
    now.fresh = False
    return now


def _open(run: str) -> None:
    try:
        _put(Shown.opened(run))
    except TSKError as error:
        del st.query_params["run"]
        st.session_state.run_note = str(error)


def _put(shown: Shown) -> None:
    """Show this run from now on; the one before becomes the ghost."""
    before = st.session_state.get("current_run")
    if before is not None and before.history:
        before.let_go()
        st.session_state.previous_run = before
    st.session_state.current_run = shown
    st.query_params["run"] = shown.run  # so that a reload finds it
    st.session_state.pop("run_note", None)


def previous() -> Shown | None:
    """The ghost: the run shown before this one, where both have the same data."""
    before, now = st.session_state.get("previous_run"), st.session_state.get("current_run")
    return before if before and now and all(before.data[key] == now.data[key] for key in ("sha256", "target")) else None


def conditions() -> int:
    """How many conditions the rules on this page have at most: as chosen on the tab of rules."""
    return st.session_state.get("rule_length", 4)


def rule_base_summary(shown: Shown, max_antecedents: int) -> Any:
    """The run's readable rules, summarised on its training rows and measured on its test rows; kept once made."""
    summaries = shown.shared.summaries
    if max_antecedents not in summaries:
        summaries[max_antecedents] = shown.result.rules(max_antecedents)
    return summaries[max_antecedents]
