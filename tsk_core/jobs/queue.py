"""FairQueue: which queued run is next; Quota: how many runs an owner, an address and all together may have open.

Network addresses take turns, and so do the owners of one address.

The runs of one owner keep their order. Who takes a new cookie for each run gets no more turns by it.

Runs that somebody watches go before background runs (experiments); each of the two kinds has a queue of its own.
"""

from collections import Counter, deque
from collections.abc import Collection, Mapping, Sized

from tsk_core import limits
from tsk_core.errors import LimitError

EXPERIMENTS = "experiments, tunings and cells of the study"
PATIENCE = 50  # runs of others after which somebody's last one is forgotten; about the size of a class


class FairQueue:
    """Waiting runs by owner. Not thread-safe: ``OpenRuns`` holds its lock around every call."""

    def __init__(self) -> None:
        self._watched, self._background = _RoundRobin(), _RoundRobin()

    def __len__(self) -> int:
        return len(self._watched) + len(self._background)

    def count(self, background: bool = False) -> int:
        """How many runs of this kind wait."""
        return len(self._of(background))

    def waiting(self, owner: str, background: bool = False) -> int:
        """How many runs of this kind ``owner`` has queued."""
        return self._of(background).waiting(owner)

    def put(self, run: str, owner: str, first: bool = False, background: bool = False, address: str = "") -> None:
        """Add a run behind its owner's others; ``first`` puts it at the very front of its kind (a run that lost its worker)."""
        self._of(background).put(run, owner, first, address)

    def take(self, busy: Collection[str] = (), busy_background: Collection[str] = (), *, background: bool = True) -> str | None:
        """Remove and return the next run whose owner is not ``busy`` with runs of its kind; None when there is none.

        An owner with a single run does not wait for all 50 runs of another. background: whether one of those may be taken.
        """
        return self._watched.take(busy) or (self._background.take(busy_background) if background else None)

    def may_take(self, busy: Collection[str] = (), busy_background: Collection[str] = (), *, background: bool = True) -> bool:
        """Whether ``take`` would find a run."""
        return self._watched.may_take(busy) or (background and self._background.may_take(busy_background))

    def remove(self, run: str) -> bool:
        """Take a run out of the queue; False when it is not queued."""
        return self._watched.remove(run) or self._background.remove(run)

    def position(self, run: str) -> int:
        """The run's place in the queue, from 1; 0 when it is not queued."""
        if at := self._watched.position(run):
            return at
        at = self._background.position(run)
        return at and len(self._watched) + at

    def ahead(self, owner: str, background: bool = False, address: str = "") -> int:
        """How many waiting runs would go before one that ``owner`` adds now."""
        return len(self._watched) * background + self._of(background).ahead(owner, address)

    def _of(self, background: bool) -> "_RoundRobin":
        return self._background if background else self._watched


class _Turns:
    """In which order some take turns: network addresses, or the owners of one address.

    Each is due at some round: a new one at the present round, one whose run was taken ``PATIENCE`` rounds later. Who is due first
    is next. So somebody with a single run goes before the many runs of somebody who had one taken recently, and newcomers cannot
    overtake anyone for ever.
    """

    def __init__(self) -> None:
        self._due: dict[str, int] = {}  # also of those who had a run taken lately and have none queued
        self._now = 0  # rounds so far

    def join(self, name: str) -> None:
        """Somebody who had no run queued has one now."""
        self._due[name] = max(self._due.get(name, 0), self._now)

    def due(self, name: str) -> int:
        """The round at which somebody who has a run queued is due."""
        return self._due[name]

    def taken(self, name: str) -> None:
        """A run of theirs was taken."""
        self._now += 1
        self._due[name] = self._now + PATIENCE

    def before(self, name: str, place: int, counts: Mapping[str, int]) -> int:
        """How many runs go before the one at ``place`` (from 0) of theirs: ``place`` of each other's, or one more.

        counts: how many runs each has queued, in the order of their coming, which decides between equals.
        """
        due = self._due[name] if name in counts else max(self._due.get(name, 0), self._now)
        earlier, found = True, place
        for other, count in counts.items():
            if other == name:
                earlier = False
            else:
                found += min(count, place + (self._due[other] < due or (self._due[other] == due and earlier)))
        return found

    def forget(self, waiting: Collection[str]) -> bool:
        """Drop rounds that count no more, but for those who wait; whether none is left."""
        self._due = {name: due for name, due in self._due.items() if name in waiting or due > self._now}
        return not self._due


