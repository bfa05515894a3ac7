"""Engine: queues runs, hands them to workers one each, streams their records, gives their results.

Four threads meet here: the caller's, Dask's callback thread (records arrive), the dispatcher's (runs begin and end) and
the supervisor's. What they share is one table, ``OpenRuns``; what has ended lives in the store alone. An open run is looked at up
to twenty times a second: what is asked about it is answered from memory, but for whether it is paused, which its control file
says.
"""

import atexit
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tsk_core.errors import RunError
from tsk_core.jobs.control import STOPPED, Control
from tsk_core.jobs.dispatcher import Dispatcher
from tsk_core.jobs.open_run import OpenRun
from tsk_core.jobs.open_runs import OpenRuns, WaitEstimate
from tsk_core.jobs.status import EndedRuns, Status
from tsk_core.jobs.supervisor import Supervisor
from tsk_core.live.series import EPOCHS
from tsk_core.runs.ledger import ENDED, FOREIGN
from tsk_core.runs.result import Result
from tsk_core.runs.store import RunStore
from tsk_core.tasks.task import Task

if TYPE_CHECKING:
    from tsk_core.config import TrainConfig
    from tsk_core.data import Dataset
    from tsk_core.epoch import Epoch

QUEUED = "Stopped before it began."
LEFT = "The queue was full and no page showed this run, so it gave up its place to another one; press Train to run it again."
MOST_TOLD = 1000  # runs of which ``tell`` keeps something
CLOSED = "The server stopped before this run ended; start it again."


