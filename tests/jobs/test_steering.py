"""Pause, step, resume, leases and pace; one worker, and the clock of long pauses runs fast."""

import threading
import time
from types import SimpleNamespace

import pytest

from tests.jobs.threads import thread_engine
from tests.training import Prepared
from tests.waiting import wait_until
from tsk_core.classroom import Classroom, person_of
from tsk_core.config import TrainConfig
from tsk_core.errors import DiskFullError, RunError
from tsk_core.jobs import open_run, supervisor
from tsk_core.jobs.control import Control
from tsk_core.jobs.open_runs import OpenRuns

pytestmark = pytest.mark.usefixtures("nothing_left")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(open_run, "LONG_SECONDS", 0.05)
        patch.setattr(OpenRuns, "receive", late(OpenRuns.receive))
        with thread_engine(tmp_path_factory.mktemp("runs"), workers=1) as place:
            yield place


def late(receive):
    """How a task ended is told after Dask noticed its end, as happens on a busy machine."""

    def receive_late(runs, message):
        if "ended" in message:
            threading.Timer(0.1, receive, (runs, message)).start()
        else:
            receive(runs, message)

    return receive_late


def parked(engine, run):
    return engine.status(run).parked


@pytest.fixture
def paused_for_long(engine, begun):
    """A function that pauses a run for so long that it leaves its worker to another one, which it returns too."""

    def paused_for_long():
        run = begun("ada")
        engine.pause(run)
        wait_until(lambda: engine.status(run).waiting)
        other = begun("bob")
        assert parked(engine, run) and engine.status(run).paused and engine.status(run).state == "running"
        return run, other

    return paused_for_long


def standing(engine, run):
    """Whether no epoch comes for a while: one takes some milliseconds."""
    before = len(engine.history(run))
    time.sleep(0.1)
    return len(engine.history(run)) == before


def without_seconds(epochs):
    return [epoch.to_dict() | {"seconds": 0} for epoch in epochs]


def test_a_paused_run_stands_still_does_one_epoch_for_each_step_and_goes_on(engine, begun, monkeypatch):
    monkeypatch.setattr(open_run, "LONG_SECONDS", 60)
    run = begun()
    engine.step(run)  # of a run that trains: it waits
    assert engine.status(run).paused and engine.status(run).state == "running"
    wait_until(lambda: engine.status(run).waiting)
    done = engine.status(run).epoch
    wait_until(lambda: len(engine.history(run)) == done)
    for more in (1, 2):
        engine.step(run)
        wait_until(lambda more=more: len(engine.history(run)) == done + more)
        assert engine.status(run).paused
    assert standing(engine, run) and len(engine.history(run)) == done + 2
    engine.resume(run)
    assert not engine.status(run).paused and not engine.status(run).waiting
    wait_until(lambda: len(engine.history(run)) > done + 3)


BEGUN = threading.Event()


def wait_for_begun():
    BEGUN.wait(60)


def test_a_run_asked_to_pause_waits_only_once_its_epoch_is_over(engine, small, endless):
    run = engine.submit_task(Prepared(endless, small, before=wait_for_begun), paused=True)
    wait_until(lambda: engine.status(run).state == "running")
    assert engine.status(run).paused and not engine.status(run).waiting
    BEGUN.set()
    wait_until(lambda: engine.status(run).waiting)
    assert engine.status(run).epoch == len(engine.history(run)) == 1


def test_a_long_pause_keeps_its_worker_while_nobody_needs_it_and_goes_on_at_once(engine, begun):
    run = begun()
    engine.pause(run)
    wait_until(lambda: engine.status(run).waiting)
    assert standing(engine, run) and not parked(engine, run) and engine.wait_estimate("bob").position == 0
    engine.resume(run)
    done = len(engine.history(run))
    wait_until(lambda: len(engine.history(run)) > done)
    assert engine.status(run).attempt == 1


def test_a_resumed_run_goes_on_before_all_that_wait(engine, small, endless, paused_for_long):
    run, other = paused_for_long()
    third = engine.submit(endless, small, "cem")
    engine.resume(run)
    assert not engine.status(run).paused and "First in the queue" in engine.status(run).message
    done = len(engine.history(run))
    assert standing(engine, run) and engine.status(run).position == 1
    engine.stop(other)
    wait_until(lambda: len(engine.history(run)) > done)
    assert engine.status(third).state == "queued"


