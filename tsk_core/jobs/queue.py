"""FairQueue: who is next. Round robin between owners, first come first served within one; knows nothing of Dask."""

from collections import deque
from collections.abc import Collection

__all__ = ["FairQueue"]


class FairQueue:
    """Waiting runs by owner. Not thread-safe: ``Engine`` holds its lock around every call."""

    def __init__(self) -> None:
        self._lines: dict[str, deque[str]] = {}  # owner → waiting run ids; the order of owners is the order of turns

    def __len__(self) -> int:
        return sum(len(line) for line in self._lines.values())

    def waiting(self, owner: str) -> int:
        """How many runs ``owner`` has in line."""
        return len(self._lines.get(owner, ()))

    def put(self, run: str, owner: str, first: bool = False) -> None:
        """Add a run behind its owner's others; ``first`` puts it, and its owner, at the front (a run that lost its worker)."""
        line = self._lines.setdefault(owner, deque())
        if not first:
            line.append(run)
            return
        line.appendleft(run)
        self._lines = {owner: self._lines.pop(owner), **self._lines}

    def take(self, busy: Collection[str] = ()) -> str | None:
        """Remove and return the next run whose owner is not ``busy``; that owner's next turn comes after all others'."""
        owner = next((owner for owner in self._lines if owner not in busy), None)
        if owner is None:
            return None
        line = self._lines.pop(owner)
        run = line.popleft()
        if line:
            self._lines[owner] = line
        return run

    def remove(self, run: str) -> bool:
        """Take a run out of line; False when it is not in line."""
        for owner, line in self._lines.items():
            if run in line:
                line.remove(run)
                if not line:
                    del self._lines[owner]
                return True
        return False

    def position(self, run: str) -> int:
        """The run's place in line by turns, from 1; 0 when it is not in line."""
        turns = [(place, turn, waiting) for turn, line in enumerate(self._lines.values()) for place, waiting in enumerate(line)]
        return next((at for at, (_, _, waiting) in enumerate(sorted(turns), start=1) if waiting == run), 0)
