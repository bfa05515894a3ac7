"""What goes wrong with a run ends that run alone, with a sentence: on a real cluster of two workers."""

import contextlib
import os
import resource
import signal
import sqlite3
import threading
import time
from dataclasses import fields
from functools import partial

import psutil
import pytest

from tests.processes import cluster_process
from tests.tables import make_table
from tests.training import Prepared, process_of
from tests.waiting import wait_until
from tsk_core.config import TrainConfig
from tsk_core.data import Dataset
from tsk_core.errors import DiskFullError, RunError
from tsk_core.jobs import Engine
from tsk_core.jobs.control import Control
from tsk_core.runs import RunStore
from tsk_core.runs.folder import Ending, RunFolder

pytestmark = pytest.mark.usefixtures("nothing_left")


@pytest.fixture
def begun(engine, small):
    """Submit a run that goes on for long, and wait until it trains."""

    def begun(owner="ada", config=TrainConfig(n_rules=3, max_epochs=100_000, random_state=1), **more):  # noqa: B008
        run = engine.submit_task(Prepared(config, small, **more), owner)
        wait_until(lambda: len(engine.history(run)) >= 2)
        return run

    return begun


@pytest.fixture
def unsendable():
    """A table that does not survive the way to a worker."""

    class Unsendable(Dataset):
        def __reduce_ex__(self, protocol):
            raise TypeError("cannot be sent")

    table = make_table()
    return Unsendable(**{field.name: getattr(table, field.name) for field in fields(table)})


def hog():
    import sys

    sys.tsk_hog = b"x" * (480 * 2**20)


def let_go():
    import sys

    del sys.tsk_hog


def limit_files(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))


def set_limit_of_seconds(seconds):
    os.environ["TSK_MAX_RUN_SECONDS"] = seconds


@pytest.mark.slow
def test_a_run_over_its_memory_is_stopped_and_keeps_its_weights(engine, begun, endless, small):
    neighbour = begun("bob")
    run = engine.submit_task(Prepared(endless, small, before=hog, after=let_go), "ada")
    wait_until(lambda: engine.status(run).ended)
    assert "the most one run may use here" in engine.status(run).message and engine.status(run).state == "stopped"
    assert len(engine.result(run).classifier.predict(small.X)) == 120
    assert engine.status(neighbour).attempt == 1


def test_a_run_over_its_time_is_stopped_and_keeps_its_weights(engine, endless, small):
    second, ten_minutes = (partial(set_limit_of_seconds, seconds) for seconds in ("1", "600"))
    run = engine.submit_task(Prepared(endless, small, before=second, after=ten_minutes))
    wait_until(lambda: engine.status(run).ended)
    assert engine.status(run).state == "stopped" and "TSK_MAX_RUN_SECONDS" in engine.status(run).message
    assert engine.result(run).classifier is not None


def test_a_full_disk_ends_the_run_with_a_sentence_and_leaves_nothing_half_written(engine, endless, short, small):
    """The worker's files may not grow beyond 64 kB, as the operating system's own limit has it; epochs do within a second."""
    little, any_size = (partial(limit_files, size) for size in (64_000, resource.RLIM_INFINITY))
    run = engine.submit_task(Prepared(endless, small, before=little, after=any_size))
    wait_until(lambda: engine.status(run).ended)
    status = engine.status(run)
    assert status.state == "failed" and status.message.startswith("The disk of this server is full")
    assert engine.history(run)[-1].epoch == len(engine.history(run))  # whole lines only
    assert not [path for path in (engine.store.folder / run).rglob("*") if path.suffix in (".tmp", ".part")]
    assert engine.result(engine.submit(short, small), timeout=60).state == "finished"


def test_a_run_that_a_full_disk_keeps_from_being_submitted_is_not_queued_for_ever(engine, endless, small, monkeypatch):
    def full(control):
        raise DiskFullError("The disk of this server is full.")

    with monkeypatch.context() as patch:
        patch.setattr(Control, "pause", full)
        with pytest.raises(DiskFullError):
            engine.submit(endless, small, "eve", paused=True)
    wait_until(lambda: [record.state for record in engine.store.records("eve")] == ["failed"])
    assert not engine.status(engine.store.records("eve")[0].id).position


