"""What runs inside a Dask worker: one task, with its messages to the engine.

The scheduler imports this file too, to read what it passes on, so what is heavy is imported when the task runs.

Each message is a dictionary with "run", "attempt", and one or more of "records" (lists of series, line and head), "progress"
(steps done, stage, whether it is the last one, number of reports), "ended" (an ``Ending`` as a list), and "event": "began",
"waits" (between two steps), "left" (the worker's thread, while it waits), "stepped" or "resumed". The ledger stays closed here:
the worker may be on another machine.
"""

import threading
import time
from pathlib import Path
from typing import Any, ClassVar

import psutil
from distributed import get_worker, secede

from tsk_core import limits
from tsk_core.jobs.control import Control, Pacing, Pausing
from tsk_core.tasks import Task

MEMORY_SHARE = 0.8  # of the worker's memory; at 95% Dask kills the worker, and the run with it
PACE = 0.05  # seconds that records are gathered for, so that fifty quick trainings do not send thousands of messages a second


def run_task(topic: str, store_dir: str, run: str, attempt: int, task: Task, reached: int) -> str:
    """Run a task and return the state it ended in. Its messages go to ``topic``.

    reached: steps that an earlier attempt did; a pause asked for then is kept once this one got as far.
    """
    import torch

    from tsk_core.runs.folder import RunFolder
    from tsk_core.tasks.task import Context, perform

    torch.set_num_threads(1)  # both settings hold for the calling thread, so they are made here and not in the preload
    torch.set_flush_denormal(True)
    worker = get_worker()
    folder = Path(store_dir) / run
    control = Control(folder)
    memory = _Memory(getattr(getattr(worker, "memory_manager", None), "memory_limit", None))
    messages = _Messages(worker, topic, {"run": run, "attempt": attempt})

    def event(name: str) -> None:
        memory.note(name)
        messages.event(name)

    context = Context(
        RunFolder(folder),
        stop_reason=lambda: control.stop_reason() or memory.reason(),
        waiting=(Pacing(control), Pausing(control, event, secede, reached, memory.wants_aside)),
        time_slice=limits.value("turn_seconds"),
        on_record=messages.record,
        on_progress=messages.progress,
    )
    messages.event("began")
    with messages, memory:
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

    def event(self, event: str) -> None:
        self.send({"event": event})

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
    """Tells when this process nears ``limit`` bytes (None: never), looking at most twice a second.

    Runs that wait share the process with the one that trains. Those that wait are set aside first, one after another in the order
    in which they began; they go on later with the same numbers. Where none waits, the run that began last ends.
    """

    _tasks: ClassVar[list["_Memory"]] = []  # in this process now, in the order in which they began
    _lock = threading.Lock()
    _ended_one = 0.0

    def __init__(self, limit: int | None) -> None:
        self._limit, self._process, self._next, self._used = limit, psutil.Process(), 0.0, 0
        self._waits = self._left = False
        self._reason = ""
        self._asked_aside = False

    def __enter__(self) -> "_Memory":
        with _Memory._lock:
            _Memory._tasks.append(self)
        return self

    def __exit__(self, *error: object) -> None:
        with _Memory._lock:
            _Memory._tasks.remove(self)

    def note(self, event: str) -> None:
        """What ``Pausing`` notifies of."""
        self._waits, self._left = event in ("waits", "left"), event == "left" or self._left

    def wants_aside(self) -> bool:
        """Whether this task, which waits and has left its thread, has to leave the memory."""
        return self._asked_aside

    def reason(self) -> str:
        """Why the run has to end; "" while it need not. One every five seconds: memory takes a moment to come back."""
        if not self._limit or self._look() < MEMORY_SHARE * self._limit:
            return self._reason
        with _Memory._lock:
            training = [task for task in _Memory._tasks if not task._waits]
            is_newest = not training or training[-1] is self
            if not self._reason and is_newest and not self._waits and time.monotonic() - _Memory._ended_one > 5:
                _Memory._ended_one = time.monotonic()
                if parked := [task for task in _Memory._tasks if task._waits and task._left and not task._asked_aside]:
                    parked[0]._asked_aside = True
                    return self._reason
                shared = len(_Memory._tasks) > 1
                advice = "paused runs use a part of it, so try again later" if shared else "use fewer rules, rows or columns"
                self._reason = f"Stopped at {self._used / 1e6:,.0f} MB, the most one run may use here; {advice}."
        return self._reason

    def _look(self) -> int:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + 0.5
            self._used = self._process.memory_info().rss  # as Dask counts, which kills the worker a little later
        return self._used
