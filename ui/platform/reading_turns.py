"""Whose file is read next. Network addresses take turns, and the visitors of one address; an address has a share of the readers.

A file may take a reader for ``limits.value("parse_seconds")``. Without shares, the files of one visitor's forty tabs took both
readers for as long as they all needed, and everybody else's file waited behind them.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from tsk_core import limits
from tsk_core.data.reading import BUSY, READERS
from tsk_core.errors import LimitError
from ui.platform.turns import Asking, Turns

__all__ = ["ReadingTurns", "reading_turn"]

PATIENCE = 60.0  # seconds that a file waits for a reader


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
