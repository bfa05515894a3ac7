"""The protocol of a task, and how one is run: the same in a worker, on the command line and in a test."""

import logging
from pathlib import Path
from typing import Any, Protocol

from tsk_core.errors import TSKError, error_sentence
from tsk_core.runs.folder import YIELDED, Ending
from tsk_core.runs.schema import Record
from tsk_core.runs.store import RunStore
from tsk_core.tasks.context import Context, SetAside

__all__ = ["Task", "perform", "run_here"]

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
    except SetAside:
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
    if store.start(run):  # else it ended meanwhile: its owner stopped it
        store.end(run, *perform(task, Context(store.open(run), **hooks)))
    return store.record(run)
