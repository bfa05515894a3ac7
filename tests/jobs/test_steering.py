"""Pause, step, resume, leases and waiting, on a real cluster of one worker; the clock of long pauses runs fast here."""

import threading
import time

import pytest

from tests.processes import worker_processes
from tests.waiting import wait_until
from tsk_core.classroom import Classroom, person_of
from tsk_core.config import TrainConfig
from tsk_core.errors import DiskFullError, LimitError, RunError
from tsk_core.jobs import Engine
from tsk_core.jobs.control import Control
from tsk_core.jobs.open_runs import OpenRuns
from tsk_core.runs import RunStore

pytestmark = pytest.mark.usefixtures("nothing_left")


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TSK_WORKERS", "1")
        patch.setattr("tsk_core.jobs.supervisor.PARK_SECONDS", 0.2)
        patch.setattr(OpenRuns, "receive", late(OpenRuns.receive))
        with Engine(tmp_path_factory.mktemp("runs")) as engine:
            yield engine


def late(receive):
    """How a task ended is told after Dask noticed its end, as happens on a busy machine."""

    def receive_late(runs, message):
        if "ended" in message:
            threading.Timer(0.5, receive, (runs, message)).start()
        else:
            receive(runs, message)

    return receive_late


def begun(engine, *args, **kwargs):
    run = engine.submit(*args, **kwargs)
    wait_until(lambda: engine.watch(run) or len(engine.history(run)) >= 2)
    return run


def parked(engine, run):
    return engine.status(run).parked


def paused_for_long(engine, config, dataset, owner="ada"):
    run = begun(engine, config, dataset, owner)
    engine.pause(run)
    wait_until(lambda: parked(engine, run))
    return run


def standing(engine, run, seconds=0.4):
    """Whether no epoch comes for a while."""
    before = len(engine.history(run))
    time.sleep(seconds)
    return len(engine.history(run)) == before


def test_a_paused_run_stands_still_until_it_is_resumed(engine, small, endless, monkeypatch):
    monkeypatch.setattr("tsk_core.jobs.supervisor.PARK_SECONDS", 60)
    run = begun(engine, endless, small)
    engine.pause(run)
    assert engine.status(run).paused and engine.status(run).state == "running"
    wait_until(lambda: engine.status(run).waiting)
    assert engine.status(run).epoch == engine.history(run)[-1].epoch
    assert standing(engine, run)
    done = len(engine.history(run))
    engine.resume(run)
    assert not engine.status(run).paused and not engine.status(run).waiting
    wait_until(lambda: len(engine.history(run)) > done)


def test_a_run_asked_to_pause_waits_only_once_its_epoch_is_over(engine, small, endless):
    run = begun(engine, endless, small)
    (process,) = worker_processes()
    process.suspend()  # in the midst of an epoch
    try:
        engine.pause(run)
        assert engine.status(run).paused and not engine.status(run).waiting
    finally:
        process.resume()
    wait_until(lambda: engine.status(run).waiting)
    assert engine.status(run).epoch == len(engine.history(run))


def test_a_step_does_one_epoch(engine, small, endless):
    run = begun(engine, endless, small)
    engine.step(run)  # of a run that trains: it waits
    wait_until(lambda: engine.status(run).waiting)
    time.sleep(0.1)
    done = len(engine.history(run))
    for more in (1, 2):
        engine.step(run)
        wait_until(lambda more=more: len(engine.history(run)) == done + more)
        assert engine.status(run).paused
    assert standing(engine, run) and len(engine.history(run)) == done + 2


def test_a_long_pause_gives_the_worker_to_the_next_run(engine, small, endless, short):
    run = paused_for_long(engine, endless, small)
    assert "first in the queue" in engine.status(run).message
    assert engine.result(engine.submit(short, small, "bob"), timeout=60).state == "finished"
    assert engine.status(run).paused and standing(engine, run)


def test_a_resumed_run_goes_on_before_all_that_wait(engine, small, endless):
    run = paused_for_long(engine, endless, small)
    other = begun(engine, endless, small, "bob")
    third = engine.submit(endless, small, "cem")
    engine.resume(run)
    status = engine.status(run)
    assert (status.paused, status.state) == (False, "running") and "First in the queue" in status.message
    done = len(engine.history(run))
    assert standing(engine, run)
    engine.stop(other)
    wait_until(lambda: len(engine.history(run)) > done)
    assert engine.status(third).state == "queued"


