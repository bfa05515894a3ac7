"""Tasks beside the run that the page shows, such as a cross-validation: started, followed until they end, and found again.

Each is a run of its own in the queue, which stops without viewers as a training does.
"""

from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from typing import Any

import streamlit as st

from tsk_core.data import Dataset
from tsk_core.errors import RunError, TSKError
from tsk_core.jobs import Status
from tsk_core.runs import Record, has_dataset, same_dataset, same_table
from tsk_core.tasks import Task
from ui.platform import session
from ui.platform.engine import get_engine
from ui.platform.errors import show_errors
from ui.platform.fragments import fragment, run_page_if_changed
from ui.platform.owner import owner
from ui.platform.visitor import address
from ui.runs import current_run
from ui.runs.run_view import RunView
from ui.text import about_seconds, in_markdown

NO_DATA = "The data of this run are not available here. Choose the same file, with the same roles of columns, in the sidebar."
TICK = 0.5  # seconds between two looks at a task
LATEST = 100  # of this browser's tasks of a kind, among which ``newest`` searches


def at_hand(run: RunView) -> bool:
    """Whether the table of a run with a model is here: in the gallery, kept with it, or chosen on the page. Reads no table."""
    return has_dataset(run.result) or run.is_chosen


def dataset_of(run: RunView) -> Dataset:
    """The table of a run that has a model, with its roles of columns; RunError where it is not ``at_hand``."""
    if (dataset := run.dataset) is None:
        raise RunError(NO_DATA)
    return dataset


def start_row(
    run: RunView, key: str, label: str, explanation: str, begin: Callable[[RunView], None], before: Status | None
) -> None:
    """The button of a task that needs the run's table, and why the last press or task left nothing.

    key: of the row, and of the reason. begin: called before the script runs. before: the task that ended
    without figures, such as by a stop.
    """

    def press() -> None:
        try:
            begin(run)
        except TSKError as error:
            session.NOTE(key).set(str(error))

    with st.container(horizontal=True, vertical_alignment="center", key=key):
        here = at_hand(run)
        st.button(label, disabled=not here, on_click=press, help=explanation if here else NO_DATA)
        if note := session.NOTE(key).pop() or (before.message if before else ""):
            st.caption(in_markdown(note))


def progress_row(status: Status, key: str, doing: str, done: Callable[[Status], str], stop_label: str) -> None:
    """A bar with where the task stands, and a button that stops it. doing: its name. done: how far it is, once it has begun."""
    with st.container(horizontal=True, vertical_alignment="center", key=key):
        standing = f"{queued(status)}." if status.state == "queued" else f"{done(status)}…"
        st.progress(status.share, text=in_markdown(f"{doing}: {standing}"))
        st.button(stop_label, on_click=stop, args=(status.run,))


def epochs_done(status: Status) -> str:
    """Such as "40% of the epochs"."""
    return f"{status.share:.0%} of the epochs"


def start(task: Task, *, background: bool = False) -> str:
    """Queue a task of this browser and return the id of its run. Raises TSKError if it is refused."""
    return get_engine().submit_task(task, owner(), address=address(), lease=current_run.LEASE, background=background)


def stop(run: str) -> None:
    """Stop a task of this browser; a callback, so a refusal is a note that passes."""
    try:
        get_engine().stop(run, owner())
    except TSKError as error:
        st.toast(in_markdown(error))


def start_for(kind: str, key: Hashable, make: Callable[[], Task], *, background: bool = False) -> None:
    """Queue the task of this kind for ``key``, such as the id of a run, unless it is under way: two clicks may both come before
    its button is drawn disabled. Raises TSKError if it is refused.
    """
    known = session.SIDE_TASKS.get()
    status = status_of(known.get((kind, key)))
    if status is None or status.ended:
        known[kind, key] = start(make(), background=background)


def found(kind: str, key: Hashable, search: Callable[[], str | None]) -> Status | None:
    """Where the task of this kind for ``key`` stands: the one remembered, else, after a reload, what ``search`` finds, once."""
    known = session.SIDE_TASKS.get()
    if (kind, key) not in known:
        known[kind, key] = search()
    return status_of(known[kind, key])


def status_of(run: str | None) -> Status | None:
    """Where a task stands; None without one, and for one that was deleted to free disk space."""
    try:
        return run and get_engine().status(run)
    except RunError:
        return None


def newest(kind: str, dataset: Dataset | Mapping[str, Any], fits: Callable[[Record], bool]) -> str | None:
    """The newest task of this browser that is of this kind, on this dataset (or one of this identity), and that ``fits``."""

    def is_on(record: Record) -> bool:
        return same_dataset(dataset, get_engine().store.open(record.id).about()["dataset"])

    return newest_of(kind, lambda record: same_table(dataset, record) and fits(record) and is_on(record))


def metrics_of(record: Record) -> Mapping[str, Any]:
    """What a task that finished left; {} of others."""
    return get_engine().store.open(record.id).metrics() if record.state == "finished" else {}


def newest_of(kind: str, fits: Callable[[Record], bool]) -> str | None:
    """The same on any dataset; a task whose files were deleted or are damaged is passed over."""
    for record in get_engine().store.records(owner(), LATEST, task=kind):
        with suppress(RunError, KeyError):
            if fits(record):
                return record.id
    return None


def follow(run: str, draw: Callable[[Status], None]) -> None:
    """Call ``draw`` with the task's status, now and at each tick; when the task ends, run the script of the page once more."""

    def tick() -> None:
        run_page_if_changed()
        with show_errors():
            engine = get_engine()
            engine.watch(run)
            status = engine.status(run)
            if status.ended:
                st.rerun()
            draw(status)

    fragment(tick, run_every=TICK)()


def queued(status: Status) -> str:
    """Its place in the queue, and the wait if it is known."""
    return f"number {status.position} in the queue{about_seconds(status.wait)}"
