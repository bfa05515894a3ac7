"""An experiment on the page: its buttons, its progress, how it ended, and what is known of it."""

import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

import streamlit as st

from tsk_core.config import TrainConfig
from tsk_core.data import Dataset
from tsk_core.experiments import Plan
from tsk_core.jobs import STOPPED, Status
from tsk_core.runs import read_json
from tsk_core.tasks import PLAN
from ui.experiments.runs import RESUMABLE, Collected, collected_of, find, read, start
from ui.live import mount, watch
from ui.live.subjects import Subject, pause_of
from ui.platform.drawing import error_markdown
from ui.platform.engine import get_engine
from ui.platform.session import Key
from ui.platform.visitor import address, owner
from ui.runs.side_tasks import queued
from ui.settings.page_state import PAGE
from ui.text import about_seconds, in_markdown

EXPERIMENT_REQUESTED = Key["tuple[str, str] | None"]("experiment_requested")  # page, and what was pressed on it


# How far an experiment is and how long it takes, before and while it runs, and how it ended; in words and as a bar.


RECENT = 60.0  # seconds over which the pace is measured: stacks of trainings are evaluated in between, without epochs
_PER_UNIT = 3e-7  # seconds for a row, a rule and an epoch, in a stack on one core: about what Vehicle and Satellite take
_SEARCH = 0.3  # of an epoch that an epoch of a hold-out takes: fewer rows, nothing recorded, and patience ends many
_LEAST = 1.5  # seconds until a worker has begun
_Sample = tuple[float, int]  # moment, epochs done
LOOK = 0.3  # seconds between two looks at one that trains


def standing(status: Status, size: int, done: int, left: float | None) -> str:
    """As "12 of 40 trainings done, 900 of 2,400 epochs, about 6 s left". left: seconds, if known."""
    trainings = f"{done:,} of {size:,} trainings done"
    if status.state == "queued":
        begun = f" {trainings} so far." if done else ""
        return f"Waiting: {queued(status)}.{begun}"
    if not status.epoch and not done:
        return f"Starting {size:,} trainings…"
    if status.epoch >= status.max_epochs:
        return f"{trainings}, all {status.max_epochs:,} epochs; {'evaluating them' if done < size else 'finishing'}…"
    remaining = "" if left is None or left < 1 else f", about {duration(left)} left"
    return f"{trainings}, {status.epoch:,} of {status.max_epochs:,} epochs{remaining}."


def ended_text(status: Status, size: int, done: int) -> str:
    """Why an experiment that ended has fewer points than planned; "" where it has all."""
    if done >= size:
        return ""
    why = {"stopped": "Stopped", "interrupted": "Interrupted", "failed": "Failed"}.get(status.state, "Ended")
    message = f" {status.message}" if status.message and status.message != STOPPED else ""
    return f"{why} after {done:,} of {size:,} trainings; Continue computes the others.{message}"


def seconds_left(samples: Iterable[_Sample], total: int) -> float | None:
    """From the pace between the first and the last of the samples; None where there is none."""
    known = list(samples)
    if len(known) < 2 or known[-1][1] <= known[0][1] or known[-1][0] <= known[0][0]:
        return None
    (first, before), (last, now) = known[0], known[-1]
    return (total - now) * (last - first) / (now - before)


def estimate_row(plan: Plan, dataset: Dataset, note: str = "") -> None:
    """Before it starts: how many trainings, about how long, and whether the server takes it now. note: on their number."""
    estimate = get_engine().wait_estimate(owner(), background=True, address=address())
    if not estimate.allowed:
        st.info(in_markdown(estimate.message))
        return
    wait = f" All workers are busy now, so it would wait{about_seconds(estimate.seconds)}."
    took = duration(expected_seconds(plan, dataset))
    text = f"{plan.size:,} trainings, {plan.epochs:,} epochs in all: probably about {took}.{wait if estimate.position else ''}"
    own = "The score “best” holds out a fifth of the training rows, so it needs trainings of its own." if plan.validated else ""
    text = " ".join(filter(None, [text, own, note]))
    st.caption(in_markdown(text))


def expected_seconds(plan: Plan, dataset: Dataset) -> float:
    """A rough guess, from the rows, the rules and the epochs."""
    rows = len(dataset.y) * (1 - plan.test_size)
    units = 0.0
    for variant in plan.variants:
        smaller = max(1.0, (64 / variant.config.batch_size) ** 0.5)  # many small steps cost more than few large ones
        epochs = variant.config.max_epochs + _SEARCH * variant.search_epochs
        units += epochs * rows * variant.row_share * variant.config.n_rules * smaller
    return _LEAST + _PER_UNIT * units * plan.seeds * plan.splits


