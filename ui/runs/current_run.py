"""The run that the Explore page of this session shows, and the one shown before it."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from tsk_core.config import TrainConfig
from tsk_core.data import Dataset
from tsk_core.errors import RunError, TSKError
from ui.engine import the_engine
from ui.owner import owner
from ui.runs.run_view import RunView

__all__ = [
    "LEASE", "active", "close", "for_fragment", "get", "open_linked", "previous", "refresh", "reset", "start", "start_again",
    "stop",
]  # fmt: skip

LEASE = 120.0  # seconds that a run goes on without viewers


def get() -> RunView | None:
    """The run that the page shows, as last refreshed: the one that its link names, else the one last started here."""
    return st.session_state.get("current_run")


def refresh() -> RunView | None:
    """The run that the page shows, refreshed; called once per run of the script, after the pressed buttons took effect."""
    if run := get():
        run.refresh()
    return run


def for_fragment() -> Callable[[], RunView | None]:
    """A function that a fragment calls at each draw for the run, which it refreshes unless the page has just done so.

    The first draw is part of the page; each later one is the fragment's own. None once the page shows no run.
    """
    drawn_by_itself = False

    def latest() -> RunView | None:
        nonlocal drawn_by_itself
        run = refresh() if drawn_by_itself else get()
        drawn_by_itself = True
        return run

    return latest


def active() -> RunView | None:
    """The run that the page shows if this browser started it and it has not ended: the run that the buttons steer."""
    run = get()
    return run if run is not None and run.owned and not run.status.ended else None


def previous() -> RunView | None:
    """The run shown before this one, if both have the same data."""
    before, now = st.session_state.get("previous_run"), get()
    return before if before and now and all(before.data[key] == now.data[key] for key in ("sha256", "target")) else None


def start(config: TrainConfig, dataset: Dataset, test_size: float, **kept: Any) -> None:
    """Submit a run and show it; the run shown now becomes the previous one. kept: see ``RunStore.create``.

    Raises TSKError if the run is refused.
    """
    run = the_engine().submit(config, dataset, owner=owner(), test_size=test_size, lease=LEASE, **kept)
    data = {"name": dataset.name, "sha256": dataset.sha256, "target": dataset.target}
    _show(RunView(run, config, data, test_size, the_engine().status(run)))


def start_again(run: RunView) -> None:
    """Submit a run with the settings and the data of one that left no model. RunError if its table is not available."""
    dataset = run.dataset
    if dataset is None:
        raise RunError(
            f"The table '{run.data['name'][:60]}' was not kept; choose the same file in the sidebar (SHA-256 of its table:"
            f" {run.data['sha256'][:12]}…), then run again."
        )
    start(run.config, dataset, run.test_size)


def stop() -> None:
    """End the run shown, if this browser started it and it has not ended; its model is kept."""
    if run := active():
        the_engine().stop(run.id)


def close() -> None:
    """Show no run, so that the run opened next brings its own settings, also if it is the same."""
    st.session_state.pop("current_run", None)
    st.session_state.pop("opened_run", None)


def reset() -> None:
    """Return to the page before training: stop the run shown if it is active, and show neither it nor its comparison."""
    stop()
    close()
    for name in ("previous_run", "run_note", "data_folded"):
        st.session_state.pop(name, None)
    st.session_state.data_box = True  # the table is looked at before training
    st.query_params.pop("run", None)


def open_linked() -> None:
    """Show the run that the link names, if it is not the one shown already."""
    now, wanted = get(), st.query_params.get("run")
    if not wanted or (now is not None and now.id == wanted):
        return
    try:
        _show(RunView.load(wanted))
    except TSKError as error:
        del st.query_params["run"]
        st.session_state.run_note = str(error)


def _show(run: RunView) -> None:
    """Show this run from now on; the one before becomes the previous run."""
    before = get()
    if before is not None and before.history:
        before.release()
        st.session_state.previous_run = before
    st.session_state.current_run = run
    st.query_params["run"] = run.id  # so that a reload finds it
    st.session_state.pop("run_note", None)
