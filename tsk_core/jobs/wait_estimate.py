"""Outlook: what awaits a run that is not submitted yet, and how the engine guesses the time until a run begins."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from tsk_core.jobs.status import OpenRun

__all__ = ["Forecast", "Outlook"]

RECENT = 20  # ended runs whose durations are remembered


@dataclass(frozen=True)
class Outlook:
    """What awaits the next run of an owner.

    position: its place in line from 1; 0 when it would begin at once. seconds: until it probably begins; None where nothing is
    known yet. allowed: whether it may be submitted; message: the sentence that says why not, else "".
    """

    position: int
    seconds: float | None
    allowed: bool
    message: str


class Forecast:
    """Guesses waiting times from the durations of this server's last runs and the pace of those that train."""

    def __init__(self) -> None:
        self._durations: deque[float] = deque(maxlen=RECENT)

    def ended(self, entry: OpenRun) -> None:
        """A run left; one that trained counts."""
        if entry.began is not None and entry.epochs:
            self._durations.append(entry.seconds)

    def remaining(self, entry: OpenRun) -> float | None:
        """Seconds until this run ends, by its pace, else by what runs take here; None where nothing is known."""
        if entry.remaining is not None:
            return entry.remaining
        mean = self._mean(())
        return None if mean is None else max(0.0, mean - entry.seconds)

    def wait(self, ahead: int, active: list[OpenRun], workers: int) -> float | None:
        """Seconds until a run begins that has ``ahead`` runs before it in line; None where nothing is known."""
        if workers < 1:
            return None
        rounds, place = divmod(ahead, workers)
        free = workers - len(active)
        left = [self.remaining(entry) for entry in active[:workers]] if place >= free or rounds else []
        mean = self._mean(active) if rounds else 0.0
        if mean is None or None in left:
            return None
        return sorted([0.0] * free + left)[place] + rounds * mean

    def wait_for_own(self, ahead: int, own: list[OpenRun]) -> float | None:
        """Seconds until an owner, who has as many runs going as allowed, may begin one with ``ahead`` of theirs before it."""
        return self.wait(ahead, own, len(own)) if own else 0.0

    def _mean(self, active: Iterable[OpenRun]) -> float | None:
        """What a run takes here: the mean of those that ended, else of what those that train will have taken."""
        known = list(self._durations) or [e.seconds + e.remaining for e in active if e.remaining is not None]
        return sum(known) / len(known) if known else None