def test_a_step_after_a_long_pause_waits_for_the_worker_and_gives_it_back(engine, small, endless):
    run = paused_for_long(engine, endless, small)
    other = begun(engine, endless, small, "bob")
    done = len(engine.history(run))
    engine.step(run)
    assert standing(engine, run)
    engine.stop(other)
    wait_until(lambda: len(engine.history(run)) == done + 1 and parked(engine, run))
    begun(engine, endless, small, "cem")


def test_a_run_resumed_after_a_long_pause_gives_the_same_bits(engine, small):
    config = TrainConfig(n_rules=3, max_epochs=60, random_state=1)
    plain = engine.result(engine.submit(config, small), timeout=60)
    run = engine.submit(config, small, paused=True)
    wait_until(lambda: parked(engine, run))
    engine.submit(TrainConfig(n_rules=5, max_epochs=50, random_state=2), small, "bob")  # trains in the same process meanwhile
    time.sleep(0.2)
    engine.resume(run)
    result = engine.result(run, timeout=60)
    assert result.classifier.to_dict() == plain.classifier.to_dict()
    assert [e.to_dict() | {"seconds": 0} for e in result.history] == [e.to_dict() | {"seconds": 0} for e in plain.history]


def test_a_run_stopped_in_a_long_pause_keeps_its_weights_though_others_train(engine, small, endless):
    run = paused_for_long(engine, endless, small)
    begun(engine, endless, small, "bob")
    engine.stop(run)
    assert engine.result(run, timeout=60).state == "stopped"
    assert len(engine.result(run).classifier.predict(small.X)) == 120


def set_aside(engine, config, dataset):
    """A run that was paused for long and has left the memory of its worker, for another one that is paused."""
    run = paused_for_long(engine, config, dataset)
    other = paused_for_long(engine, config, dataset, "bob")
    wait_until(lambda: "out of memory" in engine.status(run).message)
    assert engine.status(run).paused and parked(engine, other) and not engine.status(run).ended
    engine.stop(other)
    return run


@pytest.mark.parametrize(
    "early_stopping", [pytest.param(False, id="training"), pytest.param(True, id="hold-out search", marks=pytest.mark.slow)]
)
def test_a_run_that_left_the_memory_of_its_worker_gives_the_same_bits(engine, small, early_stopping, monkeypatch):
    monkeypatch.setenv("TSK_MAX_PAUSED", "1")
    length = 20 if early_stopping else 60
    config = TrainConfig(n_rules=3, max_epochs=length, early_stopping=early_stopping, patience=length, random_state=1)
    plain = engine.result(engine.submit(config, small), timeout=60)
    run = engine.submit(config, small, paused=True)
    wait_until(lambda: engine.status(run).waiting)  # the longest of the two
    other = engine.submit(config, small, "bob", paused=True)
    wait_until(lambda: "out of memory" in engine.status(run).message)
    assert len(engine.history(run)) == 1  # what it recorded is still shown
    engine.resume(run)
    result = engine.result(run, timeout=60)
    assert engine.store.record(run).state == "finished"
    assert result.classifier.to_dict() == plain.classifier.to_dict()
    assert [e.to_dict() | {"seconds": 0} for e in result.history] == [e.to_dict() | {"seconds": 0} for e in plain.history]
    engine.stop(other)


def test_a_step_of_a_run_that_left_memory_does_one_epoch_and_it_stays_from_then_on(engine, small, endless, monkeypatch):
    monkeypatch.setenv("TSK_MAX_PAUSED", "1")
    run = set_aside(engine, endless, small)
    before = [epoch.to_dict() | {"seconds": 0} for epoch in engine.history(run)]
    engine.step(run)
    wait_until(lambda: engine.status(run).waiting and engine.status(run).attempt == 2)
    after = [epoch.to_dict() | {"seconds": 0} for epoch in engine.history(run)]
    assert len(after) == len(before) + 1 and after[:-1] == before and engine.status(run).paused
    engine.step(run)
    wait_until(lambda: len(engine.history(run)) == len(before) + 2)
    assert engine.status(run).attempt == 2


def test_a_run_stopped_after_it_left_memory_keeps_the_weights_that_it_had(engine, small, endless, monkeypatch):
    monkeypatch.setenv("TSK_MAX_PAUSED", "1")
    run = set_aside(engine, endless, small)
    before = len(engine.history(run))
    engine.stop(run)
    engine.stop(run)  # a second press changes nothing
    result = engine.result(run, timeout=60)
    assert result.state == "stopped" and result.message == "Stopped by hand." and len(result.history) == before


