"""The run that the Explore page of this session shows, and the one shown before it."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from tsk_core.config import TrainConfig
from tsk_core.data import Dataset, ReadOptions
from tsk_core.errors import RunError, TSKError
from tsk_core.runs import same_table
from ui.platform import session
from ui.platform.engine import get_engine
from ui.platform.session import Key
from ui.platform.visitor import address, owner
from ui.runs.run_view import RunView

OPENED_RUN = Key[str]("opened_run")  # the run whose settings the page took over
CURRENT_RUN = Key["RunView | None"]("current_run")
EARLIER_RUNS = Key["dict[str, RunView]"]("runs_before", make=dict)  # id of a run -> the one shown before it
RUN_NOTE = Key[str]("run_note")
RUN_MOVED = Key["tuple[str | None, str] | None"]("run_moved")  # run of the address before its last change, and after
REPLACED = Key[str]("run_replaced")  # the run that was stopped for one with the next settings
REQUESTED = Key["Request | None"]("requested", redraws=True)  # a press until it is carried out


@dataclass(eq=False)
class Request:
    """A press until it is carried out. run: what it submitted, noted here at once: whatever else is written to the session may be
    where Streamlit starts the script again, and the run must be shown then, not submitted once more.
    """

    action: str
    run: RunView | None = None


LEASE = 120.0  # seconds that a run goes on without viewers
REMEMBERED = 10  # previous runs of a session, for those who go back in the browser


def get() -> RunView | None:
    """The run that the page shows, as last refreshed: the one that its link names, else the one last started here."""
    return CURRENT_RUN.get()


def refresh() -> RunView | None:
    """The run that the page shows, with what is new of it; called where a page needs it first, and once buttons took effect.

    So is the run before, which may have been running when this one was started; nobody watches that one any longer.
    """
    if run := get():
        run.refresh()
    if before := run_before():
        before.refresh(watched=False)
    return run


def request(action: str) -> None:
    """Store a press on Explore until it is carried out: if another change comes in meanwhile, Streamlit starts the script again.

    action: "train", "stop", "pause", "resume", "toggle" (pause or resume), "step" or "reset".
    """
    pending = REQUESTED.get()
    if pending is None or pending.action != "stop":  # which a press of *Pause* right after it does not undo
        REQUESTED.set(Request(action))


def request_training() -> None:
    """Store a press of Train; the second of two clicks may come before the button is drawn disabled."""
    if active() is None:
        request("train")


def active() -> RunView | None:
    """The run that the page shows if this browser started it and it has not ended: the run that the buttons steer."""
    run = get()
    return run if run is not None and run.owned and not run.status.ended else None


def previous() -> RunView | None:
    """The run before the one shown, if it has the same data."""
    now, before = get(), run_before()
    return before if now and before and same_table(before.data, now.data) else None


def run_before() -> RunView | None:
    """The run that the page showed when the one shown was started or first opened, if it is older; on whichever data."""
    now = get()
    return now and EARLIER_RUNS.get().get(now.id)


def earlier() -> list[RunView]:
    """The runs that this page showed before, the latest first."""
    return list(reversed(EARLIER_RUNS.get().values()))


def submit(config: TrainConfig, dataset: Dataset, test_size: float, **kept: Any) -> RunView:
    """Submit a run; returns it, not shown yet. kept: see ``RunStore.create``. Raises TSKError if the run is refused."""
    run = get_engine().submit(config, dataset, owner(), test_size, address=address(), lease=LEASE, **kept)
    data = get_engine().store.open(run).about()["dataset"]
    return RunView(run, config, data, test_size, get_engine().status(run))


def show_submitted(run: RunView) -> None:
    """Show a run that was just submitted; the run shown now becomes the previous one."""
    shown = get()
    _remember(run.id, run_before() if shown is not None and shown.id == REPLACED.pop() else shown)
    _show(run)


def start_again(run: RunView) -> None:
    """Submit a run with the settings and the data of one that left no model, which are kept again if they were.

    RunError if its table is not available.
    """
    dataset = run.dataset
    if dataset is None:
        raise RunError(
            f"The table '{run.data['name'][:60]}' was not kept; choose the same file in the sidebar (SHA-256 of its table:"
            f" {run.data['sha256'][:12]}…), then run again."
        )
    kept, options = get_engine().store.record(run.id).data_kept, ReadOptions(**run.data.get("reading", {}))
    file = run.data.get("file_sha256", "")
    show_submitted(submit(run.config, dataset, run.test_size, keep_data=kept, read_options=options, file_sha256=file))


def stop() -> None:
    """End the run shown, if this browser started it and it has not ended; its model is kept."""
    if run := active():
        get_engine().stop(run.id, owner())


def restart() -> None:
    """End the run shown as ``stop`` does, and train with the settings and data that the page then has."""
    stop()
    request("train")


def replace() -> None:
    """Train as ``restart`` does; a run that is still training gives way, and the next one is compared with the one before it."""
    if run := active():
        REPLACED.set(run.id)
    restart()


def close() -> None:
    """Show no run, so that the run opened next brings its own settings, also if it is the same."""
    for key in (CURRENT_RUN, OPENED_RUN, RUN_MOVED):
        key.pop()


def reset() -> None:
    """Return to the page before training: stop the run shown if it is active, and show neither it nor its comparison."""
    stop()
    clear()


def clear() -> None:
    """Show neither a run nor a comparison, whatever becomes of the run."""
    close()
    for key in (EARLIER_RUNS, RUN_NOTE, session.DATA_BOX_FOR):
        key.pop()
    RUN_MOVED.set((st.query_params.get("run"), ""))
    _name("")


def open_linked(by_history: bool) -> None:
    """Show the run that the link names, if it is not the one shown already.

    by_history: whether Back or Forward led there. Else an address from before the last run was shown came with a press that was
    faster than the new one, so the run that is shown is named again.
    """
    now, wanted = get(), st.query_params.get("run")
    shown = now.id if now is not None else ""
    if wanted is not None and wanted != shown and not by_history and RUN_MOVED.get() == (wanted, shown):
        _name(shown)
        return
    if not wanted or wanted == shown:
        return
    try:
        _show(RunView.load(wanted))
        if wanted not in EARLIER_RUNS.get() and _is_older(now, wanted):  # not where Back leads to the older of the two
            _remember(wanted, now)
    except TSKError as error:
        del st.query_params["run"]
        RUN_NOTE.set(str(error))


def _show(run: RunView) -> None:
    """Show this run from now on."""
    if before := get():
        before.release()
    CURRENT_RUN.set(run)
    RUN_NOTE.pop()
    RUN_MOVED.set((st.query_params.get("run"), run.id))
    _name(run.id)  # so that a reload finds it; last, since Streamlit may start the script again here


def _name(run: str) -> None:
    """Name this run in the address; "" for none."""
    if run:
        st.query_params["run"] = run
    else:
        st.query_params.pop("run", None)


def _remember(run: str, before: RunView | None) -> None:
    """The previous run of this one, unless there is none or it has nothing to show."""
    if before is not None and before.history:
        befores = EARLIER_RUNS.get()
        befores[run] = before
        while len(befores) > REMEMBERED:
            del befores[next(iter(befores))]


def _is_older(run: RunView | None, other: str) -> bool:
    store = get_engine().store
    try:
        return run is not None and store.record(run.id).created < store.record(other).created
    except TSKError:  # deleted meanwhile
        return False
