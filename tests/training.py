"""Trainings for tests: one in this process, and one that does something in its worker first."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass

from tsk_core.epoch import Epoch
from tsk_core.live.series import EPOCHS
from tsk_core.runs import RunStore
from tsk_core.tasks import LiveTraining, run_here


def train_run(store, run, config, dataset, test_size=0.3, stop_reason=lambda: "", *, on_epoch=lambda epoch: None, waiting=()):
    """Train a queued run in this process; returns its row of the ledger."""

    def on_record(series, line, head):
        if series == EPOCHS:
            on_epoch(Epoch.from_dict(json.loads(line)))

    task = LiveTraining(config, dataset, test_size)
    return run_here(store, run, task, stop_reason=stop_reason, on_record=on_record, waiting=waiting)


def finished_run(folder, dataset, config, **details):
    """Train a run to its end in this process; returns its store and its id. details: of ``RunStore.create``."""
    store = RunStore(folder)
    run = store.create(config, dataset, **details)
    record = train_run(store.folder, run, store.open(run).config(), dataset)
    assert record.state == "finished", record.message
    return store, run


def nothing():
    """Do nothing."""


@dataclass(frozen=True)
class Prepared(LiveTraining):
    """A training that does something in its worker before and after, and reports in which process that is."""

    before: Callable[[], None] = nothing
    after: Callable[[], None] = nothing

    def run(self, context):
        context.report("processes", json.dumps(os.getpid()))
        self.before()
        try:
            return super().run(context)
        finally:
            self.after()


def process_of(engine, run):
    """The process id of the worker of a run of ``Prepared``."""
    return engine.records(run, "processes")[-1]
