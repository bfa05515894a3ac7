"""The life of a run: submitted, queued, trained, followed, stopped; and what an owner may have of them."""

import json
import re

import pytest

from tests.tables import make_table
from tests.waiting import wait_until
from tsk_core.config import TrainConfig
from tsk_core.data import load_dataset
from tsk_core.errors import LimitError, RunError
from tsk_core.jobs import Engine
from tsk_core.live.series import EPOCHS

pytestmark = pytest.mark.usefixtures("nothing_left")


def states(engine, runs):
    return [engine.status(run).state for run in runs]


def test_a_run_streams_its_epochs_and_leaves_a_result(engine):
    config = TrainConfig(n_rules=4, max_epochs=20, random_state=0)
    run = engine.submit(config, load_dataset("iris"))
    followed = list(zip(engine.follow(run), engine.follow(run), strict=True))
    assert [(a.epoch, b.epoch) for a, b in followed] == [(epoch, epoch) for epoch in range(1, 21)]
    status = engine.status(run)
    assert (status.state, status.epoch, status.max_epochs, status.ended) == ("finished", 20, 20, True)
    result = engine.result(run)
    assert result.config == config and result.metrics["rca"] > 0.6
    assert [e.to_dict() for e in engine.history(run)] == [e.to_dict() for e in result.history]
    assert [epoch.epoch for epoch in engine.history(run, since=18)] == [19, 20] and engine.history(run, since=29) == []
    lines = engine.lines(run, EPOCHS)
    assert [json.loads(line) for line in lines] == [e.to_dict() for e in result.history]
    assert engine.lines(run, EPOCHS, since=18) == lines[18:] and engine.lines(run, EPOCHS, since=29) == []


def test_a_run_stopped_in_the_queue_ends_at_once(engine, small, endless, begun):
    first, second = begun("ada"), engine.submit(endless, small, "ada")
    assert engine.status(second).position == 1
    engine.stop(second)
    assert engine.status(second).state == "stopped" and list(engine.follow(second)) == []
    engine.stop(second)  # again: nothing happens
    assert not engine.status(first).ended


@pytest.mark.parametrize("going", [1, 2])
def test_an_owner_has_so_many_runs_going_and_three_queued(engine, small, endless, monkeypatch, going):
    monkeypatch.setenv("TSK_MAX_RUNNING_PER_OWNER", str(going))
    runs = [engine.submit(endless, small, owner="ada") for _ in range(going + 3)]
    wait_until(lambda: states(engine, runs) == ["running"] * going + ["queued"] * 3)
    assert [engine.status(run).position for run in runs] == [0] * going + [1, 2, 3]
    estimate = engine.wait_estimate("ada")
    with pytest.raises(LimitError, match="3 queued.*TSK_MAX_QUEUED_PER_OWNER") as refused:
        engine.submit(endless, small, owner="ada")
    assert not estimate.allowed and estimate.message == str(refused.value)
    if going == 1:
        other = engine.submit(endless, small, owner="bob")
        wait_until(lambda: engine.status(other).state == "running")


def test_two_runs_at_once_with_one_seed_give_the_same_numbers(engine, small, short):
    runs = [engine.submit(short, small, owner=owner) for owner in ("ada", "bob")]
    one, two = (engine.result(run, timeout=60).metrics for run in runs)
    assert one | {"seconds": 0} == two | {"seconds": 0}


def test_a_run_that_fails_has_no_epochs_and_its_result_is_its_sentence(engine, short, small):
    run = engine.submit(short, make_table(classes=1))
    assert list(engine.follow(run)) == []
    with pytest.raises(RunError, match=re.escape(engine.status(run).message)):
        engine.result(run)
    with pytest.raises(RunError, match="failed unexpectedly"):
        engine.result(engine.submit(short, small, test_size="half"), timeout=60)


def test_an_unknown_run_is_refused_and_a_result_not_waited_for_longer_than_asked(engine, begun):
    for ask in (
        engine.status, engine.history, engine.follow, engine.stop, engine.result, engine.pause, engine.step, engine.resume,
        lambda run: engine.lines(run, EPOCHS),
    ):  # fmt: skip
        with pytest.raises(RunError, match="no such run"):
            ask("nothing")
    engine.watch("nothing")  # a page may ask about what was removed
    engine.keep("nothing")
    with pytest.raises(RunError, match="still"):
        engine.result(begun(), timeout=0.01)


def test_a_second_engine_sees_and_steers_the_runs_of_the_first(engine, begun):
    run = begun()
    with Engine(engine.store.folder) as other:
        assert other.status(run).state == "running"
        other.pause(run)
        wait_until(lambda: engine.status(run).paused and engine.status(run).waiting)
        done = len(engine.history(run))
        other.resume(run)
        wait_until(lambda: len(engine.history(run)) > done)
        assert not engine.status(run).paused
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


# Waiting.


def test_place_and_waiting_time_are_known_before_submitting(engine, small, short, begun):
    engine.result(engine.submit(short, small), timeout=60)  # so that something is known
    assert engine.wait_estimate("cem").position == 0 and engine.wait_estimate("cem").seconds == 0
    begun("ada"), begun("bob")
    estimate = engine.wait_estimate("cem")
    assert (estimate.position, estimate.allowed, estimate.message) == (1, True, "") and estimate.seconds > 1
    run = engine.submit(short, small, "cem")
    assert engine.status(run).position == 1 and engine.status(run).wait > 1
    assert engine.wait_estimate("dan").position in (1, 2)  # cem may have had a turn lately


def test_a_failed_submission_leaves_the_quota_as_it_was_and_a_training_too_large_has_no_id(engine, small, endless, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(engine.store, "create", lambda *a, **k: (_ for _ in ()).throw(RunError("The disk is full.")))
        for _ in range(6):
            with pytest.raises(RunError, match="disk"):
                engine.submit(endless, small, "ada")
    assert engine.wait_estimate("ada").allowed
    monkeypatch.setenv("TSK_MAX_RULES", "2")
    with pytest.raises(LimitError, match="TSK_MAX_RULES"):
        engine.submit(endless, small)
    assert not engine.open_runs()


def test_what_pages_ask_about_a_run_reads_no_file(engine, small, endless, monkeypatch, begun):
    run, ended = begun("ada"), engine.submit(endless, small, "ada")
    engine.stop(ended)
    before = engine.status(ended), engine.history(ended)

    def fail(*args, **kwargs):
        raise AssertionError("it was read")

    for name in ("record", "open"):
        monkeypatch.setattr(engine.store, name, fail)
    assert engine.status(run).state == "running" and engine.history(run)
    (line,) = engine.lines(run, EPOCHS)[:1]
    assert json.loads(line) == engine.history(run)[0].to_dict()
    assert (engine.status(ended), engine.history(ended)) == before
    assert engine.wait_estimate("cem").allowed
