"""Who is next, where visitors wait for one of a few places: network addresses take turns, and the visitors of one address."""

import itertools
import threading
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field

from tsk_core.jobs import FairQueue

__all__ = ["Asking", "Turns"]


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

    def ahead(self, visitor: str, address: str) -> int:
        """How many wait who get a place before this visitor does, asking now."""
        with self._lock:
            return self._line.ahead(visitor, address=address)

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
