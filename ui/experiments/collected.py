"""The records of an experiment merged: its points by number, and the curves of trainings that have no point yet.

An experiment that lost its worker, or that is continued, sends its records again from the first: nothing that is known is lost
by that, and nothing is counted twice.
"""

from collections.abc import Mapping
from typing import Any

__all__ = ["CURVES", "Collected"]

Line = Mapping[str, Any]  # a record of the series "experiment"
CURVES = ("ce", "rca", "bca", "grad_antecedents", "grad_consequents")


class Collected:
    """What is known of an experiment.

    points: number of a training -> its record. live: number of a training -> {"epoch": [0..t], "ce": [..], …} of those without a
    point. baselines: of a sweep. lines: the records that said something new, in their order, for the browser.
    """

    def __init__(self) -> None:
        self.points: dict[int, dict[str, Any]] = {}
        self.live: dict[int, dict[str, list[float | None]]] = {}
        self.baselines: dict[str, Any] = {}
        self.lines: list[Line] = []

    def add(self, line: Line) -> bool:
        """Take a record in; returns whether it said something new."""
        if "point" in line:
            new = self._add_point(line)
        elif "at" in line:
            new = self._add_epoch(line)
        else:
            new = "baselines" in line and line["baselines"] != self.baselines
            self.baselines = line.get("baselines", self.baselines)
        if new:
            self.lines.append(line)
        return new

    def compact(self) -> list[Line]:
        """The fewest lines that say all of it: of trainings with a point, that alone."""
        found: list[Line] = [{"baselines": self.baselines}] if self.baselines else []
        for number, curves in self.live.items():
            found += [
                {"at": [number], "epoch": t, **{name: [curves[name][t]] for name in CURVES}} for t in range(len(curves["epoch"]))
            ]
        return found + [self.points[number] for number in sorted(self.points)]

    def _add_point(self, line: Line) -> bool:
        number = line["point"]
        if number in self.points:
            return False
        self.points[number] = dict(line)
        self.live.pop(number, None)
        return True

    def _add_epoch(self, line: Line) -> bool:
        new, epoch = False, line["epoch"]
        for place, number in enumerate(line["at"]):
            curves = self.live.get(number) or {"epoch": [], **{name: [] for name in CURVES}}
            if number in self.points or epoch != len(curves["epoch"]):
                continue
            curves["epoch"].append(epoch)
            for name in CURVES:
                curves[name].append(line[name][place])
            self.live[number], new = curves, True
        return new
