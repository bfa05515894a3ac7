"""Where a task beside the run that a page shows stands, and the queue, drawn by the browser; pages are drawn as they end."""

import streamlit as st

from tsk_core.jobs import Status
from ui.live import mount, watch
from ui.live.subjects import SLOW, Subject, pause_of, ticket
from ui.platform.engine import get_engine
from ui.runs.side_tasks import queued, stop
from ui.text import about_seconds

QUEUE_LOOK = 3.0  # seconds between two looks at the queue


class TaskSubject(Subject):
    """Where a task stands, and whether it has ended. doing: its name. unit: of what it says how much is done; "" for nothing."""

    def __init__(self, run: str, doing: str, unit: str) -> None:
        super().__init__()
        self._run, self._doing, self._unit = run, doing, unit

    def look(self) -> float | None:
        """Say where it stands; somebody looks at it, so its lease goes on."""
        engine = get_engine()
        engine.watch(self._run)
        status = engine.status(self._run)
        text = task_text(status, self._doing, self._unit)
        self.stream.set("standing", {"share": status.share if self._unit else None, "text": text}, self._run)
        self.stream.set("state", {"ended": status.ended}, self._run)
        return pause_of(status, SLOW)


def task_text(status: Status, doing: str, unit: str) -> str:
    """As "Training again: 40% of the epochs…"."""
    if status.state == "queued":
        return f"{doing}: {queued(status)}."
    if not unit:
        return f"{doing}…"
    if status.stage == "hold-out":
        return f"{doing}: searching for the number of epochs of each fold…"
    done = f"{status.share:.0%} of the epochs" if unit == "epochs" else f"{status.epoch} of {status.max_epochs} {unit} done"
    return f"{doing}: {done}…"


def task_row(status: Status, key: str, doing: str, *, unit: str = "epochs", stop_label: str = "") -> None:
    """Where a task stands that has not ended, and a button that stops it. doing, unit: as of ``TaskSubject``."""
    with st.container(horizontal=True, vertical_alignment="center", key=key):
        mount("standing", key=f"{key}_standing", of=status.run)
        if stop_label:
            st.button(stop_label, on_click=stop, args=(status.run,))
    one = ticket("task", run=status.run, doing=doing, unit=unit)
    watch([one], drawn={status.run: {"ended": status.ended}}, key=f"{key}_watch")


class QueueSubject(Subject):
    """Where the queue stands: the place and the wait of the next run of somebody who has none there."""

    def look(self) -> float | None:
        """Say it as long as anybody looks."""
        estimate = get_engine().wait_estimate("")
        text = queue_text(estimate.position, estimate.seconds) if estimate.position else ""
        self.stream.set("standing", {"share": None, "text": text}, "queue")
        return QUEUE_LOOK


def queue_text(position: int, seconds: float | None) -> str:
    """What is said beside the buttons while all workers are busy."""
    wait = about_seconds(seconds).removeprefix(", ")
    place = "would start next" if position == 1 else f"would be number {position} in the queue"
    return f"All workers are busy: a run started now {place}{wait and f', in {wait}'}."
