"""Status: where a run stands; EndedRuns: such answers about runs that are not open here."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from tsk_core.live.series import EPOCHS
from tsk_core.runs.ledger import ENDED
from tsk_core.runs.store import RunStore

STATUSES, HISTORIES = 1000, 32  # of ended runs, kept in memory at most
Value = TypeVar("Value")


@dataclass(frozen=True)
class Status:
    """Where a run stands.

    state: queued, running, finished, stopped, failed or interrupted.
    position: place in the queue from 1 while queued, else 0. epoch: the last one done, of ``max_epochs``, in ``stage``.
    message: why it ended, or what happened to it; often empty.
    paused: whether it was asked to wait between two epochs, and not yet to continue. waiting: whether it does, after ``epoch``.
    parked: whether it has given its worker to others meanwhile.
    wait: seconds until it probably begins, for a queued run; None where nothing is known, and once it began.
    kept: whether it goes on without viewers, once it has begun.
    attempt: which attempt this engine knows records of, from 1; a later one begins without any. 0: not open here.
    """

    run: str
    state: str
    position: int = 0
    epoch: int = 0
    max_epochs: int = 0
    message: str = ""
    stage: str = "training"
    paused: bool = False
    wait: float | None = None
    waiting: bool = False
    parked: bool = False
    attempt: int = 0
    kept: bool = False

    @property
    def share(self) -> float:
        """The share of the epochs that is done, in [0, 1]; 0 where it has none to do."""
        return min(1.0, self.epoch / self.max_epochs) if self.max_epochs else 0.0

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""
        return self.state in ENDED


class EndedRuns:
    """Reads runs from ``store``; keeps the last answers about those that ended, which change no more. Any thread may call.

    A run whose folder is gone is read again, so one that was removed is not answered from memory.
    """

    def __init__(self, store: RunStore) -> None:
        self._store, self._lock = store, threading.Lock()
        self._statuses: OrderedDict[str, Status] = OrderedDict()
        self._histories: OrderedDict[str, list[Any]] = OrderedDict()

    def status(self, run: str) -> Status:
        """Where the run stands; RunError when there is no such run."""
        return self._answer(self._statuses, STATUSES, run, self._status)

    def records(self, run: str, name: str, since: int = 0) -> list[Any]:
        """The run's records of a series, not to be changed; RunError when there is no such run. Epochs are kept in memory."""
        if name != EPOCHS:
            return self._store.open(run).records(name, since)
        return self._answer(self._histories, HISTORIES, run, self._epochs)[since:]

    def _status(self, run: str) -> tuple[Status, bool]:
        record = self._store.record(run)
        done, steps, stage = self._store.open(run).progress()
        return Status(run, record.state, epoch=done, max_epochs=steps, message=record.message, stage=stage), record.ended

    def _epochs(self, run: str) -> tuple[list[Any], bool]:
        ended = self._store.record(run).ended  # before the epochs: one that ended has them all
        return self._store.open(run).epochs(), ended

    def _answer(self, kept: OrderedDict[str, Value], most: int, run: str, read: Callable[[str], tuple[Value, bool]]) -> Value:
        """The answer that is kept, or what ``read`` finds, which also says whether it is to be kept."""
        with self._lock:
            if run in kept and (self._store.folder / run).exists():
                kept.move_to_end(run)
                return kept[run]
        value, ended = read(run)
        with self._lock:
            if ended:
                kept[run] = value
            while len(kept) > most:
                kept.popitem(last=False)
        return value
