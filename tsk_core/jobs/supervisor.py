"""Supervisor: the thread that keeps a cluster up until the engine closes, and that checks everything periodic:
expired leases, long pauses, workers that are lost or hang, the bound on disk space.
"""

import logging
import os
import threading
import time
from collections.abc import Callable

from tsk_core import limits
from tsk_core.classroom import delete_expired
from tsk_core.errors import RunError, TSKError
from tsk_core.jobs.cluster import START_SECONDS, Cluster
from tsk_core.jobs.dispatcher import Dispatcher
from tsk_core.jobs.open_run import OpenRun
from tsk_core.jobs.open_runs import OpenRuns
from tsk_core.runs.store import RunStore

TICK_SECONDS = 0.1
LOOK_SECONDS = 0.5  # between two looks at the list of workers
EXPIRY_SECONDS = 3600  # between two looks for runs, answers and classes that are kept no longer
WARN_SECONDS = 60  # between two lines of the log that say that runs cannot be steered
HANG_SECONDS = 60  # beyond the time one run may take; one that sends no message for so long is taken for dead
UNWATCHED = "It was stopped since no page showed it for {:.0f} s."
SILENT = "This run did not respond for {:.0f} s and was ended; use fewer rules, rows or columns."
logger = logging.getLogger("tsk_core.jobs")


class Supervisor:
    """Supervises the runs of a table, and the cluster that the dispatcher hands them to, from ``start()`` to ``close()``."""

    def __init__(self, runs: OpenRuns, dispatcher: Dispatcher, store: RunStore) -> None:
        self._runs, self._dispatcher, self._store = runs, dispatcher, store
        self._thread = threading.Thread(target=self._run, name="tsk-supervisor", daemon=True)
        self._lock = threading.Lock()  # guards _cluster, between its making and its end
        self._closing = threading.Event()
        self._untidy = threading.Event()  # a run ended since the store was last tidied
        self._cluster: Cluster | None = None
        self._looked = self._seen = 0.0
        self._warned = float("-inf")  # when it was last logged that a run could not be steered
        self._expired = float("-inf")  # when what is kept no longer was last deleted

    def start(self) -> None:
        """Begin, in a thread of its own."""
        self._thread.start()

    def run_ended(self) -> None:
        """There may be something to tidy up."""
        self._untidy.set()

    def close(self) -> None:
        """End the cluster, and with it this thread; returns when both are done."""
        self._closing.set()
        with self._lock:
            cluster = self._cluster
        if cluster is not None:
            cluster.end()
        self._thread.join(10)

    def _run(self) -> None:
        while not self._closing.is_set():
            cluster = Cluster(self._runs.receive, os.environ.get("TSK_SCHEDULER") or None)
            with self._lock:
                self._cluster = cluster
            if self._closing.is_set():  # before there was anything to end
                return
            started = False
            try:
                cluster.start()
                started = True
                self._look_after(cluster)
            except Exception as error:
                if not self._closing.is_set() and not started:
                    logger.exception("The cluster could not be started")
                    self._give_up(str(error) if isinstance(error, RunError) else "The training service could not be started.")
            self._dispatcher.disconnect(cluster)
            cluster.close()

    def _look_after(self, cluster: Cluster) -> None:
        """Return when the cluster died or the engine closes."""
        self._looked = self._seen = time.monotonic()
        self._dispatcher.connect(cluster, cluster.workers())
        while self._dispatcher.is_connected(cluster) and cluster.is_alive() and not self._closing.wait(TICK_SECONDS):
            try:
                self._tick(cluster)
            except Exception:  # what fails for one run, or once, must not end the service for all
                logger.exception("The supervisor met an error")

    def _tick(self, cluster: Cluster) -> None:
        now = time.monotonic()
        if now - self._looked > LOOK_SECONDS:
            self._look_at_workers(cluster)
            self._dispatcher.retry()
            self._dispatcher.hand_out()
        if self._untidy.is_set():  # before runs are steered, which a full disk prevents
            self._untidy.clear()
            self._store.housekeeping.free_disk_space()
        for run in self._runs.all():
            self._check_lease(run, now)
            self._check_silence(run, now, cluster)
        if waiting := self._runs.to_park():
            self._try(waiting, lambda run: run.control.leave())
        self._dispatcher.bring_back()
        if now - self._expired > EXPIRY_SECONDS:
            self._expired = now
            self._store.housekeeping.delete_expired()
            delete_expired(self._store.folder)

    def _look_at_workers(self, cluster: Cluster) -> None:
        """Update the list of workers, and take back the runs of those that were lost."""
        asked = self._looked = time.monotonic()
        try:
            workers = cluster.workers()
        except (OSError, TimeoutError):  # the scheduler is busy, or it ended, which ``is_alive`` shows
            return
        self._runs.set_workers(workers)
        for run in self._runs.running():
            if run.worker not in workers and run.handed_out < asked:
                self._dispatcher.lose(run, run.attempt, to_blame=True)
        if workers:
            self._seen = asked
        elif cluster.is_embedded and asked - self._seen > START_SECONDS:
            cluster.end()  # it cannot bring its workers back

    def _check_lease(self, run: OpenRun, now: float) -> None:
        if not run.needs_viewers or run.lease is None or now - run.watched < run.lease:
            return
        sentence = UNWATCHED.format(run.lease)
        if self._try(run, lambda run: self._dispatcher.stop(run, sentence)):
            run.lease = None

    def _check_silence(self, run: OpenRun, now: float, cluster: Cluster) -> None:
        limit = limits.value("run_seconds") + HANG_SECONDS
        if not run.worker or run.waits_since is not None or now - run.last_message < limit:
            return
        logger.error("Run %s sent no message for %d s; its worker %s is restarted", run.run, limit, run.worker)
        self._dispatcher.end(run, "failed", SILENT.format(limit))
        cluster.restart(run.worker)

    def _try(self, run: OpenRun, steer: Callable[[OpenRun], None]) -> bool:
        """Whether it could be steered; a full disk, which the next ticks find again, is logged once a minute."""
        try:
            steer(run)
        except TSKError as error:
            if time.monotonic() - self._warned > WARN_SECONDS:
                self._warned = time.monotonic()
                logger.warning("Run %s could not be steered: %s", run.run, error)
            return False
        return True

    def _give_up(self, sentence: str) -> None:
        """No cluster: say so in all waiting runs, and try again in some seconds."""
        for run in self._runs.all():
            self._dispatcher.end(run, "failed", sentence)
        self._dispatcher.retry()
        self._closing.wait(5)