class _RoundRobin:
    """The runs of one kind: addresses take turns, and the owners of an address."""

    def __init__(self) -> None:
        self._first: deque[tuple[str, str]] = deque()  # runs, with their owners, that go before all rounds
        # address → owner → waiting runs; both in the order of their coming
        self._by_address: dict[str, dict[str, deque[str]]] = {}
        self._addresses = _Turns()
        self._owners: dict[str, _Turns] = {}  # by address

    def __len__(self) -> int:
        return len(self._first) + sum(map(_count, self._by_address.values()))

    def waiting(self, owner: str) -> int:
        queued = sum(len(by_owner.get(owner, ())) for by_owner in self._by_address.values())
        return queued + sum(other == owner for _, other in self._first)

    def put(self, run: str, owner: str, first: bool, address: str) -> None:
        if first:
            self._first.append((run, owner))
            return
        if address not in self._by_address:
            self._addresses.join(address)
        by_owner = self._by_address.setdefault(address, {})
        if owner not in by_owner:
            self._owners.setdefault(address, _Turns()).join(owner)
        by_owner.setdefault(owner, deque()).append(run)

    def take(self, busy: Collection[str]) -> str | None:
        for run, owner in self._first:
            if owner not in busy:
                self._first.remove((run, owner))
                return run
        free = {address: [owner for owner in by_owner if owner not in busy] for address, by_owner in self._by_address.items()}
        address = min((name for name, owners in free.items() if owners), key=self._addresses.due, default=None)
        if address is None:
            return None
        owner = min(free[address], key=self._owners[address].due)
        self._addresses.taken(address)
        self._owners[address].taken(owner)
        run = self._by_address[address][owner].popleft()
        self._forget()
        return run

    def may_take(self, busy: Collection[str]) -> bool:
        owners = {owner for _, owner in self._first}.union(*self._by_address.values())
        return not owners <= set(busy)

    def remove(self, run: str) -> bool:
        for entry in self._first:
            if entry[0] == run:
                self._first.remove(entry)
                return True
        if found := self._find(run):
            address, owner = found
            self._by_address[address][owner].remove(run)
            self._forget()
        return found is not None

    def position(self, run: str) -> int:
        for at, (first, _) in enumerate(self._first, start=1):
            if first == run:
                return at
        found = self._find(run)
        return 0 if found is None else self._before(*found, self._by_address[found[0]][found[1]].index(run)) + 1

    def ahead(self, owner: str, address: str) -> int:
        return self._before(address, owner, len(self._by_address.get(address, {}).get(owner, ())))

    def _find(self, run: str) -> tuple[str, str] | None:
        """The address and the owner of a run that waits for its round."""
        for address, by_owner in self._by_address.items():
            for owner, queue in by_owner.items():
                if run in queue:
                    return address, owner
        return None

    def _before(self, address: str, owner: str, place: int) -> int:
        """How many runs go before the one at ``place`` (from 0) of the owner's queue."""
        by_owner = self._by_address.get(address, {})
        of_address = self._owners.get(address, _Turns()).before(
            owner, place, {name: len(queue) for name, queue in by_owner.items()}
        )
        counts = {name: _count(other) for name, other in self._by_address.items()}
        return len(self._first) + self._addresses.before(address, of_address, counts)

    def _forget(self) -> None:
        """Drop empty queues, and rounds that count no more."""
        lines = {
            address: {owner: queue for owner, queue in by_owner.items() if queue}
            for address, by_owner in self._by_address.items()
        }
        self._by_address = {address: by_owner for address, by_owner in lines.items() if by_owner}
        self._addresses.forget(self._by_address)
        self._owners = {
            address: turns for address, turns in self._owners.items() if not turns.forget(self._by_address.get(address, ()))
        }


