"""Simplify and refit as a run of its own: same rows, fewer rules, honest figures, and repeatable."""

import json

import numpy as np
import pytest

from tsk_core.config import TrainConfig
from tsk_core.data import load_dataset
from tsk_core.estimators.classifier import TSKClassifier
from tsk_core.runs import RunStore
from tsk_core.simplify import Options
from tsk_core.tasks import LiveTraining, Refit, run_here


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
    """A training, and what a refit makes of it."""
    store = RunStore(tmp_path_factory.mktemp("runs"))
    config = TrainConfig(n_rules=5, max_epochs=20, random_state=3)
    full = run_task(store, LiveTraining(config, dataset))
    options = Options(max_rules=4, max_conditions=2, score_terms=2)
    small = run_task(store, Refit(full.config, dataset, source=full.classifier, source_run=full.run, options=options))
    return store, full, small


def test_the_smaller_model_is_tested_on_the_same_rows_and_scored_by_its_own_predictions(runs, dataset):
    _, full, small = runs
    np.testing.assert_array_equal(full.split.test, small.split.test)
    X, y = dataset.X.iloc[small.split.test], np.asarray(dataset.y)[small.split.test]
    assert small.metrics["rca"] == pytest.approx((small.classifier.predict(X) == y).mean())


def test_the_run_has_the_settings_that_it_turned_out_to_have_and_a_record_of_each_epoch(runs):
    _, full, small = runs
    changes = small.metrics["simplification"]
    assert small.config.n_rules == changes["rules"][1] == small.classifier.rules_.biases.shape[1] <= 4
    assert (small.config.batch_norm, small.config.firing) == ("none", "softmax")
    assert len(small.history) == small.config.max_epochs and len(small.history[0].firing) == changes["rules"][1]
    assert changes["rules"][0] == full.config.n_rules and changes["conditions"][1] <= 8 and changes["terms"][1] <= 2


def test_the_saved_model_has_the_conditions_and_score_terms_that_the_table_of_changes_says(runs):
    _, _, small = runs
    rules = small.classifier.to_dict()["rules"]
    assert (
        sum(sigma is not None for rule in rules for sigma in rule["sigmas"]) == small.metrics["simplification"]["conditions"][1]
    )
    changing = np.array([np.any(np.array(rule["consequents"])[:, 1:] != 0, axis=0) for rule in rules])
    assert changing.any(0).sum() <= 2
    assert all(len(rule.antecedents) <= 2 for rule in small.classifier.rules(12).rules)


def test_the_script_that_repeats_it_gives_the_same_scores(runs, capsys):
    store, _, small = runs
    exec(store.reproduction(small.run).python, {})
    words = capsys.readouterr().out.split()
    assert float(words[1]) == pytest.approx(small.metrics["rca"]) and float(words[3]) == pytest.approx(small.metrics["bca"])


def test_the_run_names_its_source_and_its_options(runs):
    store, full, small = runs
    origin = store.open(small.run).about()["simplified"]
    assert origin["from"] == full.run and origin["options"]["max_rules"] == 4
    assert TrainConfig.from_dict(origin["config"]) == full.config
    json.dumps(small.metrics, allow_nan=False)


def test_a_search_leaves_every_size_that_it_tried(runs, dataset):
    store, full, _ = runs
    options = Options(max_rules=3, max_conditions=1)
    found = run_task(store, Refit(full.config, dataset, source=full.classifier, options=options)).metrics["simplification"][
        "search"
    ]
    assert len(found["candidates"]) == 5 and {one["max_rules"] for one in found["candidates"]} == {3}
    assert 0 <= found["chosen"] < 5 and all(0 <= one["smoothed"] <= 1 for one in found["candidates"])


def test_a_stop_during_the_search_ends_the_run_with_the_reason(runs, dataset):
    store, full, _ = runs
    task = Refit(full.config, dataset, source=full.classifier, options=Options(max_rules=2, max_conditions=1))
    run, task = task.create_run(store, "anyone")
    asked = iter(["", *["Stopped."] * 100])
    record = run_here(store, run, task, stop_reason=lambda: next(asked))
    assert record.state == "stopped" and record.message == "Stopped."


def test_a_source_that_was_loaded_from_disk_gives_the_same_small_model(runs, dataset):
    _, full, small = runs
    loaded = TSKClassifier.load(runs[0].open(full.run).path / "model")
    X, y = dataset.X.iloc[full.split.train], np.asarray(dataset.y)[full.split.train]
    again = loaded.simplify(X, y, max_rules=4, max_conditions=2, score_terms=2)
    for found, expected in zip(again.rules_.tensors(), small.classifier.rules_.tensors(), strict=True):
        np.testing.assert_allclose(found.numpy(), expected.numpy(), atol=1e-6)