def duration(seconds: float) -> str:
    """As "8 s", "3 min" or "1.5 h"."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def experiment_panel(
    plan: Plan, dataset: Dataset, status: Status, key: str, draw: Callable[[Collected], None], subject: str
) -> Collected:
    """How far the experiment is, drawn by the browser; or why it ended early, and what ``draw`` makes of it.

    Returns what is known. key: of the element around it. subject: the ticket of the experiment.
    """
    collected = collected_of(plan, dataset, status)
    with st.container(key=key):
        if not status.ended:
            mount("standing", key=f"{key}_standing", of=status.run)
        else:
            if text := ended_text(status, plan.size, len(collected.points)):
                st.warning(in_markdown(text))
            draw(collected)
        watch([subject], drawn={status.run: {"ended": status.ended}}, key=f"{key}_watch")
    return collected


class ExperimentSubject(Subject):
    """An experiment while it goes on and once it has ended: "standing" and "state", and what a page draws of it (``_show``).

    collected: its records merged.
    """

    def __init__(self, run: str) -> None:
        super().__init__()
        self.run, self.collected = run, Collected()
        self.plan = Plan.from_dict(read_json(get_engine().store.open(run).path / PLAN)["plan"])
        self._place: tuple[str, int, int] | None = None
        self._pace: deque[_Sample] = deque(maxlen=200)
        self._shown: object = None

    def look(self) -> float | None:
        """Take the records in that came, and say where the experiment stands."""
        engine = get_engine()
        engine.watch(self.run)
        status = engine.status(self.run)  # before the records: one that ended has them all
        self._place = read(self.collected, status, self._place)
        known = status.ended, len(self.collected.points), len(self.collected.log)
        if known != self._shown:
            self._show(status)
            self._shown = known
        text = "" if status.ended else standing(status, self.plan.size, len(self.collected.points), self._left(status))
        self.stream.set("standing", {"share": status.share, "text": text, **self._words()}, self.run)
        self.stream.set("state", {"ended": status.ended}, self.run)
        return pause_of(status, LOOK)

    def _show(self, status: Status) -> None:
        """Bring what the page draws up to date; called where there are new records, and at the end."""
        raise NotImplementedError

    def _words(self) -> dict[str, Any]:
        """The "lines" and the "table" below the bar while it goes on."""
        return {}

    def _left(self, status: Status) -> float | None:
        """Seconds from the pace of the last ones; of an attempt that began again, of that alone."""
        samples = self._pace
        if samples and samples[-1][1] > status.epoch:
            samples.clear()
        samples.append((time.monotonic(), status.epoch))
        while len(samples) > 2 and samples[-1][0] - samples[0][0] > RECENT:
            samples.popleft()
        return seconds_left(samples, status.max_epochs) if status.state == "running" else None


# The buttons of an experiment: start, stop, continue; and what they do.


def request(action: str, page: str = "") -> None:
    """Store a press until it is carried out with the settings as they are then drawn.

    action: "start" or "stop". page: the one that carries it out, "compare" or "sweep"; by default the one that is shown.
    """
    EXPERIMENT_REQUESTED.set((page or PAGE.get(), action))


def carry_out(plan: Plan | None, dataset: Dataset | None, base: TrainConfig | None) -> str:
    """Do what was requested; returns why it failed, as Markdown, or "". A start waits where there is nothing to start.

    base: the settings of the page.
    """
    page, action = EXPERIMENT_REQUESTED.pop() or ("", "")
    if page != PAGE.get() or plan is None or dataset is None or base is None:
        return ""
    try:
        status = find(plan, dataset)
        active = None if status is None or status.ended else status
        if action == "start" and active is None:
            start(plan, dataset, base)
        elif action == "stop" and active is not None:
            get_engine().stop(active.run, owner())
    except Exception as error:
        return error_markdown(error)
    return ""


def steering(label: str, ready: bool, status: Status | None, **options: Any) -> None:
    """Draw the buttons in the row around them. label: of the one that starts. ready: whether there is something to start."""
    active = status is not None and not status.ended
    resumable = status is not None and status.state in RESUMABLE
    st.button(label, type="primary", disabled=active or not ready, on_click=request, args=("start",), **options)
    st.button("Stop", disabled=not active, on_click=request, args=("stop",))
    if resumable:
        text = "Computes the trainings that are not done yet; those that are done are kept."
        st.button("Continue", on_click=request, args=("start",), help=text)
