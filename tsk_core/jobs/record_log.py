"""RecordLog: the records that a run has reported."""

import threading
from collections import defaultdict
from typing import Any

from tsk_core.runs.records import series

__all__ = ["RecordLog"]


class RecordLog:
    """The records of one attempt, in the order in which they came. A line is parsed when it is first asked for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lines: defaultdict[str, list[str]] = defaultdict(list)
        self._values: defaultdict[str, list[Any]] = defaultdict(list)
        self._heads: dict[str, dict[str, Any]] = {}

    def add(self, name: str, line: str, head: dict[str, Any]) -> None:
        """One more record of the series ``name``; head: what they share, with the first one."""
        with self._lock:
            self._lines[name].append(line)
            self._heads.setdefault(name, head)

    def get(self, name: str, since: int = 0) -> list[Any]:
        """The records of a series from number ``since`` (from 0) on; not to be changed."""
        with self._lock:
            values, read = self._values[name], series(name).read
            values.extend(read(line) for line in self._lines[name][len(values) :])
            return values[since:]

    def head(self, name: str) -> dict[str, Any]:
        """What all records of a series share."""
        return self._heads.get(name, {})

    def count(self, name: str) -> int:
        """How many records of a series there are."""
        return len(self._lines[name])
