"""OpenRuns: all runs that have not ended, the queue they wait in, and the workers that some of them have.

Each method is one change or one answer, made under the table's own lock. None of them reads or writes a file, or asks the ledger
or the cluster, so the lock is held for microseconds and Dask's callback thread never waits.
"""

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tsk_core import limits
from tsk_core.errors import RunError
from tsk_core.jobs.open_run import OpenRun, Workers
from tsk_core.jobs.queue import FairQueue, Quota, check_kept
from tsk_core.jobs.status import Status

RECENT = 20  # ended runs whose durations are remembered
UNWATCHED_SECONDS = 65.0  # a laptop that wakes up, or a browser without a connection, may ask once a minute


@dataclass(frozen=True)
class WaitEstimate:
    """What awaits the next run of an owner.

    position: its place in the queue from 1; 0 when it would begin at once. seconds: until it probably begins; None where nothing
    is known yet. allowed: whether it may be submitted; message: the sentence that says why not, else "".
    """

    position: int
    seconds: float | None
    allowed: bool
    message: str


class Estimator:
    """Estimates waiting times from the durations of this server's last runs and the pace of those that are active."""

    def __init__(self) -> None:
        self._durations: deque[float] = deque(maxlen=RECENT)

    def ended(self, run: OpenRun) -> None:
        """A run ended; it counts if it had begun its work."""
        if run.began is not None and run.reports:
            self._durations.append(min(run.seconds, _most(run)))

    def remaining(self, run: OpenRun) -> float | None:
        """Seconds until this run gives its worker to others: by its pace, or by what runs take here. None: nothing is known."""
        if run.remaining is not None:
            return min(run.remaining, _most(run))
        mean = self._mean(())
        return None if mean is None else max(0.0, mean - run.seconds)

    def wait(self, ahead: int, active: list[OpenRun], workers: int) -> float | None:
        """Seconds until a run begins that has ``ahead`` runs before it in the queue; None where nothing is known."""
        if workers < 1:
            return None
        rounds, place = divmod(ahead, workers)
        free = workers - len(active)
        left = [self.remaining(run) for run in active[:workers]] if place >= free or rounds else []
        mean = self._mean(active) if rounds else 0.0
        known = [seconds for seconds in left if seconds is not None]
        if mean is None or len(known) < len(left):
            return None
        return sorted([0.0] * free + known)[place] + rounds * mean

    def wait_for_own(self, ahead: int, own: list[OpenRun]) -> float | None:
        """Seconds until an owner, who has as many runs going as allowed, may begin one with ``ahead`` of theirs before it."""
        return self.wait(ahead, own, len(own)) if own else 0.0

    def _mean(self, active: Iterable[OpenRun]) -> float | None:
        """What a run takes here: the mean of those that ended, else of what those that train will have taken."""
        known = list(self._durations) or [
            min(run.seconds + run.remaining, _most(run)) for run in active if run.remaining is not None
        ]
        return sum(known) / len(known) if known else None


def _most(run: OpenRun) -> float:
    """Seconds that a run may have a worker while others wait: one of an experiment gives it up after its turn."""
    return limits.value("turn_seconds" if run.background else "run_seconds")


