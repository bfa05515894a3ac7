"""Engine: takes runs, hands them to workers one each, streams their epochs, gives their results.

Three threads touch a run: the caller's, the cluster's (epochs and ends come in) and the keeper's (keeper.py). One lock guards the
queue and all runs that are open (dispatcher.py); what has ended lives in the store alone. Pages ask twice a second, each for
itself: what they ask about an open run is answered from memory.
"""

import atexit
import contextlib
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from tsk_core import limits
from tsk_core.config import TrainConfig
from tsk_core.epoch import Epoch
from tsk_core.errors import RunError
from tsk_core.jobs.control import STOPPED, Control
from tsk_core.jobs.dispatcher import Dispatcher
from tsk_core.jobs.ended import EndedRuns
from tsk_core.jobs.status import OpenRun, Status
from tsk_core.jobs.steering import Steering
from tsk_core.jobs.supervisor import Keeper
from tsk_core.jobs.wait_estimate import Outlook
from tsk_core.runs.store import ENDED, Result, RunStore

__all__ = ["Engine", "Outlook", "Status"]

IN_LINE = "Stopped before it began."
CLOSED = "The server stopped before this run ended; start it again."


class Engine:
    """Runs trainings in an embedded cluster, or in the one at the address in TSK_SCHEDULER. Any thread may call.

    runs_dir: where runs are kept; None takes TSK_RUNS_DIR, else ``runs/``.

    Returns at once: the cluster starts in the background, and runs wait in line until it is there.
    A remote cluster has to share ``runs_dir`` with this process; whoever reaches a Dask scheduler can run any code on it.
    """

    def __init__(self, runs_dir: str | Path | None = None) -> None:
        self.store = RunStore(runs_dir)
        self._ended = EndedRuns(self.store)
        self._dispatcher = Dispatcher(self.store, lambda: self._keeper.run_ended())
        self._open = self._dispatcher.open
        self._changed = self._dispatcher.changed
        self._steering = Steering(self._dispatcher)
        self._keeper = Keeper(self._dispatcher)
        self._keeper.start()
        atexit.register(self.close)

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # A run's life.

    def submit(
        self,
        config: TrainConfig,
        dataset: Any,
        owner: str = "anyone",
        test_size: float = 0.3,
        *,
        lease: float | None = None,
        background: bool = False,
        **kept: Any,
    ) -> str:
        """Queue a training and return its run id. LimitError, in one sentence, when a quota says no.

        lease: seconds after which the run is stopped, its weights kept, unless ``watch`` is called now and then; None for never.
        background: for sweeps and studies; it begins only when no run that someone waits for could.
        kept: passed to ``RunStore.create``.
        """
        X = dataset.X
        limits.check_training(config.n_rules, config.batch_size, len(X), _encoded_columns(X), len(dataset.classes))
        with self._reserved(owner, background):
            run = self.store.create(config, dataset, test_size, owner, **kept)  # not under the lock: it writes files
            control = Control(self.store.folder / run)
            dataset = replace(dataset, raw=None)  # the table before cleaning need not travel
            entry = OpenRun(run, owner, self.store.config(run), dataset, test_size, control, background, lease)
            self._dispatcher.add(entry)
        if self._dispatcher.closing:  # meanwhile
            self._dispatcher.end(entry, "interrupted", CLOSED)
        return run

    def stop(self, run: str) -> None:
        """End a run within one epoch, keeping its weights; one still in line ends at once, one that ended stays as it is."""
        if entry := self._open.get(run):
            self._steering.stop(entry, STOPPED, IN_LINE)
            return
        record = self.store.record(run)
        if record.state not in ENDED:  # another process's
            Control(self.store.folder / run).stop()
            if record.state == "queued":
                self.store.end(run, "stopped", IN_LINE)

    def pause(self, run: str) -> None:
        """Let a run wait after its current epoch. A long pause gives its worker to others; a run that ended stays as it is."""
        self._steer(run, Control.pause, self._steering.pause)

    def step(self, run: str) -> None:
        """Let a paused run do one more epoch; a run that is not paused gets paused."""
        self._steer(run, Control.step, self._steering.step)

    def resume(self, run: str) -> None:
        """Let a paused run go on: at once, or first in line where others use its worker meanwhile."""
        self._steer(run, Control.resume, self._steering.resume)

    def watch(self, run: str) -> None:
        """Say that someone still looks at the run, so that its lease does not run out. Costs nothing."""
        if entry := self._open.get(run):
            entry.watched = time.monotonic()

    def keep(self, run: str) -> None:
        """Take the run's lease away: it goes on though nobody looks."""
        if entry := self._open.get(run):
            entry.lease = None

    # What is known of it.

    def outlook(self, owner: str, background: bool = False) -> Outlook:
        """What awaits a run that ``owner`` submits now: place in line, waiting time, whether it is allowed."""
        return self._dispatcher.outlook(owner, background)

    def status(self, run: str) -> Status:
        """Where the run stands; RunError when there is no such run."""
        with self._changed:
            if entry := self._open.get(run):
                position, wait, pause = self._dispatcher.queue.position(run), self._dispatcher.wait(entry), entry.pause
                more = {"position": position, "wait": wait, "paused": pause.asked, "attempt": entry.attempt}
                more["waiting"] = pause.asked and pause.since is not None
                return Status.of(run, entry.state, entry.said(), entry.config, entry.epochs, **more)
            if unwritten := self._dispatcher.unwritten.get(run):
                entry, ending = unwritten
                return Status.of(run, ending.state, ending.message, entry.config, entry.epochs)
        return self._ended.status(run)

    def history(self, run: str, since: int = 0) -> list[Epoch]:
        """The epochs so far, without waiting, from number ``since`` (from 0) on; RunError when there is no such run.

        A run that lost its worker trains again, so for a while it may have fewer epochs than before; they will be the same but
        for their seconds. ``Status.attempt`` tells.
        """
        if entry := self._open.get(run):
            return entry.epochs[since:]
        if unwritten := self._dispatcher.unwritten.get(run):
            return unwritten[0].epochs[since:]
        return self._ended.history(run)[since:]

    def snapshots(self, run: str, since: int = 0) -> list[dict[str, Any]]:
        """The rules at up to 40 epochs, from number ``since`` (from 0) on; see ``RunStore.snapshots``. New ones each second."""
        return self.store.snapshots(run, since)

    def mistakes(self, run: str, since: int = 0) -> list[dict[str, Any]]:
        """What was wrong on the test rows at up to 40 epochs, from number ``since`` (from 0) on; see ``RunStore.mistakes``."""
        return self.store.mistakes(run, since)

    def snapshot_base(self, run: str) -> dict[str, Any] | None:
        """What all snapshots share (columns, classes, normalisation), as ``RunStore.snapshot_base``; None without snapshots."""
        return self.store.snapshot_base(run)

    def follow(self, run: str) -> Iterator[Epoch]:
        """Yield each epoch from the first one on, as it comes, until the run ends; RunError when there is no such run."""
        if run not in self._open:
            self.store.record(run)
        return self._follow(run)

    def result(self, run: str, timeout: float | None = None) -> Result:
        """What the run left, waiting for its end (``timeout`` in seconds; None: as long as it takes).

        RunError in one sentence when it failed, left no model, is unknown, or has not ended in time.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        while not self._has_ended(run) and (deadline is None or time.monotonic() < deadline):
            with self._changed:
                self._changed.wait(0.2)
        return self.store.result(run)

    def close(self) -> None:
        """End the cluster and all its processes; runs still open become "interrupted". Safe to call twice."""
        with self._changed:
            if self._dispatcher.closing:
                return
            self._dispatcher.closing = True
        atexit.unregister(self.close)
        self._keeper.end()
        for entry in list(self._open.values()):
            self._dispatcher.end(entry, "interrupted", CLOSED)
        self._dispatcher.retry()

    # Inside.

    @contextlib.contextmanager
    def _reserved(self, owner: str, background: bool) -> Iterator[None]:
        """Room in the quota for a run, given back where it could not be made."""
        with self._changed:
            if self._dispatcher.closing:
                raise RunError("This engine is closed; open a new one.")
            self._dispatcher.quota.reserve(owner, background)
        try:
            yield
        except BaseException:
            with self._changed:
                self._dispatcher.quota.release(owner, background)
            raise

    def _steer(self, run: str, elsewhere: Any, here: Any) -> None:
        if entry := self._open.get(run):
            here(entry)
        elif self.store.record(run).state not in ENDED:
            elsewhere(Control(self.store.folder / run))

    def _has_ended(self, run: str) -> bool:
        return run not in self._open and (run in self._dispatcher.unwritten or self.store.record(run).state in ENDED)

    def _follow(self, run: str) -> Iterator[Epoch]:
        seen = 0
        while True:
            entry = self._open.get(run)
            ended = entry is None and self._has_ended(run)
            fresh = entry.epochs[seen:] if entry else self.history(run, seen)
            yield from fresh
            seen += len(fresh)
            if ended:
                return
            with self._changed:
                if entry is None:  # another process's run: its epochs reach the disk about each second
                    self._changed.wait(0.2)
                else:
                    self._changed.wait_for(lambda: len(entry.epochs) > seen or run not in self._open, timeout=5)  # noqa: B023


def _encoded_columns(X: Any) -> int:
    """How many columns ``X`` has for the model, once categories are spread out (an estimate from above)."""
    numbers = X.select_dtypes("number").shape[1]
    most = limits.value("categories")
    words = [name for name in X.columns[: limits.value("columns")] if X[name].dtype.kind not in "iufb"]
    return numbers + sum(min(X[name].nunique(), most) for name in words)
