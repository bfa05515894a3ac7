"""Dispatcher: hands queued runs to workers, and sees to it that each end is noted in the ledger.

Each worker gets one run, so that a crash disturbs that run alone; Dask is told which worker to use. See docs/decisions/0026.

The ledger may block a writer for half a minute. Messages and ends of tasks are therefore handled by a thread of the dispatcher,
one after another; callers only queue an action, and no thread waits for the ledger while it holds a lock.
"""

import logging
import queue
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from tsk_core.errors import TSKError, error_sentence
from tsk_core.jobs.cluster import Cluster
from tsk_core.jobs.open_run import OpenRun
from tsk_core.jobs.open_runs import OpenRuns
from tsk_core.runs.folder import YIELDED, Ending, RunFolder
from tsk_core.runs.store import RunStore

LOSSES = 2  # a run that loses its worker is run once more
ATTEMPTS = 20  # in all, where the run is not to blame: the cluster failed, or the run was paused
REPORT_SECONDS = 5.0  # to wait for the report of a task that has ended
LOST = "The process that trained this run ended twice, most likely because memory ran out; use fewer rules, rows or columns."
GIVEN_UP = "The processes that train runs here keep ending; the administrator of this server should look at its log."
AGAIN = "The process that trained this run ended unexpectedly; the run starts again."
logger = logging.getLogger("tsk_core.jobs")


