"""Pages, and fragments that are drawn again, are drawn one at a time.

Python runs one thread at a time anyway. Where fifty visitors click at once, their scripts would take it from each other, and
from the thread that sends what they drew: all then wait for the last. Under a lock, each page is there as soon as it is drawn.
docs/measured/server.md has what was measured.

Network addresses take turns, and the visitors of one address, so that thirty tabs of one delay another no more than one does. A
page that waits for something lets others go and goes on beside them; of one visitor at most ``BESIDE`` do that.
"""

import threading
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from ui.platform.turns import Asking, Turns

__all__ = ["YieldingLock", "ahead", "page_lock", "release_page_lock"]

PATIENCE = 30.0  # seconds to wait for the lock; then the page is drawn beside the one that holds it so long, if it may
BESIDE = 2  # pages of one visitor that are drawn beside others


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

    def go_beside(self, asking: Asking) -> bool:
        """Whether somebody who waits goes on without the lock from now on.

        Not who has it, nor a visitor of whom ``BESIDE`` pages do so already.
        """
        with self._lock:
            if asking.turn.is_set() or self._beside[asking.visitor] >= BESIDE:
                return False
            del self._waiting[asking.name]
            self._line.remove(asking.name)
            self._beside[asking.visitor] += 1
            return True

    def _busy(self) -> Collection[str]:
        return [visitor for visitor, pages in self._beside.items() if pages >= BESIDE]


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
    while not asking.turn.wait(PATIENCE) and not _lock.go_beside(asking):
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


def ahead(visitor: str, place: str) -> int:
    """How many pages and fragments wait that would be drawn before one that this visitor asks for now."""
    return _lock.ahead(visitor, place)


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
