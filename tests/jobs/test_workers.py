"""Which run a free worker gets."""

import pytest

from tsk_core.jobs.control import Control
from tsk_core.jobs.open_run import OpenRun
from tsk_core.jobs.workers import Workers


@pytest.fixture
def workers():
    workers = Workers()
    workers.addresses = ["first", "second", "third"]
    return workers


def given(workers, tmp_path, owner, worker, resumed=False):
    """A run that was given a worker; resumed: after it was parked there."""
    run = OpenRun(f"{owner}{len(workers.runs())}", owner, None, 1, Control(tmp_path))
    workers.assign(run, worker)
    if resumed:
        run.pause.begin()
        run.pause.parked = True
        run.pause.grant(0)
    return run


def test_who_has_enough_runs_going_waits_for_them_with_one_that_was_resumed(workers, tmp_path, monkeypatch):
    resumed = given(workers, tmp_path, "ada", "first", resumed=True)
    going = given(workers, tmp_path, "ada", "second")
    assert workers.first_resumed() is None
    of_another = given(workers, tmp_path, "bob", "first", resumed=True)
    assert workers.first_resumed() is of_another
    workers.release(of_another)
    monkeypatch.setenv("TSK_MAX_RUNNING_PER_OWNER", "2")
    assert workers.first_resumed() is resumed
    monkeypatch.delenv("TSK_MAX_RUNNING_PER_OWNER")
    workers.release(going)
    assert workers.first_resumed() is resumed


def test_a_resumed_run_waits_while_no_worker_is_free(workers, tmp_path):
    resumed = given(workers, tmp_path, "ada", "first", resumed=True)
    for name, worker in (("bob", "first"), ("cem", "second"), ("dan", "third")):
        given(workers, tmp_path, name, worker)
    assert workers.first_resumed() is None
    workers.release(workers.runs()[-1])
    assert workers.first_resumed() is resumed
