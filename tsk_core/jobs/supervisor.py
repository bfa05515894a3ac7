"""Keeper: the thread that has a cluster up until the engine closes, and that sees to everything that takes time to notice.

Leases that ran out, pauses that last, workers that went or hang, room on the disk.
"""

import logging
import os
import threading
import time

from tsk_core import limits
from tsk_core.errors import RunError, TSKError
from tsk_core.jobs.cluster import START_SECONDS, Cluster
from tsk_core.jobs.dispatcher import Dispatcher
from tsk_core.jobs.status import OpenRun
from tsk_core.jobs.steering import Steering

__all__ = ["Keeper"]

TICK_SECONDS = 0.1
LOOK_SECONDS = 0.5  # between two looks at the list of workers
PARK_SECONDS = 10  # a pause that lasts longer gives the worker to others
HANG_SECONDS = 60  # beyond the time one run may take; one that gives no sign for so long is taken for dead
UNWATCHED = "Nobody watched it for {:.0f} s; press Train to run it again."
TOO_MANY = "Stopped in its pause: more than {} runs were paused here. The weights reached are kept."
SILENT = "This run gave no sign for {:.0f} s and was ended; use fewer rules, rows or columns."
logger = logging.getLogger("tsk_core.jobs")


class Keeper:
    """Keeps a cluster for ``dispatcher`` from ``start()`` to ``end()``."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._thread = threading.Thread(target=self._run, name="tsk-engine", daemon=True)
        self._dispatcher, self._store, self._steering = dispatcher, dispatcher.store, Steering(dispatcher)
        self._closing = threading.Event()
        self._untidy = threading.Event()  # a run ended since the store was last tidied
        self._cluster: Cluster | None = None
        self._looked = self._seen = 0.0

    def start(self) -> None:
        """Begin, in a thread of its own."""
        self._thread.start()

    def run_ended(self) -> None:
        """There may be something to tidy up."""
        self._untidy.set()

    def end(self) -> None:
        """End the cluster, and with it this thread; returns when both are done."""
        self._closing.set()
        with self._dispatcher.changed:
            cluster = self._cluster
        if cluster is not None:
            cluster.end()
        self._thread.join(10)

    def _run(self) -> None:
        while not self._closing.is_set():
            cluster = Cluster(self._dispatcher.hear, os.environ.get("TSK_SCHEDULER") or None)
            with self._dispatcher.changed:
                self._cluster = cluster
            if self._closing.is_set():  # before there was anything to end
                return
            try:
                cluster.start()
                self._look_after(cluster)
            except Exception as error:
                if not self._closing.is_set() and self._dispatcher.cluster is None:
                    logger.exception("The cluster could not be started")
                    self._give_up(str(error) if isinstance(error, RunError) else "The training service could not be started.")
            with self._dispatcher.changed:
                self._dispatcher.cluster, self._dispatcher.workers = None, []
            cluster.close()
            for entry in list(self._dispatcher.running.values()):
                self._dispatcher.lose(entry, entry.attempt)

    def _look_after(self, cluster: Cluster) -> None:
        """Return when the cluster died or the engine closes."""
        self._seen = time.monotonic()
        self._look_at_workers(cluster)
        with self._dispatcher.changed:
            self._dispatcher.cluster = cluster
        self._dispatcher.hand_out()
        while self._dispatcher.cluster is cluster and cluster.is_alive() and not self._closing.wait(TICK_SECONDS):
            try:
                self._tick(cluster)
            except Exception:  # what fails for one run, or once, must not end the service for all
                logger.exception("The keeper of runs met an error")

    def _tick(self, cluster: Cluster) -> None:
        now = time.monotonic()
        if now - self._looked > LOOK_SECONDS:
            self._look_at_workers(cluster)
            self._dispatcher.retry()
            self._dispatcher.hand_out()
        for entry in list(self._dispatcher.open.values()):
            self._see_to_lease(entry, now)
            self._steering.park(entry, PARK_SECONDS)
            self._see_to_silence(entry, now, cluster)
        self._bound_paused()
        if self._untidy.is_set():
            self._untidy.clear()
            self._store.tidy()

    def _look_at_workers(self, cluster: Cluster) -> None:
        """Learn which workers there are, and take back what was given to those that went."""
        asked = self._looked = time.monotonic()
        try:
            workers = cluster.workers()
        except (OSError, TimeoutError):  # it is busy, or gone, which ``is_alive`` tells
            return
        with self._dispatcher.changed:
            self._dispatcher.workers = workers
            given = list(self._dispatcher.running.values())
        for entry in given:
            if entry.worker not in workers and entry.handed_out < asked:
                self._dispatcher.lose(entry, entry.attempt, to_blame=True)
        if workers:
            self._seen = asked
        elif cluster.is_embedded and asked - self._seen > START_SECONDS:
            cluster.end()  # it cannot bring its workers back

    def _see_to_lease(self, entry: OpenRun, now: float) -> None:
        if entry.lease is None or now - entry.watched < entry.lease:
            return
        self._stop(entry, UNWATCHED.format(entry.lease))
        entry.lease = None

    def _see_to_silence(self, entry: OpenRun, now: float, cluster: Cluster) -> None:
        limit = limits.value("run_seconds") + HANG_SECONDS
        if entry.state != "running" or entry.pause.since is not None or now - entry.heard < limit:
            return
        logger.error("Run %s gave no sign for %d s; its worker %s is restarted", entry.run, limit, entry.worker)
        self._dispatcher.end(entry, "failed", SILENT.format(limit))
        cluster.restart(entry.worker)

    def _bound_paused(self) -> None:
        """Runs that wait take memory: beyond so many, the one that waits longest ends."""
        parked = [entry for entry in list(self._dispatcher.running.values()) if entry.pause.parked]
        most = limits.value("paused")
        for entry in sorted(parked, key=lambda entry: entry.pause.since or 0.0)[: max(0, len(parked) - most)]:
            self._stop(entry, TOO_MANY.format(most))

    def _stop(self, entry: OpenRun, sentence: str) -> None:
        try:
            self._steering.stop(entry, sentence)
        except TSKError as error:  # a full disk
            logger.warning("Run %s could not be stopped: %s", entry.run, error)

    def _give_up(self, sentence: str) -> None:
        """No cluster: say so in all waiting runs, and try again in some seconds."""
        for entry in list(self._dispatcher.open.values()):
            self._dispatcher.end(entry, "failed", sentence)
        self._closing.wait(5)
