"""Status: where a run stands."""

from dataclasses import dataclass

from tsk_core.runs.schema import ENDED

__all__ = ["Status"]


@dataclass(frozen=True)
class Status:
    """Where a run stands.

    state: queued, running, finished, stopped, failed or interrupted.
    position: place in the queue from 1 while queued, else 0. epoch: the last one done, of ``max_epochs``, in ``stage``.
    message: why it ended, or what happened to it; often empty.
    paused: whether it was asked to wait between two epochs, and not yet to continue. waiting: whether it does, after ``epoch``.
    parked: whether it has given its worker to others meanwhile.
    wait: seconds until it probably begins, for a queued run; None where nothing is known, and once it began.
    kept: whether it goes on without viewers, once it has begun.
    attempt: which attempt this engine knows records of, from 1; a later one begins without any. 0: not open here.
    """

    run: str
    state: str
    position: int = 0
    epoch: int = 0
    max_epochs: int = 0
    message: str = ""
    stage: str = "training"
    paused: bool = False
    wait: float | None = None
    waiting: bool = False
    parked: bool = False
    attempt: int = 0
    kept: bool = False

    @property
    def share(self) -> float:
        """The share of the epochs that is done, in [0, 1]; 0 where it has none to do."""
        return min(1.0, self.epoch / self.max_epochs) if self.max_epochs else 0.0

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""
        return self.state in ENDED
