"""What goes wrong with a run ends that run alone, with a sentence."""

import contextlib
import sqlite3
import sys
from dataclasses import fields

import pytest

from tests.tables import make_table
from tests.waiting import wait_until
from tsk_core.data import Dataset
from tsk_core.errors import DiskFullError, RunError
from tsk_core.jobs.control import Control
from tsk_core.runs import RunStore
from tsk_core.runs.folder import Ending, RunFolder

pytestmark = [pytest.mark.usefixtures("nothing_left"), pytest.mark.slow]


def hog():
    sys.tsk_hog = b"x" * (480 * 2**20)


def let_go():
    del sys.tsk_hog


def full(*args, **kwargs):
    raise DiskFullError("The disk of this server is full.")


@pytest.fixture
def unsendable():
    """A table that does not survive the way to a worker."""

    class Unsendable(Dataset):
        def __reduce_ex__(self, protocol):
            raise TypeError("cannot be sent")

    table = make_table()
    return Unsendable(**{field.name: getattr(table, field.name) for field in fields(table)})


@pytest.fixture
def kill(place):
    """Kill the worker of a run; another one comes in its place."""

    def kill(run):
        cluster = place.clusters[-1]
        cluster.restart(cluster.worker_of(run))

    return kill


def trains_again(engine, run, attempt):
    return lambda: engine.status(run).attempt >= attempt and len(engine.history(run)) > 1


def test_a_run_whose_worker_is_killed_twice_fails_and_leaves_the_neighbour_and_the_next_one_untouched(
    engine, begun, kill, small, short
):
    run, neighbour = begun(), begun("bob")
    kill(run)
    wait_until(trains_again(engine, run, 2))
    assert "starts again" in engine.status(run).message
    kill(run)
    wait_until(lambda: engine.status(run).ended)
    assert engine.status(run).state == "failed" and "ended twice" in engine.status(run).message
    assert engine.result(engine.submit(short, small), timeout=60).state == "finished"
    assert engine.status(neighbour).attempt == 1 and not engine.status(neighbour).ended


def test_a_run_that_had_just_ended_when_its_worker_was_killed_does_not_train_again(engine, begun, kill):
    run = begun()
    RunFolder(engine.store.folder / run).end(Ending("stopped", "It was done."))  # as the last act of its training
    kill(run)
    wait_until(lambda: engine.status(run).ended)
    assert (engine.status(run).state, engine.status(run).message) == ("stopped", "It was done.")


def test_a_run_that_a_full_disk_keeps_from_being_submitted_is_not_queued_for_ever(engine, endless, small, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(Control, "pause", full)
        with pytest.raises(DiskFullError):
            engine.submit(endless, small, "eve", paused=True)
    wait_until(lambda: [record.state for record in engine.store.ledger.records("eve")] == ["failed"])
    assert not engine.status(engine.store.ledger.records("eve")[0].id).position


def test_an_end_that_cannot_be_written_is_told_from_memory_and_written_later(engine, short, small, unsendable, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(engine.store.housekeeping, "end", full)
        failed, finished = engine.submit(short, unsendable), engine.submit(short, small, "bob")
        wait_until(lambda: engine.status(failed).ended and engine.status(finished).ended)
        assert engine.status(failed).state == "failed" and engine.history(failed) == list(engine.follow(failed)) == []
        assert engine.store.record(failed).state == engine.store.record(finished).state == "running"
        assert engine.status(finished).state == engine.result(finished).state == "finished"
        assert len(engine.result(finished).history) == 5
    wait_until(lambda: engine.store.record(failed).state == "failed" and engine.store.record(finished).state == "finished")
    assert engine.store.record(finished).rca == engine.result(finished).metrics["rca"]
    with pytest.raises(RunError, match="unexpectedly"):
        engine.result(failed, timeout=60)


def test_nobody_waits_for_a_ledger_that_another_process_locks(engine, begun):
    """Only what has to be noted waits: the epochs of other runs arrive, and answers come from memory."""
    run, other = begun(), begun("bob")
    with contextlib.closing(sqlite3.connect(engine.store.folder / "runs.sqlite")) as theirs:
        theirs.execute("BEGIN IMMEDIATE")  # as a backup does, or a process that hangs
        engine.stop(other)
        wait_until(lambda: engine.store.open(other).ending())  # it has ended, which cannot be noted now
        done = len(engine.history(run))
        wait_until(lambda: len(engine.history(run)) > done + 2, seconds=10)
        assert not engine.status(run).ended and not engine.status(other).ended
        engine.pause(run)
        wait_until(lambda: engine.status(run).waiting, seconds=10)
        theirs.rollback()
    assert engine.result(other, timeout=60).state == "stopped"


def test_a_queued_run_that_another_process_ended_never_begins(engine, begun, short, small):
    first, second = begun(), begun("bob")
    run = engine.submit(short, small, "cem")
    RunStore(engine.store.folder).housekeeping.end(run, "stopped", "Elsewhere.")
    engine.stop(first)
    wait_until(lambda: engine.status(run).ended)
    assert engine.status(run).message == "Elsewhere." and engine.history(run) == []
    assert not engine.status(second).ended


def test_an_error_in_the_supervisor_does_not_end_the_service(engine, short, small, monkeypatch):
    monkeypatch.setattr(engine.store.housekeeping, "free_disk_space", lambda: 1 / 0)
    for _ in range(2):
        assert engine.result(engine.submit(short, small), timeout=60).state == "finished"
