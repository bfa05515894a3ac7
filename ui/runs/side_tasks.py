"""Tasks beside the run that the page shows, such as a cross-validation: started, followed until they end, and found again.

Each is a run of its own in the queue, which stops without viewers as a training does.
"""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from tsk_core.data import Dataset
from tsk_core.errors import RunError, TSKError
from tsk_core.jobs import Status
from tsk_core.runs import Record, same_dataset
from tsk_core.tasks import Task
from ui.engine import the_engine
from ui.fragments import run_page_if_changed
from ui.guard import errors_shown
from ui.owner import owner
from ui.runs import current_run
from ui.text import about_seconds, in_markdown
from ui.visitor import address

__all__ = ["follow", "newest", "queued", "start", "status_of", "stop"]

TICK = 0.5  # seconds between two looks at a task
LATEST = 100  # of this browser's tasks of a kind, among which ``newest`` searches


def start(task: Task, *, background: bool = False) -> str:
    """Queue a task of this browser and return the id of its run. Raises TSKError if it is refused."""
    return the_engine().submit_task(task, owner(), address=address(), lease=current_run.LEASE, background=background)


def stop(run: str) -> None:
    """Stop a task of this browser; a callback, so a refusal is a note that passes."""
    try:
        the_engine().stop(run, owner())
    except TSKError as error:
        st.toast(in_markdown(error))


def status_of(run: str | None) -> Status | None:
    """Where a task stands; None without one, and for one that was deleted to free disk space."""
    try:
        return run and the_engine().status(run)
    except RunError:
        return None


def newest(kind: str, dataset: Dataset | Mapping[str, Any], fits: Callable[[Record], bool]) -> str | None:
    """The newest task of this browser that is of this kind, on this dataset (or one of this identity), and that ``fits``."""
    store = the_engine().store
    sha256, target = (dataset[n] if isinstance(dataset, Mapping) else getattr(dataset, n) for n in ("sha256", "target"))
    for record in store.records(owner(), LATEST, task=kind):
        found = (record.sha256, record.target) == (sha256, target) and fits(record)
        if found and same_dataset(dataset, store.open(record.id).about()["dataset"]):
            return record.id
    return None


def follow(run: str, draw: Callable[[Status], None]) -> None:
    """Call ``draw`` with the task's status, now and at each tick; when the task ends, run the script of the page once more."""

    def tick() -> None:
        run_page_if_changed()
        with errors_shown():
            engine = the_engine()
            engine.watch(run)
            status = engine.status(run)
            if status.ended:
                st.rerun()
            draw(status)

    st.fragment(tick, run_every=TICK)()


def queued(status: Status) -> str:
    """Its place in the queue, and the wait if it is known."""
    return f"number {status.position} in the queue{about_seconds(status.wait)}"
