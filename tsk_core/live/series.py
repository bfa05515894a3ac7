"""The names of the series of records that a training leaves, and who takes them."""

from typing import Any, Protocol

__all__ = ["EPOCHS", "EVALUATIONS", "SNAPSHOTS", "STRENGTHS", "TakesRecords"]

EPOCHS, SNAPSHOTS, EVALUATIONS, STRENGTHS = "epochs", "snapshots", "evaluations", "strengths"


class TakesRecords(Protocol):
    """Whoever takes the records of a training: a task's ``Context``, which writes them into a folder; a notebook's view."""

    def report(self, series: str, line: str, head: dict[str, Any] | None = None) -> None:
        """Take a record. line: one line of JSON. head: what all records of the series share; the first one's counts."""
