"""Whose turn it is: to have a page drawn, and to have a file read.

Network addresses take turns, and the visitors of one address, so that thirty tabs of one delay another no more than one does.

**Pages**, and fragments that are drawn again, are drawn one at a time. Python runs one thread at a time anyway. Where fifty
visitors click at once, their scripts would take it from each other, and from the thread that sends what they drew: all then
wait for the last. Under a lock, each page is there as soon as it is drawn; docs/measured/server.md has what was measured. A
page that waits for something lets others go and goes on beside them; of one visitor at most ``MOST_UNLOCKED`` do that.

**Files.** A file may take a reader for ``limits.value("parse_seconds")``. Without shares, the files of one visitor's forty tabs
took both readers for as long as they all needed, and everybody else's file waited behind them.
"""

import itertools
import threading
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tsk_core import limits
from tsk_core.data.reading import BUSY, READERS
from tsk_core.errors import LimitError
from tsk_core.jobs import FairQueue


@dataclass(eq=False)
class Asking:
    """Somebody who waits for a place, or has one. turn: set once they have it."""

    name: str
    visitor: str
    address: str
    turn: threading.Event = field(default_factory=threading.Event)


class Turns:
    """Who has a place. Any thread may call. places: how many there are.

    Subclasses say who has to wait although a place is free (``_busy``); they call ``_hand_out`` under the lock when that changes.
    """

    def __init__(self, places: int) -> None:
        self._places, self._lock = places, threading.Lock()
        self._line, self._waiting = FairQueue(), dict[str, Asking]()
        self._taken: Counter[str] = Counter()  # places, by address
        self._count = itertools.count()

    def ask(self, visitor: str, address: str) -> Asking:
        """Ask for a place; ``turn`` of what is returned is set once there is one."""
        with self._lock:
            asking = Asking(str(next(self._count)), visitor, address)
            self._waiting[asking.name] = asking
            self._line.put(asking.name, visitor, address=address)
            self._hand_out()
        return asking

    def leave(self, asking: Asking) -> None:
        """They need their place no more, or wait no more."""
        with self._lock:
            if self._waiting.pop(asking.name, None) is not None:
                self._line.remove(asking.name)
            else:
                self._taken[asking.address] -= 1
                self._taken += Counter()  # without addresses that have none
            self._hand_out()

    def _busy(self) -> Collection[str]:
        """Visitors who get no place now."""
        return ()

    def _hand_out(self) -> None:
        while self._taken.total() < self._places:
            following = self._line.take(self._busy())
            if following is None:
                return
            asking = self._waiting.pop(following)
            self._taken[asking.address] += 1
            asking.turn.set()


# Pages.

PATIENCE = 30.0  # seconds to wait for the lock; then the page is drawn beside the one that holds it so long, if it may
MOST_UNLOCKED = 2  # pages of one visitor that are drawn beside others


class _FairLock(Turns):
    """A lock that addresses and visitors take turns to get."""

    def __init__(self) -> None:
        super().__init__(1)
        self._beside: Counter[str] = Counter()  # pages that go on without the lock, by visitor

    def beside(self, visitor: str, pages: int) -> None:
        """So many more pages of the visitor, or -1, go on without the lock."""
        with self._lock:
            self._beside[visitor] += pages
            self._beside += Counter()  # without those that have none left
            self._hand_out()

    def continue_unlocked(self, asking: Asking) -> bool:
        """Whether somebody who waits goes on without the lock from now on.

        Not who has it, nor a visitor of whom ``MOST_UNLOCKED`` pages do so already.
        """
        with self._lock:
            if asking.turn.is_set() or self._beside[asking.visitor] >= MOST_UNLOCKED:
                return False
            del self._waiting[asking.name]
            self._line.remove(asking.name)
            self._beside[asking.visitor] += 1
            return True

    def _busy(self) -> Collection[str]:
        return [visitor for visitor, pages in self._beside.items() if pages >= MOST_UNLOCKED]


_lock = _FairLock()
_thread = threading.local()


@contextmanager
def page_lock(visitor: str = "", place: str = "") -> Iterator[None]:
    """Draw a page or fragment of this visitor, from this network address, when it is their turn. Inside of one: no other turn."""
    if getattr(_thread, "inside", False):
        yield
        return
    _thread.inside = True
    _thread.asking = asking = _lock.ask(visitor, place)
    while not asking.turn.wait(PATIENCE) and not _lock.continue_unlocked(asking):
        pass
    _thread.holds = asking.turn.is_set()
    _thread.beside = not _thread.holds
    try:
        yield
    finally:
        if _thread.holds:
            _lock.leave(asking)
        if _thread.beside:
            _lock.beside(visitor, -1)
        _thread.holds = _thread.beside = _thread.inside = False


def release_page_lock() -> None:
    """Before a page waits for a file, another process or the network: other pages are drawn, and it goes on beside them.

    It does not take the lock again: who holds it may be waiting for what this page then has, such as a lock of a cache.
    """
    if getattr(_thread, "holds", False):
        _thread.holds, _thread.beside = False, True
        _lock.beside(_thread.asking.visitor, 1)
        _lock.leave(_thread.asking)


class YieldingLock:
    """A lock of what sessions share. A page that has to wait for it lets other pages be drawn meanwhile."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            release_page_lock()
            self._lock.acquire()

    def __exit__(self, *error: object) -> None:
        self._lock.release()


# Files.

READING_PATIENCE = 60.0  # seconds that a file waits for a reader


class ReadingTurns(Turns):
    """Which files have a reader. readers: how many there are."""

    def __init__(self, readers: int = READERS) -> None:
        super().__init__(readers)

    def ask(self, visitor: str, address: str) -> Asking:
        """Ask for a reader. A visitor of two addresses counts as two, since it is addresses that have a share."""
        return super().ask(f"{address} {visitor}", address)

    def _busy(self) -> Collection[str]:
        share = limits.value("readers_per_address")
        return [one.visitor for one in self._waiting.values() if self._taken[one.address] >= share]


_reading = ReadingTurns()


@contextmanager
def reading_turn(visitor: str, address: str) -> Iterator[None]:
    """Held while a visitor's file is read; a page gives up its page lock before. LimitError where no reader is free for long."""
    asking = _reading.ask(visitor, address)
    try:
        if not asking.turn.wait(READING_PATIENCE):
            raise LimitError(BUSY)
        yield
    finally:
        _reading.leave(asking)
