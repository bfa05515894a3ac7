"""FairQueue: which queued run is next. One run of each owner after another; the runs of one owner keep their order.

Runs that somebody watches go before background runs (experiments); each of the two kinds has a queue of its own.
"""

from collections import deque
from collections.abc import Collection

__all__ = ["FairQueue"]

PATIENCE = 50  # runs of other owners after which an owner's last one is forgotten; about the size of a class


class FairQueue:
    """Waiting runs by owner. Not thread-safe: ``OpenRuns`` holds its lock around every call."""

    def __init__(self) -> None:
        self._watched, self._background = _RoundRobin(), _RoundRobin()

    def __len__(self) -> int:
        return len(self._watched) + len(self._background)

    def count(self, background: bool = False) -> int:
        """How many runs of this kind wait."""
        return len(self._background if background else self._watched)

    def waiting(self, owner: str, background: bool = False) -> int:
        """How many runs of this kind ``owner`` has queued."""
        return (self._background if background else self._watched).waiting(owner)

    def put(self, run: str, owner: str, first: bool = False, background: bool = False) -> None:
        """Add a run behind its owner's others; ``first`` puts it at the very front of its kind (a run that lost its worker)."""
        (self._background if background else self._watched).put(run, owner, first)

    def take(self, busy: Collection[str] = (), busy_background: Collection[str] = (), *, background: bool = True) -> str | None:
        """Remove and return the next run whose owner is not ``busy`` with runs of its kind; None when there is none.

        An owner with a single run does not wait for all 50 runs of another. background: whether one of those may be taken.
        """
        return self._watched.take(busy) or (self._background.take(busy_background) if background else None)

    def remove(self, run: str) -> bool:
        """Take a run out of the queue; False when it is not queued."""
        return self._watched.remove(run) or self._background.remove(run)

    def position(self, run: str) -> int:
        """The run's place in the queue, from 1; 0 when it is not queued."""
        if at := self._watched.position(run):
            return at
        at = self._background.position(run)
        return at and len(self._watched) + at

    def ahead(self, owner: str, background: bool = False) -> int:
        """How many waiting runs would go before one that ``owner`` adds now."""
        return len(self._watched) + self._background.ahead(owner) if background else self._watched.ahead(owner)


class _RoundRobin:
    """The owners of one kind of run, one after another.

    Each owner is due at some round: a new owner at the present one, an owner whose run was taken ``PATIENCE`` rounds later. The
    owner who is due first is next. So an owner with a single run goes before the many runs of an owner who had one taken
    recently, and new owners cannot overtake anyone for ever.
    """

    def __init__(self) -> None:
        self._first: deque[tuple[str, str]] = deque()  # runs, with their owners, that go before all rounds
        self._queues: dict[str, deque[str]] = {}  # owner → waiting run ids; owners in the order of their coming
        self._due: dict[str, int] = {}  # also of owners who had a run taken lately and have none queued
        self._now = 0  # rounds so far

    def __len__(self) -> int:
        return len(self._first) + sum(len(queue) for queue in self._queues.values())

    def waiting(self, owner: str) -> int:
        return len(self._queues.get(owner, ())) + sum(other == owner for _, other in self._first)

    def put(self, run: str, owner: str, first: bool) -> None:
        if first:
            self._first.append((run, owner))
            return
        if owner not in self._queues:
            self._due[owner] = self._due_of(owner)
        self._queues.setdefault(owner, deque()).append(run)

    def take(self, busy: Collection[str]) -> str | None:
        for run, owner in self._first:
            if owner not in busy:
                self._first.remove((run, owner))
                return run
        free = [owner for owner in self._queues if owner not in busy]
        if not free:
            return None
        owner = min(free, key=self._due.__getitem__)
        self._now += 1
        self._due[owner] = self._now + PATIENCE
        run = self._queues[owner].popleft()
        self._forget()
        return run

    def remove(self, run: str) -> bool:
        for entry in self._first:
            if entry[0] == run:
                self._first.remove(entry)
                return True
        for queue in self._queues.values():
            if run in queue:
                queue.remove(run)
                self._forget()
                return True
        return False

    def position(self, run: str) -> int:
        for at, (first, _) in enumerate(self._first, start=1):
            if first == run:
                return at
        for owner, queue in self._queues.items():
            if run in queue:
                return self._before(owner, queue.index(run)) + 1
        return 0

    def ahead(self, owner: str) -> int:
        return self._before(owner, len(self._queues.get(owner, ())))

    def _before(self, owner: str, place: int) -> int:
        """How many runs go before the one at ``place`` (from 0) of the owner's queue: ``place`` of each other's, or one more."""
        due, earlier, count = self._due_of(owner), True, len(self._first) + place
        for other, queue in self._queues.items():  # in the order of their coming, which decides between equals
            if other == owner:
                earlier = False
            else:
                count += min(len(queue), place + (self._due[other] < due or (self._due[other] == due and earlier)))
        return count

    def _due_of(self, owner: str) -> int:
        due = self._due.get(owner, self._now)
        return due if owner in self._queues else max(due, self._now)

    def _forget(self) -> None:
        """Drop empty queues, and rounds that count no more."""
        self._queues = {owner: queue for owner, queue in self._queues.items() if queue}
        self._due = {owner: due for owner, due in self._due.items() if owner in self._queues or due > self._now}
