"""Dispatcher: the runs that are open, and which of them has which worker.

One job a worker, so that a crash disturbs one run alone. Dask is told which worker to use: only so can a run that waits in the
memory of one worker go on there while the others are given out. docs/decisions/0009 says more.
"""

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from tsk_core import limits
from tsk_core.epoch import Epoch
from tsk_core.errors import TSKError, sentence_of
from tsk_core.jobs.cluster import Cluster
from tsk_core.jobs.queue import FairQueue
from tsk_core.jobs.quota import Quota
from tsk_core.jobs.status import OpenRun
from tsk_core.jobs.wait_estimate import Forecast, Outlook
from tsk_core.runs.folder import Ending, RunFolder
from tsk_core.runs.store import RunStore

__all__ = ["Dispatcher"]

LOSSES = 2  # a run that loses its worker is run once more
ATTEMPTS = 20  # in all, where the run is not to blame: its cluster went down, or it only waited in the worker
LOST = "The process that trained this run ended twice, most likely for want of memory; use fewer rules, rows or columns."
GIVEN_UP = "The processes that train runs here ended again and again; whoever runs this server has to look at its log."
AGAIN = "The process that trained this run ended unexpectedly; the run starts again."
logger = logging.getLogger("tsk_core.jobs")


class Dispatcher:
    """Holds the open runs. Methods take the lock ``changed`` themselves; it can be taken twice.

    on_end: called after a run ended, perhaps under the lock, so it has to be quick.
    """

    def __init__(self, store: RunStore, on_end: Callable[[], None] = lambda: None) -> None:
        self.store, self._on_end = store, on_end
        self.changed = threading.Condition()  # guards all that follows
        self.open: dict[str, OpenRun] = {}
        self.queue = FairQueue()
        self.quota = Quota(self.queue)
        self.running: dict[str, OpenRun] = {}  # those of ``open`` that were given to a worker
        self.unwritten: dict[str, tuple[OpenRun, Ending]] = {}  # ended, but the ledger is not writable
        self.closing = False
        self.workers: list[str] = []
        self.cluster: Cluster | None = None  # None until it is up
        self._forecast = Forecast()

    # Coming in.

    def add(self, entry: OpenRun) -> None:
        """Put a run in line that was reserved."""
        with self.changed:
            self.open[entry.run] = entry
            self.queue.put(entry.run, entry.owner, background=entry.background)
        self.hand_out()

    # What is to be expected.

    def outlook(self, owner: str, background: bool = False) -> Outlook:
        """What awaits a run that ``owner`` submits now."""
        with self.changed:
            refusal = self.quota.refusal(owner, background)
            active, own, ahead = self._active(), self._own(owner, background), self.queue.ahead(owner, background)
            if not ahead and len(active) < len(self.workers) and not self._is_busy(own):
                return Outlook(0, 0.0, not refusal, refusal)
            seconds = self._wait(owner, background, ahead, self.queue.waiting(owner, background))
            return Outlook(ahead + 1, seconds, not refusal, refusal)

    def wait(self, entry: OpenRun) -> float | None:
        """Seconds until a waiting run probably begins."""
        position = self.queue.position(entry.run)
        if not position:
            return None
        own = self.queue.waiting(entry.owner, entry.background)
        return self._wait(entry.owner, entry.background, position - 1, min(own - 1, position - 1))

    def _wait(self, owner: str, background: bool, ahead: int, own_ahead: int) -> float | None:
        own = self._own(owner, background)
        turns = self._forecast.wait(ahead, self._active(), len(self.workers))
        mine = self._forecast.wait_for_own(own_ahead, own) if self._is_busy(own) else 0.0
        return None if turns is None or mine is None else max(turns, mine)

    # Going out.

    def hand_out(self) -> None:
        """Give free workers to those that come back from a pause, then to those in line."""
        while (given := self._next()) is not None:
            entry, cluster, attempt = given
            job = (str(self.store.folder), entry.run, attempt, entry.config, entry.dataset, entry.test_size, entry.reached)
            try:
                if not self.store.start(entry.run):  # another process ended it in line
                    self.leave(entry)
                    continue
                entry.future = cluster.submit(entry.worker, partial(self._done, entry, attempt, cluster), *job)
            except Exception as error:
                if not cluster.is_alive():  # it went down between the two
                    self.lose(entry, attempt)
                    return
                self._fail(entry, error)

    def _next(self) -> tuple[OpenRun, Cluster, int] | None:
        with self.changed:
            if self.cluster is None or self.closing:
                return None
            self._let_go_on()
            worker = self._free_worker()
            run = worker and self.queue.take(self._busy(False), self._busy(True))
            if not run:
                return None
            entry = self.open[run]
            entry.give(worker)
            self.running[run] = entry
            return entry, self.cluster, entry.attempt

    def _let_go_on(self) -> None:
        """Runs that were asked to go on while others used their worker: first come, first served, before all that wait in line.

        One goes on as soon as any worker is free, even when another run is in its own: the processor is free then.
        """
        back = [entry for entry in self.running.values() if entry.pause.asked_back]
        for entry in sorted(back, key=lambda entry: entry.pause.asked_back):
            if len(self._active()) >= len(self.workers):
                return
            steps = entry.pause.steps
            try:
                entry.control.step(steps) if steps else entry.control.resume()
            except TSKError as error:  # a full disk: it goes on waiting
                logger.warning("Run %s cannot go on: %s", entry.run, error)
                entry.pause.asked_back = None
                continue
            entry.pause.end()
            entry.heard = time.monotonic()

    def _free_worker(self) -> str | None:
        """A worker without an active run; rather one in which no other waits, since they share its memory."""
        shared = Counter(entry.worker for entry in self.running.values())
        active = Counter(entry.worker for entry in self._active())
        if active.total() >= len(self.workers):
            return None
        return min((worker for worker in self.workers if not active[worker]), key=shared.__getitem__, default=None)

    def _active(self) -> list[OpenRun]:
        return [entry for entry in self.running.values() if entry.is_active]

    def _own(self, owner: str, background: bool) -> list[OpenRun]:
        return [e for e in self.running.values() if e.owner == owner and e.background == background and e.is_active]

    def _busy(self, background: bool) -> set[str]:
        """Owners who have as many runs of this kind going as they may."""
        going = Counter(entry.owner for entry in self._active() if entry.background == background)
        return {owner for owner, count in going.items() if count >= limits.value("running_per_owner")}

    def _is_busy(self, own: list[OpenRun]) -> bool:
        return len(own) >= limits.value("running_per_owner")

    # Coming back.

    def hear(self, message: dict) -> None:
        """A job says something; see ``job.py``."""
        with self.changed:
            entry = self.open.get(message["run"])
            if entry is None or entry.attempt != message["attempt"] or entry.state != "running":
                return
            entry.heard = time.monotonic()
            if "epochs" in message:
                entry.epochs.extend(Epoch.from_dict(epoch) for epoch in message["epochs"])
            elif "ended" in message:
                entry.ending = Ending(*message["ended"])
            elif message["sign"] == "began":
                entry.began, entry.epochs = time.monotonic(), []
            elif message["sign"] == "waits":
                entry.pause.begin()
            elif message["sign"] == "left":
                entry.pause.left = True
            else:
                self._goes_on(entry)
            self.changed.notify_all()

    def _goes_on(self, entry: OpenRun) -> None:
        entry.pause.end()
        entry.pause.asked = entry.control.paused() is not None  # one more epoch was granted, or another process lifted it

    def _done(self, entry: OpenRun, attempt: int, cluster: Cluster, future: Any) -> None:
        """A job ended: as it should (it has said how), by its worker's death, or by an error around the training."""
        from distributed import KilledWorker

        if entry.attempt != attempt:
            return
        if future.status == "finished" and (ending := self._left(entry)):
            self._end(entry, ending)
        elif future.status == "finished":  # what it said was lost, and the file is not seen here yet: the next attempt finds it
            self.lose(entry, attempt)
        elif future.status != "error":  # cancelled or lost: the whole cluster is gone
            with self.changed:
                if self.cluster is cluster:
                    self.cluster, self.workers = None, []  # no run may be handed to it while the keeper finds out
            self.lose(entry, attempt)
        elif isinstance(future.exception(), KilledWorker):
            with self.changed:
                self.workers = [worker for worker in self.workers if worker != entry.worker]
            self.lose(entry, attempt, to_blame=True)
        else:
            self._fail(entry, future.exception())
        self.hand_out()

    def _fail(self, entry: OpenRun, error: BaseException) -> None:
        """Something around the training broke."""
        logger.error("Run %s failed", entry.run, exc_info=error)
        self.end(entry, "failed", sentence_of(error))

    def lose(self, entry: OpenRun, attempt: int, to_blame: bool = False) -> None:
        """A run lost its worker: first in line again. to_blame: if it had begun, it may have killed it; none may do so twice."""
        with self.changed:
            if entry.attempt != attempt or entry.state != "running" or self.closing:
                return  # already dealt with
            entry.losses += to_blame and entry.began is not None and entry.is_active
            lost = LOST if entry.losses >= LOSSES else GIVEN_UP if attempt >= ATTEMPTS else ""
            reason = entry.control.stop_reason()
            try:
                if ending := self._left(entry):  # it had just come to its end
                    self._end(entry, ending)
                elif reason:
                    self.end(entry, "stopped", f"{reason} The process that trained it ended first, so there is no model.")
                elif lost:
                    self.end(entry, "failed", lost)
                else:
                    self._requeue(entry)
            except TSKError as error:
                self.end(entry, "failed", str(error))

    def _requeue(self, entry: OpenRun) -> None:
        if not self.store.requeue(entry.run, AGAIN):  # another process ended it
            self.leave(entry)
            return
        entry.take_back(AGAIN)
        self.running.pop(entry.run, None)
        self.queue.put(entry.run, entry.owner, first=True, background=entry.background)
        self.changed.notify_all()

    def end(self, entry: OpenRun, state: str, message: str) -> None:
        """End a run from here, unless its training had just come to an end by itself."""
        self._end(entry, self._left(entry) or Ending(state, message))

    def _left(self, entry: OpenRun) -> Ending | None:
        """How the training ended: as it said, or as it wrote, where its worker or cluster went before that was heard."""
        return entry.ending or RunFolder(self.store.folder / entry.run).ending()

    def _end(self, entry: OpenRun, ending: Ending) -> None:
        """Note an end in the ledger. Where that cannot be written, it is remembered, and ``retry`` writes it later."""
        try:
            self.store.end(entry.run, *ending)
        except Exception as error:  # whatever SQLite and a full disk come up with: the run has to leave
            logger.warning("The end of run %s could not be written: %s", entry.run, error)
            with self.changed:
                self.unwritten[entry.run] = (entry, ending)
        self.leave(entry)

    def retry(self) -> None:
        """Write the ends that could not be written."""
        for run, (_, ending) in list(self.unwritten.items()):
            try:
                self.store.end(run, *ending)
            except Exception:
                return
            with self.changed:
                self.unwritten.pop(run, None)

    def leave(self, entry: OpenRun) -> None:
        """The run ended, and the store knows: forget it here."""
        with self.changed:
            self.queue.remove(entry.run)
            self.running.pop(entry.run, None)
            if self.open.pop(entry.run, None) is None:
                return
            self._forecast.ended(entry)
            self.quota.release(entry.owner, entry.background)
            entry.future = entry.dataset = None
            self.changed.notify_all()
        self._on_end()
