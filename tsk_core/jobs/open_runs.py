"""OpenRuns: all runs that have not ended, the queue they wait in, and the workers that some of them have.

Each method is one change or one answer, made under the table's own lock. None of them reads or writes a file, or asks the ledger
or the cluster, so the lock is held for microseconds and Dask's callback thread never waits.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable

from tsk_core import limits
from tsk_core.errors import RunError
from tsk_core.jobs.open_run import OpenRun
from tsk_core.jobs.queue import FairQueue
from tsk_core.jobs.quota import Quota, check_kept
from tsk_core.jobs.status import Status
from tsk_core.jobs.wait_estimate import Estimator, WaitEstimate
from tsk_core.runs.folder import Ending

__all__ = ["OpenRuns"]

UNWATCHED_SECONDS = 65.0  # the page of a hidden tab asks once a minute


class OpenRuns:
    """Open runs by id. Any thread may call."""

    def __init__(self) -> None:
        self._changed = threading.Condition()  # guards all that follows
        self._runs: dict[str, OpenRun] = {}
        self._queue = FairQueue()
        self._quota = Quota(self._queue)
        self._running: dict[str, OpenRun] = {}  # those that were given to a worker
        self._workers: list[str] = []
        self._estimator = Estimator()
        self._closed = False

    # Coming and going.

    def reserve(self, owner: str, background: bool, address: str = "") -> None:
        """Count a run that is about to be added. LimitError where a quota forbids it, RunError once closed."""
        with self._changed:
            if self._closed:
                raise RunError("This engine is closed; open a new one.")
            self._quota.reserve(owner, background, address)

    def release(self, owner: str, background: bool, address: str = "") -> None:
        """A reserved run could not be made."""
        with self._changed:
            self._quota.release(owner, background, address)

    def make_room(self, owner: str, background: bool, address: str) -> OpenRun | None:
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
            self._queue.put(run.run, run.owner, background=run.background)
            return not self._closed

    def remove(self, run: OpenRun) -> bool:
        """The run ended; False where it was removed before."""
        with self._changed:
            self._queue.remove(run.run)
            self._running.pop(run.run, None)
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
        """Those that were given to a worker, parked ones included."""
        with self._changed:
            return list(self._running.values())

    def workers(self) -> list[str]:
        """The addresses of the workers."""
        with self._changed:
            return list(self._workers)

    def status(self, name: str) -> Status | None:
        """Where a run stands; None where it is not open."""
        with self._changed:
            run = self._runs.get(name)
            return run and run.status(position=self._queue.position(name), wait=self._wait_of(run))

    def estimate(self, owner: str, background: bool = False, address: str = "") -> WaitEstimate:
        """What awaits a run that ``owner`` submits now."""
        with self._changed:
            refusal = self._quota.refusal(owner, background, address)
            if refusal and self._first_to_leave(owner, background, address):
                refusal = ""
            own, ahead = self._own(owner, background), self._queue.ahead(owner, background)
            free = len(self._active()) < len(self._workers) and not (background and self._is_last_for_watched())
            if not ahead and free and not self._is_busy(own):
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
            self._workers = list(workers)
            self._changed.notify_all()

    def drop_worker(self, worker: str) -> None:
        """A worker was lost."""
        with self._changed:
            self._workers = [other for other in self._workers if other != worker]

    def take(self) -> OpenRun | None:
        """Give the next run in the queue a free worker; None where there is no such run, or no such worker."""
        with self._changed:
            worker = None if self._closed else self._free_worker()
            name = worker and self._queue.take(self._busy(False), self._busy(True), background=not self._is_last_for_watched())
            if not name:
                return None
            run = self._runs[name]
            run.assign(worker)
            self._running[name] = run
            return run

    def take_back(self) -> tuple[OpenRun, int] | None:
        """Let the next parked run that was resumed continue, with the number of steps it was granted (0 for all).

        One continues as soon as any worker is free, even when another run uses its own: the processor is free then.
        """
        with self._changed:
            resumed = [run for run in self._running.values() if run.pause.asked_back]
            if self._closed or not resumed or len(self._active()) >= len(self._workers):
                return None
            run = min(resumed, key=lambda run: run.pause.asked_back)
            steps = run.pause.steps
            run.pause.end()
            run.last_message = time.monotonic()
            return run, steps

    def lost(self, run: OpenRun, attempt: int, to_blame: bool) -> bool:
        """An attempt lost its worker; False where that is known already. to_blame: if it had begun, it may have killed it."""
        with self._changed:
            if run.attempt != attempt or run.state != "running" or run.run not in self._runs or self._closed:
                return False
            run.losses += to_blame and run.began is not None and run.is_active
            return True

    def requeue(self, run: OpenRun, message: str, *, lost: bool = True) -> None:
        """A run that lost its worker is first in the queue again; one that gave it to others waits for its owner's turn."""
        with self._changed:
            if run.run not in self._runs:
                return
            run.requeue(message)
            self._running.pop(run.run, None)
            run.turns += not lost
            self._queue.put(run.run, run.owner, first=lost, background=run.background)
            self._changed.notify_all()

    def unqueue(self, run: OpenRun) -> bool:
        """Take a run out of the queue, so that it is handed out no more; False where it is not queued."""
        with self._changed:
            return run.run in self._runs and self._queue.remove(run.run)

    # Pauses. The caller writes the run's control files, without the lock.

    def pause(self, run: OpenRun) -> None:
        """Somebody asked it to wait."""
        with self._changed:
            run.pause.asked, run.pause.asked_back = True, None

    def grant(self, run: OpenRun, steps: int) -> bool:
        """Somebody asked for so many more steps, 0 for all; returns whether its task may be told now."""
        with self._changed:
            run.pause.asked = steps > 0
            if run.pause.parked:
                run.pause.steps = run.pause.steps + steps if steps else 0
                run.pause.asked_back = run.pause.asked_back or time.monotonic()
            return not run.pause.parked

    def still_paused(self, run: OpenRun) -> None:
        """Its task could not be told to continue."""
        with self._changed:
            run.pause.begin()
            run.pause.parked = True

    def park(self, run: OpenRun, after: float) -> str:
        """What a pause of more than ``after`` seconds asks for: "leave" its worker's thread; "parked", now; "" for neither."""
        with self._changed:
            pause = run.pause
            if not pause.asked or pause.parked or pause.since is None or time.monotonic() - pause.since < after:
                return ""
            pause.parked = pause.left
            return "parked" if pause.left else "leave"

    # Messages of tasks, see worker.py.

    def receive(self, message: dict) -> None:
        """Note what a task sent; late messages of an earlier attempt count no more."""
        with self._changed:
            run = self._runs.get(message["run"])
            if run is None or run.attempt != message["attempt"] or run.state != "running":
                return
            run.last_message = time.monotonic()
            for name, line, head in message.get("records", ()):
                run.records.add(name, line, head)
            if "progress" in message:
                run.progress(*message["progress"])
            if "ended" in message:
                run.ending = Ending(*message["ended"])
            if "event" in message:
                self._note(run, message["event"])
            self._changed.notify_all()

    @staticmethod
    def _note(run: OpenRun, event: str) -> None:
        if event == "began":
            run.restart()
        elif event == "waits":
            run.pause.begin()
        elif event == "left":
            run.pause.left = True
        else:  # "stepped" or "resumed"
            run.pause.end()
            run.pause.asked = run.pause.asked and event == "stepped"  # another process may have resumed it

    # Inside, under the lock.

    def _first_to_leave(self, owner: str, background: bool, address: str) -> OpenRun | None:
        """The queued run that nobody has watched for longest, where the line, or the share of this address, is full."""
        of_address = self._quota.is_address_full(address, background)
        if self._quota.of_owner(owner, background) or not (of_address or self._quota.is_line_full(background)):
            return None
        since = time.monotonic() - UNWATCHED_SECONDS
        unwatched = [
            run for run in self._runs.values()
            if run.background == background and (run.address == address or not of_address)
            and run.needs_viewers and run.watched < since and self._queue.position(run.run)
        ]  # fmt: skip
        return min(unwatched, key=lambda run: run.watched, default=None)

    def _wait_of(self, run: OpenRun) -> float | None:
        position = self._queue.position(run.run)
        if not position:
            return None
        own = self._queue.waiting(run.owner, run.background)
        return self._wait(run.owner, run.background, position - 1, min(own - 1, position - 1))

    def _wait(self, owner: str, background: bool, ahead: int, own_ahead: int) -> float | None:
        own = self._own(owner, background)
        turns = self._estimator.wait(ahead, self._active(), len(self._workers))
        mine = self._estimator.wait_for_own(own_ahead, own) if self._is_busy(own) else 0.0
        return None if turns is None or mine is None else max(turns, mine)

    def _free_worker(self) -> str | None:
        """A worker without an active run; rather one in which no other waits, since they share its memory."""
        shared = Counter(run.worker for run in self._running.values())
        active = Counter(run.worker for run in self._active())
        if active.total() >= len(self._workers):
            return None
        return min((worker for worker in self._workers if not active[worker]), key=shared.__getitem__, default=None)

    def _is_last_for_watched(self) -> bool:
        """Whether the free worker is the one that experiments leave to runs that somebody watches, where there are several."""
        experiments = sum(run.background for run in self._active())
        return experiments >= max(1, len(self._workers) - 1)

    def _active(self) -> list[OpenRun]:
        return [run for run in self._running.values() if run.is_active]

    def _own(self, owner: str, background: bool) -> list[OpenRun]:
        return [run for run in self._active() if run.owner == owner and run.background == background]

    def _busy(self, background: bool) -> set[str]:
        """Owners who have as many active runs of this kind as they may."""
        active = Counter(run.owner for run in self._active() if run.background == background)
        return {owner for owner, count in active.items() if count >= limits.value("running_per_owner")}

    def _is_busy(self, own: list[OpenRun]) -> bool:
        return len(own) >= limits.value("running_per_owner")
