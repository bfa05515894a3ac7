"""Control files and how a training waits; no cluster."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.training import train_run
from tests.waiting import wait_until
from tsk_core.config import TrainConfig
from tsk_core.jobs.control import STOPPED, Control
from tsk_core.jobs.pausing import Pausing
from tsk_core.runs import RunStore


@pytest.fixture
def control(tmp_path):
    return Control(tmp_path)


def test_nothing_is_asked_at_first(control):
    assert (control.stop_reason(), control.paused()) == ("", None)


def test_the_first_reason_to_stop_is_the_one_that_counts(control):
    control.stop("Nobody watched.")
    control.stop()
    assert control.stop_reason() == "Nobody watched."


def test_an_empty_stop_file_of_another_process_stops_by_hand(control, tmp_path):
    (tmp_path / "stop").touch()
    assert control.stop_reason() == STOPPED


def test_a_pause_counts_the_epochs_granted(control):
    control.pause()
    before = control.paused()
    control.pause()  # again: the same pause
    control.step()
    control.step(2)
    control.leave()
    after = control.paused()
    assert (before.name, before.steps, before.leave) == (after.name, 0, False)
    assert (after.steps, after.leave) == (3, True)
    control.resume()
    control.resume()
    assert control.paused() is None


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


def test_a_step_of_a_run_that_trains_pauses_it(control):
    control.step()
    assert control.paused().steps == 0


@given(st.binary(max_size=40))
def test_whatever_a_pause_file_holds_it_is_a_pause(tmp_path_factory, content):
    folder = tmp_path_factory.mktemp("run")
    (folder / "pause").write_bytes(content)
    assert Control(folder).paused().steps >= 0


def test_a_folder_that_is_gone_asks_nothing(tmp_path):
    assert Control(tmp_path / "gone").paused() is None and Control(tmp_path / "gone").stop_reason() == ""


def test_control_leaves_no_file_behind(control, tmp_path):
    control.pause()
    control.step()
    control.resume()
    assert list(tmp_path.iterdir()) == []


# The training's side.


def test_steps_are_used_up_one_by_one(control):
    pausing = Pausing(control)
    assert not pausing.asked()
    control.pause()
    control.step(2)
    assert [pausing.asked() for _ in range(4)] == [False, False, True, True]
    control.resume()
    control.pause()  # a new pause begins without steps
    assert pausing.asked()


def test_a_later_attempt_is_paused_where_the_earlier_one_was(control):
    control.pause()
    control.step()
    pausing = Pausing(control, reached=3)
    assert [pausing.asked() for _ in range(4)] == [False, False, True, True]


def test_a_new_pause_holds_at_once_in_a_later_attempt(control):
    control.pause()
    pausing = Pausing(control, reached=3)
    control.resume()
    control.pause()
    assert pausing.asked()


def test_waiting_ends_with_a_reason_to_stop(control):
    control.pause()
    told = []
    assert Pausing(control, told.append).wait(lambda: "Enough.") == "Enough."
    assert told == ["waits", "stepped"]


def test_a_long_pause_leaves_the_worker_once(control):
    control.pause()
    control.leave()
    told, left = [], []
    pausing = Pausing(control, told.append, lambda: left.append(1))
    for _ in range(2):
        assert pausing.wait(lambda: "Enough." if left else "") == "Enough."
    assert told == ["waits", "left", "stepped", "waits", "stepped"] and left == [1]


class Clock:
    """A clock that stands still while a run trains; each look at a paused run takes a minute of it."""

    def __init__(self, monkeypatch):
        self.now, self.alarms = 0.0, []
        for module in ("tsk_core.jobs.pausing", "tsk_core.tasks.context", "tsk_core.train.recorder"):
            monkeypatch.setattr(f"{module}.time", self)

    def monotonic(self):
        return self.now

    perf_counter = monotonic

    def sleep(self, seconds):
        self.now += 60
        for at, alarm in self.alarms:
            if self.now >= at:
                alarm()


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


def paused_run(folder, dataset, config, clock, after, seconds):
    """Train a run that is paused for ``seconds`` after the epoch number ``after`` of those told."""
    store = RunStore(folder)
    run = store.create(config, dataset)
    control, told = Control(folder / run), []

    def tell(epoch):
        told.append(epoch)
        if len(told) == after:
            control.pause()
            clock.alarms.append((clock.now + seconds, control.resume))

    train_run(folder, run, config, dataset, on_epoch=tell, waiting=[Pausing(control)])
    return store.result(run)


@pytest.mark.parametrize("early_stopping", [False, True], ids=["training", "hold-out search"])
def test_a_paused_run_gives_the_same_bits_and_counts_training_time_alone(tmp_path, small, clock, early_stopping):
    config = TrainConfig(n_rules=3, max_epochs=8, early_stopping=early_stopping, patience=3, random_state=1)
    plain = paused_run(tmp_path, small, config, clock, after=0, seconds=0)
    paused = paused_run(tmp_path, small, config, clock, after=2, seconds=1000)
    assert clock.now >= 1000
    assert paused.history[1].stage == ("hold-out" if early_stopping else "training")
    assert paused.classifier.to_dict() == plain.classifier.to_dict()
    assert paused.metrics == plain.metrics and paused.metrics["seconds"] == 0  # the clock stands still while it trains
    assert [epoch.to_dict() for epoch in paused.history] == [epoch.to_dict() for epoch in plain.history]
    assert {epoch.seconds for epoch in paused.history} == {0}


def test_a_pause_does_not_count_against_the_limit_of_seconds(tmp_path, small, clock, monkeypatch):
    monkeypatch.setenv("TSK_MAX_RUN_SECONDS", "60")
    config = TrainConfig(n_rules=3, max_epochs=5, random_state=1)
    result = paused_run(tmp_path, small, config, clock, after=2, seconds=1000)
    assert clock.now >= 1000 and (result.state, len(result.history)) == ("finished", 5)


def test_epochs_are_on_disk_when_a_run_begins_to_wait(tmp_path, small):
    store = RunStore(tmp_path)
    config = TrainConfig(n_rules=3, max_epochs=100_000, random_state=1)
    run = store.create(config, small)
    control = Control(tmp_path / run)
    control.pause()
    hooks = {"waiting": [Pausing(control)], "stop_reason": control.stop_reason}
    thread = threading.Thread(target=train_run, args=(tmp_path, run, config, small), kwargs=hooks, daemon=True)
    thread.start()
    wait_until(lambda: store.open(run).epochs())
    assert len(store.open(run).epochs()) == 1 and store.record(run).state == "running"
    control.stop()
    thread.join(60)
    assert store.record(run).state == "stopped"
