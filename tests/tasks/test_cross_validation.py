"""Cross-validation: every fold scores as a training of its own, and the interval is of all folds or there is none."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from tests.tables import make_table
from tsk_core.config import TrainConfig
from tsk_core.data import Choices, make_dataset
from tsk_core.data.folds import make_folds
from tsk_core.errors import LimitError, RunError
from tsk_core.estimators.classifier import TSKClassifier
from tsk_core.evaluate.intervals import corrected_t_interval
from tsk_core.metrics import accuracy_of_labels
from tsk_core.runs import RunStore
from tsk_core.tasks import CrossValidation, run_here


def cross_validate(folder, config, dataset, hooks=None, **options):
    """The store and the ledger row of a cross-validation in this process."""
    store = RunStore(folder)
    run, task = CrossValidation(config, dataset, **options).create_run(store, "ada")
    return store, run_here(store, run, task, **(hooks or {}))


@pytest.mark.parametrize(("rows", "readable"), [(121, False), (120, True)])
def test_each_fold_scores_as_its_own_training_does(tmp_path, short, rows, readable):
    dataset = make_table(rows=rows)
    short = replace(short.made_readable(n_rules=3, max_epochs=10), batch_size=short.batch_size) if readable else short
    store, record = cross_validate(tmp_path, short, dataset, repeats=2)
    assert (record.state, record.task) == ("finished", "cross-validation")
    folder, y = store.open(record.id), np.asarray(dataset.y)
    parts, splits = make_folds(y, None, 2, 2, 1).folds, folder.records("splits")
    for k, (part, split) in enumerate(zip(parts, splits, strict=True)):
        model = TSKClassifier(**short.to_dict() | {"random_state": 1 + k}).fit(dataset.X.iloc[part.train], y[part.train])
        slow = accuracy_of_labels(y[part.test], model.predict(dataset.X.iloc[part.test]))
        assert (split["rca"], split["bca"]) == pytest.approx(slow, abs=1.5 / len(part.test))  # a row on the border
        assert (split["seed"], split["train_rows"], split["test_rows"]) == (1 + k, len(part.train), len(part.test))


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The folder of a run and its row, what it told of its progress, and its records."""
    progress, lines = [], []
    hooks = {"on_progress": lambda *told: progress.append(told), "on_record": lambda *told: lines.append(told)}
    config = TrainConfig(n_rules=3, max_epochs=5, random_state=1)
    store, record = cross_validate(tmp_path_factory.mktemp("runs"), config, make_table(), hooks)
    return store.open(record.id), record, progress, lines


def test_the_interval_is_the_corrected_one_of_all_folds_of_which_each_has_a_record(finished, small, short):
    folder, record, _, _ = finished
    metrics = folder.metrics()
    assert metrics["title"] == "5 × 2 cross-validation" and metrics["splits"] == len(metrics["rca"]) == 10
    for name in ("rca", "bca"):
        scores = np.array(metrics[name])
        assert metrics[f"{name}_mean"] == pytest.approx(scores.mean())
        assert metrics[f"{name}_sd"] == pytest.approx(scores.std(ddof=1))
        assert metrics[f"{name}_interval"] == pytest.approx(list(corrected_t_interval(scores, 1.0)))
    assert (record.rca, record.bca) == (metrics["rca_mean"], metrics["bca_mean"])
    _, _, progress, lines = finished
    assert [done for done, _, _ in progress] == list(range(10, 51, 10)) and progress[-1][1:] == ("training", True)
    assert CrossValidation(short, small).steps == 50
    assert [name for name, _, _ in lines] == ["splits"] * 10 and {"seed", "rca", "bca"} <= set(json.loads(lines[0][1]))


