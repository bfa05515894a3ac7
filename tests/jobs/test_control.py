"""Control files, and how a training waits by them: paused, step by step, at a pace; no cluster."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.training import train_run
from tsk_core.config import TrainConfig
from tsk_core.jobs.control import POLL_SECONDS, STOPPED, Control, Pacing, Pausing, Place
from tsk_core.runs import RunStore
from tsk_core.tasks.task import Parked


@pytest.fixture
def control(tmp_path):
    return Control(tmp_path)


@pytest.mark.parametrize("folder", ["", "gone"])
def test_nothing_is_asked_at_first_nor_in_a_folder_that_is_gone(tmp_path, folder):
    control = Control(tmp_path / folder)
    assert (control.stop_reason(), control.paused(), control.pace()) == ("", None, None)


def test_the_first_reason_to_stop_is_the_one_that_counts_and_an_empty_file_is_by_hand(control, tmp_path):
    (tmp_path / "stop").touch()  # by another process
    assert control.stop_reason() == STOPPED
    (tmp_path / "stop").unlink()
    control.stop("Nobody watched.")
    control.stop()
    assert control.stop_reason() == "Nobody watched."


def test_a_pause_counts_the_epochs_granted_and_leaves_no_file_behind(control, tmp_path):
    control.step()  # of a run that trains: it pauses it
    assert control.paused().steps == 0
    before = control.paused()
    control.pause()  # again: the same pause
    control.step()
    control.step(2)
    control.leave()
    after = control.paused()
    assert (before.name, before.leave) == (after.name, False) and (after.steps, after.leave) == (3, True)
    control.resume()
    control.resume()
    assert control.paused() is None and list(tmp_path.iterdir()) == []


def test_a_pause_that_ends_while_somebody_changes_it_stays_ended(control, monkeypatch):
    control.pause()
    resuming, order = threading.Thread(target=control.resume), Control._order

    def order_late(self, pause):
        resuming.start()
        resuming.join(0.2)  # it waits for this change
        order(self, pause)

    monkeypatch.setattr(Control, "_order", order_late)
    control.leave()
    resuming.join(60)
    assert control.paused() is None


@given(st.binary(max_size=40))
def test_whatever_the_files_hold_they_are_a_pause_and_a_pace(tmp_path_factory, content):
    folder = tmp_path_factory.mktemp("run")
    for name in ("pause", "pace"):
        (folder / name).write_bytes(content)
    assert Control(folder).paused().steps >= 0
    assert (pace := Control(folder).pace()) is None or pace > 0


# A pause, on the training's side.


def test_steps_are_used_up_one_by_one_and_a_later_attempt_waits_where_the_earlier_one_was(control):
    pausing = Pausing(control)
    assert not pausing.asked()
    control.pause()
    control.step(2)
    assert [pausing.asked() for _ in range(4)] == [False, False, True, True]
    place = Place(control.paused().name, 2, 3)
    pausing = Pausing(control, place=place)
    assert [pausing.asked() for _ in range(4)] == [False, False, True, True]
    control.step()  # before the later attempt begins
    for asked in (control.paused, lambda: control.resume() or control.pause() or control.step() or control.paused()):
        assert asked()
        pausing = Pausing(control, place=place)
        assert [pausing.asked() for _ in range(5)] == [False, False, False, True, True]


@pytest.mark.parametrize("reached", [0, 3])
def test_a_new_pause_begins_without_steps_and_holds_at_once(control, reached):
    control.pause()
    control.step(2)
    pausing = Pausing(control, place=Place(control.paused().name, 2, reached))
    control.resume()
    control.pause()
    assert pausing.asked()


def test_waiting_ends_with_a_reason_to_stop_and_where_others_need_the_worker_unless_a_step_was_granted(control):
    control.pause()
    told = []
    pausing = Pausing(control, lambda *event: told.append(event))
    assert pausing.asked() and pausing.wait(lambda: "Enough.") == "Enough."
    name = control.paused().name
    assert told == [("waits", name, 0), ("goes on",)]
    control.leave()
    with pytest.raises(Parked):
        pausing.wait(lambda: "")
    assert told[2:] == [("waits", name, 0)]
    control.step()
    assert not control.paused().leave and not pausing.asked()
    assert pausing.wait(lambda: "Enough.") == "Enough." and told[3] == ("waits", name, 1)


class Clock:
    """A clock that only moves where somebody sleeps, for as long as ``tick`` says, if anything; then it calls ``alarm``."""

    def __init__(self, monkeypatch):
        self.now, self.tick, self.alarm = 1000.0, None, lambda: None
        for module in ("jobs.control", "tasks.task", "train.recorder"):
            monkeypatch.setattr(f"tsk_core.{module}.time", self)

    def monotonic(self):
        return self.now

    perf_counter = monotonic

    def sleep(self, seconds):
        self.now += self.tick or seconds
        self.alarm()


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


def trained(folder, dataset, config, clock, wait=""):
    """Train a run that waits: "pause" is one of some minutes after the second epoch, "pace" is two steps a second."""
    store = RunStore(folder)
    run = store.create(config, dataset)
    control, told = Control(folder / run), []

    def tell(epoch):
        told.append(epoch)
        if wait == "pause" and len(told) == 2:
            control.pause()
            until, clock.tick = clock.now + 1000, 60
            clock.alarm = lambda: control.resume() if clock.now >= until else None

    if wait == "pace":
        control.slow_down(2)
    train_run(folder, run, config, dataset, on_epoch=tell, waiting=[Pacing(control), Pausing(control)])
    return store.result(run)


@pytest.mark.parametrize("wait", ["pause", "pace"])
@pytest.mark.parametrize("early_stopping", [False, True], ids=["training", "hold-out search"])
def test_a_run_that_waits_gives_the_same_bits_and_counts_training_time_alone(
    tmp_path, small, clock, early_stopping, wait, monkeypatch
):
    monkeypatch.setenv("TSK_MAX_RUN_SECONDS", "60")  # of which a pause takes none
    config = TrainConfig(n_rules=3, max_epochs=8, early_stopping=early_stopping, patience=3, random_state=1)
    plain, before = trained(tmp_path, small, config, clock), clock.now
    waited = trained(tmp_path, small, config, clock, wait)
    assert clock.now - before > (1000 if wait == "pause" else 3)
    assert waited.state == "finished" and waited.history[1].stage == ("hold-out" if early_stopping else "training")
    assert waited.classifier.to_dict() == plain.classifier.to_dict()
    assert waited.metrics == plain.metrics and waited.metrics["seconds"] == 0  # the clock stands still while it trains
    assert [epoch.to_dict() for epoch in waited.history] == [epoch.to_dict() for epoch in plain.history]
    assert {epoch.seconds for epoch in waited.history} == {0}


# A pace.


def seconds_of(pacing, clock, steps):
    """How long so many steps wait in all."""
    began = clock.now
    for _ in range(steps):
        if pacing.asked():
            pacing.wait(lambda: "")
    return clock.now - began


@pytest.mark.parametrize("pace", [0.5, 2, 20])
def test_a_pace_is_kept(control, clock, pace):
    control.slow_down(pace)
    assert seconds_of(Pacing(control), clock, 21) == pytest.approx(21 / pace, abs=21 * POLL_SECONDS)


def test_without_a_pace_nothing_waits_steps_by_hand_are_not_slowed_and_all_waits_have_a_bound(control, clock, monkeypatch):
    assert seconds_of(Pacing(control), clock, 100) == 0
    control.slow_down(0.01)
    control.pause()
    assert seconds_of(Pacing(control), clock, 10) == 0
    control.resume()
    control.slow_down(None)
    assert seconds_of(Pacing(control), clock, 100) == 0
    monkeypatch.setenv("TSK_MAX_SLOW_SECONDS", "30")
    control.slow_down(1)
    assert seconds_of(Pacing(control), clock, 1000) == pytest.approx(30, abs=1)


@pytest.mark.parametrize("ask", ["stop", "pause", "slow_down"])
def test_a_wait_ends_as_soon_as_something_else_is_asked_for(control, clock, ask):
    control.slow_down(0.01)
    pacing = Pacing(control)
    began = clock.now
    clock.alarm = {"stop": control.stop, "pause": control.pause, "slow_down": lambda: control.slow_down(None)}[ask]
    assert pacing.asked()
    assert pacing.wait(control.stop_reason) == ("Stopped by hand." if ask == "stop" else "")
    assert clock.now - began <= 2 * POLL_SECONDS