def _count(by_owner: Mapping[str, Sized]) -> int:
    return sum(map(len, by_owner.values()))


class Quota:
    """Counts open runs by owner, by address, and by kind. Not thread-safe: ``OpenRuns`` holds its lock around every call.

    An owner is a cookie, which whoever wants more runs deletes; an address costs more. address: "" is not counted.
    """

    def __init__(self, queue: FairQueue) -> None:
        self._queue = queue
        self._owners: Counter[tuple[str, bool]] = Counter()
        self._addresses: Counter[tuple[str, bool]] = Counter()

    def reserve(self, owner: str, background: bool, address: str = "") -> None:
        """Count one more run, or raise LimitError in one sentence."""
        if refusal := self.refusal(owner, background, address):
            raise LimitError(refusal)
        self._owners[owner, background] += 1
        self._addresses[address, background] += 1

    def release(self, owner: str, background: bool, address: str = "") -> None:
        """The run ended, or was never made."""
        for counted, key in ((self._owners, owner), (self._addresses, address)):
            counted[key, background] -= 1
            if counted[key, background] <= 0:
                del counted[key, background]

    def refusal(self, owner: str, background: bool = False, address: str = "") -> str:
        """Why ``owner`` may not add a run now; "" when allowed."""
        if refusal := self.of_owner(owner, background):
            return refusal
        if self.is_address_full(address, background):
            most, variable = limits.value(_of_address(background)), limits.LIMITS[_of_address(background)].variable
            what = EXPERIMENTS if background else "runs"
            return f"{most} {what} of your network address are open, the most allowed; wait for one to end, or raise {variable}."
        if self.is_queue_full(background):
            most, variable = limits.value("queued"), limits.LIMITS["queued"].variable
            what = EXPERIMENTS if background else "runs"
            return f"{most} {what} are queued, the most this server accepts; try again in a few minutes, or raise {variable}."
        return ""

    def is_address_full(self, address: str, background: bool) -> bool:
        """Whether an address has as many runs open as it may."""
        return bool(address) and self._addresses[address, background] >= limits.value(_of_address(background))

    def is_queue_full(self, background: bool) -> bool:
        """Whether no more runs of this kind may wait."""
        return self._queue.count(background) >= limits.value("queued")

    def of_owner(self, owner: str, background: bool) -> str:
        """Why the owner's other runs forbid one more; "" when they do not."""
        count = self._owners[owner, background]
        name = "background_per_owner" if background else "queued_per_owner"
        allowed, variable = limits.value(name), limits.LIMITS[name].variable
        if background:
            most, rule = allowed, f"One person may have at most {allowed} {EXPERIMENTS} at once here"
        else:
            at_once = limits.value("running_per_owner")
            running = "1 run" if at_once == 1 else f"{at_once} runs"
            most, rule = at_once + allowed, f"One person may have at most {running} running and {allowed} queued here"
        return "" if count < most else f"{rule}; wait for one to end, stop one, or raise {variable}."


def _of_address(background: bool) -> str:
    return "background_per_address" if background else "open_per_address"


def check_kept(of_owner: int, of_address: int) -> None:
    """Raise LimitError where an owner or an address may keep no more runs without viewers; the counts are of those kept."""
    for count, name, who in ((of_owner, "kept_per_owner", "One person"), (of_address, "kept_per_address", "One network address")):
        if count >= limits.value(name):
            raise LimitError(
                f"{who} may keep at most {limits.value(name)} runs going without viewers here; wait for one to end, or raise"
                f" {limits.LIMITS[name].variable}."
            )
