"""EndedRuns: what pages ask about runs that are not open here, without reading their files again and again."""

import threading
from collections import OrderedDict

from tsk_core.epoch import Epoch
from tsk_core.jobs.status import Status
from tsk_core.runs.store import RunStore

__all__ = ["EndedRuns"]

STATUSES, HISTORIES = 1000, 32  # kept at most


class EndedRuns:
    """Reads runs from ``store``; keeps the last answers about those that ended, which change no more. Any thread may call.

    A run whose folder is gone is asked for anew, so one that was removed is not answered from memory.
    """

    def __init__(self, store: RunStore) -> None:
        self._store, self._lock = store, threading.Lock()
        self._statuses: OrderedDict[str, Status] = OrderedDict()
        self._histories: OrderedDict[str, list[Epoch]] = OrderedDict()

    def status(self, run: str) -> Status:
        """Where the run stands; RunError when there is no such run."""
        if (known := self._known(self._statuses, run)) is not None:
            return known
        record = self._store.record(run)
        status = Status.of(run, record.state, record.message, self._store.config(run), self.history(run))
        if status.ended:
            self._keep(self._statuses, run, status, STATUSES)
        return status

    def history(self, run: str) -> list[Epoch]:
        """The run's epochs, not to be changed; RunError when there is no such run."""
        if (known := self._known(self._histories, run)) is not None:
            return known
        ended = self._store.record(run).ended  # before the epochs: one that ended has them all
        epochs = self._store.epochs(run)
        if ended:
            self._keep(self._histories, run, epochs, HISTORIES)
        return epochs

    def _known(self, kept: OrderedDict, run: str):
        with self._lock:
            if run not in kept:
                return None
            if not (self._store.folder / run).exists():
                del kept[run]
                return None
            kept.move_to_end(run)
            return kept[run]

    def _keep(self, kept: OrderedDict, run: str, value: object, most: int) -> None:
        with self._lock:
            kept[run] = value
            while len(kept) > most:
                kept.popitem(last=False)
