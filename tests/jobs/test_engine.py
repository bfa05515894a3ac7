"""The engine on a real cluster of two workers."""

import re

import psutil
import pytest

from tests.processes import cluster_process, worker_processes
from tests.tables import make_table
from tests.waiting import wait_until
from tsk_core.config import TrainConfig
from tsk_core.data import load_dataset
from tsk_core.errors import LimitError, RunError
from tsk_core.jobs import Engine

pytestmark = pytest.mark.usefixtures("nothing_left")


def trains(engine, run):
    """Whether the run is in a worker, and has done an epoch there."""
    return engine.status(run).state == "running" and engine.history(run)


def test_a_run_streams_its_epochs_and_leaves_a_result(engine):
    config = TrainConfig(n_rules=4, max_epochs=40, random_state=0)
    run = engine.submit(config, load_dataset("iris"))
    assert [epoch.epoch for epoch in engine.follow(run)] == list(range(1, 41))
    status = engine.status(run)
    assert (status.state, status.epoch, status.max_epochs, status.ended) == ("finished", 40, 40, True)
    result = engine.result(run)
    assert result.config == config
    assert result.metrics["rca"] > 0.8
    assert [e.to_dict() for e in engine.history(run)] == [e.to_dict() for e in result.history]


def test_one_can_look_back_through_a_run_while_it_goes_on_and_after(engine, small, endless):
    run = engine.submit(endless, small)
    wait_until(lambda: len(engine.records(run, "snapshots")) >= 3)
    assert not engine.status(run).ended
    assert [snapshot["epoch"] for snapshot in engine.records(run, "snapshots")][:3] == [1, 2, 3]
    assert [column["feature"] for column in engine.head(run, "snapshots")["base"]["columns"]] == ["x0", "x1", "x2", "x3"]
    engine.stop(run)
    wait_until(lambda: engine.status(run).ended)
    assert engine.records(run, "snapshots")[-1]["epoch"] == engine.history(run)[-1].epoch
    assert engine.records(run, "snapshots", since=2)[0]["epoch"] == 3


def test_a_stopped_run_ends_and_keeps_its_model(engine, small, endless):
    run = engine.submit(endless, small)
    wait_until(lambda: len(engine.history(run)) >= 3)
    engine.stop(run)
    wait_until(lambda: engine.status(run).ended)
    assert engine.status(run).state == "stopped"
    assert len(engine.result(run).classifier.predict(small.X)) == 120


def test_a_run_stopped_in_the_queue_ends_at_once(engine, small, endless):
    first, second = engine.submit(endless, small), engine.submit(endless, small)
    wait_until(lambda: engine.status(first).state == "running")
    assert engine.status(second).position == 1
    engine.stop(second)
    assert engine.status(second).state == "stopped"
    assert list(engine.follow(second)) == []
    engine.stop(second)  # again: nothing happens
    assert not engine.status(first).ended


def test_an_owner_has_one_run_going_and_three_queued(engine, small, endless):
    runs = [engine.submit(endless, small, owner="ada") for _ in range(4)]
    with pytest.raises(LimitError, match="3 queued.*TSK_MAX_QUEUED_PER_OWNER"):
        engine.submit(endless, small, owner="ada")
    other = engine.submit(endless, small, owner="bob")
    wait_until(lambda: engine.status(other).state == "running")
    assert [engine.status(run).state for run in runs] == ["running", "queued", "queued", "queued"]
    assert [engine.status(run).position for run in runs] == [0, 1, 2, 3]


def test_an_owner_alone_may_have_more_runs_going_where_the_server_allows_it(engine, small, endless, monkeypatch):
    monkeypatch.setenv("TSK_MAX_RUNNING_PER_OWNER", "2")
    runs = [engine.submit(endless, small, owner="ada") for _ in range(5)]
    wait_until(lambda: [engine.status(run).state for run in runs] == ["running"] * 2 + ["queued"] * 3)
    with pytest.raises(LimitError, match="2 runs running and 3 queued"):
        engine.submit(endless, small, owner="ada")


def test_the_queue_has_a_limit_in_all(engine, small, endless, monkeypatch):
    monkeypatch.setenv("TSK_MAX_QUEUED", "1")
    for owner in ("ada", "bob"):
        run = engine.submit(endless, small, owner=owner)
        wait_until(lambda run=run: engine.status(run).state == "running")
    engine.submit(endless, small, owner="cem")
    with pytest.raises(LimitError, match="TSK_MAX_QUEUED"):
        engine.submit(endless, small, owner="dan")


