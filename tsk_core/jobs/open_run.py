"""OpenRun: what the engine knows of one run until it ends; Pause: its pause."""

import threading
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tsk_core import limits
from tsk_core.jobs.control import Control
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

    def head(self, name: str) -> dict[str, Any]:
        """What all records of a series share."""
        return self._heads.get(name, {})

    def count(self, name: str) -> int:
        """How many records of a series there are."""
        return len(self._lines[name])


PARKED = "Paused for a while, so other runs use its worker; when you resume it, it is first in the queue."
ASIDE = (
    "Paused for a while and taken out of memory, which other runs need; when you resume it, it trains up to this epoch again,"
    " with the same numbers, and then goes on."
)
RETURNING = "First in the queue: it continues as soon as a worker is free."


@dataclass(eq=False)
class Pause:
    """The pause of an open run.

    asked: whether somebody asked for it. since: when the task began to wait; None while it works. total: seconds waited before.
    left: its task has left the worker's thread, for good. parked: it waits, and others use its worker.
    resumed_at: when it was resumed while parked. steps: steps to do then, before it waits again; 0 for all.
    """

    asked: bool = False
    since: float | None = None
    total: float = 0.0
    left: bool = False
    parked: bool = False
    resumed_at: float | None = None
    steps: int = 0

    def begin(self) -> None:
        """The task waits."""
        self.asked, self.since = True, self.since or time.monotonic()

    def end(self) -> None:
        """The task continues."""
        if self.since is not None:
            self.total += time.monotonic() - self.since
        self.since, self.parked, self.resumed_at, self.steps = None, False, None, 0

    def ask(self) -> None:
        """Somebody asked the task to wait."""
        self.asked, self.resumed_at = True, None

    def grant(self, steps: int) -> bool:
        """Somebody asked for so many more steps, 0 for all; returns whether the task may be asked now: it has its worker."""
        self.asked = steps > 0
        if self.parked:
            self.steps = self.steps + steps if steps else 0
            self.resumed_at = self.resumed_at or time.monotonic()
        return not self.parked

    def park(self, after: float) -> str:
        """What a pause of more than ``after`` seconds asks for: "leave" its worker's thread; "parked", now; "" for neither."""
        if not self.asked or self.parked or self.since is None or time.monotonic() - self.since < after:
            return ""
        self.parked = self.left
        return "parked" if self.left else "leave"


