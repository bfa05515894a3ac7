"""Tasks on a real cluster: each tells how far it is, ends, takes turns with others, and loses nothing to a kill or a restart."""

import pytest

from tests.tasks.test_experiment import compared, points_of
from tests.waiting import wait_until
from tsk_core.config import TrainConfig
from tsk_core.errors import RunError
from tsk_core.jobs import Engine
from tsk_core.runs import RunStore
from tsk_core.tasks import EXPERIMENT, CrossValidation, Experiment

pytestmark = pytest.mark.slow


def test_a_cross_validation_tells_its_progress_and_ends_beside_trainings(engine, nothing_left, small, short, endless):
    watched = engine.submit_task(CrossValidation(endless, small), "ada")
    wait_until(lambda: engine.status(watched).epoch > 0)
    assert engine.status(watched).max_epochs == 10 * endless.max_epochs
    engine.stop(watched)
    run, training = engine.submit_task(CrossValidation(short, small), "ada", background=True), engine.submit(short, small, "bob")
    wait_until(lambda: engine.status(run).ended)
    assert engine.status(run).state == "finished" and len(engine.records(run, "splits")) == 10
    assert engine.result(training, timeout=60).state == "finished"
    with pytest.raises(RunError, match=r"no model.*cross-validation"):
        engine.result(run)
    assert [record.id for record in engine.store.ledger.records(task="training")] == [training]


def test_experiments_of_several_people_take_turns_and_survive_a_restart(tmp_path, small, monkeypatch):
    monkeypatch.setenv("TSK_MAX_TURN_SECONDS", "1")
    monkeypatch.setenv("TSK_WORKERS", "1")
    base = TrainConfig(n_rules=3, max_epochs=300)
    plans = [compared(("none", "rules=4", "rules=5", "rules=6"), base, seeds=1, first_seed=k) for k in range(2)]
    with Engine(tmp_path) as engine:
        runs = [engine.submit_task(Experiment(plan, small), f"person {k}", background=True) for k, plan in enumerate(plans)]
        wait_until(
            lambda: min(engine.status(name).attempt for name in runs) >= 2 or all(engine.status(n).ended for n in runs), 120
        )
        assert {engine.status(name).message for name in runs} == {""}
    known = [len(points_of(RunStore(tmp_path), name)) for name in runs]
    assert max(known) >= 1
    with Engine(tmp_path) as engine:  # what the first one left is "interrupted" now, and continues by starting it again
        again = [engine.submit_task(Experiment(plan, small), f"person {k}", background=True) for k, plan in enumerate(plans)]
        wait_until(lambda: all(engine.status(name).ended for name in again), 120)
        for name, count in zip(again, known, strict=True):
            assert engine.status(name).state == "finished"
            points = {one["point"]: one for one in engine.records(name, EXPERIMENT) if "point" in one}
            assert sorted(points) == list(range(4)) and sum(point["cached"] for point in points.values()) >= count
