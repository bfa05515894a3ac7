"""Engine: takes runs, hands them to workers one each, streams their epochs, gives their results.

Three threads touch a run: the caller's, the cluster's (epochs and ends come in) and the keeper's (starts the cluster, and
starts it again when it dies). One lock guards the queue and all runs that are open; what has ended lives in the store alone.
"""

import atexit
import logging
import os
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from tsk_core import limits
from tsk_core.config import TrainConfig
from tsk_core.epoch import Epoch
from tsk_core.errors import LimitError, RunError
from tsk_core.jobs.cluster import Cluster
from tsk_core.jobs.queue import FairQueue
from tsk_core.jobs.status import OpenRun, Status
from tsk_core.jobs.store import ENDED, Result, RunStore

__all__ = ["Engine", "Status"]

ATTEMPTS = 2  # a run that loses its worker is run once more
STOPPED = "Stopped before it began."
LOST = "The process that trained this run ended twice, most likely for want of memory; use fewer rules, rows or columns."
AGAIN = "The process that trained this run ended unexpectedly; the run starts again."
CLOSED = "The server stopped before this run ended; start it again."
logger = logging.getLogger("tsk_core.jobs")


class Engine:
    """Runs trainings in an embedded cluster, or in the one at the address in TSK_SCHEDULER. Any thread may call.

    runs_dir: where runs are kept; None takes TSK_RUNS_DIR, else ``runs/``.

    Returns at once: the cluster starts in the background, and runs wait in line until it is there.
    A remote cluster has to share ``runs_dir`` with this process; whoever reaches a Dask scheduler can run any code on it.
    """

    def __init__(self, runs_dir: str | Path | None = None) -> None:
        self.store = RunStore(runs_dir)
        self._queue = FairQueue()
        self._open: dict[str, OpenRun] = {}
        self._changed = threading.Condition()  # its lock guards _queue and _open
        self._closing = threading.Event()
        self._cluster: Cluster | None = None  # None until it is up
        self._starting: Cluster | None = None
        self._keeper = threading.Thread(target=self._keep_cluster, name="tsk-engine", daemon=True)
        self._keeper.start()
        atexit.register(self.close)

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def submit(self, config: TrainConfig, dataset: Any, owner: str = "anyone", test_size: float = 0.3) -> str:
        """Queue a training and return its run id. LimitError, in one sentence, when a quota says no."""
        dataset = replace(dataset, raw=None)  # the table before cleaning need not travel
        X = dataset.X
        limits.check_training(config.n_rules, config.batch_size, len(X), _encoded_columns(X), len(dataset.classes))
        _ = dataset.sha256  # slow for a large table; computed here it is not computed under the lock
        with self._changed:
            if self._closing.is_set():
                raise RunError("This engine is closed; open a new one.")
            self._check_quota(owner)
            run = self.store.create(config, dataset, test_size, owner)
            self._open[run] = OpenRun(run, owner, self.store.config(run), dataset, test_size)
            self._queue.put(run, owner)
        self._dispatch()
        return run

    def status(self, run: str) -> Status:
        """Where the run stands; RunError when there is no such run."""
        with self._changed:
            if entry := self._open.get(run):
                return Status.of(run, entry.state, entry.message, entry.config, entry.epochs, self._queue.position(run))
        record = self.store.record(run)
        return Status.of(run, record.state, record.message, self.store.config(run), self.store.epochs(run))

    def history(self, run: str) -> list[Epoch]:
        """The epochs so far, without waiting; RunError when there is no such run."""
        with self._changed:
            if entry := self._open.get(run):
                return list(entry.epochs)
        return self.store.epochs(run)

    def follow(self, run: str) -> Iterator[Epoch]:
        """Yield each epoch from the first one on, as it comes, until the run ends; RunError when there is no such run."""
        self.store.record(run)
        return self._follow(run)

    def stop(self, run: str) -> None:
        """End a run within one epoch, keeping its weights; one still in line ends at once, one that ended stays as it is."""
        record = self.store.record(run)
        if record.state in ENDED:
            return
        self.store.ask_to_stop(run)
        with self._changed:
            waiting = self._queue.remove(run)
            entry = self._open.get(run)
            if waiting or (entry is None and record.state == "queued"):  # the second: in line in another process
                self.store.end(run, "stopped", STOPPED)
            if waiting:
                self._leave(entry)

    def result(self, run: str, timeout: float | None = None) -> Result:
        """What the run left, waiting for its end (``timeout`` in seconds; None: as long as it takes).

        RunError in one sentence when it failed, left no model, is unknown, or has not ended in time.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        while self.store.record(run).state not in ENDED and (deadline is None or time.monotonic() < deadline):
            with self._changed:
                self._changed.wait(0.2)
        return self.store.result(run)

    def close(self) -> None:
        """End the cluster and all its processes; runs still open become "interrupted". Safe to call twice."""
        with self._changed:
            if self._closing.is_set():
                return
            self._closing.set()
            starting = self._starting
        atexit.unregister(self.close)
        if starting is not None:
            starting.end()
        self._keeper.join(10)
        with self._changed:
            for entry in list(self._open.values()):
                self._queue.remove(entry.run)
                self.store.end(entry.run, "interrupted", CLOSED)
                self._leave(entry)

    # Inside. Every method takes the lock itself; it can be taken twice.

    def _check_quota(self, owner: str) -> None:
        mine, allowed = sum(entry.owner == owner for entry in self._open.values()), limits.value("queued_per_owner")
        if mine > allowed:
            raise LimitError(
                f"One run at a time and {allowed} waiting are the most that one person may have here; wait for one to end,"
                f" stop one, or raise {limits.LIMITS['queued_per_owner'].variable}."
            )
        if len(self._queue) >= limits.value("queued"):
            raise LimitError(
                f"{len(self._queue)} runs are waiting, the most this server takes; try again in some minutes,"
                f" or raise {limits.LIMITS['queued'].variable}."
            )

    def _follow(self, run: str) -> Iterator[Epoch]:
        seen = 0
        while True:
            entry = self._open.get(run)
            ended = entry is None and self.store.record(run).state in ENDED
            epochs = self.store.epochs(run) if entry is None else entry.epochs
            fresh = epochs[seen:]
            yield from fresh
            seen += len(fresh)
            if ended:
                return
            with self._changed:
                if entry is None:  # another process's run: its epochs reach the disk about each second
                    self._changed.wait(0.2)
                else:
                    self._changed.wait_for(lambda: len(entry.epochs) > seen or run not in self._open, timeout=5)  # noqa: B023

    def _dispatch(self) -> None:
        """Hand out as many runs as there are free workers: one job a worker, so that a crash disturbs one run alone."""
        while True:
            with self._changed:
                running = [entry for entry in self._open.values() if entry.state == "running"]
                if self._cluster is None or self._closing.is_set() or len(running) >= self._cluster.workers:
                    return
                run = self._queue.take(busy={entry.owner for entry in running})
                if run is None:
                    return
                entry, cluster = self._open[run], self._cluster
                entry.state, entry.attempt, entry.epochs = "running", entry.attempt + 1, []
                attempt = entry.attempt
            job = (str(self.store.folder), run, entry.config, entry.dataset, entry.test_size)
            try:
                entry.future = cluster.submit(partial(self._done, entry, attempt, cluster), *job, attempt=attempt)
            except Exception as error:
                if not cluster.is_alive():  # it went down between the two
                    self._lose(entry, attempt)
                    return
                self._fail(entry, error)

    def _message(self, message: dict) -> None:
        """An epoch came in."""
        with self._changed:
            entry = self._open.get(message["run"])
            if entry is not None and entry.attempt == message["attempt"]:
                entry.epochs.append(Epoch.from_dict(message["epoch"]))
                self._changed.notify_all()

    def _done(self, entry: OpenRun, attempt: int, cluster: Cluster, future: Any) -> None:
        """A job ended: as it should (the store says how), by its worker's death, or by an error around the training."""
        from distributed import KilledWorker

        if future.status == "finished":
            with self._changed:
                self._leave(entry)
        elif future.status != "error":  # cancelled or lost: the whole cluster is gone
            if self._cluster is cluster:
                self._cluster = None  # no run may be handed to it while the keeper finds out
            self._lose(entry, attempt)
        elif isinstance(future.exception(), KilledWorker):
            self._lose(entry, attempt)
        else:
            self._fail(entry, future.exception())
        self._dispatch()

    def _fail(self, entry: OpenRun, error: BaseException) -> None:
        """Something around the training broke."""
        logger.error("Run %s failed", entry.run, exc_info=error)
        with self._changed:
            sentence = f"Training failed unexpectedly ({type(error).__name__}); the server's log has the details."
            self.store.end(entry.run, "failed", sentence)
            self._leave(entry)

    def _lose(self, entry: OpenRun, attempt: int) -> None:
        """A run lost its worker: first in line again, once."""
        with self._changed:
            if entry.attempt != attempt or entry.state != "running" or self._closing.is_set():
                return  # already dealt with
            if self.store.record(entry.run).state in ENDED:  # it had just written its end
                self._leave(entry)
            elif self.store.asked_to_stop(entry.run):
                self.store.end(entry.run, "stopped", "Stopped by hand; the process that trained it ended first.")
                self._leave(entry)
            elif attempt >= ATTEMPTS:
                self.store.end(entry.run, "failed", LOST)
                self._leave(entry)
            else:
                entry.state, entry.message, entry.future = "queued", AGAIN, None
                self.store.requeue(entry.run, AGAIN)
                self._queue.put(entry.run, entry.owner, first=True)

    def _leave(self, entry: OpenRun) -> None:
        """The run ended, and the store knows: forget it here."""
        with self._changed:
            self._open.pop(entry.run, None)
            entry.future = None
            self._changed.notify_all()

    def _keep_cluster(self) -> None:
        """The keeper: have a cluster up until the engine closes."""
        while not self._closing.is_set():
            cluster = Cluster(self._message, os.environ.get("TSK_SCHEDULER") or None)
            with self._changed:
                self._starting = cluster
            try:
                cluster.start()
                self._cluster = cluster
                self._watch(cluster)
            except Exception as error:
                if not self._closing.is_set() and self._cluster is None:
                    logger.exception("The cluster could not be started")
                    self._give_up(str(error) if isinstance(error, RunError) else "The training service could not be started.")
            self._cluster = None
            cluster.close()
            for entry in list(self._open.values()):
                self._lose(entry, entry.attempt)

    def _watch(self, cluster: Cluster) -> None:
        """Return when the cluster died or the engine closes."""
        looked = time.monotonic()
        self._dispatch()
        while self._cluster is cluster and cluster.is_alive() and not self._closing.wait(0.1):
            if not cluster.is_embedded and time.monotonic() - looked > 5:  # workers of a remote cluster come and go
                cluster.count_workers()
                looked = time.monotonic()
                self._dispatch()

    def _give_up(self, sentence: str) -> None:
        """No cluster: say so in all waiting runs, and try again in some seconds."""
        with self._changed:
            for entry in list(self._open.values()):
                self._queue.remove(entry.run)
                self.store.end(entry.run, "failed", sentence)
                self._leave(entry)
        self._closing.wait(5)


def _encoded_columns(X: Any) -> int:
    """How many columns ``X`` has for the model, once categories are spread out (an estimate from above)."""
    numbers = X.select_dtypes("number").shape[1]
    most = limits.value("categories")
    words = [name for name in X.columns[: limits.value("columns")] if X[name].dtype.kind not in "iufb"]
    return numbers + sum(min(X[name].nunique(), most) for name in words)