def test_an_end_that_cannot_be_written_is_told_from_memory_and_written_later(engine, short, unsendable, monkeypatch):
    sound = engine.store.end

    def full(*args, **kwargs):
        raise DiskFullError("The disk of this server is full.")

    monkeypatch.setattr(engine.store, "end", full)
    run = engine.submit(short, unsendable)
    wait_until(lambda: engine.status(run).ended)
    assert engine.status(run).state == "failed" and engine.history(run) == [] and list(engine.follow(run)) == []
    assert engine.store.record(run).state == "running"
    monkeypatch.setattr(engine.store, "end", sound)
    wait_until(lambda: engine.store.record(run).state == "failed")
    with pytest.raises(RunError, match="unexpectedly"):
        engine.result(run, timeout=60)


def test_a_finished_run_has_its_result_though_the_ledger_takes_no_note(engine, short, small, monkeypatch):
    def full(*args, **kwargs):
        raise DiskFullError("The disk of this server is full.")

    with monkeypatch.context() as patch:
        patch.setattr(engine.store, "end", full)
        run = engine.submit(short, small)
        wait_until(lambda: engine.status(run).ended)
        assert engine.status(run).state == "finished" and engine.store.record(run).state == "running"
        assert engine.result(run).state == "finished" and len(engine.result(run).history) == 5
    wait_until(lambda: engine.store.record(run).state == "finished")
    assert engine.store.record(run).rca == engine.result(run).metrics["rca"]


def test_nobody_waits_for_a_ledger_that_another_process_locks(engine, begun):
    """Only what has to be noted waits: the epochs of other runs arrive, and answers come from memory."""
    run, other = begun(), begun("bob")
    with contextlib.closing(sqlite3.connect(engine.store.folder / "runs.sqlite")) as theirs:
        theirs.execute("BEGIN IMMEDIATE")  # as a backup does, or a process that hangs
        engine.stop(other)
        wait_until(lambda: engine.store.open(other).ending())  # it has ended, which cannot be noted now
        for _ in range(3):
            done = len(engine.history(run))
            wait_until(lambda done=done: len(engine.history(run)) > done, seconds=5)
        assert not engine.status(run).ended and not engine.status(other).ended
        engine.pause(run)
        wait_until(lambda: engine.status(run).waiting, seconds=5)
        theirs.rollback()
    assert engine.result(other, timeout=60).state == "stopped"


@pytest.mark.slow
def test_a_queued_run_that_another_process_ended_never_begins(engine, begun, short, small):
    first, second = begun(), begun("bob")
    run = engine.submit(short, small, "cem")
    RunStore(engine.store.folder).end(run, "stopped", "Elsewhere.")
    engine.stop(first)
    wait_until(lambda: engine.status(run).ended)
    assert engine.status(run).message == "Elsewhere." and engine.history(run) == []
    assert not engine.status(second).ended


def test_workers_never_open_the_ledger(engine, begun):
    """They may be on other machines, where SQLite's WAL does not work."""
    begun(), begun("bob")
    place = cluster_process()
    opened = {file.path for process in [place, *place.children(recursive=True)] for file in process.open_files()}
    assert not [path for path in opened if "runs.sqlite" in path]
    assert [file for file in psutil.Process().open_files() if "runs.sqlite" in file.path]  # as this process does


def test_a_worker_that_is_killed_leaves_the_neighbour_untouched(engine, begun):
    run, neighbour = begun(), begun("bob")
    os.kill(process_of(engine, run), signal.SIGKILL)
    wait_until(lambda: engine.status(run).attempt == 2 and len(engine.history(run)) > 2)
    assert engine.status(neighbour).attempt == 1 and not engine.status(neighbour).ended
    engine.stop(run)
    assert engine.result(run, timeout=60).state == "stopped"