class Dispatcher:
    """Moves the runs of a table from the queue to workers and to their end.

    on_end: called after each run's end, from any thread; it has to be quick.
    """

    def __init__(self, runs: OpenRuns, store: RunStore, on_end: Callable[[], None] = lambda: None) -> None:
        self._runs, self._store, self._on_end = runs, store, on_end
        self._cluster: Cluster | None = None  # None until it is up
        self._unwritten: dict[str, tuple[OpenRun, Ending]] = {}  # ended, but the ledger could not be written
        self._actions: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="tsk-dispatcher", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread, after the actions that are queued already."""
        self._actions.put(None)
        self._thread.join(10)

    def connect(self, cluster: Cluster, workers: list[str]) -> None:
        """Runs may be handed to this cluster from now on."""
        self._cluster = cluster
        self._runs.set_workers(workers)
        self.hand_out()

    def disconnect(self, cluster: Cluster) -> None:
        """The cluster is lost: no run may be handed to it, and the runs that it had are lost too."""
        if self._cluster is cluster:
            self._cluster = None
            self._runs.set_workers([])
        for run in self._runs.running():
            self.lose(run, run.attempt)

    def is_connected(self, cluster: Cluster) -> bool:
        """Whether runs are handed to this cluster."""
        return self._cluster is cluster

    def hand_out(self) -> None:
        """Give free workers to queued runs."""
        self._actions.put(self._hand_out)

    def lose(self, run: OpenRun, attempt: int, to_blame: bool = False) -> None:
        """A run lost its worker: it is first in the queue again, but a run that may have killed a worker twice fails."""
        self._actions.put(partial(self._lose, run, attempt, to_blame))

    def stop(self, run: OpenRun, reason: str, queued: str = "") -> None:
        """End a run after its current step, a parked one where it waited; a queued one at once, unless it has been somewhere.

        queued: the reason then, where that differs. RunError where the disk is full.
        """
        if run.place is None and self._runs.unqueue(run):
            self.end(run, "stopped", queued or reason)
        elif run.run in self._runs:
            run.control.stop(reason)

    def bring_back(self) -> None:
        """Let parked runs that were resumed, granted a step or stopped wait for a worker. Any process may have asked for it."""
        for run in self._runs.all():
            if run.parked and run.may_come_back():
                self._runs.come_back(run, first=not run.control.stop_reason())
                self.hand_out()

    def end(self, run: OpenRun, state: str, message: str) -> None:
        """End a run from here, unless its task has just ended by itself."""
        self._end(run, self._ending_of(run) or Ending(state, message))

    def unwritten(self, run: str) -> tuple[OpenRun, Ending] | None:
        """A run that ended, and how, where the ledger does not know yet."""
        return self._unwritten.get(run)

    def retry(self) -> None:
        """Write the ends that could not be written."""
        for run, (_, ending) in list(self._unwritten.items()):
            try:
                self._store.housekeeping.end(run, *ending)
            except Exception:
                return
            self._unwritten.pop(run, None)

    # The rest runs in the dispatcher's thread.

    def _work(self) -> None:
        while (action := self._actions.get()) is not None:
            try:
                action()
            except Exception:  # what fails for one run must not end the service for all
                logger.exception("The dispatcher met an error")

    def _hand_out(self) -> None:
        cluster = self._cluster
        if cluster is None:
            return
        while run := self._runs.take():
            attempt, task = run.attempt, run.task
            try:
                if task is None:  # it has just been ended from elsewhere
                    continue
                if not self._store.ledger.start(run.run):  # another process ended it while it was queued
                    self._remove(run)
                    continue
                run.control.leave(False)
                work = (str(self._store.folder), run.run, attempt, task, run.place)
                run.future = cluster.submit(run.worker, partial(self._done, run, attempt, cluster), *work)
            except Exception as error:
                if not cluster.is_alive():  # the cluster failed in between
                    self._lose(run, attempt)
                    return
                self._fail(run, error)

    def _done(self, run: OpenRun, attempt: int, cluster: Cluster, future: Any) -> None:
        """Called by Dask's thread when a task ended in whatever way."""
        self._actions.put(partial(self._finish, run, attempt, cluster, future))

    def _finish(self, run: OpenRun, attempt: int, cluster: Cluster, future: Any) -> None:
        """A task ended: normally (it reported how), with its worker, or by an error around it."""
        from distributed import KilledWorker

        if future.status == "finished" and run.attempt == attempt and run.ending is None and not self._ending_of(run):
            self._runs.wait_for(lambda: run.ending is not None, REPORT_SECONDS)  # its report may come after its end
        if run.attempt != attempt:
            return
        if future.status == "finished" and run.ending == YIELDED:
            self._go_on(run)
        elif future.status == "finished" and (ending := self._ending_of(run)):
            self._end(run, ending)
        elif future.status == "finished":  # its message was lost and its file is not visible yet: the next attempt finds it
            self._lose(run, attempt)
        elif future.status != "error":  # cancelled or lost: the whole cluster failed
            self.disconnect(cluster)
        elif isinstance(future.exception(), KilledWorker):
            self._runs.drop_worker(run.worker)
            self._lose(run, attempt, to_blame=True)
        else:
            self._fail(run, future.exception())
        self._hand_out()

    def _go_on(self, run: OpenRun) -> None:
        """A task gave its worker to others: for the rest of its pause, or to wait in the queue behind its owner's other runs."""
        if run.waits_since is not None:
            self._runs.park(run)
        elif reason := run.control.stop_reason():
            self.end(run, "stopped", reason)
        elif self._store.ledger.requeue(run.run, ""):
            self._runs.requeue(run, "", lost=False)
        else:  # another process ended it
            self._remove(run)

    def _fail(self, run: OpenRun, error: BaseException) -> None:
        """Something around the task broke."""
        logger.error("Run %s failed", run.run, exc_info=error)
        self.end(run, "failed", error_sentence(error))

    def _lose(self, run: OpenRun, attempt: int, to_blame: bool = False) -> None:
        if not self._runs.lost(run, attempt, to_blame):
            return
        reason = run.control.stop_reason()
        try:
            if ending := self._ending_of(run):  # it had just ended by itself
                self._end(run, ending)
            elif reason:
                self.end(run, "stopped", f"{reason} The process that trained it ended first, so there is no model.")
            elif run.losses >= LOSSES or attempt - run.time_slices >= ATTEMPTS:
                self.end(run, "failed", LOST if run.losses >= LOSSES else GIVEN_UP)
            elif self._store.ledger.requeue(run.run, AGAIN):
                self._runs.requeue(run, AGAIN, paused=run.control.paused() is not None)
                self.hand_out()
            else:  # another process ended it
                self._remove(run)
        except TSKError as error:
            self.end(run, "failed", str(error))

    def _ending_of(self, run: OpenRun) -> Ending | None:
        """How the task ended: as it reported, or as it wrote, where its worker ended before the report arrived."""
        ending = None if run.ending == YIELDED else run.ending
        return ending or RunFolder(self._store.folder / run.run).ending()

    def _end(self, run: OpenRun, ending: Ending) -> None:
        """Note an end in the ledger. Where that cannot be written, it is remembered, and ``retry`` writes it later."""
        try:
            self._store.housekeeping.end(run.run, *ending)
        except Exception as error:  # whatever SQLite or a full disk raises, the run has to be removed
            logger.warning("The end of run %s could not be written: %s", run.run, error)
            self._unwritten[run.run] = (run, ending)
        self._remove(run)

    def _remove(self, run: OpenRun) -> None:
        """Remove a run whose end is noted."""
        if self._runs.remove(run):
            self._on_end()
            self.hand_out()
