"""Status: where a run stands. OpenRun: what the engine keeps of a run until it ends."""

import time
from dataclasses import dataclass, field
from typing import Any

from tsk_core.config import TrainConfig
from tsk_core.epoch import Epoch
from tsk_core.jobs.control import Control
from tsk_core.runs.folder import Ending
from tsk_core.runs.ledger import ENDED

__all__ = ["OpenRun", "Status"]

PARKED = "Paused for a while, so its worker helps others; once you go on, it is first in line."
RETURNING = "First in line: goes on as soon as a worker is free."


@dataclass(frozen=True)
class Status:
    """Where a run stands.

    state: queued, running, finished, stopped, failed or interrupted.
    position: place in line from 1 while queued, else 0. epoch: the last one done, of ``max_epochs``, in ``stage``.
    message: why it ended, or what happened to it; often empty.
    paused: whether it was asked to wait between two epochs, and not yet to go on. waiting: whether it does, after ``epoch``.
    wait: seconds until it probably begins, for a queued run; None where nothing is known, and once it began.
    attempt: which training of it this engine knows epochs of, from 1; a later one begins without any. 0: not open here.
    """

    run: str
    state: str
    position: int
    epoch: int
    max_epochs: int
    message: str
    stage: str = "training"
    paused: bool = False
    wait: float | None = None
    waiting: bool = False
    attempt: int = 0

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""
        return self.state in ENDED

    @classmethod
    def of(cls, run: str, state: str, message: str, config: TrainConfig, epochs: list[Epoch], **more: Any) -> "Status":
        """Put together from what is known of a run."""
        epoch, stage = (epochs[-1].epoch, epochs[-1].stage) if epochs else (0, "training")
        return cls(run, state, more.pop("position", 0), epoch, config.max_epochs, message, stage, **more)


@dataclass(eq=False)
class OpenRun:
    """A run of this engine that has not ended. Times are those of ``time.monotonic``.

    attempt: which of its jobs is the current one, from 1. losses: attempts that may have killed their worker.
    reached: epochs done by an earlier attempt that was paused. lease: seconds it may go unwatched; None for ever.
    worker: the Dask address of the one it was given to, at ``handed_out``. heard: when its job last gave a sign.
    ending: how its job said that it ended.
    """

    run: str
    owner: str
    config: TrainConfig
    dataset: Any
    test_size: float
    control: Control
    background: bool = False
    lease: float | None = None
    watched: float = field(default_factory=time.monotonic)
    state: str = "queued"
    message: str = ""
    attempt: int = 0
    losses: int = 0
    reached: int = 0
    epochs: list[Epoch] = field(default_factory=list)
    future: Any = None
    worker: str = ""
    began: float | None = None
    handed_out: float = 0.0
    heard: float = 0.0
    ending: Ending | None = None
    pause: "Paused" = field(default_factory=lambda: Paused())

    def give(self, worker: str) -> None:
        """It goes to a worker, for one more attempt."""
        self.state, self.attempt, self.epochs, self.worker, self.began = "running", self.attempt + 1, [], worker, None
        self.handed_out, self.heard, self.ending = time.monotonic(), time.monotonic(), None

    def take_back(self, message: str) -> None:
        """It lost its worker and waits in line again; a pause is kept."""
        self.state, self.message, self.future, self.worker, self.began = "queued", message, None, "", None
        self.reached = max(self.reached, len(self.epochs)) if self.pause.asked else 0
        self.pause = Paused(asked=self.pause.asked)

    @property
    def is_active(self) -> bool:
        """Whether it holds a worker."""
        return self.state == "running" and not self.pause.parked

    @property
    def seconds(self) -> float:
        """How long it has trained, pauses left out."""
        if self.began is None:
            return 0.0
        now = time.monotonic()
        return now - self.began - self.pause.total - (now - self.pause.since if self.pause.since else 0.0)

    @property
    def remaining(self) -> float | None:
        """How many more seconds it trains at this pace; None where that cannot be told (yet)."""
        if not self.epochs or self.began is None or self.epochs[-1].stage != "training":
            return None
        done = len(self.epochs)
        last = self.epochs[-1].epoch
        return max(0.0, self.seconds / done * (self.config.max_epochs - last))

    def said(self) -> str:
        """Its message, or what its pause amounts to."""
        if self.pause.parked:
            return RETURNING if self.pause.asked_back else PARKED
        return self.message


@dataclass(eq=False)
class Paused:
    """The pause of an open run.

    asked: someone wants it to wait. since: when it began to wait; None while it trains. total: seconds waited before.
    left: its job has left the worker's thread, for good. parked: it waits, and others use its worker.
    asked_back: when it was asked to go on while parked. steps: epochs to do then, before it waits again; 0 for all.
    """

    asked: bool = False
    since: float | None = None
    total: float = 0.0
    left: bool = False
    parked: bool = False
    asked_back: float | None = None
    steps: int = 0

    def begin(self) -> None:
        """The training waits."""
        self.asked, self.since = True, self.since or time.monotonic()

    def end(self) -> None:
        """The training goes on."""
        if self.since is not None:
            self.total += time.monotonic() - self.since
        self.since, self.parked, self.asked_back, self.steps = None, False, None, 0