@pytest.mark.slow
def test_a_worker_that_takes_long_to_come_back_is_waited_for(engine, begun, short, small):
    """Dask gives one up that is not back after 15 s, unless told otherwise; then its place stays empty."""
    run = begun()
    place = cluster_process()
    before = set(place.children())
    os.kill(process_of(engine, run), signal.SIGKILL)
    wait_until(lambda: set(place.children()) - before)
    youngest = (set(place.children()) - before).pop()
    youngest.suspend()
    time.sleep(17)
    youngest.resume()
    wait_until(lambda: len(engine.workers()) == 2)
    assert not engine.status(run).ended


@pytest.mark.slow
def test_a_worker_that_hangs_is_ended_with_its_run(engine, begun, short, small, monkeypatch):
    run, neighbour = begun(), begun("bob")
    process = psutil.Process(process_of(engine, run))
    process.suspend()
    monkeypatch.setenv("TSK_MAX_RUN_SECONDS", "1")  # for the engine; the workers have theirs from before
    monkeypatch.setattr("tsk_core.jobs.supervisor.HANG_SECONDS", 1)
    wait_until(lambda: engine.status(run).ended)
    assert engine.status(run).state == "failed" and "did not respond for 2 s" in engine.status(run).message
    wait_until(lambda: not process.is_running() or process.status() == psutil.STATUS_ZOMBIE)
    assert not engine.status(neighbour).ended
    assert engine.result(engine.submit(short, small, "cem"), timeout=60).state == "finished"


def test_a_paused_run_is_not_taken_for_one_that_hangs(engine, begun, monkeypatch):
    run = begun()
    engine.pause(run)
    wait_until(lambda: engine.status(run).waiting)
    monkeypatch.setenv("TSK_MAX_RUN_SECONDS", "1")
    monkeypatch.setattr("tsk_core.jobs.supervisor.HANG_SECONDS", 0)
    time.sleep(1.5)
    assert not engine.status(run).ended


def test_a_training_that_raises_fails_with_a_sentence(engine, short, small):
    run = engine.submit(short, small, test_size="half")
    with pytest.raises(RunError, match="failed unexpectedly"):
        engine.result(run, timeout=60)


def test_a_table_that_cannot_be_sent_fails_its_run_alone(engine, short, unsendable):
    run = engine.submit(short, unsendable)
    wait_until(lambda: engine.status(run).ended)
    assert engine.status(run).state == "failed" and "unexpectedly" in engine.status(run).message
    assert engine.result(engine.submit(short, make_table()), timeout=60).state == "finished"


def test_an_error_in_the_supervisor_does_not_end_the_service(engine, begun, short, small, monkeypatch):
    monkeypatch.setattr(engine.store, "free_disk_space", lambda: 1 / 0)
    run = engine.submit(short, small)
    assert engine.result(run, timeout=60).state == "finished"
    assert engine.result(engine.submit(short, small), timeout=60).state == "finished"


@pytest.mark.parametrize("delay", [0, 0.05, 1])
def test_an_engine_closed_while_its_cluster_comes_up_leaves_no_process(tmp_path, delay):
    before, threads = set(psutil.Process().children(recursive=True)), set(threading.enumerate())
    engine = Engine(tmp_path)
    time.sleep(delay)
    engine.close()
    assert not [thread for thread in set(threading.enumerate()) - threads if thread.name.startswith("tsk-")]
    wait_until(lambda: set(psutil.Process().children(recursive=True)) <= before)


# Last, since it leaves the engine with a worker that has to start again


def test_a_run_that_had_just_ended_when_its_worker_was_killed_does_not_train_again(engine, begun):
    run = begun()
    RunFolder(engine.store.folder / run).end(Ending("stopped", "It was done."))  # as the last act of its training
    os.kill(process_of(engine, run), signal.SIGKILL)
    wait_until(lambda: engine.status(run).ended)
    assert (engine.status(run).state, engine.status(run).message) == ("stopped", "It was done.")