def test_the_same_seed_gives_the_same_scores_also_where_memory_allows_few_folds_at_once(
    finished, tmp_path, small, short, monkeypatch
):
    found = [finished[0].metrics()]
    for at_once in (10, 3):
        batches = [range(k, min(k + at_once, 10)) for k in range(0, 10, at_once)]
        monkeypatch.setattr(CrossValidation, "_batches", lambda self, parts, batches=batches: iter(batches))
        store, record = cross_validate(tmp_path / str(at_once), short, small)
        found.append(store.open(record.id).metrics())
    assert found[0]["bca"] == found[1]["bca"]
    assert found[0]["bca"] == pytest.approx(found[2]["bca"], abs=0.03)


def test_a_large_table_trains_fewer_folds_at_once_and_one_that_is_too_large_is_refused(short, monkeypatch):
    task = CrossValidation(short, make_table(rows=6000, columns=20))
    parts = make_folds(task.dataset.y, None, 5, 2, 0).folds
    assert [len(batch) for batch in task._batches(parts)] == [10]
    monkeypatch.setenv("TSK_MAX_MEMORY_MB", "1")
    batches = list(task._batches(parts))
    assert len(batches) > 1 and [k for batch in batches for k in batch] == list(range(10))
    monkeypatch.setenv("TSK_MAX_RULES", "2")
    with pytest.raises(LimitError, match="TSK_MAX_RULES"):
        task.check()


def test_a_category_that_a_fold_never_trains_on_still_has_its_column(tmp_path):
    frame = pd.DataFrame({"x": np.arange(60.0), "colour": ["red", "blue"] * 29 + ["red", "green"], "kind": ["a", "b"] * 30})
    dataset = make_dataset(frame, "kind", name="rare", choices=Choices(target="kind", rare="keep"))
    store, record = cross_validate(tmp_path, TrainConfig(n_rules=2, max_epochs=2, random_state=0), dataset)
    assert record.state == "finished", record.message


def test_the_order_of_times_is_respected(tmp_path):
    table = make_table(rows=160, classes=2)
    frame = table.frame.assign(day=np.arange(160) // 4)
    dataset = make_dataset(frame, table.target, name="days", choices=Choices(roles={"day": "time"}))
    config = TrainConfig(n_rules=2, max_epochs=3, early_stopping=True, patience=2, random_state=0)
    store, record = cross_validate(tmp_path, config, dataset)
    assert record.state == "finished", record.message
    metrics = store.open(record.id).metrics()
    assert metrics["title"].startswith("Forward-chaining") and metrics["splits"] == 10 and metrics["bca_interval"]


def test_the_interval_of_folds_of_whole_groups_is_corrected_by_groups(tmp_path, short):
    table = make_table(rows=240, classes=2)
    ward = np.minimum(np.random.default_rng(0).geometric(0.25, 240), 12)
    dataset = make_dataset(table.frame.assign(ward=ward), table.target, name="wards", choices=Choices(roles={"ward": "group"}))
    store, record = cross_validate(tmp_path, short, dataset, folds=3)
    metrics, folds = store.open(record.id).metrics(), make_folds(dataset.y, dataset.split_column, 5, 3, short.seed).folds
    ratio = np.mean([len(set(ward[fold.test])) / len(set(ward[fold.train])) for fold in folds])
    assert metrics["test_train_ratio"] == pytest.approx(ratio) and abs(ratio - 1 / 2) > 0.01
    half = 2.144787 * (np.var(metrics["bca"], ddof=1) * (1 / 15 + ratio)) ** 0.5  # the t table: 97.5%, 14 degrees of freedom
    assert metrics["bca_interval"] == pytest.approx([metrics["bca_mean"] - half, metrics["bca_mean"] + half])


def test_a_stop_leaves_no_scores(tmp_path, small, short):
    seen = []
    store, record = cross_validate(tmp_path, short, small, hooks={
        "stop_reason": lambda: "Enough." if len(seen) > 2 else "", "on_progress": lambda *progress: seen.append(progress),
    })  # fmt: skip
    assert (record.state, record.message, record.rca) == ("stopped", "Enough.", None)
    with pytest.raises(RunError, match="no numbers"):
        store.open(record.id).metrics()
