"""A training that is asked to be slow: its pace, what ends a wait, and that no number depends on it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.training import train_run
from tests.waiting import wait_until
from tsk_core.config import TrainConfig
from tsk_core.jobs.control import Control
from tsk_core.jobs.pacing import POLL_SECONDS, Pacing
from tsk_core.jobs.pausing import Pausing
from tsk_core.runs import RunStore


class Clock:
    """A clock that only moves where somebody sleeps; then it calls ``alarm``."""

    def __init__(self, monkeypatch):
        self.now, self.alarm = 1000.0, lambda: None
        for module in ("jobs.pacing", "jobs.pausing", "tasks.context", "train.recorder"):
            monkeypatch.setattr(f"tsk_core.{module}.time", self)

    def monotonic(self):
        return self.now

    perf_counter = monotonic

    def sleep(self, seconds):
        self.now += seconds
        self.alarm()


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


@pytest.fixture
def control(tmp_path):
    return Control(tmp_path)


def seconds_of(pacing, clock, steps, reason=lambda: ""):
    """How long so many steps wait in all."""
    began = clock.now
    for _ in range(steps):
        if pacing.asked():
            pacing.wait(reason)
    return clock.now - began


@pytest.mark.parametrize("pace", [0.5, 2, 20])
def test_a_pace_is_kept(control, clock, pace):
    control.slow_down(pace)
    assert seconds_of(Pacing(control), clock, 21) == pytest.approx(21 / pace, abs=21 * POLL_SECONDS)


def test_without_a_pace_nothing_waits(control, clock):
    assert seconds_of(Pacing(control), clock, 1000) == 0
    control.slow_down(2)
    control.slow_down(None)
    assert seconds_of(Pacing(control), clock, 1000) == 0


@given(st.binary(max_size=40))
def test_whatever_a_pace_file_holds_the_training_goes_on(tmp_path_factory, content):
    folder = tmp_path_factory.mktemp("run")
    (folder / "pace").write_bytes(content)
    pace = Control(folder).pace()
    assert pace is None or pace > 0


@pytest.mark.parametrize("ask", ["stop", "pause", "slow_down"])
def test_a_wait_ends_as_soon_as_something_else_is_asked_for(control, clock, ask):
    control.slow_down(0.01)
    pacing = Pacing(control)
    began = clock.now
    clock.alarm = {"stop": control.stop, "pause": control.pause, "slow_down": lambda: control.slow_down(None)}[ask]
    assert pacing.asked()
    assert pacing.wait(control.stop_reason) == ("Stopped by hand." if ask == "stop" else "")
    assert clock.now - began <= 2 * POLL_SECONDS


def test_steps_by_hand_are_not_slowed(control, clock):
    control.slow_down(0.01)
    control.pause()
    assert seconds_of(Pacing(control), clock, 10) == 0


def test_all_waits_of_a_run_together_have_a_bound(control, clock, monkeypatch):
    monkeypatch.setenv("TSK_MAX_SLOW_SECONDS", "30")
    control.slow_down(1)
    assert seconds_of(Pacing(control), clock, 1000) == pytest.approx(30, abs=1)


def trained(folder, dataset, config, pace):
    store = RunStore(folder)
    run = store.create(config, dataset)
    control = Control(folder / run)
    control.slow_down(pace)
    train_run(folder, run, config, dataset, waiting=[Pacing(control), Pausing(control)])
    return store.result(run)


@pytest.mark.parametrize("early_stopping", [False, True], ids=["training", "hold-out search"])
def test_a_slow_run_gives_the_same_bits_and_counts_training_time_alone(tmp_path, small, clock, early_stopping):
    config = TrainConfig(n_rules=3, max_epochs=8, early_stopping=early_stopping, patience=3, random_state=1)
    plain, before = trained(tmp_path, small, config, None), clock.now
    slow = trained(tmp_path, small, config, 2)
    assert clock.now - before > 3
    assert slow.classifier.to_dict() == plain.classifier.to_dict()
    assert slow.metrics == plain.metrics
    assert [epoch.to_dict() for epoch in slow.history] == [epoch.to_dict() for epoch in plain.history]


# On a cluster.


@pytest.mark.slow
def test_a_slow_run_pauses_and_stops_in_the_midst_of_a_wait(engine, small, endless):
    run = engine.submit(endless, small, pace=0.01)
    wait_until(lambda: len(engine.history(run)) == 1)
    engine.pause(run)
    wait_until(lambda: engine.status(run).waiting)
    engine.resume(run)
    wait_until(lambda: len(engine.history(run)) == 2 and not engine.status(run).waiting)
    engine.slow_down(run, None)
    wait_until(lambda: len(engine.history(run)) > 10)
    engine.slow_down(run, 0.01)
    engine.stop(run)
    assert engine.result(run, timeout=60).state == "stopped"
