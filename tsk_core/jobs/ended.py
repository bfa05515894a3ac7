"""EndedRuns: answers about runs that are not open here, without reading their files again and again."""

import threading
from collections import OrderedDict
from typing import Any, TypeVar

from tsk_core.jobs.status import Status
from tsk_core.runs.records import EPOCHS
from tsk_core.runs.store import RunStore

__all__ = ["EndedRuns"]

STATUSES, HISTORIES = 1000, 32  # kept at most

Value = TypeVar("Value")


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
        if (known := self._known(self._statuses, run)) is not None:
            return known
        record = self._store.record(run)
        done, steps, stage = self._store.open(run).progress()
        status = Status(run, record.state, epoch=done, max_epochs=steps, message=record.message, stage=stage)
        if status.ended:
            self._keep(self._statuses, run, status, STATUSES)
        return status

    def records(self, run: str, name: str, since: int = 0) -> list[Any]:
        """The run's records of a series, not to be changed; RunError when there is no such run. Epochs are kept in memory."""
        if name != EPOCHS:
            return self._store.open(run).records(name, since)
        if (known := self._known(self._histories, run)) is not None:
            return known[since:]
        ended = self._store.record(run).ended  # before the epochs: one that ended has them all
        epochs = self._store.open(run).records(name)
        if ended:
            self._keep(self._histories, run, epochs, HISTORIES)
        return epochs[since:]

    def _known(self, kept: OrderedDict[str, Value], run: str) -> Value | None:
        with self._lock:
            if run not in kept:
                return None
            if not (self._store.folder / run).exists():
                del kept[run]
                return None
            kept.move_to_end(run)
            return kept[run]

    def _keep(self, kept: OrderedDict[str, Value], run: str, value: Value, most: int) -> None:
        with self._lock:
            kept[run] = value
            while len(kept) > most:
                kept.popitem(last=False)
