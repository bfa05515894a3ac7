"""Whole pages are drawn one at a time.

Python runs one thread at a time anyway. Where fifty visitors click at once, their scripts would take it from each other, and
from the thread that sends what they drew: all then wait for the last. Under a lock, each page is there as soon as it is drawn.
Measured with fifty visitors who click every 2.5 s while two train Satellite, on two cores: half of all clicks took 4.9 s side
by side, and 1 s one after another (95%: 13.3 s and 1.6 s). Fragments, which are short, do not take the lock.

Network addresses take turns, and the visitors of one address, so that thirty tabs of one delay another no more than one does. A
page that waits for something lets others go and goes on beside them; of one visitor at most ``BESIDE`` do that.
"""

import itertools
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from tsk_core.jobs import FairQueue

__all__ = ["YieldingLock", "page_lock", "release_page_lock"]

PATIENCE = 30.0  # seconds to wait for the lock; then the page is drawn beside the one that holds it so long
BESIDE = 2  # pages of one visitor that are drawn beside others


class _FairLock:
    """A lock that addresses and visitors take turns to get."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._taken = False
        self._line, self._waiting = FairQueue(), dict[str, threading.Event]()
        self._count = itertools.count()
        self._beside: Counter[str] = Counter()  # pages that go on without the lock, by visitor

    def acquire(self, seconds: float, visitor: str, place: str) -> bool:
        """Whether the lock was there within so many seconds. place: the visitor's network address."""
        with self._lock:
            mine, name = threading.Event(), str(next(self._count))
            self._waiting[name] = mine
            self._line.put(name, visitor, address=place)
            self._hand_over()
        if mine.wait(seconds):
            return True
        with self._lock:
            if mine.is_set():  # handed over just now
                return True
            self._line.remove(name)
            del self._waiting[name]
            return False

    def release(self) -> None:
        """The page is drawn, or goes on beside others."""
        with self._lock:
            self._taken = False
            self._hand_over()

    def beside(self, visitor: str, pages: int) -> None:
        """So many more pages of the visitor, or -1, go on without the lock."""
        with self._lock:
            self._beside[visitor] += pages
            self._beside += Counter()  # without those that have none left
            self._hand_over()

    def _hand_over(self) -> None:
        busy = [visitor for visitor, pages in self._beside.items() if pages >= BESIDE]
        following = None if self._taken else self._line.take(busy)
        if following is not None:
            self._taken = True
            self._waiting.pop(following).set()


_lock = _FairLock()
_thread = threading.local()


@contextmanager
def page_lock(visitor: str = "", place: str = "") -> Iterator[None]:
    """Draw a page of this visitor, from this network address, alone: when it is their turn."""
    _thread.visitor, _thread.holds = visitor, _lock.acquire(PATIENCE, visitor, place)
    _thread.beside = False
    try:
        yield
    finally:
        if _thread.holds:
            _lock.release()
        if _thread.beside:
            _lock.beside(visitor, -1)
        _thread.holds = _thread.beside = False


def release_page_lock() -> None:
    """Before a page waits for a file, another process or the network: other pages are drawn, and it goes on beside them.

    It does not take the lock again: who holds it may be waiting for what this page then has, such as a lock of a cache.
    """
    if getattr(_thread, "holds", False):
        _thread.holds, _thread.beside = False, True
        _lock.beside(_thread.visitor, 1)
        _lock.release()


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
