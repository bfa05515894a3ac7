"""A stranger's large table takes the worker in which somebody's paused run waits."""

import pytest

from tests.jobs.test_faults import hog, let_go
from tests.training import Prepared
from tests.waiting import wait_until
from tsk_core.jobs import Engine


@pytest.mark.slow
def test_a_stranger_who_fills_the_worker_ends_and_the_paused_run_which_left_it_goes_on(tmp_path, monkeypatch, small, endless):
    monkeypatch.setenv("TSK_WORKERS", "1")
    monkeypatch.setattr("tsk_core.jobs.open_run.LONG_SECONDS", 0.5)
    with Engine(tmp_path / "runs") as engine:
        lecture = engine.submit(endless, small, "lecturer")
        wait_until(lambda: engine.history(lecture), seconds=120)
        engine.pause(lecture)
        wait_until(lambda: engine.status(lecture).waiting)
        stranger = engine.submit_task(Prepared(endless, small, before=hog, after=let_go), "stranger")
        wait_until(lambda: engine.status(stranger).ended or engine.status(lecture).ended)
        assert engine.status(stranger).state == "stopped" and "most one run may use" in engine.status(stranger).message
        assert engine.status(lecture).state == "running" and engine.status(lecture).parked
        reached = len(engine.history(lecture))
        engine.resume(lecture)
        wait_until(lambda: len(engine.history(lecture)) > reached)