@dataclass(eq=False)
class OpenRun:
    """A run of this engine that has not ended. Times are those of ``time.monotonic``. ``OpenRuns`` guards its changes.

    task: what its worker gets, of at most ``steps`` steps. attempt: which attempt is the current one, from 1. losses: attempts
    that may have killed their worker. time_slices: attempts that gave their worker to others by themselves.
    reached: steps done by an earlier attempt that was paused. lease: seconds it may stay unwatched; None for ever. kept: whether
    that counts no more once it has begun. aside: whether it waits outside of any worker, to begin again when it is resumed.
    stop_when_back: why it ends then. address: the network address that it was submitted from, or "".
    worker: the Dask address of the one it was given to, at ``handed_out``. last_message: when its task last sent one.
    done, stage, final: as of ``Context.progress``; reports: how often that was called. ending: as its task reported it.
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
    reached: int = 0
    aside: bool = False
    stop_when_back: str = ""
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
    pause: Pause = field(default_factory=Pause)

    def assign(self, worker: str) -> None:
        """Give it to a worker, for one more attempt."""
        self.state, self.attempt, self.worker = "running", self.attempt + 1, worker
        self.handed_out, self.last_message, self.ending = time.monotonic(), time.monotonic(), None
        self.restart()
        self.began = None

    def restart(self) -> None:
        """Its task begins: forget the records of an earlier attempt."""
        self.records, self.done, self.stage, self.final, self.reports = RecordLog(), 0, "", False, 0
        self.began = time.monotonic()

    def requeue(self, message: str) -> None:
        """It has no worker any more and waits in the queue again; a pause is kept."""
        self.state, self.message, self.future, self.worker, self.began = "queued", message, None, "", None
        self.reached = max(self.reached, self.reports) if self.pause.asked else 0
        self.pause = Pause(asked=self.pause.asked)

    def set_aside(self) -> None:
        """Its task has left the memory of its worker; what it recorded stays, until it begins again."""
        self.aside, self.future, self.worker, self.began = True, None, "", None
        self.reached = max(self.reached, self.reports)
        self.time_slices += 1
        self.pause.begin()
        self.pause.parked = True

    def come_back(self, steps: int, paused: bool) -> None:
        """It waits for a worker again. steps: how many to do more than before; paused: whether it waits once it has."""
        self.aside, self.state, self.message = False, "queued", ""
        self.reached = self.reached + steps if paused else 0
        self.pause = Pause(asked=paused)

    def progress(self, done: int, stage: str, final: bool, reports: int) -> None:
        """Note how far its task is."""
        self.done, self.stage, self.final, self.reports = done, stage, final, self.reports + reports

    def receive(self, message: dict[str, Any]) -> None:
        """Note what its task sent, see worker.py; a late message of an earlier attempt counts no more."""
        if self.attempt != message["attempt"] or self.state != "running":
            return
        self.last_message = time.monotonic()
        for name, line, head in message.get("records", ()):
            self.records.add(name, line, head)
        if "progress" in message:
            self.progress(*message["progress"])
        if "ended" in message:
            self.ending = Ending(*message["ended"])
        if "event" in message:
            self._note(message["event"])

    def _note(self, event: str) -> None:
        if event == "began":
            self.restart()
        elif event == "waits":
            self.pause.begin()
        elif event == "left":
            self.pause.left = True
        else:  # "stepped" or "resumed"
            self.pause.end()
            self.pause.asked = self.pause.asked and event == "stepped"  # another process may have resumed it

    @property
    def is_active(self) -> bool:
        """Whether it holds a worker."""
        return self.state == "running" and not self.pause.parked

    @property
    def needs_viewers(self) -> bool:
        """Whether it ends when nobody watches it."""
        return self.lease is not None and not (self.kept and self.attempt)

    @property
    def seconds(self) -> float:
        """How long it has worked, without pauses."""
        if self.began is None:
            return 0.0
        now = time.monotonic()
        return now - self.began - self.pause.total - (now - self.pause.since if self.pause.since else 0.0)

    @property
    def remaining(self) -> float | None:
        """How many more seconds it needs at this pace; None where that is unknown (yet)."""
        if not self.reports or self.began is None or not self.final:
            return None
        return max(0.0, self.seconds / self.reports * (self.steps - self.done))

    def status(self, **more: Any) -> Status:
        """Where it stands, as far as it alone can tell."""
        message = self.message
        if self.pause.parked:
            message = RETURNING if self.pause.resumed_at else ASIDE if self.aside else PARKED
        return Status(
            self.run, self.state, epoch=self.done, max_epochs=self.steps, stage=self.stage or "training", message=message,
            attempt=self.attempt, parked=self.pause.parked, kept=self.kept,
            paused=self.pause.asked, waiting=self.pause.asked and self.pause.since is not None, **more,
        )  # fmt: skip


# Workers: which run holds which worker, and which worker the next run gets.


class Workers:
    """The workers of the cluster, by address, and the runs that were given one. Not thread-safe: ``OpenRuns`` holds its lock.

    A run that is active holds its worker alone. One that is parked waits in its worker's memory while another is active there.
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
        """Those that were given a worker, parked ones included."""
        return list(self._runs.values())

    def active(self) -> list[OpenRun]:
        """Those that hold a worker."""
        return [run for run in self._runs.values() if run.is_active]

    def active_of(self, owner: str, background: bool) -> list[OpenRun]:
        """The active runs of this kind of one owner."""
        return [run for run in self.active() if run.owner == owner and run.background == background]

    def has_free(self) -> bool:
        """Whether there are more workers than active runs."""
        return len(self.active()) < len(self.addresses)

    def choose(self) -> str | None:
        """A worker without an active run; rather one in which no other waits, since they share its memory."""
        if not self.has_free():
            return None
        shared = Counter(run.worker for run in self._runs.values())
        active = {run.worker for run in self.active()}
        return min((worker for worker in self.addresses if worker not in active), key=shared.__getitem__, default=None)

    def is_last_for_watched(self) -> bool:
        """Whether the free worker is the one that experiments leave to runs that somebody watches, where there are several."""
        experiments = sum(run.background for run in self.active())
        return experiments >= max(1, len(self.addresses) - 1)

    def busy_owners(self, background: bool) -> set[str]:
        """Owners who have as many active runs of this kind as they may."""
        counts = Counter(run.owner for run in self.active() if run.background == background)
        return {owner for owner, count in counts.items() if count >= limits.value("running_per_owner")}

    def first_resumed(self) -> OpenRun | None:
        """The parked run that was resumed first, of an owner who may have one more going; None without one or a free worker."""
        if not self.has_free():
            return None
        busy = {background: self.busy_owners(background) for background in (False, True)}
        resumed = [run for run in self._runs.values() if run.pause.resumed_at and run.owner not in busy[run.background]]
        return min(resumed, key=lambda run: run.pause.resumed_at or 0.0, default=None)
