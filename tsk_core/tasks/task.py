"""A task, what it works with (Context), and how one is run: the same in a worker, on the command line and in a test."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

from tsk_core import limits
from tsk_core.config import TrainConfig
from tsk_core.errors import TSKError, error_sentence
from tsk_core.runs.folder import YIELDED, Ending, RunFolder
from tsk_core.runs.ledger import Record
from tsk_core.runs.store import RunStore, with_seed

if TYPE_CHECKING:
    import pandas as pd

    from tsk_core.data import Dataset

# Context: what a task works with: its folder, its records, when to wait and when to end.
#
# Records are lines of JSON in named series ("epochs", "snapshots", …). Each line goes two ways from here: to ``on_record`` at
# once, and into the run's folder about each second. What reads it afterwards need not know which way it came.


CHECKPOINT_SECONDS = 1.0
_PATIENCE = 0.2  # seconds between two looks at whether to stop


class Waiting(Protocol):
    """A reason to wait between two steps: a pause, a pace."""

    def asked(self) -> bool:
        """Whether the task has to wait now."""

    def wait(self, stop_reason: Callable[[], str]) -> str:
        """Return when the task may continue, with "", or when it has to stop, with the reason. Raises Parked."""


class Context:
    """The surroundings of one attempt at a task.

    folder: of the run. stop_reason: a sentence where the task has to end, else "". waiting: reasons to wait, asked in this order.
    on_record: called with each record's series, line and head. on_progress: called with each ``progress``.
    time_slice: seconds after which a task that can go on later from where it is lets others have its worker; None: never.

    As a context manager it writes, at the end, the records that are not written yet.
    """

    def __init__(
        self,
        folder: RunFolder,
        *,
        stop_reason: Callable[[], str] = lambda: "",
        waiting: Sequence[Waiting] = (),
        time_slice: float | None = None,
        on_record: Callable[[str, str, dict[str, Any]], None] = lambda series, line, head: None,
        on_progress: Callable[[int, str, bool], None] = lambda done, stage, final: None,
    ) -> None:
        self.folder, self.stop_reason, self.progress = folder, stop_reason, on_progress
        self.waited, self.reason, self._time_slice = 0.0, "", time_slice
        self._waiting, self._on_record = waiting, on_record
        self._unwritten: dict[str, tuple[dict[str, Any], list[str]]] = {}
        self._began = self._written = time.monotonic()

    def __enter__(self) -> "Context":
        return self

    def __exit__(self, *error: object) -> None:
        self.write()

    # ``waited``: seconds it waited so far. ``reason``: what ``stopped`` found. ``progress(done, stage, final)``: steps done of
    # ``Task.steps``; final: whether this is the last stage, so that the time left can be estimated from its pace.

    def report(self, series: str, line: str, head: dict[str, Any] | None = None) -> None:
        """Hand a record on. line: one line of JSON. head: what all records of the series share; the first one's counts."""
        self._on_record(series, line, head or {})
        self._unwritten.setdefault(series, (head or {}, []))[1].append(line)
        if time.monotonic() - self._written >= CHECKPOINT_SECONDS:
            self.write()

    def checkpoint(self) -> str:
        """To be called between two steps: waits as it is asked to; returns why the task has to end, or "" to continue."""
        reason = self.stop_reason()
        for waiting in self._waiting:
            if not reason and waiting.asked():
                self.write()
                began = time.monotonic()
                reason = waiting.wait(self.stop_reason)
                self.waited += time.monotonic() - began
        limit = limits.value("run_seconds")
        if not reason and self.clock() - self._began > limit:
            reason = f"Stopped after {limit} seconds, this server's limit for one run ({limits.LIMITS['run_seconds'].variable})."
        return reason

    def clock(self) -> float:
        """Seconds without those that it waited, from any beginning."""
        return time.monotonic() - self.waited

    def stopped(self) -> bool:
        """A checkpoint for code that asks whether it has to end, and is asked again after that; ``reason`` then says why."""
        self.reason = self.reason or self.checkpoint()
        return bool(self.reason)

    def time_slice_is_over(self) -> bool:
        """Whether a task that can go on later should end now with ``YIELDED``, so that others have its worker."""
        return self._time_slice is not None and self.clock() - self._began > self._time_slice

    def write(self) -> None:
        """Write the records that are not in the folder yet."""
        unwritten, self._unwritten, self._written = self._unwritten, {}, time.monotonic()
        for series, (head, lines) in unwritten.items():
            self.folder.append(series, lines, head)


class Stopped(Exception):  # noqa: N818 - no error: somebody pressed Stop
    """The task has to end, for this reason."""


