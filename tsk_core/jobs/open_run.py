"""OpenRun: what the engine knows of one run until it ends; Workers: which run holds which worker."""

import threading
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tsk_core import limits
from tsk_core.jobs.control import Control, Place
from tsk_core.jobs.status import Status
from tsk_core.runs.folder import Ending
from tsk_core.runs.run_files import series

if TYPE_CHECKING:
    from tsk_core.tasks import Task

# RecordLog: the records that a run has reported.


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

    def lines(self, name: str, since: int = 0) -> list[str]:
        """The same as they were written, a line of JSON each."""
        with self._lock:
            return self._lines[name][since:]

    def head(self, name: str) -> dict[str, Any]:
        """What all records of a series share."""
        return self._heads.get(name, {})

    def count(self, name: str) -> int:
        """How many records of a series there are."""
        return len(self._lines[name])


PARKED = (
    "Paused for a while, so other runs use its worker; when you resume it, it is first in the queue, trains up to this epoch"
    " again, with the same numbers, and then goes on."
)
RETURNING = "First in the queue: it continues as soon as a worker is free."
LONG_SECONDS = 10.0  # a pause that lasts longer gives the worker to who needs it


@dataclass(eq=False)
class OpenRun:
    """A run of this engine that has not ended. Times are those of ``time.monotonic``. ``OpenRuns`` guards its changes.

    task: what its worker gets, of at most ``steps`` steps. attempt: which attempt is the current one, from 1. losses: attempts
    that may have killed their worker. time_slices: attempts that gave their worker to others by themselves.
    lease: seconds it may stay unwatched; None for ever. kept: whether that counts no more once it has begun. address: the network
    address that it was submitted from, or "".
    worker: the Dask address of the one it was given to, at ``handed_out``. last_message: when its task last sent one.
    done, stage, final: as of ``Context.progress``; reports: how often that was called. ending: as its task reported it.
    waits_since: when its task began to wait between two steps; None while it works. waited: seconds it waited before.
    place: where it last waited, if its next attempt has to come there again. parked: whether it has left its worker meanwhile.
    Whether it is paused its ``control`` says.
    """

    run: str
    owner: str
    task: "Task | None"
    steps: int
    control: Control
    background: bool = False
    lease: float | None = None
    address: str = ""
    kept: bool = False
    watched: float = field(default_factory=time.monotonic)
    state: str = "queued"
    message: str = ""
    attempt: int = 0
    losses: int = 0
    time_slices: int = 0
    records: RecordLog = field(default_factory=RecordLog)
    done: int = 0
    stage: str = ""
    final: bool = False
    reports: int = 0
    future: Any = None
    worker: str = ""
    began: float | None = None
    handed_out: float = 0.0
    last_message: float = 0.0
    ending: Ending | None = None
    waits_since: float | None = None
    waited: float = 0.0
    place: Place | None = None
    parked: bool = False

    def assign(self, worker: str) -> None:
        """Give it to a worker, for one more attempt."""
        self.state, self.attempt, self.worker = "running", self.attempt + 1, worker
        self.handed_out, self.last_message, self.ending = time.monotonic(), time.monotonic(), None
        self.restart()
        self.began = None

    def restart(self) -> None:
        """Its task begins: forget the records of an earlier attempt."""
        self.records, self.done, self.stage, self.final, self.reports = RecordLog(), 0, "", False, 0
        self.began, self.waited = time.monotonic(), 0.0

    def release(self) -> None:
        """It has no worker any more."""
        self.future, self.worker, self.began, self.waits_since = None, "", None, None

    def progress(self, done: int, stage: str, final: bool, reports: int) -> None:
        """Note how far its task is."""
        self.done, self.stage, self.final, self.reports = done, stage, final, self.reports + reports

    def receive(self, message: dict[str, Any]) -> None:
        """Note what its task sent, see worker.py; a late message of an earlier attempt counts no more."""
        if self.attempt != message["attempt"] or not self.worker:
            return
        self.last_message = time.monotonic()
        for name, line, head in message.get("records", ()):
            self.records.add(name, line, head)
        if "progress" in message:
            self.progress(*message["progress"])
        if "ended" in message:
            self.ending = Ending(*message["ended"])
        if "event" in message:
            self._note(*message["event"])

    def _note(self, event: str, pause: str = "", steps: int = 0) -> None:
        if event == "began":
            self.restart()
        elif event == "waits":
            self.waits_since, self.place = time.monotonic(), Place(pause, steps, self.reports)
        elif self.waits_since is not None:
            self.waited, self.waits_since = self.waited + time.monotonic() - self.waits_since, None

    def may_come_back(self) -> bool:
        """Whether a parked run was resumed, granted a step, or asked to end where it was. Reads its control files."""
        pause, place = self.control.paused(), self.place or Place()
        return pause is None or pause.steps > place.steps_of(pause) or self.control.stop_reason() != ""

    @property
    def waits_long(self) -> bool:
        """Whether it has waited for so long that others may have its worker."""
        return self.waits_since is not None and time.monotonic() - self.waits_since > LONG_SECONDS

    @property
    def is_active(self) -> bool:
        """Whether it keeps a worker from others."""
        return bool(self.worker) and not self.waits_long

    @property
    def needs_viewers(self) -> bool:
        """Whether it ends when nobody watches it."""
        return self.lease is not None and not (self.kept and self.attempt)

    @property
    def seconds(self) -> float:
        """How long it has worked, without pauses."""
        if self.began is None:
            return 0.0
        return (time.monotonic() if self.waits_since is None else self.waits_since) - self.began - self.waited

    @property
    def remaining(self) -> float | None:
        """How many more seconds it needs at this pace; None where that is unknown (yet)."""
        if not self.reports or self.began is None or not self.final:
            return None
        return max(0.0, self.seconds / self.reports * (self.steps - self.done))

    def status(self, paused: bool, **more: Any) -> Status:
        """Where it stands, as far as it alone can tell. paused: as its control file says."""
        message = self.message
        if self.place and not self.worker:
            message = PARKED if self.parked and paused else message or RETURNING
        waiting = paused and (self.parked or self.waits_since is not None)
        return Status(
            self.run, self.state, epoch=self.done, max_epochs=self.steps, stage=self.stage or "training", message=message,
            attempt=self.attempt, parked=self.parked, kept=self.kept, paused=paused, waiting=waiting, **more,
        )  # fmt: skip