def test_a_training_too_large_is_refused_before_it_has_an_id(engine, small, endless, monkeypatch):
    monkeypatch.setenv("TSK_MAX_RULES", "2")
    with pytest.raises(LimitError, match="TSK_MAX_RULES"):
        engine.submit(endless, small)
    assert not engine.open_runs()


def test_two_runs_at_once_with_one_seed_give_the_same_numbers(engine, small, short):
    runs = [engine.submit(short, small, owner=owner) for owner in ("ada", "bob")]
    one, two = (engine.result(run, timeout=60).metrics for run in runs)
    assert {k: v for k, v in one.items() if k != "seconds"} == {k: v for k, v in two.items() if k != "seconds"}


def test_two_followers_see_the_same_epochs(engine, small, short):
    run = engine.submit(short, small)
    pairs = list(zip(engine.follow(run), engine.follow(run), strict=True))
    assert len(pairs) == 5 and all(a is b or a.to_dict() == b.to_dict() for a, b in pairs)


def test_a_run_that_fails_has_no_epochs_and_its_result_is_its_sentence(engine, short):
    run = engine.submit(short, make_table(classes=1))
    assert list(engine.follow(run)) == []
    with pytest.raises(RunError, match=re.escape(engine.status(run).message)):
        engine.result(run)


def test_an_unknown_run_is_refused_in_one_sentence(engine):
    for ask in (engine.status, engine.history, engine.follow, engine.stop, engine.result):
        with pytest.raises(RunError, match="no such run"):
            ask("nothing")


def test_a_result_does_not_wait_longer_than_asked(engine, small, endless):
    run = engine.submit(endless, small)
    with pytest.raises(RunError, match="still"):
        engine.result(run, timeout=0.1)


def test_a_result_survives_a_new_engine_on_the_same_folder(engine, small, short):
    run = engine.submit(short, small)
    before = engine.result(run)
    with Engine(engine.store.folder) as other:
        after = other.result(run)
        assert [epoch.epoch for epoch in other.follow(run)] == [1, 2, 3, 4, 5]
    assert after.metrics == before.metrics
    assert (after.classifier.predict(small.X) == before.classifier.predict(small.X)).all()


def test_a_second_engine_sees_and_stops_the_runs_of_the_first(engine, small, endless):
    run = engine.submit(endless, small)
    wait_until(lambda: engine.history(run))
    with Engine(engine.store.folder) as other:
        assert other.status(run).state == "running"
        other.stop(run)
        wait_until(lambda: other.status(run).ended)
    assert engine.status(run).state == "stopped"


def test_closing_interrupts_open_runs(engine, small, endless):
    other = Engine(engine.store.folder)
    run = other.submit(endless, small)
    other.close()
    other.close()
    assert engine.status(run).state == "interrupted"
    with pytest.raises(RunError, match="closed"):
        other.submit(endless, small)


def test_a_run_submitted_paused_does_one_epoch_and_waits(engine, small, endless):
    run = engine.submit(endless, small, paused=True)
    assert engine.status(run).paused
    wait_until(lambda: engine.status(run).waiting)
    assert (engine.status(run).epoch, len(engine.history(run))) == (1, 1)
    engine.step(run)
    wait_until(lambda: len(engine.history(run)) == 2 and engine.status(run).waiting)
    engine.resume(run)
    wait_until(lambda: len(engine.history(run)) > 10)


@pytest.mark.slow
def test_a_run_whose_worker_is_killed_twice_fails_and_the_next_one_runs(engine, small, short, endless):
    run = engine.submit(endless, small)
    attempt = 0
    for _ in range(2):  # a worker that is only just known to be dead may take an attempt of its own
        wait_until(lambda before=attempt: trains(engine, run) and engine.status(run).attempt > before)
        attempt = engine.status(run).attempt
        for process in worker_processes():
            process.kill()
    wait_until(lambda: engine.status(run).ended)
    assert engine.status(run).state == "failed" and "ended twice" in engine.status(run).message
    assert engine.result(engine.submit(short, small), timeout=60).state == "finished"


@pytest.mark.slow
def test_a_dead_cluster_is_started_again_with_its_runs(engine, small, endless):
    run = engine.submit(endless, small)
    wait_until(lambda: engine.history(run))
    gone = [cluster_process(), *worker_processes()]
    gone[0].kill()
    wait_until(lambda: not any(psutil.pid_exists(process.pid) for process in gone[1:]), seconds=10)
    wait_until(lambda: trains(engine, run) and engine.status(run).attempt >= 2)
