"""What runs inside a Dask worker: one task, with its messages to the engine.

The scheduler imports this file too, to read what it passes on, so what is heavy is imported when the task runs.

Each message is a dictionary with "run", "attempt", and one or more of "records" (lists of series, line and head), "progress"
(steps done, stage, whether it is the last one, number of reports), "ended" (an ``Ending`` as a list), and "event": a list of
"began"; "waits" (between two steps), with the name of the pause and how many of its steps are done; "goes on". The ledger stays
closed here: the worker may be on another machine.
"""

import threading
import time
from pathlib import Path
from typing import Any

import psutil
from distributed import get_worker

from tsk_core import limits
from tsk_core.jobs.control import Control, Pacing, Pausing, Place
from tsk_core.tasks import Task

MEMORY_SHARE = 0.8  # of the worker's memory; at 95% Dask kills the worker, and the run with it
PACE = 0.05  # seconds that records are gathered for, so that fifty quick trainings do not send thousands of messages a second


def run_task(topic: str, store_dir: str, run: str, attempt: int, task: Task, place: Place | None) -> str:
    """Run a task and return the state it ended in. Its messages go to ``topic``.

    place: where an earlier attempt waited. This one neither waits nor ends by an earlier stop before it is there again.
    """
    import torch

    from tsk_core.runs.folder import RunFolder
    from tsk_core.tasks.task import Context, perform

    torch.set_num_threads(1)  # both settings hold for the calling thread, so they are made here and not in the preload
    torch.set_flush_denormal(True)
    worker = get_worker()
    folder = Path(store_dir) / run
    control, memory = Control(folder), _Memory(getattr(getattr(worker, "memory_manager", None), "memory_limit", None))
    messages = _Messages(worker, topic, {"run": run, "attempt": attempt})
    pausing = Pausing(control, messages.event, place)
    stopped_before = control.stop_reason() != ""

    def stop_reason() -> str:
        asked = "" if stopped_before and pausing.catches_up else control.stop_reason()
        return asked or memory.reason()

    context = Context(
        RunFolder(folder),
        stop_reason=stop_reason,
        waiting=(Pacing(control, lambda: pausing.catches_up), pausing),
        time_slice=limits.value("turn_seconds"),
        on_record=messages.record,
        on_progress=messages.progress,
    )
    messages.event("began")
    with messages:
        ending = perform(task, context)
        messages.send({"ended": list(ending)})
    return ending.state


class _Messages:
    """Sends events at once, and records gathered for ``PACE`` seconds; in the order in which they came."""

    def __init__(self, worker: Any, topic: str, head: dict[str, Any]) -> None:
        self._worker, self._topic, self._head = worker, topic, head
        self._lock = threading.Lock()
        self._records: list[tuple[str, str, dict[str, Any]]] = []
        self._progress: list[Any] = []
        self._begun: set[str] = set()  # series whose head was sent
        self._waiting = False  # for ``PACE`` to pass

    def __enter__(self) -> "_Messages":
        return self

    def __exit__(self, *error: object) -> None:
        self.flush()

    def record(self, series: str, line: str, head: dict[str, Any]) -> None:
        with self._lock:
            self._records.append((series, line, {} if series in self._begun else head))
            self._begun.add(series)
        self._flush_soon()

    def progress(self, done: int, stage: str, final: bool) -> None:
        with self._lock:
            reports = self._progress[3] if self._progress else 0
            self._progress = [done, stage, final, reports + 1]
        self._flush_soon()

    def event(self, *event: Any) -> None:
        self.send({"event": list(event)})

    def send(self, message: dict[str, Any]) -> None:
        self.flush()
        self._worker.log_event(self._topic, self._head | message)

    def flush(self) -> None:
        with self._lock:
            records, self._records = self._records, []
            progress, self._progress = self._progress, []
            self._waiting = False
            gathered = ({"records": records} if records else {}) | ({"progress": progress} if progress else {})
            if gathered:
                self._worker.log_event(self._topic, self._head | gathered)

    def _flush_soon(self) -> None:
        with self._lock:
            waiting, self._waiting = self._waiting, True
        if not waiting:
            self._worker.loop.add_callback(self._worker.loop.call_later, PACE, self.flush)


class _Memory:
    """Tells when this process nears ``limit`` bytes (None: never), looking at most twice a second."""

    def __init__(self, limit: int | None) -> None:
        self._limit, self._process, self._next, self._reason = limit, psutil.Process(), 0.0, ""

    def reason(self) -> str:
        """Why the run has to end; "" while it need not."""
        if self._limit and not self._reason and time.monotonic() >= self._next:
            self._next = time.monotonic() + 0.5
            used = self._process.memory_info().rss  # as Dask counts, which kills the worker a little later
            if used >= MEMORY_SHARE * self._limit:
                self._reason = (
                    f"Stopped at {used / 1e6:,.0f} MB, the most one run may use here; use fewer rules, rows or columns."
                )
        return self._reason