class OpenRuns:
    """Open runs by id. Any thread may call."""

    def __init__(self) -> None:
        self._changed = threading.Condition()  # guards all that follows
        self._runs: dict[str, OpenRun] = {}
        self._queue = FairQueue()
        self._quota = Quota(self._queue)
        self._workers = Workers()
        self._estimator = Estimator()
        self._closed = False

    # Coming and going.

    @contextlib.contextmanager
    def reserved(self, owner: str, background: bool, address: str) -> Iterator[None]:
        """Count a run that is about to be added, and count it no more where it could not be made.

        LimitError where a quota forbids it, RunError once closed.
        """
        with self._changed:
            if self._closed:
                raise RunError("This engine is closed; open a new one.")
            self._quota.reserve(owner, background, address)
        try:
            yield
        except BaseException:
            with self._changed:
                self._quota.release(owner, background, address)
            raise

    def pop_unwatched(self, owner: str, background: bool, address: str) -> OpenRun | None:
        """Take the run out of the queue that has to leave for one about to be reserved; None where none has to, or may."""
        with self._changed:
            leaving = self._first_to_leave(owner, background, address)
            if leaving is not None:
                self._queue.remove(leaving.run)
            return leaving

    def keep(self, run: OpenRun) -> None:
        """Let it go on without viewers, once it has begun. LimitError where its owner or its address keeps enough."""
        with self._changed:
            if run.lease is None or run.kept:
                return
            kept = [other for other in self._runs.values() if other.kept]
            of_address = [other for other in kept if run.address and other.address == run.address]
            check_kept(sum(other.owner == run.owner for other in kept), len(of_address))
            run.kept = True

    def add(self, run: OpenRun) -> bool:
        """Queue a reserved run; False where this table has been closed meanwhile (it is there all the same)."""
        with self._changed:
            self._runs[run.run] = run
            self._put(run, first=False)
            return not self._closed

    def remove(self, run: OpenRun) -> bool:
        """The run ended; False where it was removed before."""
        with self._changed:
            self._queue.remove(run.run)
            self._workers.release(run)
            if self._runs.pop(run.run, None) is None:
                return False
            self._estimator.ended(run)
            self._quota.release(run.owner, run.background, run.address)
            run.future = run.task = None
            self._changed.notify_all()
            return True

    def close(self) -> bool:
        """Accept no more runs and hand out none; False where it was closed before."""
        with self._changed:
            closed, self._closed = self._closed, True
            return not closed

    # Answers.

    def __contains__(self, run: str) -> bool:
        return run in self._runs

    def get(self, run: str) -> OpenRun | None:
        """The run, if it is open."""
        return self._runs.get(run)

    def all(self) -> list[OpenRun]:
        """All open runs."""
        with self._changed:
            return list(self._runs.values())

    def running(self) -> list[OpenRun]:
        """Those that have a worker."""
        with self._changed:
            return self._workers.runs()

    def workers(self) -> list[str]:
        """The addresses of the workers."""
        with self._changed:
            return list(self._workers.addresses)

    def status(self, run: OpenRun, paused: bool) -> Status | None:
        """Where a run stands; None where it is open no more. paused: as its control file says."""
        with self._changed:
            if run.run not in self._runs:
                return None
            return run.status(paused, position=self._queue.position(run.run), wait=self._wait_of(run))

    def estimate(self, owner: str, background: bool = False, address: str = "") -> WaitEstimate:
        """What awaits a run that ``owner`` submits now."""
        with self._changed:
            refusal = self._quota.refusal(owner, background, address)
            if refusal and self._first_to_leave(owner, background, address):
                refusal = ""
            ahead = self._queue.ahead(owner, background, address)
            free = self._workers.has_free() and not (background and self._workers.is_last_for_watched())
            if not ahead and free and owner not in self._workers.busy_owners(background):
                return WaitEstimate(0, 0.0, not refusal, refusal)
            seconds = self._wait(owner, background, ahead, self._queue.waiting(owner, background))
            return WaitEstimate(ahead + 1, seconds, not refusal, refusal)

    def wait_for(self, true: Callable[[], bool], timeout: float) -> None:
        """Return when ``true`` holds, asked after each change, or after ``timeout`` seconds."""
        with self._changed:
            self._changed.wait_for(true, timeout)

    # Runs and workers.

    def set_workers(self, workers: list[str]) -> None:
        """These workers are there now."""
        with self._changed:
            self._workers.addresses = list(workers)
            self._changed.notify_all()

    def drop_worker(self, worker: str) -> None:
        """A worker was lost."""
        with self._changed:
            self._workers.addresses = [other for other in self._workers.addresses if other != worker]

    def take(self) -> OpenRun | None:
        """Give the next run in the queue a free worker; None where there is no such run, or no such worker."""
        with self._changed:
            worker = None if self._closed else self._workers.choose()
            if not worker:
                return None
            name = self._queue.take(*self._busy(), background=not self._workers.is_last_for_watched())
            if not name:
                return None
            self._workers.assign(self._runs[name], worker)
            return self._runs[name]

    def to_park(self) -> OpenRun | None:
        """A run that has waited for long, where another needs its worker, or its owner has as many others going as one may."""
        with self._changed:
            waiting = self._workers.waiting_long()
            if self._closed or not waiting:
                return None
            for run in waiting:
                if run.owner in self._workers.busy_owners(run.background):
                    return run
            may_take = self._queue.may_take(*self._busy(), background=not self._workers.is_last_for_watched())
            return waiting[0] if may_take and self._workers.choose() is None else None

    def park(self, run: OpenRun) -> None:
        """Its task has left its worker for the rest of its pause; what it recorded stays, until it begins again."""
        with self._changed:
            if run.run in self._runs:
                run.parked = True
                run.time_slices += 1
                self._release(run)

    def come_back(self, run: OpenRun, first: bool) -> None:
        """A parked run waits for a worker again; first: before all others."""
        with self._changed:
            if run.run in self._runs and run.parked:
                run.state, run.parked = "queued", False
                self._put(run, first)

    def lost(self, run: OpenRun, attempt: int, to_blame: bool) -> bool:
        """An attempt lost its worker; False where that is known already. to_blame: if it had begun, it may have killed it."""
        with self._changed:
            if run.attempt != attempt or not run.worker or run.run not in self._runs or self._closed:
                return False
            run.losses += to_blame and run.began is not None and run.waits_since is None
            return True

    def requeue(self, run: OpenRun, message: str, *, lost: bool = True, paused: bool = False) -> None:
        """A run that lost its worker is first in the queue again; one that gave it to others waits its time in it.

        paused: whether it has to come to the place where it waited.
        """
        with self._changed:
            if run.run in self._runs:
                run.state, run.message, run.place = "queued", message, run.place if paused else None
                run.time_slices += not lost
                self._release(run)
                self._put(run, first=lost)

    def unqueue(self, run: OpenRun) -> bool:
        """Take a run out of the queue, so that it is handed out no more; False where it is not queued."""
        with self._changed:
            return run.run in self._runs and self._queue.remove(run.run)

    # Messages of tasks, see worker.py.

    def receive(self, message: dict[str, Any]) -> None:
        """Note what a task sent."""
        with self._changed:
            if run := self._runs.get(message["run"]):
                run.receive(message)
                self._changed.notify_all()

    # Inside, under the lock.

    def _put(self, run: OpenRun, first: bool) -> None:
        self._queue.put(run.run, run.owner, first=first, background=run.background, address=run.address)
        self._changed.notify_all()

    def _release(self, run: OpenRun) -> None:
        run.release()
        self._workers.release(run)
        self._changed.notify_all()

    def _busy(self) -> tuple[set[str], set[str]]:
        """Owners who have as many runs going as they may: watched ones, and experiments."""
        return self._workers.busy_owners(False), self._workers.busy_owners(True)

    def _first_to_leave(self, owner: str, background: bool, address: str) -> OpenRun | None:
        """The queued run that nobody has watched for longest, where the queue, or the share of this address, is full."""
        of_address = self._quota.is_address_full(address, background)
        if self._quota.of_owner(owner, background) or not (of_address or self._quota.is_queue_full(background)):
            return None
        since = time.monotonic() - UNWATCHED_SECONDS
        unwatched = [
            run for run in self._runs.values()
            if run.background == background and (run.address == address or not of_address)
            and run.needs_viewers and run.watched < since and run.place is None and self._queue.position(run.run)
        ]  # fmt: skip
        return min(unwatched, key=lambda run: run.watched, default=None)

    def _wait_of(self, run: OpenRun) -> float | None:
        position = self._queue.position(run.run)
        if not position:
            return None
        own = self._queue.waiting(run.owner, run.background)
        return self._wait(run.owner, run.background, position - 1, min(own - 1, position - 1))

    def _wait(self, owner: str, background: bool, ahead: int, own_ahead: int) -> float | None:
        in_queue = self._estimator.wait(ahead, self._workers.active(), len(self._workers.addresses))
        for_own: float | None = 0.0
        if owner in self._workers.busy_owners(background):
            for_own = self._estimator.wait_for_own(own_ahead, self._workers.active_of(owner, background))
        return None if in_queue is None or for_own is None else max(in_queue, for_own)
