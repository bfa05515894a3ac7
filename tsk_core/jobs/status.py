"""Status: where a run stands. OpenRun: what the engine keeps of a run until it ends."""

from dataclasses import dataclass, field
from typing import Any

from tsk_core.config import TrainConfig
from tsk_core.epoch import Epoch
from tsk_core.jobs.ledger import ENDED

__all__ = ["OpenRun", "Status"]


@dataclass(frozen=True)
class Status:
    """Where a run stands.

    state: queued, running, finished, stopped, failed or interrupted.
    position: place in line from 1 while queued, else 0. epoch: the last one done, of ``max_epochs``, in ``stage``.
    message: why it ended, or what happened to it; often empty.
    """

    run: str
    state: str
    position: int
    epoch: int
    max_epochs: int
    message: str
    stage: str = "training"

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""
        return self.state in ENDED

    @classmethod
    def of(cls, run: str, state: str, message: str, config: TrainConfig, epochs: list[Epoch], position: int = 0) -> "Status":
        """Put together from what is known of a run."""
        epoch, stage = (epochs[-1].epoch, epochs[-1].stage) if epochs else (0, "training")
        return cls(run, state, position, epoch, config.max_epochs, message, stage)


@dataclass(eq=False)
class OpenRun:
    """A run of this engine that has not ended."""

    run: str
    owner: str
    config: TrainConfig
    dataset: Any
    test_size: float
    state: str = "queued"
    message: str = ""
    attempt: int = 0
    epochs: list[Epoch] = field(default_factory=list)
    future: Any = None
