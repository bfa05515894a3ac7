"""Whose file is read next. Network addresses take turns, and the visitors of one address; an address has a share of the readers.

A file may take a reader for ``limits.value("parse_seconds")``. Without shares, the files of one visitor's forty tabs took both
readers for as long as they all needed, and everybody else's file waited behind them.
"""

import itertools
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tsk_core import limits
from tsk_core.data.reading import BUSY, READERS
from tsk_core.errors import LimitError
from tsk_core.jobs import FairQueue

__all__ = ["ReadingTurns", "reading_turn"]

PATIENCE = 60.0  # seconds that a file waits for a reader


@dataclass(eq=False)
class _Waiting:
    """A file that waits for a reader, or has one. turn: set once it has."""

    name: str
    owner: str
    address: str
    turn: threading.Event = field(default_factory=threading.Event)


class ReadingTurns:
    """Which files have a reader. Any thread may call. readers: how many there are."""

    def __init__(self, readers: int = READERS) -> None:
        self._readers, self._lock = readers, threading.Lock()
        self._line, self._waiting = FairQueue(), dict[str, _Waiting]()
        self._reading: Counter[str] = Counter()  # files being read, by address
        self._count = itertools.count()

    def ask(self, visitor: str, address: str) -> _Waiting:
        """Ask for a reader; its ``turn`` is set once there is one."""
        with self._lock:
            asking = _Waiting(str(next(self._count)), f"{address} {visitor}", address)
            self._waiting[asking.name] = asking
            self._line.put(asking.name, asking.owner, address=address)
            self._hand_out()
        return asking

    def leave(self, asking: _Waiting) -> None:
        """The file is read, or waits no more."""
        with self._lock:
            if self._waiting.pop(asking.name, None) is not None:
                self._line.remove(asking.name)
            else:
                self._reading[asking.address] -= 1
                self._reading += Counter()  # without addresses that read none
            self._hand_out()

    def _hand_out(self) -> None:
        share = limits.value("readers_per_address")
        while self._reading.total() < self._readers:
            full = {address for address, count in self._reading.items() if count >= share}
            following = self._line.take([one.owner for one in self._waiting.values() if one.address in full])
            if following is None:
                return
            asking = self._waiting.pop(following)
            self._reading[asking.address] += 1
            asking.turn.set()


_turns = ReadingTurns()


@contextmanager
def reading_turn(visitor: str, address: str) -> Iterator[None]:
    """Held while a visitor's file is read; a page gives up its page lock before. LimitError where no reader is free for long."""
    asking = _turns.ask(visitor, address)
    try:
        if not asking.turn.wait(PATIENCE):
            raise LimitError(BUSY)
        yield
    finally:
        _turns.leave(asking)