def test_steps_of_a_paused_run_in_the_queue_are_done_once_it_has_a_worker(engine, small, endless):
    first = begun(engine, endless, small, "bob")
    run = engine.submit(endless, small, paused=True)
    engine.step(run)
    engine.step(run)
    assert engine.status(run).state == "queued"
    engine.stop(first)
    wait_until(lambda: engine.status(run).waiting)
    assert len(engine.history(run)) == 3


def test_a_full_disk_keeps_one_run_from_leaving_its_worker_and_no_other_from_its_end(engine, small, endless, monkeypatch):
    def full(control):
        raise DiskFullError("The disk of this server is full.")

    monkeypatch.setattr(Control, "leave", full)
    tidied = []
    monkeypatch.setattr(RunStore, "free_disk_space", lambda store: tidied.append(store))
    paused = begun(engine, endless, small)
    engine.pause(paused)
    wait_until(lambda: engine.status(paused).waiting)
    time.sleep(0.3)  # more than what it may wait in its worker
    other = engine.submit(endless, small, "bob", lease=0.3)
    wait_until(lambda: engine.status(other).ended and tidied)
    assert "no page showed it" in engine.status(other).message and not parked(engine, paused)


@pytest.mark.slow
def test_a_paused_run_whose_worker_dies_starts_again_and_waits_where_it_was(engine, small, endless):
    run = paused_for_long(engine, endless, small)
    done = len(engine.history(run))
    for attempt in (2, 3):  # it only waited in them, so it is not to blame for the second one either
        for process in worker_processes():
            process.kill()
        wait_until(lambda attempt=attempt: engine.status(run).attempt >= attempt and parked(engine, run), seconds=120)
        assert len(engine.history(run)) == done and engine.status(run).paused


def test_another_process_pauses_and_resumes_by_files(engine, small, endless):
    run = begun(engine, endless, small)
    with Engine(engine.store.folder) as other:
        other.pause(run)
        wait_until(lambda: engine.status(run).paused and parked(engine, run))
        done = len(engine.history(run))
        other.resume(run)
        wait_until(lambda: len(engine.history(run)) > done)
    assert not engine.status(run).paused


def test_pausing_what_has_ended_changes_nothing_and_an_unknown_run_is_refused(engine, small, short):
    run = engine.submit(short, small)
    before = engine.result(run, timeout=60).metrics
    for steer in (engine.pause, engine.step, engine.resume):
        steer(run)
        with pytest.raises(RunError, match="no such run"):
            steer("nothing")
    assert engine.status(run).state == "finished" and not engine.status(run).paused
    assert engine.result(run).metrics == before


# Leases.


def test_a_run_nobody_watches_is_stopped_and_keeps_its_weights(engine, small, endless):
    run = begun(engine, endless, small, lease=1)
    wait_until(lambda: engine.status(run).ended)
    assert engine.status(run).message == "It was stopped since no page showed it for 1 s."
    assert engine.result(run).classifier is not None


def test_a_queued_run_that_nobody_watches_leaves_the_queue(engine, small, endless):
    begun(engine, endless, small)
    run = engine.submit(endless, small, "bob", lease=0.3)
    wait_until(lambda: engine.status(run).ended)
    assert "no page showed it" in engine.status(run).message


def test_a_paused_run_that_nobody_watches_is_stopped(engine, small, endless):
    run = begun(engine, endless, small, lease=1)
    engine.pause(run)
    wait_until(lambda: engine.status(run).ended)
    assert "no page showed it" in engine.status(run).message and engine.result(run).state == "stopped"


def test_a_watched_run_goes_on_and_one_that_is_kept_too(engine, small, endless):
    kept = engine.submit(endless, small, "bob", lease=1)
    assert not engine.status(kept).kept
    engine.keep(kept)
    assert engine.status(kept).kept
    wait_until(lambda: engine.history(kept))
    watched = engine.submit(endless, small, lease=1)
    for _ in range(15):
        engine.watch(watched)
        time.sleep(0.1)
    assert not engine.status(watched).ended and not engine.status(kept).ended
    engine.watch("nothing")  # a page may ask about what was removed
    engine.keep("nothing")


def a_month_ago():
    return time.time() - 31 * 24 * 3600


def test_answers_that_are_kept_no_longer_are_deleted_though_nobody_comes(engine, monkeypatch):
    long_ago = Classroom(engine.store.folder, a_month_ago)
    long_ago.lock("", person_of("ann"), "ur", "predict", [1])
    assert long_ago.kept_of(person_of("ann")) == (1, 0)
    monkeypatch.setattr("tsk_core.jobs.supervisor.EXPIRY_SECONDS", 0.2)
    wait_until(lambda: long_ago.kept_of(person_of("ann")) == (0, 0))


