"""One client takes a new owner for each run, by deleting its cookie: it gets the share of its network address and no more."""

import pytest

from tests.waiting import wait_until
from tsk_core import limits
from tsk_core.errors import LimitError
from tsk_core.jobs import Engine

CAMPUS, ELSEWHERE = "192.0.2.1", "198.51.100.7"


@pytest.fixture
def engine(tmp_path, monkeypatch):
    monkeypatch.setenv("TSK_WORKERS", "1")
    with Engine(tmp_path / "runs") as engine:
        yield engine


def accepted(engine, config, dataset, tries, **options):
    """The runs that one client gets into the queue, with a new owner for each."""
    runs = []
    for number in range(tries):
        try:
            runs.append(engine.submit(config, dataset, f"owner {number}", **options))
        except LimitError as error:
            assert "network address" in str(error)
    return runs


@pytest.mark.slow
def test_a_client_without_cookies_does_not_fill_the_queue_of_all(engine, small, endless):
    assert len(accepted(engine, endless, small, 350, address=CAMPUS)) == limits.value("open_per_address") < limits.value("queued")
    assert not engine.wait_estimate("new", address=CAMPUS).allowed
    assert engine.wait_estimate("honest", address=ELSEWHERE).allowed
    assert engine.status(engine.submit(endless, small, "honest", address=ELSEWHERE)).state == "queued"


@pytest.mark.slow
def test_a_class_of_a_hundred_behind_one_address_has_three_runs_each(engine, small, endless):
    for _ in range(3):
        assert len(accepted(engine, endless, small, 100, address=CAMPUS)) == 100


def test_an_address_gets_its_share_back_as_its_runs_end(engine, small, endless, monkeypatch):
    monkeypatch.setenv("TSK_MAX_OPEN_PER_ADDRESS", "2")
    first, _ = accepted(engine, endless, small, 4, address=CAMPUS)
    engine.stop(first)
    wait_until(lambda: engine.status(first).ended)
    assert len(accepted(engine, endless, small, 4, address=CAMPUS)) == 1
    assert len(accepted(engine, endless, small, 4)) == 4  # Python code of this machine has no address


@pytest.mark.slow
def test_a_full_queue_first_loses_the_run_that_nobody_watches(engine, small, endless, monkeypatch):
    monkeypatch.setenv("TSK_MAX_QUEUED", "3")
    monkeypatch.setattr("tsk_core.jobs.open_runs.UNWATCHED_SECONDS", 0.0)
    wait_until(engine.workers, seconds=120)
    training = engine.submit(endless, small, "ada")
    wait_until(lambda: engine.history(training))
    script = engine.submit(endless, small, "bob")
    left = engine.submit(endless, small, "cem", lease=600)
    kept = engine.submit(endless, small, "dan", lease=600)
    engine.keep(kept)
    assert engine.wait_estimate("eve").allowed
    newest = [engine.submit(endless, small, owner, lease=600) for owner in ("eve", "fay")]
    assert [engine.status(run).state for run in (left, kept, *newest)] == ["stopped", "stopped", "queued", "queued"]
    assert "no page showed this run" in engine.status(left).message
    assert engine.status(script).state == "queued" and engine.status(training).state == "running"
    monkeypatch.setattr("tsk_core.jobs.open_runs.UNWATCHED_SECONDS", 60.0)
    with pytest.raises(LimitError, match="3 runs are queued"):
        engine.submit(endless, small, "gil", lease=600)


@pytest.mark.slow
def test_runs_kept_going_are_few_and_only_those_that_have_begun(engine, small, endless, monkeypatch):
    monkeypatch.setenv("TSK_MAX_KEPT_PER_ADDRESS", "3")
    wait_until(engine.workers, seconds=120)
    runs = accepted(engine, endless, small, 8, address=CAMPUS, lease=2)
    kept = 0
    for run in runs:
        try:
            engine.keep(run)
            kept += 1
        except LimitError as error:
            assert "network address" in str(error)
    assert kept == 3
    wait_until(lambda: [run for run in runs if not engine.status(run).ended] == runs[:1])  # all tabs are closed
    assert engine.status(runs[0]).state == "running"
    assert {engine.status(run).state for run in runs[1:]} == {"stopped"}


def test_one_owner_keeps_two_runs_going(engine, small, endless):
    runs = [engine.submit(endless, small, "ada", lease=60) for _ in range(3)]
    for run in (*runs[:2], runs[0]):
        engine.keep(run)
    with pytest.raises(LimitError, match="One person may keep at most 2 runs"):
        engine.keep(runs[2])
