"""Whole pages are drawn one at a time.

Python runs one thread at a time anyway. Where fifty visitors click at once, their scripts would take it from each other, and from
the thread that sends what they drew: all then wait for the last. In turns, each page is there as soon as it is drawn. Measured
with fifty visitors who click every 2.5 s while two train Satellite, on two cores: half of all clicks took 4.9 s side by side, and
1 s in turns (95%: 13.3 s and 1.6 s). Fragments, which are short, take no turns.
"""

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["let_others_go", "turn"]

PATIENCE = 30.0  # seconds to wait for a turn; then the page is drawn beside the one that takes so long


class _Line:
    """One thread at a time, in the order in which they came."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._taken = False
        self._waiting: deque[threading.Event] = deque()

    def take(self, seconds: float) -> bool:
        with self._lock:
            if not self._taken:
                self._taken = True
                return True
            mine = threading.Event()
            self._waiting.append(mine)
        if mine.wait(seconds):
            return True
        with self._lock:
            if mine.is_set():  # handed over just now
                return True
            self._waiting.remove(mine)
            return False

    def hand_over(self) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._taken = False


_line = _Line()
_mine = threading.local()


@contextmanager
def turn() -> Iterator[None]:
    """Draw a page when it is this thread's turn."""
    _take()
    try:
        yield
    finally:
        _give_back()


def let_others_go() -> None:
    """Before a page waits for a file, another process or the network: others take their turns, and it goes on beside them.

    It does not ask for its turn again: who has the turn may be waiting for what this page then has, such as a lock of a cache.
    """
    _give_back()


def _take() -> None:
    _mine.held = _line.take(PATIENCE)


def _give_back() -> None:
    held, _mine.held = getattr(_mine, "held", False), False
    if held:
        _line.hand_over()