# Workers: which run holds which worker, and which worker the next run gets.


class Workers:
    """The workers of the cluster, by address, and the runs that were given one. Not thread-safe: ``OpenRuns`` holds its lock.

    A run holds its worker alone. One that has waited for long keeps it only until another run needs it.
    """

    def __init__(self) -> None:
        self.addresses: list[str] = []
        self._runs: dict[str, OpenRun] = {}

    def assign(self, run: OpenRun, worker: str) -> None:
        """Give a worker to a run."""
        run.assign(worker)
        self._runs[run.run] = run

    def release(self, run: OpenRun) -> None:
        """The run has no worker any more; nothing happens where it had none."""
        self._runs.pop(run.run, None)

    def runs(self) -> list[OpenRun]:
        """Those that have a worker."""
        return list(self._runs.values())

    def active(self) -> list[OpenRun]:
        """Those that keep a worker from others."""
        return [run for run in self._runs.values() if run.is_active]

    def active_of(self, owner: str, background: bool) -> list[OpenRun]:
        """The active runs of this kind of one owner."""
        return [run for run in self.active() if run.owner == owner and run.background == background]

    def has_free(self) -> bool:
        """Whether there are more workers than active runs."""
        return len(self.active()) < len(self.addresses)

    def choose(self) -> str | None:
        """A worker without a run."""
        taken = {run.worker for run in self._runs.values()}
        return next((worker for worker in self.addresses if worker not in taken), None)

    def waiting_long(self) -> list[OpenRun]:
        """Those that leave their worker where another needs it, the one that has waited for longest first."""
        return sorted((run for run in self._runs.values() if run.waits_long), key=lambda run: run.waits_since or 0.0)

    def is_last_for_watched(self) -> bool:
        """Whether the free worker is the one that experiments leave to runs that somebody watches, where there are several."""
        experiments = sum(run.background for run in self.active())
        return experiments >= max(1, len(self.addresses) - 1)

    def busy_owners(self, background: bool) -> set[str]:
        """Owners who have as many active runs of this kind as they may."""
        counts = Counter(run.owner for run in self.active() if run.background == background)
        return {owner for owner, count in counts.items() if count >= limits.value("running_per_owner")}
