"""The records of an experiment merged: its points by number, and the curves of trainings that have no point yet.

An experiment that lost its worker, or that is continued, sends its records again from the first: nothing that is known is lost
by that, and nothing is counted twice. This is the only place that knows it; the browser takes each entry of ``log`` as it comes.
"""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from tsk_core.experiments import CURVES

Record = Mapping[str, Any]  # of the series "experiment"


class Collected:
    """What is known of an experiment.

    points: number of a training -> its record. baselines: of a sweep. log: what the records said that was new, in their order: an
    epoch of some trainings, each following the one before it, or a point. version: of this log, told apart from any other.
    """

    def __init__(self) -> None:
        self.points: dict[int, dict[str, Any]] = {}
        self.baselines: dict[str, Any] = {}
        self.log: list[Record] = []
        self.version = secrets.token_hex(4)
        self._epochs: dict[int, int] = {}  # number of a training -> how many epochs of it are known

    def add(self, record: Record) -> None:
        """Take a record in; does nothing where it says nothing new."""
        if "point" in record:
            self._add_point(record)
        elif "at" in record:
            self._add_epoch(record)
        else:
            self.baselines = record.get("baselines", self.baselines)

    def entry(self, record: Record) -> Record | None:
        """A record of the log as the browser needs it now: without trainings whose point has their curves; None if all have."""
        if "point" in record:
            return record
        places = [place for place, number in enumerate(record["at"]) if number not in self.points]
        return _only(record, places) if places else None

    def _add_point(self, record: Record) -> None:
        number = record["point"]
        if number not in self.points:
            self.points[number] = dict(record)
            self.log.append(record)

    def _add_epoch(self, record: Record) -> None:
        places = [place for place, number in enumerate(record["at"]) if self._lacks(number, record["epoch"])]
        if places:
            self._epochs |= {record["at"][place]: record["epoch"] + 1 for place in places}
            self.log.append(_only(record, places))

    def _lacks(self, number: int, epoch: int) -> bool:
        return number not in self.points and epoch == self._epochs.get(number, 0)


def _only(record: Record, places: Sequence[int]) -> Record:
    """The record of an epoch for some of its trainings, by their places in it."""
    if len(places) == len(record["at"]):
        return record
    return {"epoch": record["epoch"]} | {name: [record[name][place] for place in places] for name in ("at", *CURVES)}
