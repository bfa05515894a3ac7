"""What runs inside a Dask worker: one run, with what it says sent to the engine as it comes.

The scheduler imports this file too, to read a job, so what is heavy is imported when the job runs.

Each message is a dictionary with "run", "attempt", and one of "epochs" (a list), "ended" (an ``Ending`` as a list), or "sign":
"began", "waits" (between two epochs), "left" (the worker's thread, while it waits) or "goes on". The ledger stays closed here:
the worker may be on another machine.
"""

import threading
import time
from pathlib import Path
from typing import Any

import psutil
from distributed import get_worker, secede

from tsk_core.config import TrainConfig
from tsk_core.jobs.control import Control
from tsk_core.jobs.pausing import Pausing

__all__ = ["run_job"]

MEMORY_SHARE = 0.8  # of the worker's memory; at 95% Dask kills the worker, and the run with it
PARKED_SHARE = 0.7  # where others work in the same process, runs that wait make room earlier
PACE = 0.05  # seconds that epochs are gathered for, so that fifty quick trainings do not send thousands of messages a second


def run_job(
    topic: str, store_dir: str, run: str, attempt: int, config: TrainConfig, dataset: Any, test_size: float, reached: int
) -> str:
    """Train one run and return the state it ended in. What it has to say goes to ``topic``.

    reached: epochs that an earlier attempt did; a pause asked for then is kept once this one got as far.
    """
    import torch

    from tsk_core.runs.folder import RunFolder
    from tsk_core.tasks.live_training import train

    torch.set_num_threads(1)  # both settings hold for the calling thread, so they are made here and not in the preload
    torch.set_flush_denormal(True)
    worker = get_worker()
    folder = Path(store_dir) / run
    control = Control(folder)
    memory = _Memory(getattr(getattr(worker, "memory_manager", None), "memory_limit", None))
    mail = _Mail(worker, topic, {"run": run, "attempt": attempt})
    pausing = Pausing(control, mail.sign, secede, memory.room_wanted, reached)
    mail.sign("began")

    def should_stop() -> str:
        return control.stop_reason() or memory.reason()

    with mail, memory:
        ending = train(RunFolder(folder), config, dataset, test_size, should_stop, mail.epoch, pausing)
        mail.say({"ended": list(ending)})
    return ending.state


class _Mail:
    """Sends signs at once, and epochs gathered for ``PACE`` seconds; in the order of their coming."""

    def __init__(self, worker: Any, topic: str, head: dict[str, Any]) -> None:
        self._worker, self._topic, self._head = worker, topic, head
        self._lock = threading.Lock()
        self._epochs: list[dict] = []

    def __enter__(self) -> "_Mail":
        return self

    def __exit__(self, *error: object) -> None:
        self.flush()

    def epoch(self, epoch: Any) -> None:
        with self._lock:
            self._epochs.append(epoch.to_dict())
            first = len(self._epochs) == 1
        if first:
            self._worker.loop.add_callback(self._worker.loop.call_later, PACE, self.flush)

    def sign(self, sign: str) -> None:
        self.say({"sign": sign})

    def say(self, what: dict[str, Any]) -> None:
        self.flush()
        self._worker.log_event(self._topic, self._head | what)

    def flush(self) -> None:
        with self._lock:
            epochs, self._epochs = self._epochs, []
            if epochs:
                self._worker.log_event(self._topic, self._head | {"epochs": epochs})


class _Memory:
    """Says when this process nears ``limit`` bytes (None: never), looking at most twice a second."""

    _jobs = 0  # that use this process now: one, and those that wait
    _lock = threading.Lock()
    _made_room = 0.0

    def __init__(self, limit: int | None) -> None:
        self._limit, self._process, self._next, self._used = limit, psutil.Process(), 0.0, 0

    def __enter__(self) -> "_Memory":
        with _Memory._lock:
            _Memory._jobs += 1
        return self

    def __exit__(self, *error: object) -> None:
        with _Memory._lock:
            _Memory._jobs -= 1

    def reason(self) -> str:
        """Why the run has to end; "" while it need not."""
        if not self._limit or self._look() < MEMORY_SHARE * self._limit:
            return ""
        return f"Stopped at {self._used / 1e6:,.0f} MB, the most one run may use here; use fewer rules, rows or columns."

    def room_wanted(self) -> str:
        """Why a run that waits has to end; "" while it need not. One each five seconds: memory takes a moment to come back."""
        if not self._limit or self._look() < PARKED_SHARE * self._limit:
            return ""
        with _Memory._lock:
            if _Memory._jobs < 2 or time.monotonic() - _Memory._made_room < 5:
                return ""
            _Memory._made_room = time.monotonic()
        return "Stopped in its pause: its worker's memory was needed by others. The weights reached are kept."

    def _look(self) -> int:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + 0.5
            self._used = self._process.memory_info().rss
        return self._used