# Waiting.


def test_place_and_waiting_time_are_known_before_submitting(engine, small, short):
    engine.result(engine.submit(short, small), timeout=60)  # so that something is known
    assert engine.wait_estimate("bob").position == 0 and engine.wait_estimate("bob").seconds == 0
    begun(engine, TrainConfig(n_rules=3, max_epochs=100_000, random_state=1), small)
    estimate = engine.wait_estimate("bob")
    assert (estimate.position, estimate.allowed, estimate.message) == (1, True, "") and estimate.seconds > 1
    run = engine.submit(short, small, "bob")
    assert engine.status(run).position == 1 and engine.status(run).wait > 1
    assert engine.wait_estimate("cem").position in (1, 2)  # bob may have had a turn lately
    assert engine.wait_estimate("cem").seconds > 1


def test_the_wait_estimate_has_the_sentence_of_the_quota(engine, small, endless):
    for _ in range(4):
        engine.submit(endless, small, "ada")
    estimate = engine.wait_estimate("ada")
    assert not estimate.allowed
    with pytest.raises(LimitError) as refused:
        engine.submit(endless, small, "ada")
    assert estimate.message == str(refused.value)


def test_a_sweep_lets_those_who_watch_go_first(engine, small, endless, short):
    first = begun(engine, endless, small, "sweep", background=True)
    waiting = [engine.submit(short, small, "sweep", background=True) for _ in range(5)]
    run = engine.submit(short, small, "ada")
    assert engine.status(run).position == 1 and engine.status(first).state == "running"
    assert [engine.status(other).position for other in waiting] == [2, 3, 4, 5, 6]
    assert engine.wait_estimate("dan", background=True).position == 2  # sweep has just had a turn
    engine.stop(first)
    engine.result(run, timeout=60)
    assert sum(engine.status(other).ended for other in waiting) <= 1
    for other in waiting:
        engine.result(other, timeout=60)


def test_a_failed_submission_leaves_the_quota_as_it_was(engine, small, endless, monkeypatch):
    monkeypatch.setattr(engine.store, "create", lambda *a, **k: (_ for _ in ()).throw(RunError("The disk is full.")))
    for _ in range(6):
        with pytest.raises(RunError, match="disk"):
            engine.submit(endless, small, "ada")
    monkeypatch.undo()
    assert engine.wait_estimate("ada").allowed


def test_history_can_be_asked_for_what_is_new(engine, small, short):
    run = engine.submit(short, small)
    engine.result(run, timeout=60)
    assert [epoch.epoch for epoch in engine.history(run, since=3)] == [4, 5]
    assert engine.history(run, since=9) == []


def test_what_pages_ask_about_a_run_reads_no_file(engine, small, short, endless, monkeypatch):
    run, ended = begun(engine, endless, small), engine.submit(short, small, "bob")
    engine.stop(ended)
    before = engine.status(ended), engine.history(ended)

    def fail(*args, **kwargs):
        raise AssertionError("it was read")

    for name in ("record", "open"):
        monkeypatch.setattr(engine.store, name, fail)
    assert engine.status(run).state == "running" and engine.history(run)
    assert (engine.status(ended), engine.history(ended)) == before
    assert engine.wait_estimate("cem").allowed


def test_a_run_is_steered_by_its_owner_alone(engine, small, endless):
    run = begun(engine, endless, small, "ada", lease=60)
    steering = [
        engine.pause, engine.step, engine.resume, engine.keep, lambda run, owner: engine.slow_down(run, 1, owner), engine.stop,
    ]  # fmt: skip
    for steer in steering:
        with pytest.raises(RunError, match="Only the person who started this run can change it"):
            steer(run, "bob")
    assert not engine.status(run).paused and not standing(engine, run)
    for steer in steering:
        steer(run, "ada")
        with pytest.raises(RunError, match="no such run"):
            steer("0" * 32, "ada")


def test_a_run_of_another_process_is_steered_by_its_owner_alone(engine, small, endless):
    run = engine.store.create(endless, small, owner="ada")
    with pytest.raises(RunError, match="Only the person"):
        engine.stop(run, "bob")
    assert engine.status(run).state == "queued"
    engine.stop(run, "ada")
    assert engine.status(run).state == "stopped"