class Engine:
    """Runs tasks in an embedded cluster, or in the one at the address in TSK_SCHEDULER. Any thread may call.

    runs_dir: where runs are kept; None takes TSK_RUNS_DIR, else ``runs/``. ``store``: the RunStore of what is kept there.

    Returns at once: the cluster starts in the background, and runs wait in the queue until it is there.
    A remote cluster has to share ``runs_dir`` with this process; anyone who reaches a Dask scheduler can run any code on it.
    """

    def __init__(self, runs_dir: str | Path | None = None) -> None:
        self.store = RunStore(runs_dir)
        self._ended = EndedRuns(self.store)
        self._runs = OpenRuns()
        self._told, self._telling = OrderedDict[str, dict[str, Any]](), threading.Lock()
        self._dispatcher = Dispatcher(self._runs, self.store, lambda: self._supervisor.run_ended())
        self._supervisor = Supervisor(self._runs, self._dispatcher, self.store)
        self._supervisor.start()
        atexit.register(self.close)

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # The life of a run.

    def submit(
        self, config: "TrainConfig", dataset: "Dataset", owner: str = "anyone", test_size: float = 0.3, **options: Any
    ) -> str:
        """Queue a training and return its run id; options: as of ``submit_task``. LimitError where a quota forbids it."""
        from tsk_core.tasks import LiveTraining  # the task that most callers want; nothing of training is known here

        return self.submit_task(LiveTraining(config, dataset, test_size), owner, **options)

    def submit_task(
        self,
        task: Task,
        owner: str = "anyone",
        *,
        lease: float | None = None,
        address: str = "",
        background: bool = False,
        paused: bool = False,
        pace: float | None = None,
        **details: Any,
    ) -> str:
        """Queue a task and return its run id. LimitError, in one sentence, where a quota forbids it.

        lease: seconds after which the run is stopped, its weights kept, unless ``watch`` is called now and then; None for never.
        address: the network address it comes from, which has a share of its own; "" for none. A full queue first loses the queued
        run that nobody has watched for longest, if there is one.
        background: for experiments; it begins only when no run that somebody waits for could.
        paused: it does one step, then waits. pace: as of ``slow_down``.
        details: passed to ``Task.create_run``.
        """
        task.check()
        while leaving := self._runs.pop_unwatched(owner, background, address):
            self._dispatcher.end(leaving, "stopped", LEFT)
        with self._runs.reserved(owner, background, address):
            name, task = task.create_run(self.store, owner, **details)
            run = OpenRun(name, owner, task, task.steps, Control(self.store.folder / name), background, lease, address)
            try:
                if paused:
                    run.control.pause()
                run.control.slow_down(pace)
            except RunError as error:  # the disk is full
                self._dispatcher.end(run, "failed", str(error))
                raise
            added = self._runs.add(run)
        if added:
            self._dispatcher.hand_out()
        else:  # closed meanwhile
            self._dispatcher.end(run, "interrupted", CLOSED)
        return name

    # Steering. owner: who asks; RunError in one sentence for a run of another owner, or an unknown one. None: trusted Python code
    # of this machine, which may steer any run; a page never passes it.

    def stop(self, run: str, owner: str | None = None) -> None:
        """End a run within one epoch, keeping its weights; a queued one ends at once, one that ended stays as it is."""
        self._check_owner(run, owner)
        if entry := self._runs.get(run):
            self._dispatcher.stop(entry, STOPPED, QUEUED)
            return
        record = self.store.record(run)
        if record.state not in ENDED:  # another process's
            Control(self.store.folder / run).stop()
            if record.state == "queued":
                self.store.housekeeping.end(run, "stopped", QUEUED)

    def pause(self, run: str, owner: str | None = None) -> None:
        """Let a run wait after its current epoch; a run that ended stays as it is.

        A long pause gives its worker to the next run that needs it.
        """
        self._steer(run, owner, Control.pause)

    def step(self, run: str, owner: str | None = None) -> None:
        """Let a paused run do one more epoch; a run that is not paused gets paused."""
        self._steer(run, owner, Control.step)

    def resume(self, run: str, owner: str | None = None) -> None:
        """Let a paused run continue: at once, or where others use its worker meanwhile, first in the queue.

        It then trains up to where it was again, with the same numbers.
        """
        self._steer(run, owner, Control.resume)

    def slow_down(self, run: str, pace: float | None, owner: str | None = None) -> None:
        """Let a run do at most ``pace`` steps a second, until its waits sum up to the limit ``slow_seconds``; None: full speed.

        Only its time changes, never its numbers. A pause or a stop takes effect at once.
        """
        self._steer(run, owner, lambda control: control.slow_down(pace))

    def watch(self, run: str) -> None:
        """Note that somebody still looks at the run, so that its lease does not run out. Costs nothing.

        Anybody may: a class follows the run of its teacher by its link.
        """
        if entry := self._runs.get(run):
            entry.watched = time.monotonic()

    def keep(self, run: str, owner: str | None = None) -> None:
        """Remove the run's lease once it has begun: it then continues although nobody watches it.

        LimitError where its owner, or its network address, keeps as many runs as allowed.
        """
        self._check_owner(run, owner)
        if entry := self._runs.get(run):
            self._runs.keep(entry)

    # What is known.

    def wait_estimate(self, owner: str, background: bool = False, address: str = "") -> WaitEstimate:
        """What awaits a run that ``owner`` submits now: place in the queue, waiting time, whether it is allowed."""
        return self._runs.estimate(owner, background, address)

    def open_runs(self) -> list[str]:
        """The ids of this engine's runs that have not ended."""
        return [run.run for run in self._runs.all()]

    def workers(self) -> list[str]:
        """The addresses of the workers; none while the cluster starts."""
        return self._runs.workers()

    def status(self, run: str) -> Status:
        """Where the run stands; RunError when there is no such run."""
        entry = self._runs.get(run)
        if entry and (status := self._runs.status(entry, entry.control.paused() is not None)):
            return status
        if unwritten := self._dispatcher.unwritten(run):
            ended, ending = unwritten
            return Status(run, ending.state, epoch=ended.done, max_epochs=ended.steps, message=ending.message)
        return self._ended.status(run)

    def records(self, run: str, series: str, since: int = 0) -> list[Any]:
        """The records of a series ("epochs", "snapshots", "evaluations", …) so far, from number ``since`` (from 0) on.

        Without waiting, and not to be changed. RunError when there is no such run. A run that lost its worker begins again, so
        for a while it may have fewer records than before; they will be the same but for their seconds. ``Status.attempt`` tells.
        """
        if entry := self._open(run):
            return entry.records.get(series, since)
        return self._ended.records(run, series, since)

    def lines(self, run: str, series: str, since: int = 0) -> list[str]:
        """The same as they were written, a line of JSON each, without parsing those of an open run."""
        if entry := self._open(run):
            return entry.records.lines(series, since)
        return self.store.open(run).lines(series, since)

    def head(self, run: str, series: str) -> dict[str, Any]:
        """What all records of a series share; empty without records. RunError when there is no such run."""
        if entry := self._open(run):
            return entry.records.head(series)
        return self.store.open(run).head(series)

    def history(self, run: str, since: int = 0) -> "list[Epoch]":
        """The epochs so far: ``records`` of the series "epochs"."""
        return self.records(run, EPOCHS, since)

    def follow(self, run: str) -> "Iterator[Epoch]":
        """Yield each epoch as it arrives, from the first one to the end of the run; RunError when there is no such run."""
        if run not in self._runs:
            self.store.record(run)
        return self._follow(run)

    def result(self, run: str, timeout: float | None = None) -> Result:
        """What the run left, waiting for its end (``timeout`` in seconds; None: as long as it takes).

        RunError in one sentence when it failed, left no model, is unknown, or has not ended in time.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        while not self._has_ended(run) and (deadline is None or time.monotonic() < deadline):
            if run in self._runs:
                self._runs.wait_for(lambda: run not in self._runs, 0.2)
            else:  # another process's
                time.sleep(0.2)
        return self.store.result(run)

    # What callers tell each other, in whatever process they are.

    def tell(self, run: str, name: str, value: Any) -> None:
        """Keep a value of a run under a name until this engine ends, in memory alone, such as the epoch that its owner shows."""
        with self._telling:
            self._told[run] = self._told.get(run, {}) | {name: value}
            self._told.move_to_end(run)
            if len(self._told) > MOST_TOLD:
                self._told.popitem(last=False)

    def told(self, run: str) -> dict[str, Any]:
        """What was told of a run, by name."""
        return self._told.get(run, {})

    def close(self) -> None:
        """End the cluster and all its processes; runs still open become "interrupted". Safe to call twice."""
        if not self._runs.close():
            return
        atexit.unregister(self.close)
        self._supervisor.close()
        self._dispatcher.close()
        for entry in self._runs.all():
            self._dispatcher.end(entry, "interrupted", CLOSED)
        self._dispatcher.retry()

    # Inside.

    def _open(self, run: str) -> OpenRun | None:
        unwritten = self._dispatcher.unwritten(run)
        return self._runs.get(run) or (unwritten[0] if unwritten else None)

    def _check_owner(self, run: str, owner: str | None) -> None:
        if owner is None:
            return
        entry = self._runs.get(run)
        if (entry or self.store.record(run)).owner != owner:
            raise RunError(FOREIGN)

    def _steer(self, run: str, owner: str | None, ask: Callable[[Control], None]) -> None:
        """Write the control files of a run, of this process or another; one that ended stays as it is."""
        self._check_owner(run, owner)
        if run in self._runs or self.store.record(run).state not in ENDED:
            ask(Control(self.store.folder / run))

    def _has_ended(self, run: str) -> bool:
        return run not in self._runs and (self._dispatcher.unwritten(run) is not None or self.store.record(run).state in ENDED)

    def _follow(self, run: str) -> "Iterator[Epoch]":
        seen = 0
        while True:
            entry = self._runs.get(run)
            ended = entry is None and self._has_ended(run)
            fresh = entry.records.get(EPOCHS, seen) if entry else self.history(run, seen)
            yield from fresh
            seen += len(fresh)
            if ended:
                return
            if entry is None:  # another process's run: its epochs reach the disk about each second
                time.sleep(0.2)
            else:
                self._runs.wait_for(self._has_more(run, entry, seen), timeout=5)

    def _has_more(self, run: str, entry: OpenRun, seen: int) -> Callable[[], bool]:
        return lambda: entry.records.count(EPOCHS) > seen or run not in self._runs