def test_a_step_after_a_long_pause_waits_for_the_worker_and_gives_it_back(engine, begun, paused_for_long):
    run, other = paused_for_long()
    done = len(engine.history(run))
    engine.step(run)
    assert standing(engine, run)
    engine.stop(other)
    wait_until(lambda: len(engine.history(run)) == done + 1 and engine.status(run).waiting)
    begun("cem")
    assert parked(engine, run)


@pytest.mark.parametrize("early_stopping", [False, True], ids=["training", "hold-out search"])
def test_a_run_that_left_its_worker_gives_the_same_bits(engine, small, early_stopping):
    length = 5 if early_stopping else 20
    config = TrainConfig(n_rules=3, max_epochs=length, early_stopping=early_stopping, patience=length, random_state=1)
    plain = engine.result(engine.submit(config, small), timeout=60)
    run = engine.submit(config, small, paused=True)
    wait_until(lambda: engine.status(run).waiting)
    other = engine.submit(config, small, "bob", paused=True)
    wait_until(lambda: parked(engine, run) and engine.status(other).waiting)
    assert "trains up to this epoch again" in engine.status(run).message
    assert len(engine.history(run)) == 1  # what it recorded is still shown
    engine.resume(run)
    result = engine.result(run, timeout=60)
    assert engine.store.record(run).state == "finished"
    assert result.classifier.to_dict() == plain.classifier.to_dict()
    assert without_seconds(result.history) == without_seconds(plain.history)
    engine.stop(other)


def test_a_step_of_a_run_that_left_its_worker_does_one_epoch_and_it_stays_from_then_on(engine, paused_for_long):
    run, other = paused_for_long()
    engine.stop(other)
    before = without_seconds(engine.history(run))
    engine.step(run)
    wait_until(lambda: engine.status(run).waiting and engine.status(run).attempt == 2)
    after = without_seconds(engine.history(run))
    assert len(after) == len(before) + 1 and after[:-1] == before and engine.status(run).paused
    engine.step(run)
    wait_until(lambda: len(engine.history(run)) == len(before) + 2)
    assert engine.status(run).attempt == 2


def test_a_run_stopped_after_it_left_its_worker_keeps_the_weights_that_it_had(engine, paused_for_long):
    run, other = paused_for_long()
    engine.stop(other)
    before = len(engine.history(run))
    engine.stop(run)
    engine.stop(run)  # a second press changes nothing
    result = engine.result(run, timeout=60)
    assert result.state == "stopped" and result.message == "Stopped by hand." and len(result.history) == before


def test_two_runs_of_an_owner_do_not_go_on_at_once_where_one_of_them_was_paused(small, endless, tmp_path):
    with thread_engine(tmp_path, workers=2) as place:
        run, other = (place.engine.submit(endless, small, paused=at == 0) for at in range(2))
        wait_until(lambda: parked(place.engine, run) and place.engine.history(other))
        place.engine.resume(run)
        assert standing(place.engine, run)


def test_a_paused_run_whose_worker_dies_starts_again_and_waits_where_it_was(engine, place, begun):
    run = begun()
    engine.pause(run)
    wait_until(lambda: engine.status(run).waiting)
    done = len(engine.history(run))
    for attempt in (2, 3):  # it only waited in them, so it is not to blame for the second one either
        place.clusters[-1].restart(place.clusters[-1].worker_of(run))
        wait_until(lambda attempt=attempt: engine.status(run).attempt >= attempt and engine.status(run).waiting)
        assert len(engine.history(run)) == done and engine.status(run).paused


def test_steps_of_a_paused_run_in_the_queue_are_done_once_it_has_a_worker(engine, small, endless, begun):
    first = begun("bob")
    run = engine.submit(endless, small, paused=True)
    engine.step(run)
    engine.step(run)
    assert engine.status(run).state == "queued" and engine.status(run).paused
    engine.stop(first)
    wait_until(lambda: engine.status(run).waiting)
    assert engine.status(run).epoch == len(engine.history(run)) == 3


