"""The second kind of task: scores on several splits, in this process and through the engine."""

import numpy as np
import pytest

from tests.waiting import wait_until
from tsk_core.classifier import TSKClassifier
from tsk_core.errors import LimitError, RunError
from tsk_core.runs import RunStore
from tsk_core.tasks import CrossValidation, run_here


def test_each_split_scores_as_its_own_training_does(tmp_path, small, short):
    store = RunStore(tmp_path)
    run, task = CrossValidation(short, small, splits=3).create_run(store, "ada")
    record = run_here(store, run, task)
    assert (record.state, record.task) == ("finished", "cross-validation")
    metrics, y = store.open(run).metrics(), np.asarray(small.y)
    for n, split in enumerate(store.open(run).records("splits")):
        train, test, _ = small.split(seed=split["seed"])
        model = TSKClassifier(**short.to_dict() | {"random_state": split["seed"]}).fit(small.X.iloc[train], y[train])
        assert split["rca"] == metrics["rca"][n] == pytest.approx((model.predict(small.X.iloc[test]) == y[test]).mean())
    assert metrics["rca_mean"] == pytest.approx(np.mean(metrics["rca"])) == record.rca
    assert metrics["bca_sd"] == pytest.approx(np.std(metrics["bca"], ddof=1))


def test_a_stop_keeps_the_splits_that_are_done(tmp_path, small, short):
    store, seen = RunStore(tmp_path), []
    run, task = CrossValidation(short, small, splits=50).create_run(store, "ada")
    record = run_here(
        store, run, task, stop_reason=lambda: "Enough." if len(seen) == 2 else "", on_record=lambda *record: seen.append(record)
    )
    assert (record.state, record.message) == ("stopped", "Enough.")
    assert len(store.open(run).metrics()["rca"]) == 2


def test_a_stop_within_the_first_split_leaves_no_scores(tmp_path, small, endless):
    store, asked = RunStore(tmp_path), []
    run, task = CrossValidation(endless, small).create_run(store, "ada")
    record = run_here(store, run, task, stop_reason=lambda: "Enough." if asked.append(1) or len(asked) > 3 else "")
    assert (record.state, record.message, record.rca) == ("stopped", "Enough.", None)


def test_a_split_of_a_single_one_has_no_spread(tmp_path, small, short):
    store = RunStore(tmp_path)
    run, task = CrossValidation(short, small, splits=1).create_run(store, "ada")
    run_here(store, run, task)
    assert store.open(run).metrics()["rca_sd"] is None


def test_the_engine_runs_it_beside_trainings(engine, nothing_left, small, short):
    run = engine.submit_task(CrossValidation(short, small, splits=4), "ada", background=True)
    training = engine.submit(short, small, "bob")
    wait_until(lambda: engine.status(run).ended)
    assert engine.status(run).state == "finished" and len(engine.records(run, "splits")) == 4
    assert engine.result(training, timeout=60).state == "finished"
    with pytest.raises(RunError, match="cross-validation.*no model"):
        engine.result(run)
    assert [record.id for record in engine.store.records(task="training")] == [training]


def test_its_progress_is_known_while_it_runs(engine, nothing_left, small, endless):
    run = engine.submit_task(CrossValidation(endless, small, splits=7), "ada")
    wait_until(lambda: engine.status(run).state == "running")
    assert (engine.status(run).epoch, engine.status(run).max_epochs) == (0, 7)


def test_one_that_is_too_large_is_refused(engine, nothing_left, small, short, monkeypatch):
    monkeypatch.setenv("TSK_MAX_RULES", "2")
    with pytest.raises(LimitError, match="TSK_MAX_RULES"):
        engine.submit_task(CrossValidation(short, small))
    assert not engine.open_runs()
