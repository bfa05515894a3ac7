"""Estimates of waiting times, and the bounds of memory inside a worker; no cluster."""

import time

import pytest

from tsk_core import limits
from tsk_core.jobs.control import Control
from tsk_core.jobs.open_run import OpenRun
from tsk_core.jobs.open_runs import Estimator
from tsk_core.jobs.worker import _Memory


@pytest.fixture
def training(tmp_path):
    """A run that has trained for ``seconds`` and done ``epochs`` of 100."""

    def training(seconds, epochs, stage="training"):
        run = OpenRun("run", "ada", None, 100, Control(tmp_path))
        run.assign("worker")
        run.began = time.monotonic() - seconds
        if epochs:
            run.progress(epochs, stage, stage == "training", epochs)
        return run

    return training


def test_nothing_is_estimated_where_nothing_is_known_and_a_free_worker_means_no_wait(training):
    assert Estimator().wait(0, [training(1, 0)], 1) is None
    assert Estimator().wait(0, [], 0) is None
    assert Estimator().wait(0, [training(1, 50)], 2) == Estimator().wait(0, [training(1, 0)], 2) == 0


def test_the_wait_is_what_remains_by_pace_then_full_runs_and_no_longer_than_runs_may_take(training):
    estimator, half, quarter = Estimator(), training(10, 50), training(10, 25)
    assert estimator.wait(0, [half, quarter], 2) == pytest.approx(10, rel=0.01)
    assert estimator.wait(1, [half, quarter], 2) == pytest.approx(30, rel=0.01)
    mean = (20 + 40) / 2
    assert estimator.wait(2, [half, quarter], 2) == pytest.approx(10 + mean, rel=0.01)
    assert estimator.wait(5, [half, quarter], 2) == pytest.approx(30 + 2 * mean, rel=0.01)
    slow, experiment = training(100, 1), training(100, 1)  # 9,900 s to go, by their pace
    experiment.background = True
    assert Estimator().wait(0, [slow], 1) == limits.value("run_seconds")
    assert Estimator().wait(0, [experiment], 1) == limits.value("turn_seconds")
    estimator = Estimator()
    estimator.ended(experiment)
    assert estimator.wait(3, [], 1) == 3 * limits.value("turn_seconds")


def test_runs_that_ended_tell_about_those_whose_pace_is_not_known_yet(training):
    estimator = Estimator()
    estimator.ended(training(8, 100))
    estimator.ended(training(3, 0))  # never did an epoch: tells nothing
    assert estimator.wait(0, [training(2, 0)], 1) == pytest.approx(6, rel=0.01)
    assert estimator.wait(0, [training(2, 10, stage="hold-out")], 1) == pytest.approx(6, rel=0.01)
    assert estimator.wait(0, [training(20, 0)], 1) == 0


def test_time_in_a_pause_is_not_part_of_the_pace(training):
    entry = training(10, 50)
    entry.receive({"attempt": 1, "event": ["waits", "a pause", 0]})
    entry.waits_since -= 6
    assert entry.seconds == pytest.approx(4, abs=0.1) and entry.remaining == pytest.approx(4, abs=0.1)
    entry.receive({"attempt": 1, "event": ["goes on"]})
    assert entry.seconds == pytest.approx(4, abs=0.1)


def test_where_memory_is_short_a_run_ends_with_advice():
    full = _Memory(1)  # a worker of one byte is always full
    assert full.reason().startswith("Stopped at ") and full.reason().endswith("use fewer rules, rows or columns.")
    assert _Memory(None).reason() == _Memory(2**50).reason() == ""