def test_a_full_disk_keeps_one_run_from_leaving_its_worker_and_no_other_from_its_end(engine, small, endless, monkeypatch, begun):
    def full(control, leave=True):
        if leave:
            refused.append(control)
            raise DiskFullError("The disk of this server is full.")

    refused, tidied = [], []
    monkeypatch.setattr(Control, "leave", full)
    monkeypatch.setattr(engine.store.housekeeping, "free_disk_space", lambda: tidied.append(True))
    paused = begun()
    engine.pause(paused)
    wait_until(lambda: engine.status(paused).waiting)
    other = engine.submit(endless, small, "bob", lease=0.5)
    wait_until(lambda: refused)
    wait_until(lambda: engine.status(other).ended and tidied)
    assert "no page showed it" in engine.status(other).message and not parked(engine, paused)


def test_pausing_what_has_ended_changes_nothing(engine, small, short):
    run = engine.submit(short, small)
    before = engine.result(run, timeout=60).metrics
    for steer in (engine.pause, engine.step, engine.resume):
        steer(run)
    assert engine.status(run).state == "finished" and not engine.status(run).paused
    assert engine.result(run).metrics == before


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


# Leases.


@pytest.fixture
def hours(monkeypatch):
    """A function that moves the clock by which viewers are missed."""
    moved = [0.0]
    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + moved[0], sleep=time.sleep)
    for module in ("engine", "supervisor"):
        monkeypatch.setattr(f"tsk_core.jobs.{module}.time", clock)

    def later(seconds):
        moved[0] += seconds

    return later


@pytest.mark.parametrize("state", ["trains", "waits", "is queued"])
def test_a_run_nobody_watches_is_stopped_and_keeps_its_weights(engine, small, endless, hours, begun, state):
    first = begun("bob") if state == "is queued" else None
    run = engine.submit(endless, small, lease=60) if first else begun(lease=60)
    if state == "waits":
        engine.pause(run)
        wait_until(lambda: engine.status(run).waiting)
    hours(61)
    wait_until(lambda: engine.status(run).ended)
    assert engine.status(run).message == "It was stopped since no page showed it for 60 s."
    if not first:
        assert engine.result(run).state == "stopped" and engine.result(run).classifier is not None


def test_a_watched_run_goes_on_and_one_that_is_kept_too(engine, small, endless, hours, begun):
    kept = engine.submit(endless, small, "bob", lease=60)
    assert not engine.status(kept).kept
    engine.keep(kept)
    assert engine.status(kept).kept
    wait_until(lambda: engine.history(kept))
    watched, forgotten = (engine.submit(endless, small, owner, lease=60) for owner in ("ada", "cem"))
    for _ in range(3):
        hours(40)
        engine.watch(watched)
    wait_until(lambda: engine.status(forgotten).ended)  # so the supervisor has looked
    assert not engine.status(watched).ended and not engine.status(kept).ended


def a_month_ago():
    return time.time() - 31 * 24 * 3600


def test_answers_that_are_kept_no_longer_are_deleted_though_nobody_comes(engine, monkeypatch):
    long_ago = Classroom(engine.store.folder, a_month_ago)
    long_ago.lock("", person_of("ann"), "ur", "predict", [1])
    answers, _ = long_ago.kept_of(person_of("ann"))
    assert answers == 1
    monkeypatch.setattr(supervisor, "EXPIRY_SECONDS", 0.1)
    wait_until(lambda: not any(long_ago.kept_of(person_of("ann"))))


# Owners.


def test_a_run_of_this_or_another_process_is_steered_by_its_owner_alone(engine, begun, small, endless):
    run = begun("ada", lease=60)
    steering = [
        engine.pause, engine.step, engine.resume, engine.keep, lambda run, owner: engine.slow_down(run, 1, owner), engine.stop,
    ]  # fmt: skip
    for steer in steering:
        with pytest.raises(RunError, match="Only the person who started this run can change it"):
            steer(run, "bob")
    done = len(engine.history(run))
    assert not engine.status(run).paused
    wait_until(lambda: len(engine.history(run)) > done)
    for steer in steering:
        steer(run, "ada")
        with pytest.raises(RunError, match="no such run"):
            steer("0" * 32, "ada")
    run = engine.store.create(endless, small, owner="ada")
    with pytest.raises(RunError, match="Only the person"):
        engine.stop(run, "bob")
    assert engine.status(run).state == "queued"
    engine.stop(run, "ada")
    assert engine.status(run).state == "stopped"
