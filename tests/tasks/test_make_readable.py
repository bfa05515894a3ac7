"""A readable run: a training on the rows of another run, named by it, and repeatable as any run."""

import json
import time
from types import SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pytest

from tests.tables import make_table
from tsk_core.config import TrainConfig
from tsk_core.data import Choices, load_dataset, make_dataset
from tsk_core.errors import TrainingError
from tsk_core.estimators import settings_search
from tsk_core.runs import RunStore
from tsk_core.tasks import LiveTraining, MakeReadable, run_here
from tsk_core.tasks import task as task_module
from tsk_core.tasks.live_training import NOTHING_FOUND, SEARCH


@pytest.fixture(scope="module")
def dataset():
    return load_dataset("iris")


def run_task(store, task):
    run, task = task.create_run(store, "anyone")
    record = run_here(store, run, task)
    assert record.state == "finished", record.message
    return store.result(run)


@pytest.fixture(scope="module")
def runs(tmp_path_factory, dataset):
    """A training, and a readable run of it."""
    store = RunStore(tmp_path_factory.mktemp("runs"))
    full = run_task(store, LiveTraining(TrainConfig(n_rules=5, max_epochs=20, random_state=3), dataset))
    config = full.config.made_readable(n_rules=4, max_conditions=2, max_epochs=40)
    return store, full, run_task(store, MakeReadable(config, dataset, beside=full.run))


def test_it_is_tested_on_the_same_rows_and_the_script_that_repeats_it_gives_the_same_scores(runs, dataset, capsys):
    store, full, readable = runs
    assert store.open(readable.run).about()["beside"] == full.run and "beside" not in store.open(full.run).about()
    np.testing.assert_array_equal(full.split.test, readable.split.test)
    X, y = dataset.X.iloc[readable.split.test], np.asarray(dataset.y)[readable.split.test]
    assert readable.metrics["rca"] == pytest.approx((readable.classifier.predict(X) == y).mean())
    assert not readable.classifier.rules_.weights.any() and readable.history[-1].conditions <= 8
    json.dumps(readable.metrics, allow_nan=False)
    store, _, readable = runs
    exec(store.reproduction(readable.run).python, {})
    words = capsys.readouterr().out.split()
    assert float(words[1]) == pytest.approx(readable.metrics["rca"]) and float(words[3]) == pytest.approx(readable.metrics["bca"])


def test_the_settings_that_a_search_finds_are_those_of_the_run(runs, dataset, monkeypatch):
    store, full, _ = runs
    best, asked = full.config.made_readable(n_rules=3, max_conditions=1, max_epochs=15), []

    def found(config, X, y, budget, **given):
        asked.append((len(X), budget, given["class_weight"], given["most_rules"]))
        return best

    monkeypatch.setattr(settings_search, "shortest_config", found)
    monkeypatch.setenv("TSK_MAX_RULES", "7")
    task = MakeReadable(full.config.made_readable(n_rules=5), dataset, beside=full.run, budget=9.0, class_weight="balanced")
    run = run_task(store, task)
    assert asked == [(len(run.split.train), 9.0, "balanced", 7)]
    assert run.config == best and best.to_dict() == run.classifier.get_params() == store.record(run.run).settings
    assert store.open(run.run).about()["beside"] == full.run and len(run.history) == 15


def test_a_pause_during_the_search_does_not_count_against_the_training(runs, dataset, monkeypatch):
    asks, paused = iter([True]), [0.0]

    def pause(stop_reason):
        paused[0] += 3600  # longer than the training
        return ""

    store, full, _ = runs
    monkeypatch.setattr(task_module, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + paused[0]))
    monkeypatch.setattr(settings_search, "shortest_config", lambda config, *_, stopped, **given: None if stopped() else config)
    task = MakeReadable(full.config.made_readable(n_rules=3, max_epochs=2), dataset, beside=full.run, budget=9.0)
    run, task = task.create_run(store, "anyone")
    waiting = SimpleNamespace(asked=lambda: next(asks, False), wait=pause)
    assert run_here(store, run, task, waiting=[waiting]).state == "finished"
    assert paused == [3600] and 0 < store.result(run).metrics["seconds"] < 3600


@pytest.mark.parametrize("looks", [0, 40])
def test_a_stop_during_the_search_ends_the_run_with_the_reason_and_no_model(runs, dataset, looks):
    store, full, _ = runs
    run, task = MakeReadable(full.config.made_readable(), dataset, budget=60.0).create_run(store, "anyone")
    asked, stages = iter([""] * (looks + 1)), []
    hooks = {"stop_reason": lambda: next(asked, "Enough."), "on_progress": lambda done, stage, final: stages.append(stage)}
    record = run_here(store, run, task, **hooks)
    assert (record.state, record.message, set(stages)) == ("stopped", "Enough.", {SEARCH})
    assert not (store.open(run).path / "model").exists()


def test_the_first_settings_are_delivered_late_and_the_starting_point_where_all_diverge(runs, dataset, monkeypatch):
    store, full, _ = runs
    config = full.config.made_readable(n_rules=3, max_epochs=10)
    run, task = MakeReadable(config, dataset, budget=1e-9).create_run(store, "anyone")
    record = run_here(store, run, task)
    assert record.state == "finished" and "only the first ones were scored" in record.message
    assert store.result(run).config != config
    monkeypatch.setattr(settings_search.Tuner, "run", Mock(side_effect=TrainingError("diverged")))
    run, task = MakeReadable(config, dataset, budget=1e-9).create_run(store, "anyone")
    record = run_here(store, run, task)
    assert (record.state, record.message) == ("finished", NOTHING_FOUND) and store.result(run).config == config


def test_groups_are_respected_by_the_search(tmp_path, monkeypatch):
    table, seen = make_table(rows=160, classes=2), []
    frame = table.frame.assign(patient=np.arange(160) // 4)
    dataset = make_dataset(frame, table.target, name="visits", choices=Choices(roles={"patient": "group"}))
    config = TrainConfig.readable(random_state=0, max_epochs=2)
    search = lambda config, X, y, budget, **given: seen.append((len(X), given)) or config  # noqa: E731 - it stands for a function
    monkeypatch.setattr(settings_search, "shortest_config", search)
    run_task(RunStore(tmp_path), MakeReadable(config, dataset, budget=1.0))
    ((rows, given),) = seen
    assert rows == len(given["groups"]) < 160 and len(set(given["groups"])) == rows / 4 and given.get("time") is None