class Parked(BaseException):  # noqa: N818 - no error, and nothing that a task may catch
    """The task has to leave its worker; it begins again later, and gives the same numbers."""


def ticks(context: Context) -> Callable[[], None]:
    """A function to call after each small step: it waits as it is asked to, and raises where the task has to end."""
    looked = time.monotonic()

    def tick() -> None:
        nonlocal looked
        if time.monotonic() - looked >= _PATIENCE:
            looked = time.monotonic()
            if reason := context.checkpoint():
                raise Stopped(reason)

    return tick


logger = logging.getLogger("tsk_core.tasks")


class Task(Protocol):
    """Work for one worker. It is pickled on its way there, so its fields are plain data."""

    @property
    def steps(self) -> int:
        """How many steps it takes at most, as counted by ``Context.progress``."""

    def check(self) -> None:
        """Raise LimitError where the task is larger than this server allows; called before anything is written."""

    def create_run(self, store: RunStore, owner: str, **details: Any) -> tuple[str, "Task"]:
        """Enter a queued run in the store; return its id and the task to send to the worker."""

    def run(self, context: Context) -> Ending:
        """Do the work, leave its files in ``context.folder``, and return how it ended.

        ``YIELDED`` is no end: ``run`` is called again later, and has to find by itself what is done already.
        """


def perform(task: Task, context: Context) -> Ending:
    """Run a task to its end and write the end to its folder; the ledger is left to the caller.

    Nothing is raised for a task that fails: it ends as "failed", with the reason. A run that had ended is left as it is.
    """
    folder = context.folder
    if ended := folder.ending():  # an earlier attempt came to its end, but its message was lost
        return ended
    try:
        folder.begin()
        reason = context.stop_reason()
        with context:
            ending = Ending("stopped", reason) if reason else task.run(context)
    except Parked:
        ending = YIELDED
    except TSKError as error:
        ending = Ending("failed", str(error))
    except Exception as error:
        logger.exception("Run %s failed", folder.path.name)
        ending = Ending("failed", error_sentence(error))
    if ending == YIELDED:
        return ending
    try:
        folder.end(ending)
    except TSKError as error:  # a full disk: the caller gets the ending all the same
        logger.warning("The end of run %s could not be written: %s", folder.path.name, error)
    return ending


def run_here(store: str | Path | RunStore, run: str, task: Task, **hooks: Any) -> Record:
    """Run the task of a queued run in this process, and return its row of the ledger.

    For a process on the machine that has the ledger. store: where runs are kept, or its folder. hooks: those of ``Context``.
    """
    store = store if isinstance(store, RunStore) else RunStore(store, recover=False)
    if store.ledger.start(run):  # else it ended meanwhile: its owner stopped it
        store.housekeeping.end(run, *perform(task, Context(store.open(run), **hooks)))
    return store.record(run)


# What tasks share that train one setting on one dataset: how large that may be, and how their run is entered.


@dataclass(frozen=True)
class DatasetTask:
    """Work with ``config`` on ``dataset``. kind: of its runs, which are found again by it."""

    config: TrainConfig
    dataset: "Dataset"
    kind: ClassVar[str] = "training"

    @property
    def test_size(self) -> float:
        """Share of the rows that are held out."""
        raise NotImplementedError

    def check(self) -> None:
        """Raise LimitError where a training is larger than this server allows."""
        check_size(self.config, self.dataset)

    def create_run(self, store: RunStore, owner: str, **details: Any) -> tuple[str, Self]:
        """Enter the run; details: passed to ``RunStore.create``.

        The task returned has the run's seed, and travels without the table before cleaning.
        """
        config = with_seed(self.config)
        run = store.create(config, self.dataset, self.test_size, owner, task=self.kind, **details)
        return run, replace(self, config=config, dataset=self.dataset.cleaned)


def check_size(config: TrainConfig, dataset: "Dataset") -> None:
    """Raise LimitError where training ``config`` on ``dataset`` exceeds a limit of this server."""
    X = dataset.X
    limits.check_training(config.n_rules, config.batch_size, len(X), encoded_columns(X), len(dataset.classes), config.n_parts)


def encoded_columns(X: "pd.DataFrame") -> int:
    """How many columns ``X`` has for the model, once categories are one-hot encoded (an upper estimate)."""
    most = limits.value("categories")
    texts = [
        name
        for name in X.columns[: limits.value("columns")]
        if X[name].dtype.kind not in "iufb" and not getattr(X[name].dtype, "ordered", False)
    ]
    return X.shape[1] - len(texts) + sum(min(int(X[name].nunique()), most) for name in texts)
