"""WaitEstimate: what awaits a run that is not submitted yet, and how the time until a run begins is estimated."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from tsk_core import limits
from tsk_core.jobs.open_run import OpenRun

__all__ = ["Estimator", "WaitEstimate"]

RECENT = 20  # ended runs whose durations are remembered


@dataclass(frozen=True)
class WaitEstimate:
    """What awaits the next run of an owner.

    position: its place in the queue from 1; 0 when it would begin at once. seconds: until it probably begins; None where nothing
    is known yet. allowed: whether it may be submitted; message: the sentence that says why not, else "".
    """

    position: int
    seconds: float | None
    allowed: bool
    message: str


class Estimator:
    """Estimates waiting times from the durations of this server's last runs and the pace of those that are active."""

    def __init__(self) -> None:
        self._durations: deque[float] = deque(maxlen=RECENT)

    def ended(self, run: OpenRun) -> None:
        """A run ended; it counts if it had begun its work."""
        if run.began is not None and run.reports:
            self._durations.append(min(run.seconds, _most(run)))

    def remaining(self, run: OpenRun) -> float | None:
        """Seconds until this run gives its worker to others: by its pace, or by what runs take here. None: nothing is known."""
        if run.remaining is not None:
            return min(run.remaining, _most(run))
        mean = self._mean(())
        return None if mean is None else max(0.0, mean - run.seconds)

    def wait(self, ahead: int, active: list[OpenRun], workers: int) -> float | None:
        """Seconds until a run begins that has ``ahead`` runs before it in the queue; None where nothing is known."""
        if workers < 1:
            return None
        rounds, place = divmod(ahead, workers)
        free = workers - len(active)
        left = [self.remaining(run) for run in active[:workers]] if place >= free or rounds else []
        mean = self._mean(active) if rounds else 0.0
        known = [seconds for seconds in left if seconds is not None]
        if mean is None or len(known) < len(left):
            return None
        return sorted([0.0] * free + known)[place] + rounds * mean

    def wait_for_own(self, ahead: int, own: list[OpenRun]) -> float | None:
        """Seconds until an owner, who has as many runs going as allowed, may begin one with ``ahead`` of theirs before it."""
        return self.wait(ahead, own, len(own)) if own else 0.0

    def _mean(self, active: Iterable[OpenRun]) -> float | None:
        """What a run takes here: the mean of those that ended, else of what those that train will have taken."""
        known = list(self._durations) or [
            min(run.seconds + run.remaining, _most(run)) for run in active if run.remaining is not None
        ]
        return sum(known) / len(known) if known else None


def _most(run: OpenRun) -> float:
    """Seconds that a run may have a worker while others wait: one of an experiment gives it up after its turn."""
    return limits.value("turn_seconds" if run.background else "run_seconds")
