"""What is computed of a run once for all sessions that look at it. It is dropped when the last of them leaves the run."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakValueDictionary

from tsk_core.data import Dataset
from tsk_core.explain import RuleBaseSummary, RuleStability, Summaries
from tsk_core.runs import RunRows
from ui.platform import memory
from ui.platform.page_lock import YieldingLock, release_page_lock


@dataclass(eq=False)
class SharedRun:
    """One attempt of a run. Its rules are public to all who have its link; its rows only to those who have its table as well.

    summaries: of the final rules, by the largest number of conditions. recorded: the epochs recorded so far, each with the
    ``Summaries`` of its rules, or None where it was left out. texts: its rules in words, by index and length.
    stability: how often its rules came back, by the largest number of conditions, where that was checked.
    lock: held while one session summarises rules, so that the others wait for it instead of doing the same.
    """

    summaries: dict[int, RuleBaseSummary] = field(default_factory=dict)
    recorded: list[tuple[int, Summaries | None]] = field(default_factory=list)
    texts: dict[tuple[int, int], dict[str, Any]] = field(default_factory=dict)
    stability: list[RuleStability] | None = None
    lock: YieldingLock = field(default_factory=YieldingLock)
    _rows: RunRows | None = None
    _dataset: list[Dataset | None] = field(default_factory=list)  # empty before it was read
    _reading: YieldingLock = field(default_factory=YieldingLock)

    def rows(self, make: Callable[[], RunRows]) -> RunRows:
        """The run's table as its training saw it, made by the first session that asks. Only for sessions that have the table."""
        if self._rows is None:
            with self.lock:
                if self._rows is None:
                    release_page_lock()  # reading a table and encoding its rows take their time
                    self._rows = make()
        return self._rows

    def dataset(self, read: Callable[[], Dataset | None]) -> Dataset | None:
        """The run's dataset from the gallery or as kept with the run, which is public to all who have its link.

        Read by the first session that asks, and counted among the tables in memory: LimitError where there is no room.
        """
        if not self._dataset:
            with self._reading:
                if not self._dataset:
                    release_page_lock()
                    dataset = read()
                    if dataset is not None:
                        memory.count(dataset.frame)
                    self._dataset.append(dataset)
        return self._dataset[0]


_runs: WeakValueDictionary[tuple[str, float | None], SharedRun] = WeakValueDictionary()
_runs_lock = threading.Lock()


def shared_run(run: str, attempt: float | None) -> SharedRun:
    """The same object for all sessions with this run and attempt, as long as one of them keeps it."""
    with _runs_lock:
        shared = _runs.get((run, attempt))
        if shared is None:
            shared = _runs[run, attempt] = SharedRun()
        return shared
