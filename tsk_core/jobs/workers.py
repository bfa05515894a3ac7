"""Workers: which run holds which worker, and which worker the next run gets."""

from collections import Counter

from tsk_core import limits
from tsk_core.jobs.open_run import OpenRun

__all__ = ["Workers"]


class Workers:
    """The workers of the cluster, by address, and the runs that were given one. Not thread-safe: ``OpenRuns`` holds its lock.

    A run that is active holds its worker alone. One that is parked waits in its worker's memory while another is active there.
    """

    def __init__(self) -> None:
        self.addresses: list[str] = []
        self._runs: dict[str, OpenRun] = {}

    def assign(self, run: OpenRun, worker: str) -> None:
        """Give a worker to a run."""
        run.assign(worker)
        self._runs[run.run] = run

    def release(self, run: OpenRun) -> None:
        """The run has no worker any more; nothing happens where it had none."""
        self._runs.pop(run.run, None)

    def runs(self) -> list[OpenRun]:
        """Those that were given a worker, parked ones included."""
        return list(self._runs.values())

    def active(self) -> list[OpenRun]:
        """Those that hold a worker."""
        return [run for run in self._runs.values() if run.is_active]

    def active_of(self, owner: str, background: bool) -> list[OpenRun]:
        """The active runs of this kind of one owner."""
        return [run for run in self.active() if run.owner == owner and run.background == background]

    def has_free(self) -> bool:
        """Whether there are more workers than active runs."""
        return len(self.active()) < len(self.addresses)

    def choose(self) -> str | None:
        """A worker without an active run; rather one in which no other waits, since they share its memory."""
        if not self.has_free():
            return None
        shared = Counter(run.worker for run in self._runs.values())
        active = {run.worker for run in self.active()}
        return min((worker for worker in self.addresses if worker not in active), key=shared.__getitem__, default=None)

    def is_last_for_watched(self) -> bool:
        """Whether the free worker is the one that experiments leave to runs that somebody watches, where there are several."""
        experiments = sum(run.background for run in self.active())
        return experiments >= max(1, len(self.addresses) - 1)

    def busy_owners(self, background: bool) -> set[str]:
        """Owners who have as many active runs of this kind as they may."""
        counts = Counter(run.owner for run in self.active() if run.background == background)
        return {owner for owner, count in counts.items() if count >= limits.value("running_per_owner")}

    def first_resumed(self) -> OpenRun | None:
        """The parked run that was resumed first, of an owner who may have one more going; None without one or a free worker."""
        if not self.has_free():
            return None
        busy = {background: self.busy_owners(background) for background in (False, True)}
        resumed = [run for run in self._runs.values() if run.pause.resumed_at and run.owner not in busy[run.background]]
        return min(resumed, key=lambda run: run.pause.resumed_at or 0.0, default=None)
