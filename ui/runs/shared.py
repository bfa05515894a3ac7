"""What is computed of a run once for all sessions that look at it. It is dropped when the last of them leaves the run."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakValueDictionary

from tsk_core.explain import RuleBook
from tsk_core.runs.rows import RunRows

__all__ = ["SharedRun", "shared_run"]


@dataclass(eq=False)
class SharedRun:
    """One attempt of a run. Its rules are public to all who have its link; its rows only to those who have its table as well.

    books: the rules of the model kept, by their largest number of conditions. described: the epochs recorded so far, each with
    what ``RunRows.describer`` gives for its rules, or None where it was left out. texts: its rules in words, by index and length.
    lock: held while one session describes rules, so that the others wait for it instead of doing the same.
    """

    books: dict[int, RuleBook] = field(default_factory=dict)
    described: list[tuple[int, dict[str, Any] | None]] = field(default_factory=list)
    texts: dict[tuple[int, int], dict[str, Any]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    _rows: RunRows | None = None

    def rows(self, make: Callable[[], RunRows]) -> RunRows:
        """The run's table as its training saw it, made by the first session that asks. Only for sessions that have the table."""
        with self.lock:
            if self._rows is None:
                self._rows = make()
            return self._rows


_runs: WeakValueDictionary[tuple[str, float | None], SharedRun] = WeakValueDictionary()
_runs_lock = threading.Lock()


def shared_run(run: str, attempt: float | None) -> SharedRun:
    """The same object for all sessions with this run and attempt, as long as one of them keeps it."""
    with _runs_lock:
        found = _runs.get((run, attempt))
        if found is None:
            found = _runs[run, attempt] = SharedRun()
        return found
